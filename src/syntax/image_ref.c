/* The image reference grammar.
 * SPDX-License-Identifier: MIT */
#include "src/syntax/image_ref.h"

#include <string.h>

#include "model/json_put.h"

#define PATH_MAX_BYTES 255u
#define TAG_MAX_BYTES 128u

static bool is_lower(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

static bool is_alnum(char c)
{
	return is_lower(c) || (c >= 'A' && c <= 'Z');
}

static bool is_hex(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* One dot-separated part of a host name: alphanumeric at both ends, dashes inside. */
static bool host_part(const char *p, size_t length)
{
	if (!length || !is_alnum(p[0]) || !is_alnum(p[length - 1]))
		return false;
	for (size_t i = 0; i < length; i++)
		if (!is_alnum(p[i]) && p[i] != '-')
			return false;
	return true;
}

static size_t part_length(const char *p, size_t length, char separator)
{
	const char *end = length ? memchr(p, separator, length) : NULL;

	return end ? (size_t)(end - p) : length;
}

static bool bracketed_address(const char *p, size_t length)
{
	if (length < 3 || p[0] != '[' || p[length - 1] != ']')
		return false;
	for (size_t i = 1; i + 1 < length; i++)
		if (!is_hex(p[i]) && !(p[i] >= 'A' && p[i] <= 'F') && p[i] != ':')
			return false;
	return true;
}

bool image_ref_is_domain(const char *text, size_t length)
{
	size_t host = length, port = 0;

	while (port < length && is_digit(text[length - 1 - port]))
		port++;
	if (port && port < length && text[length - 1 - port] == ':')
		host = length - 1 - port;
	if (host && text[0] == '[')
		return bracketed_address(text, host);
	for (size_t at = 0;; at++) {
		size_t n = part_length(text + at, host - at, '.');

		if (!host_part(text + at, n))
			return false;
		at += n;
		if (at == host)
			return true;
	}
}

/* A path component: lower-case runs joined by one '.', one or two '_', or any number of '-'. */
static bool path_part(const char *p, size_t length)
{
	size_t i = 0;

	while (i < length) {
		size_t start = i;

		while (i < length && is_lower(p[i]))
			i++;
		if (i == start)
			return false;
		if (i == length)
			return true;
		if (p[i] == '-') {
			while (i < length && p[i] == '-')
				i++;
		} else if (p[i] == '_') {
			i += i + 1 < length && p[i + 1] == '_' ? 2 : 1;
		} else if (p[i] == '.') {
			i++;
		} else {
			return false;
		}
	}
	return false;
}

bool image_ref_is_path(const char *text, size_t length)
{
	for (size_t at = 0;; at++) {
		size_t n = part_length(text + at, length - at, '/');

		if (!path_part(text + at, n))
			return false;
		at += n;
		if (at == length)
			return true;
	}
}

bool image_ref_is_tag(const char *text, size_t length)
{
	if (!length || length > TAG_MAX_BYTES || !(is_alnum(text[0]) || text[0] == '_'))
		return false;
	for (size_t i = 0; i < length; i++)
		if (!is_alnum(text[i]) && !strchr("_.-", text[i]))
			return false;
	return true;
}

/* "algorithm:hex": the grammar wants at least 32 digits, the algorithm its own number. */
static enum image_ref_error digest_error(const char *text)
{
	static const struct {
		const char *name;
		size_t digits;
	} known[] = { { "sha256", 64 }, { "sha384", 96 }, { "sha512", 128 } };
	const char *colon = strchr(text, ':');
	size_t digits = colon ? strlen(colon + 1) : 0;

	if (!colon || !((text[0] >= 'a' && text[0] <= 'z') || (text[0] >= 'A' && text[0] <= 'Z')))
		return IMAGE_REF_FORMAT;
	for (const char *p = text; p < colon; p++)
		if (!is_alnum(*p) && (!strchr("-_+.", *p) || !is_alnum(p[1])))
			return IMAGE_REF_FORMAT;
	for (const char *p = colon + 1; *p; p++)
		if (!is_hex(*p) && !(*p >= 'A' && *p <= 'F'))
			return IMAGE_REF_FORMAT;
	if (digits < 32)
		return IMAGE_REF_FORMAT;
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
		if (strncmp(text, known[i].name, (size_t)(colon - text)) != 0 ||
		    known[i].name[colon - text])
			continue;
		if (digits != known[i].digits)
			return IMAGE_REF_DIGEST_LENGTH;
		for (const char *p = colon + 1; *p; p++)
			if (!is_hex(*p))
				return IMAGE_REF_DIGEST_FORMAT;
		return IMAGE_REF_OK;
	}
	return IMAGE_REF_DIGEST_UNSUPPORTED;
}

static struct image_ref failed(enum image_ref_error error)
{
	return (struct image_ref){ .error = error, .domain = "", .path = "", .tag = "",
				   .digest = "" };
}

/* True when the name would be good in lower case. */
static bool only_capitals(struct arena *a, const char *name)
{
	char *low = arena_strdup(a, name);
	const char *slash;

	for (char *p = low; *p; p++)
		if (*p >= 'A' && *p <= 'Z')
			*p = (char)(*p | 32);
	slash = strchr(low, '/');
	return strcmp(low, name) != 0 &&
	       (image_ref_is_path(low, strlen(low)) ||
		(slash && image_ref_is_domain(low, (size_t)(slash - low)) &&
		 image_ref_is_path(slash + 1, strlen(slash + 1))));
}

/* Splits a name into domain and path; the first part is a domain whenever it can be one. */
static enum image_ref_error split_name(struct arena *a, const char *name, struct image_ref *ref)
{
	const char *slash = strchr(name, '/');
	size_t length = strlen(name), first = slash ? (size_t)(slash - name) : 0;

	ref->domain = "";
	ref->path = name;
	if (slash && image_ref_is_domain(name, first) &&
	    image_ref_is_path(slash + 1, length - first - 1)) {
		ref->domain = arena_copy(a, name, first);
		ref->path = arena_strdup(a, slash + 1);
	} else if (!image_ref_is_path(name, length)) {
		return only_capitals(a, name) ? IMAGE_REF_UPPERCASE : IMAGE_REF_FORMAT;
	}
	return strlen(ref->path) > PATH_MAX_BYTES ? IMAGE_REF_TOO_LONG : IMAGE_REF_OK;
}

struct image_ref image_ref_parse(struct arena *a, const char *text)
{
	struct image_ref ref = failed(IMAGE_REF_OK);
	const char *at = strchr(text, '@'), *colon, *slash;
	char *name = at ? arena_copy(a, text, (size_t)(at - text)) : arena_strdup(a, text);
	enum image_ref_error digest = IMAGE_REF_OK;

	if (!*text)
		return failed(IMAGE_REF_EMPTY);
	if (at) {
		ref.digest = arena_strdup(a, at + 1);
		digest = digest_error(ref.digest);
		if (digest == IMAGE_REF_FORMAT)
			return failed(digest);
	}
	colon = strrchr(name, ':');
	slash = strrchr(name, '/');
	if (colon && (!slash || colon > slash)) {
		if (!image_ref_is_tag(colon + 1, strlen(colon + 1)))
			return failed(IMAGE_REF_FORMAT);
		ref.tag = colon + 1;
		name[colon - name] = '\0';
	}
	ref.error = split_name(a, name, &ref);
	if (!ref.error)
		ref.error = digest;
	return ref.error ? failed(ref.error) : ref;
}

static bool is_identifier(const char *text)
{
	size_t n = 0;

	while (is_hex(text[n]))
		n++;
	return n == 64 && !text[n];
}

static bool has_capital(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (text[i] >= 'A' && text[i] <= 'Z')
			return true;
	return false;
}

struct image_ref image_ref_normalize(struct arena *a, const char *text)
{
	const char *slash = strchr(text, '/'), *domain = "docker.io", *rest = text, *library = "";
	size_t first = slash ? (size_t)(slash - text) : 0, name;
	struct image_ref ref;

	if (is_identifier(text))
		return failed(IMAGE_REF_IDENTIFIER);
	/* The first part is a registry when it cannot be a Docker Hub user. */
	if (slash && (memchr(text, '.', first) || memchr(text, ':', first) ||
		      (first == 9 && strncmp(text, "localhost", 9) == 0) ||
		      has_capital(text, first))) {
		domain = arena_copy(a, text, first);
		rest = slash + 1;
	}
	if (strcmp(domain, "index.docker.io") == 0)
		domain = "docker.io";
	if (strcmp(domain, "docker.io") == 0 && !strchr(rest, '/'))
		library = "library/";
	name = strcspn(rest, ":@");
	if (has_capital(rest, name))
		return failed(IMAGE_REF_UPPERCASE);
	ref = image_ref_parse(a, arena_printf(a, "%s/%s%s", domain, library, rest));
	if (!ref.error && strcmp(ref.domain, domain) != 0)
		return failed(IMAGE_REF_FORMAT);
	return ref;
}

struct image_ref image_ref_any(struct arena *a, const char *text)
{
	struct image_ref ref = failed(IMAGE_REF_OK);

	if (is_identifier(text))
		ref.digest = arena_printf(a, "sha256:%s", text);
	else if (strchr(text, ':') && !strchr(text, '/') && digest_error(text) == IMAGE_REF_OK)
		ref.digest = arena_strdup(a, text);
	else
		ref = image_ref_normalize(a, text);
	return ref;
}

struct image_ref image_ref_pulled(struct arena *a, const char *text)
{
	struct image_ref ref = image_ref_normalize(a, text);

	if (ref.error)
		return ref;
	if (*ref.digest)
		ref.tag = "";
	else if (!*ref.tag)
		ref.tag = "latest";
	return ref;
}

const char *image_ref_text(struct arena *a, const struct image_ref *ref)
{
	return arena_printf(a, "%s%s%s%s%s%s%s", ref->domain, *ref->domain ? "/" : "", ref->path,
			    *ref->tag ? ":" : "", ref->tag, *ref->digest ? "@" : "", ref->digest);
}

bool image_ref_is_canonical(struct arena *a, const char *text)
{
	struct image_ref ref = image_ref_normalize(a, text);

	return !ref.error && strcmp(image_ref_text(a, &ref), text) == 0;
}

const char *image_ref_message(enum image_ref_error error)
{
	static const char *const messages[] = {
		[IMAGE_REF_OK] = "",
		[IMAGE_REF_EMPTY] = "image reference is empty",
		[IMAGE_REF_FORMAT] = "image reference is not well formed",
		[IMAGE_REF_UPPERCASE] = "repository name must be lower case",
		[IMAGE_REF_TOO_LONG] = "repository name is longer than 255 bytes",
		[IMAGE_REF_DIGEST_LENGTH] = "digest has the wrong length",
		[IMAGE_REF_DIGEST_UNSUPPORTED] = "digest algorithm is not supported",
		[IMAGE_REF_DIGEST_FORMAT] = "digest must be lower-case hexadecimal",
		[IMAGE_REF_IDENTIFIER] = "64 hexadecimal digits are an image id, not a name",
	};

	return messages[error];
}

void image_ref_to_json(struct buf *out, const char *text)
{
	struct arena a = { 0 };
	struct image_ref ref = image_ref_any(&a, text);

	json_put_open(out, '{');
	json_put_member(out, "input", text);
	if (ref.error) {
		json_put_member(out, "error", image_ref_message(ref.error));
	} else {
		json_put_member(out, "domain", ref.domain);
		json_put_member(out, "path", ref.path);
		json_put_member(out, "tag", ref.tag);
		json_put_member(out, "digest", ref.digest);
		json_put_member(out, "reference", image_ref_text(&a, &ref));
	}
	json_put_close(out, '}');
	arena_free(&a);
}
