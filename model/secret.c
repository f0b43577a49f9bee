/* What counts as a secret: names, shapes and classes of values.
 * SPDX-License-Identifier: MIT */
#include "model/secret.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Parts of names that mark a secret, and parts that say otherwise although they contain one. */
static const char *const secret_parts[] = {
	"password", "passwd",	  "passphrase", "secret",	"token",       "api_key",
	"apikey",   "access_key", "private_key", "credential",	"auth_key",    "encryption_key",
	"signing_key", "master_key", "secretkey", "accesskey", "privatekey", "client_key",
	"bearer",   "_pwd",	"session_key",	"webhook_url", "connection_string",
	"batch_key", "storage_key", "subscription_key", "shared_key",
	"account_key", "license_key", "service_key", "jwt",    "authorization", "cookie",
	"basic_auth", "basicauth", "requirepass", "masterauth", "primaryauth",
};
static const char *const harmless_parts[] = {
	"tokens",	"tokenizer",   "token_limit",  "token_count",  "max_token", "token_ttl",
	"token_expir",	"token_url",   "token_uri",    "token_endpoint", "tokenization",
	"password_min",	"password_max", "password_policy", "secret_name", "secretname",
	"secret_ref",	"_enabled",    "_lifetime",    "_expires",     "_expiry",   "_ttl",
	"_length",	"_algo", "_issuer",      "_audience",    "key_id",    "public_key",
	"secret_key_ref", "token_type", "allow_empty_password", "_timeout", "_header",
	"secretkeyref",	"nopasswd",    "samesite",     "pattern",      "_format",   "claims",
	"cookie_domain", "cookie_secure", "cookie_path", "cookie_name", "cookie_max_age",
	"_stdin",
};

#define LONGEST_NAME 256

/* Parts that mark a secret whatever else the name holds: half of a pair of keys names its owner. */
static const char *const certain_parts[] = { "access_key_id", "accesskeyid" };

/* A name in lower case, with '-' and '.' as '_', and which characters it has. */
struct plain_name {
	char text[LONGEST_NAME];
	bool has[UCHAR_MAX + 1];
};

static void normalise(const char *name, struct plain_name *out)
{
	size_t i = 0;

	memset(out->has, 0, sizeof out->has);
	for (; name[i] && i < LONGEST_NAME - 1; i++) {
		char c = (char)tolower((unsigned char)name[i]);

		out->text[i] = c == '-' || c == '.' ? '_' : c;
		out->has[(unsigned char)out->text[i]] = true;
	}
	out->text[i] = '\0';
}

/* The same with '_' between the words of a name in one: "passwordPolicy" is password_policy. */
static void split_words(const char *name, struct plain_name *out)
{
	char words[LONGEST_NAME];
	size_t used = 0;

	for (size_t i = 0; name[i] && used < LONGEST_NAME - 2; i++) {
		if (i && isupper((unsigned char)name[i]) && islower((unsigned char)name[i - 1]))
			words[used++] = '_';
		words[used++] = name[i];
	}
	words[used] = '\0';
	normalise(words, out);
}

/* Few names have even the first characters of a part: the others are not searched. */
static bool any_part(const struct plain_name *name, const char *const *parts, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const unsigned char *part = (const unsigned char *)parts[i];

		if (name->has[part[0]] && name->has[part[1]] && name->has[part[2]] &&
		    strstr(name->text, parts[i]))
			return true;
	}
	return false;
}

bool name_is_secret(const char *name)
{
	static const char *const whole[] = { "pgpassword", "pat", "pwd_db", "key", "pass" };
	size_t length = strlen(name);
	struct plain_name plain, split;

	/* Variables and options that name a file or a path hold no secret themselves. */
	if (length > 5 && strchr("_-", name[length - 5]) &&
	    (strcasecmp(name + length - 4, "FILE") == 0 ||
	     strcasecmp(name + length - 4, "PATH") == 0))
		return false;
	for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
		if (strcasecmp(name, whole[i]) == 0)
			return true;
	if (length > 5 && strcasecmp(name + length - 5, "_PASS") == 0)
		return true;
	if (length > 4 && strchr("_-", name[length - 4]) &&
	    strcasecmp(name + length - 3, "PAT") == 0)
		return true;
	/* In capitals it is the shell's working directory. */
	if (strcasecmp(name, "pwd") == 0)
		return strcmp(name, "PWD") != 0;
	normalise(name, &plain);
	split_words(name, &split);
	if (any_part(&plain, certain_parts, sizeof certain_parts / sizeof *certain_parts))
		return true;
	return (any_part(&plain, secret_parts, sizeof secret_parts / sizeof *secret_parts) ||
		any_part(&split, secret_parts, sizeof secret_parts / sizeof *secret_parts)) &&
	       !any_part(&plain, harmless_parts, sizeof harmless_parts / sizeof *harmless_parts) &&
	       !any_part(&split, harmless_parts, sizeof harmless_parts / sizeof *harmless_parts);
}

static bool is_placeholder(const char *value)
{
	static const char *const parts[] = {
		"changeme", "change_me", "change-me", "your-", "your_", "yourkey", "<", "xxxx",
		"placeholder", "replace", "example", "todo", "fixme", "dummy", "redacted", "***",
		"insert", "...", "to-be", "not-set", "notset", "unset", "fill_in", "fill-in",
		"{}",
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

/* Shapes of tokens that issuers make recognisable: a prefix, then at least so many characters. */
static const struct {
	const char *prefix;
	size_t rest;
	const char *title;
} tokens[] = {
	{ "AKIA", 16, "AWS access key" },	   { "ASIA", 16, "AWS access key" },
	{ "AIza", 30, "Google API key" },	   { "ya29.", 20, "Google OAuth token" },
	{ "ghp_", 30, "GitHub token" },		   { "gho_", 30, "GitHub token" },
	{ "ghu_", 30, "GitHub token" },		   { "ghs_", 30, "GitHub token" },
	{ "ghr_", 30, "GitHub token" },		   { "github_pat_", 30, "GitHub token" },
	{ "glpat-", 16, "GitLab token" },	   { "xoxb-", 20, "Slack token" },
	{ "xoxp-", 20, "Slack token" },		   { "xoxa-", 20, "Slack token" },
	{ "xoxs-", 20, "Slack token" },		   { "xapp-", 20, "Slack token" },
	{ "gsk_", 30, "Groq key" },		   { "npm_", 30, "npm token" },
	{ "pypi-", 40, "PyPI token" },		   { "sk-ant-", 20, "Anthropic key" },
	{ "sk-proj-", 20, "OpenAI key" },	   { "sk-or-", 20, "OpenRouter key" },
	{ "sk_live_", 16, "Stripe key" },	   { "rk_live_", 16, "Stripe key" },
	{ "hf_", 30, "Hugging Face token" },	   { "dckr_pat_", 20, "Docker token" },
	{ "dop_v1_", 40, "DigitalOcean token" },   { "SG.", 40, "SendGrid key" },
	{ "eyJhbGciOi", 40, "JSON web token" },	   { "tvly-", 20, "Tavily key" },
	{ "pplx-", 30, "Perplexity key" },	   { "fc-", 30, "Firecrawl key" },
	{ "ctx7sk-", 20, "Context7 key" },	   { "secret_", 40, "Notion token" },
	{ "ntn_", 40, "Notion token" },		   { "sbp_", 30, "Supabase token" },
	{ "lin_api_", 30, "Linear key" },	   { "r8_", 36, "Replicate token" },
	{ "-----BEGIN ", 20, "private key" },	   { "sk-", 40, "API key" },
};

/* A token has letters and digits mixed; "sk-your-key-here-please" has words. */
static bool looks_random(const char *text)
{
	size_t digits = 0, letters = 0, others = 0;

	for (; *text; text++) {
		digits += isdigit((unsigned char)*text) != 0;
		letters += isalpha((unsigned char)*text) != 0;
		others += !isalnum((unsigned char)*text) && !strchr("-_.", *text);
	}
	return others == 0 && letters > 0 && (digits > 0 || letters > 24);
}

const char *value_token(const char *value)
{
	for (size_t i = 0; i < sizeof tokens / sizeof *tokens; i++) {
		size_t n;

		if (*value != *tokens[i].prefix)
			continue;
		n = strlen(tokens[i].prefix);
		if (strncmp(value, tokens[i].prefix, n) != 0 || strlen(value) < n + tokens[i].rest)
			continue;
		if (tokens[i].prefix[0] == '-' || looks_random(value + n))
			return tokens[i].title;
	}
	return NULL;
}

static bool is_plain_setting(const char *value)
{
	static const char *const words[] = { "true", "false", "yes", "no", "on", "off" };

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcasecmp(value, words[i]) == 0)
			return true;
	return strlen(value) < 6 && strspn(value, "0123456789") == strlen(value);
}

static bool is_reference(const char *value)
{
	static const char *const schemes[] = { "/run/secrets/", "file://",    "op://", "vault:",
					       "env://",        "keyring://", "ssm://" };

	for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
		if (strncmp(value, schemes[i], strlen(schemes[i])) == 0)
			return true;
	return false;
}

/* "API_KEY_VALUE": the name that something else puts the value in for. */
static bool is_variable_name(const char *value)
{
	return strchr(value, '_') && name_is_secret(value) &&
	       strspn(value, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == strlen(value);
}

/* The hash of a password as crypt() writes it: who has it may guess the password at leisure. */
static bool is_password_hash(const char *value)
{
	static const char *const kinds[] = { "$1$", "$2a$", "$2b$", "$2y$", "$5$", "$6$", "$apr1$",
					     "$argon2", "$y$" };

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (strncmp(value, kinds[i], strlen(kinds[i])) == 0)
			return strlen(value) > 20 && !strpbrk(value, "{} ");
	return false;
}

const char *value_class(const char *value)
{
	/* A pair of quotes that no shell took away. */
	if (!value || !*value || strcmp(value, "''") == 0 || strcmp(value, "\"\"") == 0)
		return "empty";
	if (is_password_hash(value))
		return "literal";
	if (value[0] == '$' || strstr(value, "${") || strstr(value, "{{") || strstr(value, "$("))
		return "reference";
	if (is_reference(value))
		return "reference";
	if (is_placeholder(value) || is_variable_name(value))
		return "placeholder";
	return is_plain_setting(value) ? "setting" : "literal";
}

/* A number is a setting, except where a password is asked for. */
static bool ends_as_password(const char *name)
{
	static const char *const ends[] = { "password", "passwd", "passphrase", "_pass" };
	struct plain_name plain;
	size_t length;

	normalise(name, &plain);
	length = strlen(plain.text);
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		if (length >= strlen(ends[i]) &&
		    strcmp(plain.text + length - strlen(ends[i]), ends[i]) == 0)
			return true;
	return false;
}

/* "2019-03-20T17:54:53Z": when a password was changed is none. */
static bool is_time(const char *value)
{
	static const char shape[] = "dddd-dd-dd";

	for (size_t i = 0; shape[i]; i++)
		if (shape[i] == 'd' ? !isdigit((unsigned char)value[i]) : value[i] != shape[i])
			return false;
	return strspn(value + 10, "0123456789:.+-TZ ") == strlen(value + 10);
}

/* "/etc/credentials/key.json": where a file with the secret is. */
static bool is_file_path(const char *value)
{
	static const char *const ends[] = { ".json", ".pem", ".key", ".crt", ".p12", ".pfx", ".jks",
					    ".txt",  ".yaml", ".yml", ".conf", ".cfg", ".ini" };
	const char *end = strrchr(value, '.');

	if (value[0] != '/' || !strchr(value + 1, '/') || !end || strpbrk(value, " \t\n:@"))
		return false;
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		if (strcmp(end, ends[i]) == 0)
			return true;
	return false;
}

/* "projects/p/instances/i": a connection string without credentials only names what it leads to. */
static bool is_plain_connection(const char *name, const char *value)
{
	struct plain_name plain;

	normalise(name, &plain);
	return strstr(plain.text, "connection_string") && !strpbrk(value, "=@;:") && strchr(value, '/');
}

const char *named_class(const char *name, const char *value)
{
	const char *class = value_class(value);

	if (strcmp(class, "literal") == 0 && is_plain_connection(name, value))
		return "setting";

	if (strcmp(class, "literal") == 0 && is_file_path(value))
		return "reference";
	if (strcmp(class, "literal") == 0 && is_time(value))
		return "setting";

	/* One or two digits are a switch or a length. */
	if (strcmp(class, "setting") == 0 && strspn(value, "0123456789") >= 3 && name_is_secret(name) &&
	    ends_as_password(name))
		return "literal";
	return class;
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

/* True when a query parameter with a secret-like name has a literal value. */
static bool query_has_secret(const char *value)
{
	const char *query = strstr(value, "://") ? strchr(value, '?') : NULL;
	char name[128], text[256];

	while (query && *query && *query != '#') {
		size_t length = strcspn(++query, "&#");
		const char *equals = memchr(query, '=', length);

		if (equals && (size_t)(equals - query) < sizeof name) {
			snprintf(name, sizeof name, "%.*s", (int)(equals - query), query);
			snprintf(text, sizeof text, "%.*s",
				 (int)(length - (size_t)(equals - query) - 1), equals + 1);
			if (name_is_secret(name) && (strcmp(value_class(text), "literal") == 0 ||
						     value_token(text)))
				return true;
		}
		query += length;
	}
	return false;
}

bool url_has_secret(const char *value)
{
	return url_has_password(value) || query_has_secret(value);
}
