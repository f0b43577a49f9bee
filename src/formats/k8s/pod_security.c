/* Runs the checks of one policy version over a pod.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/pod_security.h"

#include <string.h>

#include "model/kube_version.h"
#include "src/formats/k8s/template.h"

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

/* Expressions of a template that put lines into the pod may change its level. */
static bool is_added_to(struct workspace *w, struct k8s_pod *pod)
{
	static const char *const lists[] = { "initContainers", "containers", "ephemeralContainers" };
	const struct k8s_file *file = pod->object->in->state[FORMAT_K8S];
	struct k8s_target t = { .w = w, .pod = pod };

	if (!file || !file->template)
		return false;
	if (template_opaque(&t, FACT_SECURITY_CONTEXT))
		return true;
	for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
		const struct node *list = k8s_seq(pod->spec, lists[l]);

		for (uint32_t i = 0; i < node_count(list); i++) {
			t.container = node_at(list, i);
			if (!node_is_map(t.container))
				continue;
			t.anchor = k8s_text(t.container, "name") ? k8s_place(t.container, "name") :
								   t.container->span;
			if (template_opaque(&t, FACT_SECURITY_CONTEXT))
				return true;
		}
	}
	return false;
}

static void run_checks(struct check_run *run)
{
	for (const struct pod_check *c = pod_checks; c->id; c++) {
		if (run->minor < c->since)
			continue;
		run->check = c->id;
		run->places = 0;
		run->level = c->restricted ? "restricted" : "baseline";
		c->run(run);
	}
}

bool pod_security_meets(struct workspace *w, const struct k8s_pod *pod, const char *level,
			const char *version)
{
	struct check_run run = { .w = w, .pod = pod };
	const char *has;

	kube_version_minor(version, &run.minor);
	run_checks(&run);
	has = level_of(&run);
	return strcmp(has, "restricted") == 0 || strcmp(has, level) == 0 ||
	       strcmp(level, "privileged") == 0;
}

const struct pod_security *pod_security_judge(struct workspace *w, struct k8s_pod *pod)
{
	struct pod_security *out = ARENA_NEW(&w->snapshot->arena, struct pod_security);
	struct check_run run = { .w = w, .pod = pod, .minor = k8s_minor(w) };

	run_checks(&run);
	set_version(w, out);
	out->level = level_of(&run);
	out->templated = run.open || is_added_to(w, pod);
	out->violations = run.found.items;
	out->count = run.found.count;
	out->capacity = run.found.capacity;
	return out;
}
