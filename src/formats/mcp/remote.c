/* Remote MCP servers: addresses without their secrets, headers, signs of authentication.
 * SPDX-License-Identifier: MIT */
#include <string.h>
#include <strings.h>

#include "model/buf.h"
#include "src/formats/mcp/mcp.h"
#include "src/formats/run/secret_words.h"

#define KEYS(...) ((const char *const[]){ __VA_ARGS__, NULL })

struct url {
	const char *scheme;
	const char *host, *port; /* "" without one */
	const char *shown;       /* user, password and values of the query left out */
	bool credentials;        /* user:password or a secret-like query parameter */
};

static const char *slice(struct arena *a, const char *from, size_t length)
{
	return arena_copy(a, from, length);
}

/* "host:port", "[v6]:port" or "host". */
static void split_host(struct arena *a, const char *text, size_t length, struct url *out)
{
	const char *end = text + length, *colon = NULL;

	if (length && *text == '[') {
		const char *close = memchr(text, ']', length);

		out->host = close ? slice(a, text + 1, (size_t)(close - text) - 1) : "";
		colon = close && close + 1 < end && close[1] == ':' ? close + 1 : NULL;
	} else {
		colon = memchr(text, ':', length);
		out->host = slice(a, text, colon ? (size_t)(colon - text) : length);
	}
	out->port = colon ? slice(a, colon + 1, (size_t)(end - colon) - 1) : "";
}

/* Copies a query with the values of its parameters left out. */
static void show_query(struct arena *a, const char *query, struct buf *out, bool *credentials)
{
	while (*query && *query != '#') {
		size_t length = strcspn(query, "&#");
		const char *equals = memchr(query, '=', length);
		size_t name = equals ? (size_t)(equals - query) : length;

		buf_add(out, query, name);
		if (equals && name_is_secret(slice(a, query, name))) {
			const char *class = value_class(slice(a, equals + 1, length - name - 1));

			*credentials |= strcmp(class, "empty") != 0;
			buf_puts(out, "=***");
		} else if (equals) {
			buf_add(out, equals, length - name);
		}
		query += length;
		if (*query == '&')
			buf_putc(out, *query++);
	}
}

static bool url_parse(struct arena *a, const char *text, struct url *out)
{
	const char *rest = strstr(text, "://"), *at;
	size_t authority;
	struct buf shown = { 0 };

	*out = (struct url){ 0 };
	if (!rest || rest == text)
		return false;
	out->scheme = slice(a, text, (size_t)(rest - text));
	if (strspn(out->scheme,
	           "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-") !=
	    strlen(out->scheme))
		return false;
	rest += 3;
	authority = strcspn(rest, "/?#");
	at = memrchr(rest, '@', authority);
	out->credentials = at != NULL;
	split_host(a, at ? at + 1 : rest, authority - (at ? (size_t)(at + 1 - rest) : 0), out);
	buf_printf(&shown, "%s://%s%s", out->scheme, at ? "***@" : "",
	           slice(a, at ? at + 1 : rest, authority - (at ? (size_t)(at + 1 - rest) : 0)));
	rest += authority;
	buf_add(&shown, rest, strcspn(rest, "?#"));
	rest += strcspn(rest, "?#");
	if (*rest == '?') {
		buf_putc(&shown, '?');
		show_query(a, rest + 1, &shown, &out->credentials);
	}
	out->shown = slice(a, buf_text(&shown), shown.length);
	buf_free(&shown);
	return true;
}

static bool is_loopback(const char *host)
{
	return strcasecmp(host, "localhost") == 0 || strncmp(host, "127.", 4) == 0 ||
	       strcmp(host, "::1") == 0 || path_ends(host, ".localhost");
}

struct fact *mcp_url(const struct mcp_server *s, const char *text, struct span span,
                     const char *place)
{
	struct arena *a = &s->w->snapshot->arena;
	struct url url;
	struct fact *f;

	if (!url_parse(a, text, &url)) {
		f = mcp_fact(s, FACT_REMOTE, text, span);
		f->provenance = PROVENANCE_UNRESOLVED;
		f->note = "the address is put together when the client starts";
		return f;
	}
	f = mcp_fact(s, FACT_REMOTE, url.shown, span);
	mcp_set(s, f, "scheme", url.scheme);
	mcp_set(s, f, "host", url.host);
	if (*url.port)
		mcp_set(s, f, "port", url.port);
	mcp_set(s, f, "loopback", is_loopback(url.host) ? "true" : "false");
	mcp_set(s, f, "place", place);
	if (url.credentials)
		mcp_set(s, f, "auth", "true");
	return f;
}

/* --- headers -------------------------------------------------------------------------------- */

static bool read_headers(const struct mcp_server *s, const struct node *map, bool references)
{
	bool auth = false;

	for (uint32_t i = 0; node_is_map(map) && i < map->count; i++) {
		const struct node *key = map->items[i].key;
		const char *name = node_text(key);

		if (!name)
			continue;
		header_fact(s->w, s->row, name, references ? NULL : node_text(map->items[i].value),
		            key->span);
		auth |= name_is_secret(name);
	}
	return auth;
}

static bool read_key(const struct mcp_server *s, const char *const *keys, const char *header,
                     bool reference)
{
	const struct node *key = mcp_field(s, keys);

	if (!node_text(key))
		return false;
	header_fact(s->w, s->row, header, reference ? NULL : node_text(key), key->span);
	return true;
}

static bool env_holds_secret(const struct mcp_server *s)
{
	const struct node *env = mcp_field(s, KEYS("env", "environment", "envs"));

	for (uint32_t i = 0; node_is_map(env) && i < env->count; i++) {
		const char *name = node_text(env->items[i].key);

		if (name && name_is_secret(name))
			return true;
	}
	return false;
}

static bool read_authentication(const struct mcp_server *s)
{
	bool auth = read_headers(s, mcp_field(s, KEYS("headers", "http_headers")), false);

	auth |= read_headers(s, node_path(s->entry, "requestOptions", "headers", NULL), false);
	auth |= read_headers(s, mcp_field(s, KEYS("env_http_headers")), true);
	auth |= read_key(s, KEYS("bearer_token_env_var"), "Authorization", true);
	auth |= read_key(s, KEYS("apiKey", "api_key", "bearer_token"), "Authorization", false);
	auth |= mcp_field(s, KEYS("oauth", "auth", "authProviderType", "headersHelper",
	                          "oauth_client_id")) != NULL;
	return auth || env_holds_secret(s);
}

static const char *transport_of(const struct mcp_server *s)
{
	const struct node *type = node_get(s->entry, "type");
	const struct node *transport = node_get(s->entry, "transport");

	if (node_text(transport))
		return node_text(transport);
	if (!type)
		type = node_get(transport, "type");
	return node_is(type, "remote") ? NULL : node_text(type);
}

void mcp_read_remote(struct mcp_server *s)
{
	const struct node *url = mcp_field(s, KEYS("url", "httpUrl", "serverUrl", "uri"));
	bool auth = read_authentication(s);
	struct fact *f;

	if (!node_text(url))
		return;
	f = mcp_url(s, node_text(url), url->span, "url");
	if (!fact_attribute(f, "auth"))
		mcp_set(s, f, "auth", auth ? "true" : "false");
	else
		mcp_fact(s, FACT_SECRET_ARGUMENT, "url", url->span);
	mcp_set(s, f, "transport", transport_of(s));
}
