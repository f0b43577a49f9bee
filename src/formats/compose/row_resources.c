/* Limits and restart policy of a service.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "src/formats/compose/rows.h"

/* The key below which a limit would stand: the deepest of deploy, resources, limits that is there.
 */
static struct span limits_place(const struct crow *r)
{
	static const char *const keys[] = { "deploy", "resources", "limits" };
	const struct cvalue *v = r->service;
	struct span span = r->row->span;

	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
		const struct cmember *m = cvalue_member(v, keys[i]);

		if (!m || !span_is_set(m->key_span))
			break;
		span = m->key_span;
		v = m->value;
	}
	return span;
}

static void limit(const struct crow *r, enum fact_kind kind, const char *key, const char *deploy)
{
	const struct cvalue *v = cvalue_get(r->service, key);

	if (!cvalue_text(v))
		v = cvalue_path(r->service, "deploy", "resources", "limits", deploy, NULL);
	if (!crow_fact(r, kind, v))
		snapshot_add_absent(r->w->snapshot, r->row, kind, "", limits_place(r),
		                    "no limit by default");
}

static void ulimits(const struct crow *r)
{
	const struct cvalue *map = cvalue_get(r->service, "ulimits");

	for (size_t i = 0; cvalue_is_map(map) && i < map->count; i++) {
		const struct cvalue *v = map->items[i].value;
		const char *soft = cvalue_text(cvalue_get(v, "soft"));
		const char *hard = cvalue_text(cvalue_get(v, "hard"));
		const char *both = cvalue_text(v);

		crow_fact_text(r, FACT_ULIMIT,
		               arena_printf(&r->w->snapshot->arena, "%s=%s:%s", map->items[i].key,
		                            both   ? both
		                            : soft ? soft
		                                   : "",
		                            both   ? both
		                            : hard ? hard
		                                   : ""),
		               v);
	}
}

static void restart(const struct crow *r)
{
	const struct cvalue *v = cvalue_get(r->service, "restart");
	const struct cvalue *policy = cvalue_path(r->service, "deploy", "restart_policy", NULL);
	const struct cvalue *condition = cvalue_get(policy, "condition");
	const struct cvalue *attempts = cvalue_get(policy, "max_attempts");
	struct fact *first = crow_fact(r, FACT_RESTART, v);
	struct fact *f = crow_fact(r, FACT_RESTART, condition);

	if (!f && cvalue_is_map(policy))
		f = crow_fact_text(r, FACT_RESTART, "any", policy);
	if (cvalue_text(attempts))
		crow_attribute(r, f, "max_attempts", attempts->text);
	if (!f && !first)
		crow_absent(r, FACT_RESTART, "no", "Compose default");
}

static void memory_killer(const struct crow *r)
{
	const struct cvalue *off = cvalue_get(r->service, "oom_kill_disable");
	const struct cvalue *score = cvalue_get(r->service, "oom_score_adj");
	struct arena *a = &r->w->snapshot->arena;

	if (cvalue_text(off))
		crow_fact_text(r, FACT_OOM, arena_printf(a, "oom_kill_disable=%s", crow_shown(off)),
		               off);
	if (cvalue_text(score))
		crow_fact_text(r, FACT_OOM, arena_printf(a, "oom_score_adj=%s", crow_shown(score)),
		               score);
}

void crow_resources(const struct crow *r)
{
	limit(r, FACT_MEMORY_LIMIT, "mem_limit", "memory");
	limit(r, FACT_CPU_LIMIT, "cpus", "cpus");
	limit(r, FACT_PIDS_LIMIT, "pids_limit", "pids");
	ulimits(r);
	restart(r);
	memory_killer(r);
}
