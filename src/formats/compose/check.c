/* What Compose refuses although every value has the right type: references to what is not there,
 * keys that exclude each other, cycles.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "model/limits.h"
#include "src/formats/compose/load.h"

struct subject {
	struct cload *c;
	const struct cvalue *model, *services;
	const struct cmember *service;
};

static const struct cvalue *body(const struct subject *s)
{
	return s->service->value;
}

static const char *text_at(const struct cvalue *map, const char *key)
{
	const char *text = cvalue_text(cvalue_get(map, key));

	return text ? text : "";
}

static void undefined(const struct subject *s, struct span span, const char *what, const char *name)
{
	cload_report(s->c, COMPOSE_INCONSISTENT, span, "service \"%s\" refers to undefined %s %s",
	             s->service->key, what, name);
}

static void missing_service(const struct subject *s, struct span span, const char *name)
{
	cload_report(s->c, COMPOSE_INCONSISTENT, span,
	             "service \"%s\" depends on undefined service \"%s\"", s->service->key, name);
}

static bool has_service(const struct subject *s, const char *name)
{
	return cvalue_member(s->services, name) != NULL;
}

static void check_source(const struct subject *s)
{
	const struct cvalue *v = body(s), *build = cvalue_get(v, "build");

	if (!text_at(v, "image")[0] && !cvalue_is_map(build) && !cvalue_member(v, "provider") &&
	    !(cvalue_get(v, "image") && cvalue_get(v, "image")->unresolved))
		cload_report(s->c, COMPOSE_INCONSISTENT, s->service->key_span,
		             "service \"%s\" has neither an image nor a build context specified",
		             s->service->key);
	if (cvalue_member(build, "dockerfile_inline") && cvalue_member(build, "dockerfile") &&
	    !cvalue_get(build, "dockerfile")->implied)
		cload_report(s->c, COMPOSE_INCONSISTENT, build->span,
		             "service \"%s\" declares mutually exclusive dockerfile and "
		             "dockerfile_inline",
		             s->service->key);
}

static bool list_has(const struct cvalue *list, const char *text)
{
	for (size_t i = 0; i < cvalue_count(list); i++)
		if (cvalue_text(list->items[i].value) &&
		    strcmp(list->items[i].value->text, text) == 0)
			return true;
	return false;
}

static void check_build(const struct subject *s)
{
	const struct cvalue *build = cvalue_get(body(s), "build");
	const struct cvalue *contexts = cvalue_get(build, "additional_contexts");
	const struct cvalue *platforms = cvalue_get(build, "platforms");
	const char *platform = text_at(body(s), "platform");

	for (size_t i = 0; i < cvalue_count(contexts); i++) {
		const char *text = cvalue_text(contexts->items[i].value);

		if (text && strncmp(text, "service:", 8) == 0 && !has_service(s, text + 8))
			missing_service(s, contexts->items[i].value->span, text + 8);
	}
	if (platform[0] && cvalue_count(platforms) && !list_has(platforms, platform))
		cload_report(s->c, COMPOSE_INCONSISTENT, platforms->span,
		             "service \"%s\": build.platforms must include the platform \"%s\"",
		             s->service->key, platform);
}

static void check_networks(const struct subject *s)
{
	const struct cvalue *networks = cvalue_get(body(s), "networks");
	const struct cvalue *mode = cvalue_get(body(s), "network_mode");

	if (cvalue_text(mode) && mode->text[0] && cvalue_count(networks))
		cload_report(s->c, COMPOSE_INCONSISTENT, mode->span,
		             "service \"%s\" declares mutually exclusive `network_mode` and "
		             "`networks`",
		             s->service->key);
	for (size_t i = 0; cvalue_is_map(networks) && i < networks->count; i++)
		if (strcmp(networks->items[i].key, "default") != 0 &&
		    !cvalue_member(cvalue_get(s->model, "networks"), networks->items[i].key))
			undefined(s, networks->items[i].key_span, "network",
			          networks->items[i].key);
}

static void check_references(const struct subject *s)
{
	static const char *const keys[] = { "network_mode", "ipc", "pid" };
	const struct cvalue *needs = cvalue_get(body(s), "depends_on");
	const struct cvalue *from = cvalue_get(body(s), "volumes_from");
	const struct cvalue *links = cvalue_get(body(s), "links");

	for (size_t i = 0; cvalue_is_map(needs) && i < needs->count; i++)
		if (!needs->items[i].value->implied && !has_service(s, needs->items[i].key))
			missing_service(s, needs->items[i].key_span, needs->items[i].key);
	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
		const char *text = text_at(body(s), keys[i]);

		if (strncmp(text, "service:", 8) == 0 && !has_service(s, text + 8))
			missing_service(s, cvalue_get(body(s), keys[i])->span, text + 8);
	}
	for (size_t i = 0; i < cvalue_count(from); i++) {
		const char *text = cvalue_text(from->items[i].value), *name;

		if (!text || strncmp(text, "container:", 10) == 0)
			continue;
		name = arena_copy(s->c->arena, text, strcspn(text, ":"));
		if (!has_service(s, name))
			missing_service(s, from->items[i].value->span, name);
	}
	for (size_t i = 0; i < cvalue_count(links); i++) {
		const char *text = cvalue_text(links->items[i].value);
		const char *name = text ? arena_copy(s->c->arena, text, strcspn(text, ":")) : NULL;

		if (name && !has_service(s, name))
			missing_service(s, links->items[i].value->span, name);
	}
}

static void check_volumes(const struct subject *s)
{
	const struct cvalue *volumes = cvalue_get(body(s), "volumes");

	for (size_t i = 0; i < cvalue_count(volumes); i++) {
		const struct cvalue *v = volumes->items[i].value;
		const struct cvalue *source = cvalue_get(v, "source");

		if (strcmp(text_at(v, "type"), "volume") != 0 || !text_at(v, "source")[0] ||
		    source->unresolved || source->defaulted)
			continue;
		if (!cvalue_member(cvalue_get(s->model, "volumes"), source->text))
			undefined(s, source->span, "volume", source->text);
	}
}

static void check_mounts(const struct subject *s, const struct cvalue *list, const char *section,
                         const char *what)
{
	for (size_t i = 0; i < cvalue_count(list); i++) {
		const struct cvalue *source = cvalue_get(list->items[i].value, "source");

		if (cvalue_text(source) && !source->unresolved &&
		    !cvalue_member(cvalue_get(s->model, section), source->text))
			undefined(s, source->span, what, source->text);
	}
}

static void check_objects(const struct subject *s)
{
	const struct cvalue *models = cvalue_get(body(s), "models");

	check_mounts(s, cvalue_get(body(s), "secrets"), "secrets", "secret");
	check_mounts(s, cvalue_get(body(s), "configs"), "configs", "config");
	check_mounts(s, cvalue_path(body(s), "build", "secrets", NULL), "secrets", "build secret");
	for (size_t i = 0; cvalue_is_map(models) && i < models->count; i++)
		if (!cvalue_member(cvalue_get(s->model, "models"), models->items[i].key))
			undefined(s, models->items[i].key_span, "model", models->items[i].key);
}

static void check_health(const struct subject *s)
{
	const struct cvalue *test = cvalue_path(body(s), "healthcheck", "test", NULL);
	const char *first = cvalue_text(cvalue_at(test, 0));

	if (first && strcmp(first, "CMD") != 0 && strcmp(first, "CMD-SHELL") != 0 &&
	    strcmp(first, "NONE") != 0)
		cload_report(s->c, COMPOSE_INCONSISTENT, test->span,
		             "service \"%s\": healthcheck.test must start with \"CMD\", "
		             "\"CMD-SHELL\" or \"NONE\"",
		             s->service->key);
}

static void check_pair(const struct subject *s, const char *key, const struct cvalue *deploy,
                       const char *deploy_key)
{
	const struct cvalue *v = cvalue_get(body(s), key);

	if (cvalue_text(v) && cvalue_text(deploy) && strcmp(v->text, deploy->text) != 0)
		cload_report(s->c, COMPOSE_INCONSISTENT, v->span,
		             "services.%s: can't set distinct values on '%s' and 'deploy.%s'",
		             s->service->key, key, deploy_key);
}

/* always, never, build, if_not_present, missing, refresh, daily, weekly, every_12h … */
static void check_pull_policy(const struct subject *s)
{
	static const char *const words[] = { "always",  "never",   "build", "if_not_present",
		                             "missing", "refresh", "daily", "weekly" };
	const struct cvalue *v = cvalue_get(body(s), "pull_policy");
	const char *text = cvalue_text(v);
	bool known = !text || v->unresolved;

	for (size_t i = 0; !known && i < sizeof words / sizeof words[0]; i++)
		known = strcmp(text, words[i]) == 0;
	if (!known && strncmp(text, "every_", 6) == 0)
		known = text[6] && text[6 + strspn(text + 6, "0123456789wdhms")] == '\0';
	if (!known)
		cload_report(
		    s->c, COMPOSE_REFUSED, v->span,
		    "services.%s.pull_policy: \"%s\" is none of always, never, build, missing, "
		    "refresh, daily, weekly, every_…",
		    s->service->key, text);
}

static void check_deploy(const struct subject *s)
{
	const struct cvalue *deploy = cvalue_get(body(s), "deploy");
	const struct cvalue *limits = cvalue_path(deploy, "resources", "limits", NULL);
	const struct cvalue *reserved = cvalue_path(deploy, "resources", "reservations", NULL);
	const struct cvalue *scale = cvalue_get(body(s), "scale");

	check_pair(s, "scale", cvalue_get(deploy, "replicas"), "replicas");
	check_pair(s, "cpus", cvalue_get(limits, "cpus"), "resources.limits.cpus");
	check_pair(s, "mem_limit", cvalue_get(limits, "memory"), "resources.limits.memory");
	check_pair(s, "mem_reservation", cvalue_get(reserved, "memory"),
	           "resources.reservations.memory");
	check_pair(s, "pids_limit", cvalue_get(limits, "pids"), "resources.limits.pids");
	if (!cvalue_text(scale))
		scale = cvalue_get(deploy, "replicas");
	if (cvalue_text(scale) && strcmp(scale->text, "0") != 0 && strcmp(scale->text, "1") != 0 &&
	    text_at(body(s), "container_name")[0])
		cload_report(s->c, COMPOSE_INCONSISTENT, scale->span,
		             "services.%s: can't set container_name and more than one replica",
		             s->service->key);
}

static void check_watch(const struct subject *s)
{
	const struct cvalue *watch = cvalue_path(body(s), "develop", "watch", NULL);

	for (size_t i = 0; i < cvalue_count(watch); i++) {
		const struct cvalue *v = watch->items[i].value;
		const char *action = text_at(v, "action");

		if (strcmp(action, "rebuild") != 0 && strcmp(action, "restart") != 0 &&
		    !text_at(v, "target")[0])
			cload_report(s->c, COMPOSE_INCONSISTENT, v->span,
			             "services.%s.develop.watch: target is required for %s",
			             s->service->key, action);
		if (strcmp(action, "sync+exec") == 0 &&
		    cvalue_count(cvalue_path(v, "exec", "command", NULL)) == 0)
			cload_report(s->c, COMPOSE_INCONSISTENT, v->span,
			             "services.%s.develop.watch: a command is required for %s",
			             s->service->key, action);
	}
}

static void check_range(const struct subject *s, const char *key, long low, long high)
{
	const struct cvalue *v = cvalue_get(body(s), key);
	double number = cvalue_text(v) ? strtod(v->text, NULL) : 0;

	if (cvalue_text(v) && (number < (double)low || number > (double)high))
		cload_report(s->c, COMPOSE_INCONSISTENT, v->span,
		             "services.%s.%s must be between %ld and %ld", s->service->key, key, low,
		             high);
}

static void check_ranges(const struct subject *s)
{
	check_range(s, "oom_score_adj", -1000, 1000);
	check_range(s, "cpu_percent", 0, 100);
}

static void check_container_names(struct cload *c, const struct cvalue *services)
{
	struct hash_index names = { 0 };

	for (size_t i = 0; i < cvalue_count(services); i++) {
		const struct cvalue *name = cvalue_get(services->items[i].value, "container_name");
		uint32_t first;

		if (!cvalue_text(name) || !name->text[0])
			continue;
		if (hash_index_get(&names, name->text, &first))
			cload_report(c, COMPOSE_INCONSISTENT, name->span,
			             "services.%s: container name \"%s\" is already in use "
			             "by service %s",
			             services->items[i].key, name->text,
			             services->items[first].key);
		else
			hash_index_put(c->arena, &names, name->text, (uint32_t)i);
	}
}

/* --- cycles of depends_on: services without open dependencies are taken away until none is left */

/* The service that depends_on names in its item I, or NULL. */
static const struct cmember *needed(const struct cvalue *services, const struct cvalue *needs,
                                    size_t i)
{
	return cvalue_is_map(needs) ? cvalue_member(services, needs->items[i].key) : NULL;
}

struct waiting {
	size_t *open;           /* of a service: dependencies that are not taken away */
	size_t *first, *others; /* those that wait for a service: others[first[s]] and on */
};

static struct waiting waiting_of(struct arena *a, const struct cvalue *services)
{
	const size_t count = services->count;
	struct waiting w = { .open = arena_array(a, count + 1, sizeof(size_t)),
		             .first = arena_array(a, count + 2, sizeof(size_t)) };

	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < count; i++) {
			const struct cvalue *needs =
			    cvalue_get(services->items[i].value, "depends_on");

			for (size_t k = 0; k < cvalue_count(needs); k++) {
				const struct cmember *m = needed(services, needs, k);

				if (m && pass == 0) {
					w.open[i]++;
					w.first[m - services->items + 2]++;
				} else if (m) {
					w.others[w.first[m - services->items + 1]++] = i;
				}
			}
		}
		for (size_t i = 1; pass == 0 && i <= count + 1; i++)
			w.first[i] += w.first[i - 1];
		if (pass == 0)
			w.others = arena_array(a, w.first[count + 1] + 1, sizeof(size_t));
	}
	return w;
}

static void check_cycles(struct cload *c, const struct cvalue *services)
{
	size_t *taken, count = 0;
	struct waiting w;

	if (!cvalue_is_map(services))
		return;
	w = waiting_of(c->arena, services);
	taken = arena_array(c->arena, services->count + 1, sizeof *taken);
	for (size_t i = 0; i < services->count; i++)
		if (!w.open[i])
			taken[count++] = i;
	for (size_t i = 0; i < count; i++)
		for (size_t k = w.first[taken[i]]; k < w.first[taken[i] + 1]; k++)
			if (--w.open[w.others[k]] == 0)
				taken[count++] = w.others[k];
	for (size_t i = 0; i < services->count; i++)
		if (w.open[i]) {
			cload_report(c, COMPOSE_INCONSISTENT, services->items[i].key_span,
			             "dependency cycle detected at service \"%s\"",
			             services->items[i].key);
			return;
		}
}

/* --- top-level objects ----------------------------------------------------------------------- */

static void check_external(struct cload *c, const char *section, const struct cmember *m)
{

	if (!cvalue_is_true(cvalue_get(m->value, "external")))
		return;
	for (size_t i = 0; i < m->value->count; i++) {
		const struct cmember *other = &m->value->items[i];

		if (strcmp(other->key, "external") != 0 && strcmp(other->key, "name") != 0 &&
		    strncmp(other->key, "x-", 2) != 0 && !other->value->implied)
			cload_report(c, COMPOSE_REFUSED, other->key_span,
			             "%s.%s: conflicting parameters \"external\" and \"%s\" "
			             "specified",
			             section, m->key, other->key);
	}
}

static void check_content(struct cload *c, const char *section, const struct cmember *m)
{
	static const char *const sources[] = { "file", "environment", "content" };
	const char *given = NULL;

	for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++) {
		const struct cvalue *v = cvalue_get(m->value, sources[i]);

		if (!v || v->implied)
			continue;
		if (given)
			cload_report(c, COMPOSE_REFUSED, v->span,
			             "%s.%s: %s and %s attributes are mutually exclusive", section,
			             m->key, given, sources[i]);
		given = sources[i];
	}
	if (!given && !cvalue_is_true(cvalue_get(m->value, "external")) &&
	    !cvalue_member(m->value, "driver") && !m->value->elided)
		cload_report(c, COMPOSE_REFUSED, m->key_span,
		             "%s.%s: one of file, environment or content must be set", section,
		             m->key);
}

static void check_section(struct cload *c, const char *section,
                          void (*check)(struct cload *, const char *, const struct cmember *))
{
	const struct cvalue *map = cvalue_get(c->project->model, section);

	for (size_t i = 0; cvalue_is_map(map) && i < map->count; i++)
		if (cvalue_is_map(map->items[i].value))
			check(c, section, &map->items[i]);
}

void check_project(struct cload *c)
{
	static void (*const checks[])(const struct subject *) = {
		check_source,  check_build,  check_networks, check_references, check_volumes,
		check_objects, check_health, check_deploy,   check_watch,      check_pull_policy,
		check_ranges,
	};
	struct subject s = { c, c->project->model, cvalue_get(c->project->model, "services"),
		             NULL };

	for (size_t i = 0; cvalue_is_map(s.services) && i < s.services->count; i++) {
		s.service = &s.services->items[i];
		for (size_t j = 0; j < sizeof checks / sizeof checks[0]; j++)
			checks[j](&s);
	}
	check_container_names(c, s.services);
	check_cycles(c, s.services);
	check_section(c, "volumes", check_external);
	check_section(c, "secrets", check_content);
	check_section(c, "configs", check_content);
}
