/* Short texts as JSON: image references, ports, volumes, run command lines, environment files.
 * SPDX-License-Identifier: MIT */
#include "src/cmd_parse.h"

#include <string.h>

#include "model/json_put.h"
#include "model/secret.h"
#include "src/syntax/docker_run.h"
#include "src/syntax/dotenv.h"
#include "src/syntax/image_ref.h"
#include "src/syntax/port_spec.h"
#include "src/syntax/volume_spec.h"
#include "src/syntax/words.h"

bool parse_image_text(struct arena *a, const char *text, struct buf *out)
{
	image_ref_to_json(out, text);
	return image_ref_normalize(a, text).error == IMAGE_REF_OK;
}

static void put_error(struct buf *out, const char *error)
{
	json_put_open(out, '{');
	json_put_member(out, "error", error);
	json_put_close(out, '}');
}

static void put_range(struct buf *out, const char *key, struct port_range range)
{
	json_put_key(out, key);
	json_put_open(out, '{');
	json_put_member_number(out, "begin", range.begin);
	json_put_member_number(out, "end", range.end);
	json_put_close(out, '}');
}

bool parse_port_text(struct arena *a, const char *text, struct buf *out)
{
	struct port_mapping m = port_parse(a, text);

	if (m.error) {
		put_error(out, m.error);
		return false;
	}
	json_put_open(out, '{');
	json_put_member(out, "host_ip", m.host_ip);
	if (m.has_host)
		put_range(out, "host", m.host);
	put_range(out, "container", m.container);
	json_put_member(out, "protocol", m.protocol);
	json_put_member(out, "canonical", port_canonical(a, &m));
	json_put_close(out, '}');
	return true;
}

static void put_switch(struct buf *out, const char *key, enum volume_switch value)
{
	if (value != VOLUME_UNSET)
		json_put_member_bool(out, key, value == VOLUME_ON);
}

static void put_given(struct buf *out, const char *key, const char *text)
{
	if (text && *text)
		json_put_member(out, key, text);
}

static void put_volume(struct buf *out, const struct volume_spec *v)
{
	json_put_open(out, '{');
	json_put_member(out, "type", v->type);
	json_put_member(out, "source", v->source);
	json_put_member(out, "target", v->target);
	put_switch(out, "read_only", v->read_only);
	put_switch(out, "create_host_path", v->create_host_path);
	put_switch(out, "nocopy", v->nocopy);
	put_given(out, "propagation", v->propagation);
	put_given(out, "recursive", v->recursive);
	put_given(out, "selinux", v->selinux);
	put_given(out, "consistency", v->consistency);
	put_given(out, "subpath", v->subpath);
	put_given(out, "driver", v->driver);
	if (v->tmpfs_size)
		json_put_member_number(out, "tmpfs_size", v->tmpfs_size);
	put_given(out, "tmpfs_mode", v->tmpfs_mode);
	json_put_close(out, '}');
}

/* "type=bind,source=…" is the form of --mount; anything else is the short form of -v. */
bool parse_volume_text(struct arena *a, const char *text, struct buf *out)
{
	bool fields = strchr(text, '=') && !strchr(text, ':');
	struct volume_spec v = fields ? volume_parse_mount(a, text) : volume_parse_compose(a, text);

	if (v.error) {
		put_error(out, v.error);
		return false;
	}
	put_volume(out, &v);
	return true;
}

/* Values of variables on the line are hidden before it is read. */
bool parse_run_text(struct arena *a, const char *text, struct buf *out)
{
	struct buf safe = { 0 };
	struct word_list words = { 0 };
	struct docker_arg *args;
	struct docker_run run;
	bool ok;

	secret_redact(&safe, text, strlen(text));
	words_split(a, buf_text(&safe), &words);
	buf_free(&safe);
	args = arena_array(a, words.count + 1, sizeof *args);
	for (size_t i = 0; i < words.count; i++)
		args[i] = (struct docker_arg){ .text = words.items[i],
					       .literal = !strchr(words.items[i], '$') };
	ok = docker_run_read(a, args, words.count, &run);
	if (ok)
		docker_run_to_json(out, &run);
	else
		put_error(out, "no run, create or exec of docker, podman or nerdctl");
	return ok;
}

void parse_env_source(struct arena *a, const struct source *s, struct buf *out,
		      struct problems *problems)
{
	struct dotenv env = { 0 };

	dotenv_read(a, s, NULL, NULL, &env, problems);
	json_put_open(out, '{');
	json_put_key(out, "variables");
	json_put_open(out, '[');
	for (size_t i = 0; i < env.count; i++) {
		const struct dotenv_entry *e = &env.items[i];

		json_put_open(out, '{');
		json_put_member(out, "name", e->name);
		json_put_member_number(out, "line", source_line(s, e->name_span.offset));
		json_put_member(out, "class", dotenv_class_name(e->class));
		json_put_member_bool(out, "secret", name_is_secret(e->name));
		json_put_close(out, '}');
	}
	json_put_close(out, ']');
	json_put_key(out, "problems");
	json_put_open(out, '[');
	for (size_t i = 0; i < problems->count; i++) {
		json_put_open(out, '{');
		json_put_member_number(out, "line",
				       source_line(s, problems->items[i].span.offset));
		json_put_member(out, "message", problems->items[i].message);
		json_put_close(out, '}');
	}
	json_put_close(out, ']');
	json_put_close(out, '}');
}
