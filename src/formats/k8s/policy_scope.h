/* What an admission policy is for: kinds, namespaces and objects that it matches or leaves out.
 * SPDX-License-Identifier: MIT */
#ifndef FORMATS_K8S_POLICY_SCOPE_H
#define FORMATS_K8S_POLICY_SCOPE_H

#include "src/formats/k8s/k8s.h"

/* Whom a policy is asked about: a namespace as a whole, or one pod in it. */
struct policy_subject {
	const char *namespace;
	const struct node *namespace_labels; /* NULL when the namespace was not supplied */
	const struct k8s_pod *pod;           /* NULL for the namespace as a whole */
};

enum policy_reach {
	POLICY_ELSEWHERE, /* for other kinds, namespaces or objects; also when that cannot be told */
	POLICY_EXCLUDED,  /* would be for it, and leaves it out by name or label */
	POLICY_REACHES,
};

/* MATCH is the resource match of an admission policy, its binding, or a webhook: resourceRules or rules,
 * namespaceSelector, objectSelector. A missing one matches everything. */
enum policy_reach policy_match_reaches(const struct node *match, const struct policy_subject *s);
/* True when RULES (resourceRules of a policy, rules of a webhook) have pods being made. */
bool policy_rules_have_pods(const struct node *rules);
/* True when RULES have what makes pods, Deployments and their like, and not pods. */
bool policy_rules_miss_pods(const struct node *rules);
/* The same of the kinds in a match of Kyverno or Gatekeeper, at any depth of their own shape. */
bool policy_kinds_miss_pods(const struct node *match);
/* A rule of Kyverno with its policy's own namespace. */
enum policy_reach policy_kyverno_reaches(const struct k8s_object *policy, const struct node *rule,
					 const struct policy_subject *s);
/* A `match` or `exclude` block of Kyverno, also of an exception. */
bool policy_kyverno_selects(const struct node *block, const struct policy_subject *s);
/* The match of a Gatekeeper constraint. */
enum policy_reach policy_gatekeeper_reaches(const struct node *match, const struct policy_subject *s);
/* TEXT is like PATTERN, in which "*" stands for any text and "?" for one character. */
bool policy_wildcard(const char *pattern, const char *text);
/* Some pattern of LIST is like TEXT. */
bool policy_wildcards_hold(const struct node *list, const char *text);

#endif
