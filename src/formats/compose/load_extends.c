/* Loading a project: services that extend others.
 *
 * Chains recurse; they are bounded by LIMIT_INCLUDE_DEPTH.
 * SPDX-License-Identifier: MIT */
#include "src/formats/compose/load.h"

#include <string.h>

#include "model/limits.h"

/* The service that is being resolved, below those that extend it. */
struct extending {
	const struct extending *up;
	const char *path, *service;
	unsigned depth;
};

static struct cvalue *resolve_service(struct cload *c, struct cvalue *services, const char *name,
                                      const char *path, const char *folder,
                                      const struct extending *up);

static bool extends_itself(const struct extending *up, const char *path, const char *service)
{
	for (; up; up = up->up)
		if (strcmp(up->path, path) == 0 && strcmp(up->service, service) == 0)
			return true;
	return false;
}

/* The services of another file, its documents merged. Only those that are used are checked, so what
 * is wrong with any of them goes to *HELD. */
static struct cvalue *services_of(struct cload *c, const char *path, struct cheld **held)
{
	const struct cload_read *before = cload_read_before(c, path, c->env);
	struct documents docs = { 0 };
	struct cvalue *top = NULL;

	if (before && before->services) {
		*held = before->held;
		return before->services;
	}
	if (!cload_parse(c, path, &docs))
		return NULL;
	*held = ARENA_NEW(c->arena, struct cheld);
	for (size_t i = 0; i < docs.count; i++) {
		struct cvalue *doc = cload_document(c, docs.items[i], *held);

		if (doc)
			top = top ? merge_values(c, top, doc, &compose_schema, NULL) : doc;
	}
	top = top && cvalue_get(top, "services")
	          ? cvalue_get(top, "services")
	          : cvalue_new(c->arena, CVALUE_MAP, (struct span){ 0 });
	cload_read_keep(c, path, (struct cload_read){ c->env, NULL, top, *held });
	return top;
}

/* A service reaches to the key of the next one. */
static void release_service(struct cload *c, struct cheld *held, const struct cvalue *services,
                            const char *name)
{
	struct span at = cvalue_member(services, name)->key_span;
	uint32_t end = UINT32_MAX;

	if (!held || !held->count)
		return;
	for (size_t i = 0; i < services->count; i++) {
		uint32_t other = services->items[i].key_span.offset;

		if (other > at.offset && other < end)
			end = other;
	}
	cload_release(c, held, at.offset, end);
}

static struct cvalue *base_elsewhere(struct cload *c, const struct cvalue *at, const char *file,
                                     const char *service, const char *folder,
                                     const struct extending *up)
{
	const char *path = compose_join(c->arena, folder, file);
	const char *there = cload_folder(c->arena, path);
	struct cvalue *services, *base;
	struct cheld *held = NULL;

	if (strstr(file, "://") || !(services = services_of(c, path, &held))) {
		cload_report(c, COMPOSE_REFUSED, at->span,
		             "cannot extend service \"%s\": no file %s", service, path);
		return NULL;
	}
	if (!cvalue_member(services, service)) {
		cload_report(c, COMPOSE_REFUSED, at->span,
		             "cannot extend service \"%s\" in %s: service not found", service,
		             path);
		return NULL;
	}
	release_service(c, held, services, service);
	base = resolve_service(c, services, service, path, there, up);
	if (!base || base->kind == CVALUE_NULL)
		return NULL;
	base = cvalue_copy(c->arena, base);
	paths_rebase_service(c, base, compose_relative(c->arena, folder, there));
	return base;
}

static struct cvalue *base_here(struct cload *c, struct cvalue *services, const struct cvalue *at,
                                const char *service, const char *path, const char *folder,
                                const struct extending *up)
{
	struct cvalue *base;

	if (!cvalue_member(services, service)) {
		cload_report(c, COMPOSE_REFUSED, at->span,
		             "cannot extend service \"%s\" in %s: service not found", service,
		             path);
		return NULL;
	}
	base = resolve_service(c, services, service, path, folder, up);
	return base && base->kind != CVALUE_NULL ? cvalue_copy(c->arena, base) : NULL;
}

static struct cvalue *resolve_service(struct cload *c, struct cvalue *services, const char *name,
                                      const char *path, const char *folder,
                                      const struct extending *up)
{
	const struct ckey *key = schema_child(schema_child(&compose_schema, "services"), name);
	struct cvalue *service = cvalue_get(services, name), *base;
	struct cvalue *extends = cvalue_get(service, "extends");
	const char *from = cvalue_text(cvalue_get(extends, "service"));
	const char *file = cvalue_text(cvalue_get(extends, "file"));
	struct extending here = { up, path, name, up ? up->depth + 1 : 0 };

	if (!cvalue_is_map(extends) || !from || extends->tag == CVALUE_RESET)
		return service;
	cvalue_remove(service, "extends");
	if (cload_exhausted(c, extends->span))
		return service;
	if (here.depth > LIMIT_INCLUDE_DEPTH ||
	    extends_itself(&here, file ? compose_join(c->arena, folder, file) : path, from)) {
		cload_report(c, COMPOSE_REFUSED, extends->span,
		             "circular reference: service \"%s\" extends itself", name);
		return service;
	}
	if (file && strcmp(compose_join(c->arena, folder, file), path) != 0)
		base = base_elsewhere(c, extends, file, from, folder, &here);
	else
		base = base_here(c, services, extends, from, path, folder, &here);
	if (!base)
		return service;
	cvalue_remove(base, "extends");
	service =
	    merge_values(c, base, service, key,
	                 &(struct cplace){ &(struct cplace){ NULL, "services", 0 }, name, 0 });
	merge_settle(c, service, key);
	cvalue_put(c->arena, services, name, cvalue_member(services, name)->key_span, service);
	return service;
}

void extends_resolve(struct cload *c, struct cvalue *services, const char *name, const char *path,
                     const char *folder)
{
	resolve_service(c, services, name, path, folder, NULL);
}
