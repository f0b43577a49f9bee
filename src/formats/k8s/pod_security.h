/* The Pod Security Standards, by policy version: level of a pod and every violated check.
 *
 * Source: kubernetes/pod-security-admission of 2026-07-01. Controls, versions and accepted values are
 * those of the admission plug-in; a value that only a renderer knows satisfies no requirement.
 * SPDX-License-Identifier: MIT */
#ifndef FORMATS_K8S_POD_SECURITY_H
#define FORMATS_K8S_POD_SECURITY_H

#include "src/formats/k8s/k8s.h"

struct check_run {
	struct workspace *w;
	const struct k8s_pod *pod;
	unsigned minor; /* policy version 1.MINOR */
	const char *check, *level;
	const char *container; /* that is looked at; NULL: the pod */
	unsigned places; /* that violate it so far */
	struct {
		struct row_violation *items;
		size_t count, capacity;
	} found;
	bool open; /* a value of a template would decide a check */
};

struct pod_check {
	const char *id;
	bool restricted;
	unsigned since; /* first policy version with this check, 1.SINCE */
	void (*run)(struct check_run *run);
};

extern const struct pod_check pod_checks[]; /* id NULL at the end */

/* Judges POD for scope->kubernetes; the result lives in the snapshot's arena. */
const struct pod_security *pod_security_judge(struct workspace *w, struct k8s_pod *pod);
/* True when POD meets LEVEL of the policy of a label's VERSION ("v1.30", "latest"; NULL: the newest). */
bool pod_security_meets(struct workspace *w, const struct k8s_pod *pod, const char *level,
			const char *version);

#endif
