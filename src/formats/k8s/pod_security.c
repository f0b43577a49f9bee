/* Runs the checks of one policy version over a pod.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/pod_security.h"

#include <string.h>

#include "model/kube_version.h"

/* The policy that is applied: for a version newer than all known ones that of the newest. */
static void set_version(struct workspace *w, struct pod_security *out)
{
	const char *given = w->snapshot->scope.kubernetes;
	unsigned minor;
	const bool known = kube_version_minor(given, &minor);

	out->version_assumed = !known || minor > KUBE_LATEST;
	if (!known || strcmp(given, "latest") == 0)
		out->version = "latest";
	else
		out->version = arena_printf(&w->snapshot->arena, "1.%u",
					    minor < KUBE_LATEST ? minor : KUBE_LATEST);
}

static const char *level_of(const struct check_run *run)
{
	const char *level = "restricted";

	for (size_t i = 0; i < run->found.count; i++) {
		if (strcmp(run->found.items[i].level, "baseline") == 0)
			return "privileged";
		level = "baseline";
	}
	return level;
}

const struct pod_security *pod_security_judge(struct workspace *w, const struct k8s_pod *pod)
{
	struct pod_security *out = ARENA_NEW(&w->snapshot->arena, struct pod_security);
	struct check_run run = { .w = w, .pod = pod, .minor = k8s_minor(w) };

	for (const struct pod_check *c = pod_checks; c->id; c++) {
		if (run.minor < c->since)
			continue;
		run.check = c->id;
		run.places = 0;
		run.level = c->restricted ? "restricted" : "baseline";
		c->run(&run);
	}
	set_version(w, out);
	out->level = level_of(&run);
	out->violations = run.found.items;
	out->count = run.found.count;
	out->capacity = run.found.capacity;
	return out;
}
