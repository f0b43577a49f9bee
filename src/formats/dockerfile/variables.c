/* ARG and ENV: names, what kind of value they have, and where a secret would stay.
 * SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "model/limits.h"
#include "src/formats/dockerfile/image.h"

/* Parts of a name, between underscores, that mark a secret in a build. */
static const char *const secret_words[] = { "apikey", "auth", "credential", "credentials", "key",
					    "password", "pword", "passwd", "secret", "token" };
/* Parts that say the value may be seen, or is not the secret itself. */
static const char *const open_words[] = { "public", "pub", "id", "url", "uri", "file", "path",
					  "name", "type", "server", "keyserver", "dir" };

static bool has_word(const char *name, const char *const *words, size_t count)
{
	while (*name) {
		size_t n = strcspn(name, "_-.");

		for (size_t i = 0; i < count; i++)
			if (strlen(words[i]) == n && strncasecmp(name, words[i], n) == 0)
				return true;
		name += n + (name[n] != '\0');
	}
	return false;
}

/* A fingerprint names a public key; images of languages set GPG_KEY so. */
static bool is_fingerprint(const char *value)
{
	size_t digits = 0;

	for (; value && *value; value++) {
		if (*value == ' ')
			continue;
		if (!isxdigit((unsigned char)*value))
			return false;
		digits++;
	}
	return digits == 40 || digits == 64;
}

/* The value says where the secret lies. */
static bool is_place(const char *value)
{
	bool path = value && ((value[0] == '/' && strchr(value + 1, '/')) ||
			      strncmp(value, "./", 2) == 0);

	return path && !strpbrk(value, " =");
}

/* Jenkins hands a credential over as NAME_USR and NAME_PSW. Half of a pair, here and in an access key's
 * id, counts: whoever writes it down writes the other half beside it. */
static bool is_jenkins_pair(const char *name)
{
	size_t n = strlen(name);

	return n > 4 && (strcasecmp(name + n - 4, "_usr") == 0 || strcasecmp(name + n - 4, "_psw") == 0);
}

static bool is_secret(const char *name, const char *value)
{
	if (value && (url_has_secret(value) || value_token(value)))
		return true;
	if (is_place(value))
		return false;
	if (strncasecmp(name, "gpg_", 4) == 0 && is_fingerprint(value))
		return false;
	if (strcasestr(name, "access_key_id") || is_jenkins_pair(name))
		return true;
	if (has_word(name, open_words, sizeof open_words / sizeof *open_words))
		return false;
	return name_is_secret(name) ||
	       has_word(name, secret_words, sizeof secret_words / sizeof *secret_words);
}

/* A value that is only a yes, a number or empty is no secret, whatever its name. */
static bool is_setting(const char *value)
{
	return value && (strcmp(value_class(value), "setting") == 0);
}

static const char *unquoted(struct arena *a, const char *value)
{
	size_t n = value ? strlen(value) : 0;

	if (n >= 2 && (value[0] == '"' || value[0] == '\'') && value[n - 1] == value[0])
		return arena_copy(a, value + 1, n - 2);
	return value;
}

bool image_names_secret_file(const char *name)
{
	size_t n = strlen(name);
	char bare[64];

	if (strcasecmp(name, "AWS_CONFIG_FILE") == 0 || strcasecmp(name, "KUBECONFIG") == 0)
		return true;
	/* "HF_TOKEN_PATH": the token's own name without the ending. */
	if (n > 5 && n < sizeof bare &&
	    (strcasecmp(name + n - 5, "_FILE") == 0 || strcasecmp(name + n - 5, "_PATH") == 0)) {
		memcpy(bare, name, n - 5);
		bare[n - 5] = '\0';
		name = bare;
	}
	return !has_word(name, open_words, sizeof open_words / sizeof *open_words) &&
	       name_is_secret(name);
}

/* A secret's file that lies where COPY puts the build context is part of the image. */
static bool is_copied_file(struct image_reading *r, const char *name, const char *value)
{
	const char *path;

	if (!is_place(value) || !image_names_secret_file(name))
		return false;
	path = image_path(&r->w->snapshot->arena, r->stage->workdir, value);
	for (size_t i = 0; i < r->stage->copies.count; i++) {
		const struct image_copy *c = &r->stage->copies.items[i];
		size_t n = strlen(c->target);

		if (c->from < 0 && strncmp(path, c->target, n) == 0 &&
		    (n == 1 || path[n] == '/' || path[n] == '\0'))
			return true;
	}
	return false;
}

static void set_stage(struct image_reading *r, struct fact *f)
{
	image_set(r, f, "stage", image_relation_text(r->stage->relation));
	if (r->stage->relation == IMAGE_ANCESTOR)
		image_set(r, f, "ancestor", "true");
	if (r->stage->relation == IMAGE_COPIED)
		image_set(r, f, "copied", "true");
}

static void tls(struct image_reading *r, const char *name, const char *value, struct span span)
{
	if (value)
		step_tls_variable(&r->steps, name, value, span);
}

/* False when the stage has as many variables as are listed; said at the first one too many. */
static bool has_room(struct image_reading *r, struct span span)
{
	if (r->stage->env_count++ == LIMIT_ENV)
		input_problem(r->w, r->file->in, span,
			      "%s: more than %u variables in one stage; the others are not assessed",
			      r->file->in->artifact->path, LIMIT_ENV);
	return r->stage->env_count <= LIMIT_ENV;
}

void image_read_arg(struct image_reading *r, const struct dockerfile_instruction *in)
{
	for (size_t i = 0; i < in->pair_count && has_room(r, in->pairs[i].name_span); i++) {
		const struct dockerfile_pair *p = &in->pairs[i];
		const char *value = unquoted(&r->w->snapshot->arena, p->value);
		struct fact *f = image_add_fact(r, FACT_BUILD_ARG, p->name, p->name_span);
		const char *class = value ? value_class(value) : "none";

		bool secret = (is_secret(p->name, value) && !is_setting(value)) ||
			      is_copied_file(r, p->name, value);

		image_set(r, f, "secret", secret ? "true" : "false");
		image_set(r, f, "default", class);
		set_stage(r, f);
		tls(r, p->name, value, p->name_span);
	}
}

/* "$NAME" or "${NAME}" of an ARG with the same worth: the ARG's own row is the finding's place too. */
void image_read_env(struct image_reading *r, const struct dockerfile_instruction *in)
{
	for (size_t i = 0; i < in->pair_count && has_room(r, in->pairs[i].name_span); i++) {
		const struct dockerfile_pair *p = &in->pairs[i];
		const char *value = unquoted(&r->w->snapshot->arena, p->value);
		struct fact *f = env_fact(r->w, r->stage->row, p->name, value ? value : "",
					  p->name_span);
		bool secret = (is_secret(p->name, value) && !is_setting(value)) ||
			      is_copied_file(r, p->name, value);

		for (uint32_t k = 0; k < f->attribute_count; k++)
			if (strcmp(f->attributes[k].name, "secret") == 0)
				f->attributes[k].value = secret ? "true" : "false";
		set_stage(r, f);
		tls(r, p->name, value, p->name_span);
	}
}
