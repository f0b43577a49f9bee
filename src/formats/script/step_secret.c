/* Build steps that leave a secret behind: logins whose programs keep it, files it is written to, and
 * variables set to it. A later step of the same instruction may take it away again.
 * SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "model/limits.h"
#include "model/secret.h"
#include "src/formats/script/steps.h"

/* --- what holds a secret ---------------------------------------------------------------------- */

/* A variable of a secret's name, a mounted secret, or a password in an address. */
static bool holds_secret(const char *text)
{
	char name[64];

	if (strstr(text, "/run/secrets/") || url_has_secret(text) || value_token(text))
		return true;
	for (const char *p = strchr(text, '$'); p; p = strchr(p + 1, '$')) {
		const char *start = p + 1 + (p[1] == '{');
		size_t n = 0;

		while (n < sizeof name - 1 && (isalnum((unsigned char)start[n]) || start[n] == '_')) {
			name[n] = start[n];
			n++;
		}
		name[n] = '\0';
		if (n && name_is_secret(name) && strcasecmp(name, "key") != 0)
			return true;
	}
	return false;
}

static bool any_word(const struct call *c, bool (*test)(const char *text))
{
	for (size_t i = 1; i <= call_count(c); i++)
		if (test(call_word(c, i)))
			return true;
	return false;
}

/* --- what is told ----------------------------------------------------------------------------- */

static void tell(struct steps *s, const struct call *c, const char *value, const char *path)
{
	struct fact *f = steps_fact(s, FACT_SECRET_WRITTEN, value, c);

	steps_set(s, f, "secret", "true");
	*ARENA_PUSH(&s->w->snapshot->arena, &s->secrets) =
		(struct steps_secret){ .fact = f, .path = path, .text = s->texts };
}

/* --- logins ----------------------------------------------------------------------------------- */

/* Programs that keep what they log in with: the words that ask for it, and the options that carry it. */
static const struct login {
	const char *programs, *verbs, *options;
} logins[] = {
	{ "aws", "configure set aws_access_key_id", NULL },
	{ "aws", "configure set aws_secret_access_key", NULL },
	{ "aws", "configure set aws_session_token", NULL },
	{ "gcloud", "auth activate-service-account", NULL },
	{ "az", "login", "-p --password --federated-token" },
	{ "doctl", "auth init", "-t --access-token" },
	{ "docker podman nerdctl buildah skopeo crane oras regctl", "login",
	  "-p --password --password-stdin" },
	{ "helm", "registry login", "-p --password --password-stdin" },
	{ "gh", "auth login", "--with-token" },
	{ "glab", "auth login", "-t --token --stdin" },
	{ "hf huggingface-cli", "login", "--token" },
	{ "hf", "auth login", "--token" },
	{ "cargo", "login", NULL },
	{ "wandb", "login", NULL },
	{ "kubectl oc", "config set-credentials", "--token --password --client-key" },
	{ "oc", "login", "--token -p --password" },
	{ "poetry", "config http-basic.*", NULL },
	{ "poetry", "config pypi-token.*", NULL },
	{ "composer", "config http-basic.*", NULL },
	{ "composer", "config github-oauth.*", NULL },
	{ "composer", "config gitlab-token.*", NULL },
	{ "nuget", "sources add", "-password -Password" },
	{ "dotnet", "nuget add source", "-p --password" },
};

/* Options of these programs before their verb that take a value. */
#define LOGIN_TAKING "--profile --region --project --configuration -c --context --config"

static bool is_verb(const char *word, const char *verb, size_t length)
{
	if (length && verb[length - 1] == '*')
		return strncmp(word, verb, length - 1) == 0;
	return strlen(word) == length && strncmp(word, verb, length) == 0;
}

static bool asks_for(const struct call *c, const struct login *l)
{
	const char *verb = l->verbs;
	size_t at = 0;
	char name[32];

	while (*verb) {
		size_t length = strcspn(verb, " ");

		at = call_operand(c, at + 1, LOGIN_TAKING);
		if (!at || !is_verb(call_word(c, at), verb, length))
			return false;
		verb += length + (verb[length] == ' ');
	}
	if (!l->options)
		return true;
	for (const char *o = l->options; *o; o += strcspn(o, " ") + (o[strcspn(o, " ")] == ' ')) {
		size_t length = strcspn(o, " ");

		memcpy(name, o, length);
		name[length] = '\0';
		if (call_option(c, name))
			return true;
	}
	return false;
}

static void login(struct steps *s, const struct call *c)
{
	struct arena *a = &s->w->snapshot->arena;

	for (size_t i = 0; i < sizeof logins / sizeof *logins; i++)
		if (call_is_any(c, logins[i].programs) && asks_for(c, &logins[i])) {
			tell(s, c, arena_printf(a, "%s %.*s", c->program,
						(int)strcspn(logins[i].verbs, "*"), logins[i].verbs),
			     c->program);
			return;
		}
}

/* --- settings --------------------------------------------------------------------------------- */

static bool names_token(const char *word)
{
	const char *colon = strrchr(word, ':');
	const char *name = colon ? colon + 1 : word;

	return strncmp(name, "_auth", 5) == 0 || strncmp(name, "_password", 9) == 0 ||
	       strncmp(name, "npmAuthToken", 12) == 0 || strncmp(name, "//", 2) == 0;
}

static bool is_authorization(const char *word)
{
	return strncasecmp(word, "authorization:", 14) == 0 || holds_secret(word);
}

/* "npm config set //registry/:_authToken …", "git config url.https://TOKEN@….insteadOf …" */
static void setting(struct steps *s, const struct call *c)
{
	size_t at = call_operand(c, 1, "-C -c --prefix");
	bool kept = false;

	if (!at || !word_in("config set", call_word(c, at)))
		return;
	if (call_is_any(c, "npm pnpm yarn"))
		kept = any_word(c, names_token) && !call_option(c, "--delete") &&
		       strcmp(call_word(c, at + 1), "delete") != 0 &&
		       strcmp(call_word(c, at + 1), "get") != 0;
	else if (call_is_any(c, "git pip pip3 bundle conda go"))
		kept = any_word(c, is_authorization) && !call_option(c, "--unset");
	if (kept)
		tell(s, c, arena_printf(&s->w->snapshot->arena, "%s %s", c->program,
					call_word(c, at)), c->program);
}

/* --- files ------------------------------------------------------------------------------------ */

static bool is_kept_path(const char *path)
{
	return *path && strncmp(path, "/dev/", 5) != 0 && strncmp(path, "/run/", 5) != 0 &&
	       strncmp(path, "/proc/", 6) != 0 && *path != '&' && *path != '(';
}

/* The words that become text: those of echo and printf, and what a heredoc or a substitution holds. */
static bool writes_secret(struct steps *s, const struct call *c)
{
	if (any_word(c, holds_secret) && call_is_any(c, "echo printf cat tee base64 jq envsubst"))
		return true;
	for (size_t i = 0; i < c->command->redirect_count; i++) {
		const struct shell_redirect *r = &c->command->redirects[i];
		const struct source *source = snapshot_source(s->w->snapshot, r->body.source);
		const char *text = source && r->body.length && r->expand
					   ? source_text(source, r->body) : NULL;

		if (text && holds_secret(arena_copy(&s->w->snapshot->arena, text, r->body.length)))
			return true;
		if (strcmp(r->op, "<<<") == 0 && holds_secret(r->target.text))
			return true;
	}
	return false;
}

/* The file at the end of the pipe that command INDEX writes into. */
static const char *file_behind(const struct call *c)
{
	const char *path = call_written(c);
	struct call next;

	for (size_t i = c->index + 1; !path && i < c->shell->count; i++) {
		if (c->shell->items[i].before != SHELL_PIPE)
			break;
		call_init(&next, c->shell, i);
		if (!call_is_any(&next, "tee base64 tr sed envsubst cat"))
			break;
		path = call_written(&next);
	}
	return path;
}

static void file(struct steps *s, const struct call *c)
{
	const char *path;
	size_t from;

	if (call_is_any(c, "cp install mv")) {
		from = call_operand(c, 1, "-m -o -g --mode --owner --group");
		path = call_word(c, call_count(c));
		if (!from || strncmp(call_word(c, from), "/run/secrets/", 13) != 0)
			return;
	} else {
		path = file_behind(c);
		if (!path || !writes_secret(s, c))
			return;
	}
	if (is_kept_path(path))
		tell(s, c, path, path);
}

/* --- taken away ------------------------------------------------------------------------------- */

static bool covers(const char *removed, const char *path)
{
	size_t n = strlen(removed);

	while (n && strchr("/*", removed[n - 1]))
		n--;
	if (n && strncmp(removed, path, n) == 0 && (!path[n] || path[n] == '/'))
		return true;
	return strcmp(path_base(removed), path_base(path)) == 0;
}

static bool undoes(const struct call *c, const char *path)
{
	if (call_is_any(c, "rm shred unlink srm")) {
		for (size_t i = 1; i <= call_count(c); i++)
			if (call_word(c, i)[0] != '-' && covers(call_word(c, i), path))
				return true;
		return false;
	}
	return call_is(c, path) &&
	       (call_option(c, "--unset") || call_option(c, "--unset-all") ||
		call_option(c, "--remove-section") || word_in("logout revoke delete rm unset",
							      call_word(c, 1)) ||
		word_in("logout revoke delete rm unset", call_word(c, 2)));
}

static void take_away(struct steps *s, const struct call *c)
{
	size_t first = s->secrets.count > LIMIT_DOWNLOADS ? s->secrets.count - LIMIT_DOWNLOADS : 0;

	for (size_t i = first; i < s->secrets.count; i++) {
		struct steps_secret *kept = &s->secrets.items[i];

		if (kept->text == s->texts && kept->path && undoes(c, kept->path) &&
		    !fact_attribute_is(kept->fact, "removed", "true"))
			steps_set(s, kept->fact, "removed", "true");
	}
}

void step_secret(struct steps *s, const struct call *c)
{
	take_away(s, c);
	/* What a secret mount gives to a login is how it should be done. */
	if (!s->secret_mount) {
		login(s, c);
		setting(s, c);
	}
	file(s, c);
}
