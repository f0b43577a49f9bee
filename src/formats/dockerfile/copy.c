/* COPY and ADD: what comes into the image, and the way back from a path in it to the tree.
 * SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "src/formats/dockerfile/image.h"

/* --- paths ------------------------------------------------------------------------------------ */

const char *image_path(struct arena *a, const char *workdir, const char *name)
{
	const char *joined;

	if (name[0] == '/')
		joined = path_join(a, "", name + strspn(name, "/"));
	else
		joined = path_join(a, workdir + strspn(workdir, "/"), name);
	return joined ? arena_printf(a, "/%s", joined) : name;
}

/* --- what a source is ------------------------------------------------------------------------- */

static bool is_secret_file(const char *path)
{
	const char *name = path_base(path);

	if (path_ends(name, ".pub .example .sample .template .dist"))
		return false;
	if (strcmp(name, ".env") == 0 || strncmp(name, ".env.", 5) == 0 ||
	    strcmp(name, ".netrc") == 0 || strcmp(name, ".npmrc") == 0 ||
	    strcmp(name, ".pypirc") == 0 || strcmp(name, ".git-credentials") == 0 ||
	    strcmp(name, ".dockercfg") == 0 || strcmp(name, "kubeconfig") == 0 ||
	    strcmp(name, ".htpasswd") == 0 || strcmp(name, ".pgpass") == 0)
		return true;
	if (strncmp(name, "id_rsa", 6) == 0 || strncmp(name, "id_ed25519", 10) == 0 ||
	    strncmp(name, "id_ecdsa", 8) == 0 || strncmp(name, "id_dsa", 6) == 0)
		return true;
	if (path_ends(path, "/.ssh .ssh/ /.aws .aws/ .docker/config.json .kube/config "
			    ".aws/credentials .gnupg") ||
	    strcmp(path, ".ssh") == 0 || strcmp(path, ".aws") == 0)
		return true;
	/* Certificates are for everyone; only the key beside them is not. */
	if (path_ends(name, ".pem"))
		return !strcasestr(name, "bundle") && !strcasestr(name, "cert") &&
		       !strcasestr(name, "chain") && !strcasestr(name, "root") &&
		       strncasecmp(name, "ca", 2) != 0 && !strcasestr(name, "-ca") &&
		       !strcasestr(name, "public");
	return path_ends(name, ".pfx .p12 .jks .keystore .key") ||
	       strcmp(name, "credentials.json") == 0 || strcmp(name, "service-account.json") == 0;
}

static bool is_address(const char *source)
{
	return strncmp(source, "http://", 7) == 0 || strncmp(source, "https://", 8) == 0 ||
	       strncmp(source, "git@", 4) == 0 || strncmp(source, "git://", 6) == 0 ||
	       strncmp(source, "ssh://", 6) == 0 || strncmp(source, "ftp://", 6) == 0;
}

/* ADD unpacks these; COPY would not. */
static bool is_archive(const char *source)
{
	return path_ends(source, ".tar .tar.gz .tgz .tar.bz2 .tbz .tbz2 .tar.xz .txz .tar.zst .tzst "
				 ".tar.lzma .gz .bz2 .xz .zst .tb2 .tar.lz .lzma .z .lz");
}

/* A git address with a commit behind '#', or a checksum flag. */
static bool is_verified(const struct dockerfile_instruction *in, const char *source)
{
	const char *hash = strchr(source, '#');
	char commit[41];

	if (dockerfile_flag(in, "checksum"))
		return true;
	if (!hash || strlen(hash + 1) < 40)
		return false;
	memcpy(commit, hash + 1, 40);
	commit[40] = '\0';
	return steps_is_commit(commit);
}

/* --- one instruction -------------------------------------------------------------------------- */

static void remember(struct image_reading *r, const char *source, const char *target, int32_t from,
		     bool folder)
{
	*ARENA_PUSH(&r->w->snapshot->arena, &r->stage->copies) = (struct image_copy){
		.source = source,
		.target = target,
		.from = from,
		.folder = folder,
	};
}

static bool is_root(const char *path)
{
	return strcmp(path, "/") == 0 || strcmp(path, "/.") == 0 || strcmp(path, "/*") == 0;
}

static bool is_url_variable(const char *source, const char *expanded, bool unsure)
{
	return unsure && *source == '$' && strcasestr(expanded, "url");
}

struct copying {
	const struct dockerfile_instruction *in;
	const struct dockerfile_flag *from;
	const char *target; /* as written, expanded */
	const char *path;   /* in the image */
	int32_t stage;
	bool folder;
	bool secret; /* the target is a secret's file */
};

static const char *in_contexts(struct workspace *w, struct image_file *f, const char *source);

/* A file of the build context that becomes rules of sudo. */
static void read_sudoers(struct image_reading *r, const struct copying *c, const char *source)
{
	const char *path;
	struct input *in;

	if (c->from || strncmp(c->path, "/etc/sudoers", 12) != 0)
		return;
	path = in_contexts(r->w, r->file, source);
	in = path ? r->w->open(r->w, path, FORMAT_SCRIPT) : NULL;
	if (in && in->source)
		steps_sudoers(&r->steps, in->source->bytes, in->source->length,
			      (struct span){ .source = in->source->id });
}

/* "COPY --from=docker:cli /usr/local/bin/docker /usr/local/bin/" */
static void read_client(struct image_reading *r, const char *source, const struct dockerfile_word *word)
{
	if (strstr(source, "bin/"))
		steps_tell_client(&r->steps, path_base(source), word->span);
}

static void read_source(struct image_reading *r, const struct copying *c,
			const struct dockerfile_word *word)
{
	bool add = c->in->kind == DOCKERFILE_ADD, unsure;
	const char *source = image_expand(r, word->text, &unsure);
	struct fact *f;

	if (add && (is_address(source) || is_url_variable(word->text, source, unsure))) {
		step_add(&r->steps, source, c->path, is_verified(c->in, source), word->span);
		return;
	}
	f = image_add_fact(r, FACT_COPY, source, word->span);
	if (unsure)
		f->provenance = PROVENANCE_UNRESOLVED;
	image_set(r, f, "target", c->path);
	if (c->from)
		image_set(r, f, "from", c->from->value);
	else if (is_secret_file(source) || c->secret)
		image_set(r, f, "secret", "true");
	if (c->from && is_root(source) && is_root(c->path))
		image_set(r, f, "whole", "true");
	if (add && !c->from && !unsure && !is_archive(source))
		image_set(r, f, "add", "true");
	if (r->stage->relation == IMAGE_COPIED)
		image_set(r, f, "copied", "true");
	if (r->stage->relation == IMAGE_ANCESTOR)
		image_set(r, f, "ancestor", "true");
	if (!unsure) {
		read_sudoers(r, c, source);
		read_client(r, source, word);
	}
	if (!unsure && (!c->from || c->stage >= 0))
		remember(r, source, c->path, c->stage, c->folder);
}

static void set_mode(struct image_reading *r, const struct dockerfile_instruction *in)
{
	const struct dockerfile_flag *mode = dockerfile_flag(in, "chmod");
	const char *text = mode ? mode->value : NULL;

	if (!text)
		return;
	while (*text == '0' && strlen(text) > 4)
		text++;
	if ((strlen(text) == 4 && strchr("4567", *text)) || strstr(text, "u+s") || strstr(text, "u=s"))
		image_add_fact(r, FACT_SETUID, arena_printf(&r->w->snapshot->arena, "%s --chmod=%s",
							     in->name, mode->value),
			       mode->span);
}

void image_read_source_image(struct image_reading *r, const char *name, struct span span)
{
	if (!name || !*name || strspn(name, "0123456789") == strlen(name) ||
	    dockerfile_find_stage(&r->file->parsed, name) >= 0 || strcmp(name, "scratch") == 0)
		return;
	image_fact(r->w, r->stage->row, FACT_COPIED_IMAGE, name, span);
}

/* The files that the instruction brings along itself. */
static void read_heredocs(struct image_reading *r, const struct dockerfile_instruction *in,
			  const char *path, bool folder)
{
	struct arena *a = &r->w->snapshot->arena;

	for (size_t i = 0; i < in->heredoc_count; i++) {
		struct span content = in->heredocs[i].content;
		const char *text = source_text(r->file->in->source, content);

		if (!text || !content.length)
			continue;
		steps_sudoers(&r->steps, text, content.length, content);
		steps_settings(&r->steps, text, content.length, content);
		image_note_text(r, folder ? arena_printf(a, "%s/%s", path, in->heredocs[i].name) : path,
				content);
	}
}

/* "COPY key.json $GOOGLE_APPLICATION_CREDENTIALS": the target's name says what is copied. */
static bool names_secret(const struct dockerfile_word *target)
{
	const char *name = target->text + strspn(target->text, "\"'$");
	char copy[64];
	size_t n = 0;

	if (!strchr(target->text, '$'))
		return false;
	name += *name == '{';
	while (n < sizeof copy - 1 && (isalnum((unsigned char)name[n]) || name[n] == '_')) {
		copy[n] = name[n];
		n++;
	}
	copy[n] = '\0';
	return n && image_names_secret_file(copy);
}

void image_read_copy(struct image_reading *r, const struct dockerfile_instruction *in)
{
	struct copying c = { .in = in, .from = dockerfile_flag(in, "from"), .stage = -1 };
	bool unsure;

	set_mode(r, in);
	if (in->arg_count < 2)
		return;
	c.target = image_expand(r, in->args[in->arg_count - 1].text, &unsure);
	c.path = image_path(&r->w->snapshot->arena, r->stage->workdir, c.target);
	c.folder = in->arg_count > 2 || path_ends(c.target, "/ .") || *c.target == '\0';
	read_heredocs(r, in, c.path, c.folder);
	c.secret = names_secret(&in->args[in->arg_count - 1]);
	if (c.from && c.from->value) {
		c.stage = dockerfile_find_stage(&r->file->parsed, c.from->value);
		image_read_source_image(r, c.from->value, c.from->span);
	}
	for (size_t i = 0; i + 1 < in->arg_count; i++)
		if (strncmp(in->args[i].text, "<<", 2) != 0)
			read_source(r, &c, &in->args[i]);
}

/* --- the way back ----------------------------------------------------------------------------- */

/* The part of PATH below FOLDER, or NULL. */
static const char *below(const char *path, const char *folder)
{
	size_t n = strlen(folder);

	while (n > 1 && folder[n - 1] == '/')
		n--;
	if (n == 1)
		return path + 1;
	if (strncmp(path, folder, n) != 0 || (path[n] != '/' && path[n] != '\0'))
		return NULL;
	return path[n] ? path + n + 1 : path + n;
}

/* "*.sh" stands for every script of its folder: its last part is taken from NAME. */
static const char *fill_pattern(struct arena *a, const char *source, const char *name)
{
	const char *base = path_base(source);

	if (!strpbrk(base, "*?["))
		return source;
	return arena_printf(a, "%.*s%s", (int)(base - source), source, path_base(name));
}

static const char *in_contexts(struct workspace *w, struct image_file *f, const char *source)
{
	struct arena *a = &w->snapshot->arena;
	const char *folder = path_folder(a, f->in->artifact->path);
	const char *path;

	source += strspn(source, "/");
	for (size_t i = 0; i < f->context_count; i++) {
		path = path_join(a, f->contexts[i], source);
		if (path && w->exists(w, path))
			return path;
	}
	for (;;) {
		path = path_join(a, folder, source);
		if (path && *path && w->exists(w, path))
			return path;
		if (!*folder)
			return NULL;
		folder = path_folder(a, folder);
	}
}

struct lookup {
	const struct image_stage *stage;
	const char *path;
};

/* The source that PATH would have if copy C put it there, or NULL. */
static const char *source_of(struct arena *a, const struct image_copy *c, const char *path)
{
	const char *rest = below(path, c->target);

	if (!rest)
		return NULL;
	if (strpbrk(path_base(c->source), "*?["))
		return *rest ? fill_pattern(a, c->source, rest) : NULL;
	if (!*rest)
		return c->source;
	/* "COPY dir /x" puts the content of dir into /x; "COPY file /x/" puts the file there. */
	if (strcmp(rest, path_base(c->source)) == 0 && c->folder &&
	    strcmp(c->source, ".") != 0)
		return c->source;
	return arena_printf(a, "%s/%s", c->source, rest);
}

const char *image_source_path(struct workspace *w, struct image_file *f,
			      const struct image_stage *stage, const char *path)
{
	struct arena *a = &w->snapshot->arena;
	struct lookup at = { stage, path };

	for (size_t n = 0; at.stage && n < 16; n++) {
		size_t index = (size_t)(at.stage - f->stages);
		int32_t parent = f->parsed.stage_count ? f->parsed.stages[index].parent : -1;
		struct lookup next = { parent >= 0 ? &f->stages[parent] : NULL, at.path };

		for (size_t i = at.stage->copies.count; i-- > 0;) {
			const struct image_copy *c = &at.stage->copies.items[i];
			const char *source = source_of(a, c, at.path), *found;

			if (!source)
				continue;
			if (c->from >= 0) {
				next = (struct lookup){ &f->stages[c->from],
							image_path(a, "/", source) };
				break;
			}
			found = in_contexts(w, f, source);
			/* "COPY file /bin" puts the file into the folder that is there already. */
			if (!found && strcmp(path_base(at.path), path_base(c->source)) == 0)
				found = in_contexts(w, f, c->source);
			if (found)
				return found;
		}
		at = next;
	}
	return NULL;
}
