/* Environment variables as facts; what counts as a secret is in model/secret.c.
 *
 * Values are looked at and dropped: only the name, the class and the place go on.
 * SPDX-License-Identifier: MIT */
#include "src/formats/format.h"

#include <string.h>
#include <strings.h>

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

/* The engine's certificate is checked when this variable is set to anything. */
static void mark_verified(struct workspace *w, struct row *r)
{
	const struct fact *f = row_first(r, FACT_ENV, LAYER_DECLARED);
	bool verified = false;

	for (; f; f = row_next(r, f))
		verified |= fact_is(f, "DOCKER_TLS_VERIFY") && !fact_attribute_is(f, "class", "empty");
	for (size_t i = 0; verified && i < r->facts.count; i++)
		if (r->facts.items[i]->kind == FACT_ENGINE_HOST)
			snapshot_set_attribute(w->snapshot, r->facts.items[i], "tls", "true");
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
	const char *class = value ? named_class(name, value) : "passthrough";
	bool secret = name_is_secret(name);

	snapshot_set_attribute(w->snapshot, f, "name", name);
	if (value && (url_has_secret(value) || value_token(value))) {
		secret = true;
		class = "literal";
	}
	snapshot_set_attribute(w->snapshot, f, "class", class);
	snapshot_set_attribute(w->snapshot, f, "secret", secret ? "true" : "false");
	implied_facts(w, r, name, value, span);
	if (strcmp(name, "DOCKER_TLS_VERIFY") == 0 || strcmp(name, "DOCKER_HOST") == 0)
		mark_verified(w, r);
	return f;
}
