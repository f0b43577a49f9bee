/* What counts as a secret: names, classes of values, and environment variables as facts.
 *
 * Values are looked at and dropped: only the name, the class and the place go on.
 * SPDX-License-Identifier: MIT */
#include "src/formats/format.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* Parts of names that mark a secret, and parts that say otherwise although they contain one. */
static const char *const secret_parts[] = {
	"password", "passwd",	  "passphrase", "secret",	"token",       "api_key",
	"apikey",   "access_key", "private_key", "credential",	"auth_key",    "encryption_key",
	"signing_key", "master_key", "secretkey", "accesskey", "privatekey", "client_key",
	"bearer",   "_pat",	  "_pwd",	"session_key",	"webhook_url", "connection_string",
	"account_key", "license_key", "service_key", "jwt",    "authorization", "cookie",
};
static const char *const harmless_parts[] = {
	"tokens",	"tokenizer",   "token_limit",  "token_count",  "max_token", "token_ttl",
	"token_expir",	"token_url",   "token_uri",    "token_endpoint", "tokenization",
	"password_min",	"password_max", "password_policy", "secret_name", "secretname",
	"secret_ref",	"_enabled",    "_lifetime",    "_expires",     "_expiry",   "_ttl",
	"_length",	"_algorithm",  "_issuer",      "_audience",    "key_id",    "public_key",
	"secret_key_ref", "token_type", "allow_empty_password", "_timeout", "_header",
};

static bool lower_holds(const char *name, const char *part)
{
	char lower[256];
	size_t i = 0;

	for (; name[i] && i < sizeof lower - 1; i++) {
		char c = (char)tolower((unsigned char)name[i]);

		lower[i] = c == '-' || c == '.' ? '_' : c;
	}
	lower[i] = '\0';
	return strstr(lower, part) != NULL;
}

static bool any_part(const char *name, const char *const *parts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (lower_holds(name, parts[i]))
			return true;
	return false;
}

bool name_is_secret(const char *name)
{
	static const char *const whole[] = { "pgpassword", "pat", "pwd_db", "key", "pass" };
	size_t length = strlen(name);

	/* Variables that name a file or a path hold no secret themselves. */
	if (length > 5 && (strcasecmp(name + length - 5, "_FILE") == 0 ||
			   strcasecmp(name + length - 5, "_PATH") == 0))
		return false;
	for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
		if (strcasecmp(name, whole[i]) == 0)
			return true;
	if (length > 5 && strcasecmp(name + length - 5, "_PASS") == 0)
		return true;
	return any_part(name, secret_parts, sizeof secret_parts / sizeof *secret_parts) &&
	       !any_part(name, harmless_parts, sizeof harmless_parts / sizeof *harmless_parts);
}

static bool is_placeholder(const char *value)
{
	static const char *const parts[] = {
		"changeme", "change_me", "change-me", "your-", "your_", "yourkey", "<", "xxxx",
		"placeholder", "replace", "example", "todo", "fixme", "dummy", "redacted", "***",
		"insert", "...", "to-be", "not-set", "notset", "unset", "fill_in", "fill-in",
	};
	static const char *const whole[] = { "hey", "none", "null", "nil", "n/a", "na", "-",
					     "test", "foo", "bar", "undefined", "sk-", "token",
					     "key", "secret" };

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (strcasestr(value, parts[i]))
			return true;
	for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
		if (strcasecmp(value, whole[i]) == 0)
			return true;
	return false;
}

static bool is_plain_setting(const char *value)
{
	static const char *const words[] = { "true", "false", "yes", "no", "on", "off" };

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcasecmp(value, words[i]) == 0)
			return true;
	return strlen(value) < 6 && strspn(value, "0123456789") == strlen(value);
}

const char *value_class(const char *value)
{
	if (!value || !*value)
		return "empty";
	if (value[0] == '$' || strstr(value, "${") || strstr(value, "{{") || strstr(value, "$("))
		return "reference";
	if (strncmp(value, "/run/secrets/", 13) == 0 || strncmp(value, "file://", 7) == 0 ||
	    strncmp(value, "op://", 5) == 0 || strncmp(value, "vault:", 6) == 0)
		return "reference";
	if (is_placeholder(value))
		return "placeholder";
	return is_plain_setting(value) ? "setting" : "literal";
}

/* True when VALUE is scheme://user:password@host with a literal password. */
static bool url_has_password(const char *value)
{
	const char *scheme = strstr(value, "://"), *at, *colon;
	char password[256];
	size_t length;

	if (!scheme)
		return false;
	scheme += 3;
	at = memchr(scheme, '@', strcspn(scheme, "/?# "));
	colon = at ? memchr(scheme, ':', (size_t)(at - scheme)) : NULL;
	if (!colon || at - colon < 2)
		return false;
	length = (size_t)(at - colon) - 1;
	if (length >= sizeof password)
		length = sizeof password - 1;
	memcpy(password, colon + 1, length);
	password[length] = '\0';
	return strcmp(value_class(password), "literal") == 0 ||
	       strcmp(value_class(password), "setting") == 0;
}

static void engine_fact(struct workspace *w, struct row *r, const char *name, const char *value,
			struct span span)
{
	struct snapshot *s = w->snapshot;
	struct fact *f = snapshot_add_fact(s, r, FACT_ENGINE_HOST, name, span);
	const char *colon = strstr(value, "://");

	if (strcmp(value_class(value), "reference") == 0)
		f->provenance = PROVENANCE_UNRESOLVED;
	if (colon)
		snapshot_set_attribute(s, f, "scheme",
				       arena_copy(&s->arena, value, (size_t)(colon - value)));
	snapshot_set_attribute(s, f, "address", colon ? colon + 3 : value);
}

static void implied_facts(struct workspace *w, struct row *r, const char *name, const char *value,
			  struct span span)
{
	static const char *const engines[] = { "DOCKER_HOST", "CONTAINER_HOST", "BUILDKIT_HOST" };
	static const char *const proxies[] = { "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY" };

	for (size_t i = 0; value && i < sizeof engines / sizeof *engines; i++)
		if (strcmp(name, engines[i]) == 0)
			engine_fact(w, r, name, value, span);
	for (size_t i = 0; i < sizeof proxies / sizeof *proxies; i++)
		if (strcasecmp(name, proxies[i]) == 0)
			snapshot_add_fact(w->snapshot, r, FACT_PROXY, name, span);
	if (strcmp(name, "SSH_AUTH_SOCK") == 0)
		snapshot_add_fact(w->snapshot, r, FACT_SSH_AGENT, name, span);
}

struct fact *env_fact(struct workspace *w, struct row *r, const char *name, const char *value,
		      struct span span)
{
	struct fact *f = snapshot_add_fact(w->snapshot, r, FACT_ENV, name, span);
	const char *class = value ? value_class(value) : "passthrough";
	bool secret = name_is_secret(name);

	snapshot_set_attribute(w->snapshot, f, "name", name);
	if (value && url_has_password(value)) {
		secret = true;
		class = "literal";
	}
	snapshot_set_attribute(w->snapshot, f, "class", class);
	snapshot_set_attribute(w->snapshot, f, "secret", secret ? "true" : "false");
	implied_facts(w, r, name, value, span);
	return f;
}
