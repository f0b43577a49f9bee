/* The fuzz targets: readers, visible text, and a whole load of one file under each name that matters.
 * SPDX-License-Identifier: MIT */
#include "tests/fuzz/targets.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/secret.h"
#include "model/text.h"
#include "src/formats/compose/compose.h"
#include "src/load.h"
#include "src/review/journal.h"
#include "src/syntax/docker_run.h"
#include "src/syntax/dockerfile.h"
#include "src/syntax/port_spec.h"
#include "src/syntax/syntax.h"
#include "src/syntax/volume_spec.h"

/* Bytes as a source, the way a load would make it; false for what is not text. */
static bool source_of(struct arena *a, struct source *s, const uint8_t *bytes, size_t length)
{
	const char *text;
	size_t decoded;

	if (!text_decode(a, (const char *)bytes, length, &text, &decoded))
		return false;
	source_init(s, a, 1, "input", text, (uint32_t)decoded);
	return true;
}

static void run_yaml(const uint8_t *bytes, size_t length)
{
	struct arena a = { 0 };
	struct source s;
	struct documents documents = { 0 };
	struct problems problems = { 0 };

	if (source_of(&a, &s, bytes, length))
		yaml_read(&a, &s, &documents, &problems);
	arena_free(&a);
}

static void run_json(const uint8_t *bytes, size_t length)
{
	struct arena a = { 0 };
	struct source s = { 0 };
	struct documents documents = { 0 };
	struct problems problems = { 0 };

	if (source_of(&a, &s, bytes, length))
		for (unsigned comments = 0; comments < 2; comments++)
			json_read(&a, &s, comments, &documents, &problems);
	if (s.bytes)
		json_read_stream(&a, &s, &documents, &problems);
	arena_free(&a);
}

static void run_dockerfile(const uint8_t *bytes, size_t length)
{
	struct arena a = { 0 };
	struct source s;
	struct dockerfile dockerfile = { 0 };
	struct problems problems = { 0 };

	if (source_of(&a, &s, bytes, length))
		dockerfile_read(&a, &s, &dockerfile, &problems);
	arena_free(&a);
}

/* Shell text, and each command as if it started a container. */
static void run_shell(const uint8_t *bytes, size_t length)
{
	struct arena a = { 0 };
	struct source s;
	struct folded text;
	struct shell sh = { 0 };
	struct docker_run run;

	if (source_of(&a, &s, bytes, length)) {
		text = folded_from(&a, &s, (struct span){ .source = 1, .length = s.length });
		shell_read(&a, &text, SHELL_POSIX, &sh);
	}
	for (size_t i = 0; i < sh.count; i++)
		docker_run_from_shell(&a, &sh.items[i], 0, &run);
	arena_free(&a);
}

/* The same bytes answer for every file that a project names. */
struct compose_input {
	struct arena *arena;
	const struct source *source;
	unsigned opened;
};

static bool open_input(void *ctx, const char *path, struct compose_file *out)
{
	struct compose_input *in = ctx;
	struct source *s = ARENA_NEW(in->arena, struct source);

	if (in->opened++ > 20)
		return false;
	source_init(s, in->arena, in->opened + 1, path, in->source->bytes, in->source->length);
	out->source = s;
	return true;
}

static void run_compose(const uint8_t *bytes, size_t length)
{
	static const char *const files[] = { "a/compose.yaml", "compose.override.yaml" };
	struct arena a = { 0 };
	struct source s;
	struct compose_input in = { &a, &s, 0 };
	struct compose_options options = { .files = files, .file_count = 2, .default_env = true,
					   .open = open_input, .ctx = &in };
	struct compose_project project;
	struct buf json = { 0 };

	if (source_of(&a, &s, bytes, length)) {
		options.review = length & 1;
		compose_load(&a, &options, &project);
		compose_to_json(&a, &project, &json);
	}
	buf_free(&json);
	arena_free(&a);
}

/* Ports, mounts and env files. */
static void run_specs(const uint8_t *bytes, size_t length)
{
	struct arena a = { 0 };
	struct source s;
	struct dotenv env = { 0 };
	struct problems problems = { 0 };

	if (source_of(&a, &s, bytes, length)) {
		struct port_mapping m = port_parse(&a, s.bytes);

		if (!m.error)
			port_canonical(&a, &m);
		port_parse_service(&a, s.bytes);
		volume_parse_compose(&a, s.bytes);
		volume_parse_engine(&a, s.bytes);
		volume_parse_mount(&a, s.bytes);
		dotenv_read(&a, &s, NULL, NULL, &env, &problems);
	}
	arena_free(&a);
}

/* Visible text holds no control byte and is valid UTF-8, whatever goes in. */
static void check_visible(const struct buf *out)
{
	for (size_t i = 0, used; i < out->length; i += used) {
		uint32_t point = text_decode_point(out->bytes + i, out->length - i, &used);

		if (point == TEXT_INVALID || point < 0x20 || point == 0x7F)
			abort();
	}
}

static void run_text(const uint8_t *bytes, size_t length)
{
	struct buf out = { 0 };

	for (unsigned flags = TEXT_ONE_LINE; flags < 8; flags += TEXT_ONE_LINE) {
		buf_clear(&out);
		text_visible(&out, (const char *)bytes, length, flags | TEXT_ONE_LINE);
		check_visible(&out);
	}
	for (size_t cells = 0; cells < 12; cells++) {
		buf_clear(&out);
		if (text_fit(&out, (const char *)bytes, length, cells, TEXT_ONE_LINE, cells & 1) >
		    cells)
			abort();
		check_visible(&out);
	}
	buf_clear(&out);
	text_markdown(&out, (const char *)bytes, length);
	check_visible(&out);
	buf_free(&out);
}

static void load_folder(const char *folder)
{
	struct load_options options = { .path = folder };
	struct snapshot s = { 0 };
	struct buf why = { 0 };

	load_all(&options, &s, &why);
	snapshot_free(&s);
	buf_free(&why);
}

/* Loads the bytes alone in a folder, under NAME. */
static void load_as(const char *name, const uint8_t *bytes, size_t length)
{
	char folder[] = "/tmp/boundwalk-fuzz-XXXXXX", path[128];
	int fd;

	if (!mkdtemp(folder))
		return;
	snprintf(path, sizeof path, "%s/%s", folder, name);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
	if (fd >= 0) {
		if (write(fd, bytes, length) == (ssize_t)length)
			load_folder(folder);
		close(fd);
	}
	unlink(path);
	rmdir(folder);
}

/* The first byte picks the name under which the rest is loaded. */
static const char *const names[] = {
	"compose.yaml", "Dockerfile", "pod.yaml", ".mcp.json", "inspect.json", "entrypoint.sh",
	"devcontainer.json", "settings.json", "config.toml", "deploy.json", ".env", "docker-info.txt",
};

static void run_load(const uint8_t *bytes, size_t length)
{
	if (length)
		load_as(names[bytes[0] % (sizeof names / sizeof *names)], bytes + 1, length - 1);
}

/* One format each, so that what the fuzzer learns of one is not spent on another. */
static void run_project(const uint8_t *bytes, size_t length)
{
	load_as("compose.yaml", bytes, length);
}

static void run_image(const uint8_t *bytes, size_t length)
{
	load_as("Dockerfile", bytes, length);
}

static void run_pods(const uint8_t *bytes, size_t length)
{
	load_as("pod.yaml", bytes, length);
}

static void run_mcp(const uint8_t *bytes, size_t length)
{
	load_as(".mcp.json", bytes, length);
}

static void run_inspect(const uint8_t *bytes, size_t length)
{
	load_as("inspect.json", bytes, length);
}

static void run_script(const uint8_t *bytes, size_t length)
{
	load_as("entrypoint.sh", bytes, length);
}

/* Lines of a journal, folded, and written and read again. */
static void run_journal(const uint8_t *bytes, size_t length)
{
	struct arena a = { 0 };
	struct review r = { 0 };
	struct buf line = { 0 };
	const char *at = (const char *)bytes, *end = at + length;

	while (at < end) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));
		struct event e, again;

		if (!stop)
			stop = end;
		if (journal_parse(&a, at, (size_t)(stop - at), &e)) {
			buf_clear(&line);
			journal_line(&e, &line);
			if (!journal_parse(&a, line.bytes, line.length, &again) ||
			    again.kind != e.kind || strcmp(again.note, e.note) != 0)
				abort();
			review_append(&r, &e);
		}
		at = stop + 1;
	}
	review_fold(&r);
	buf_free(&line);
	review_free(&r);
	arena_free(&a);
}

/* Every line as a screen shows it, and the whole as a sentence. */
static void run_redact(const uint8_t *bytes, size_t length)
{
	struct arena a = { 0 };
	struct source s;
	struct buf out = { 0 };

	if (source_of(&a, &s, bytes, length))
		for (uint32_t line = 1; line <= s.line_count && line < 500; line++) {
			buf_clear(&out);
			secret_redact_line(&out, &s, line);
		}
	buf_clear(&out);
	secret_redact_prose(&out, (const char *)bytes, length);
	buf_free(&out);
	arena_free(&a);
}

const struct fuzz_target fuzz_targets[] = {
	{ "yaml", run_yaml },	    { "json", run_json },	{ "dockerfile", run_dockerfile },
	{ "shell", run_shell },	    { "text", run_text },	{ "load", run_load },
	{ "compose", run_compose }, { "specs", run_specs },	{ "project", run_project },
	{ "image", run_image },	    { "pods", run_pods },	{ "mcp", run_mcp },
	{ "inspect", run_inspect }, { "script", run_script },	{ "journal", run_journal },
	{ "redact", run_redact },   { NULL, NULL },
};
