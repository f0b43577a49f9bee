/* Rules of the field ingress: what a cluster puts in front of a pod.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rules.h"

#include "src/rules/judge.h"
#include "src/rules/network_facts.h"

static enum verdict service_nodeport(struct eval *e, const struct fact *f)
{
	if (!fact_is_known(f))
		return VERDICT_UNKNOWN;
	if (!fact_attribute_is(f, "type", "NodePort"))
		return VERDICT_QUIET;
	eval_say(e, "service %s opens a port on every node", f->value);
	return VERDICT_FIRES;
}

static enum verdict service_loadbalancer(struct eval *e, const struct fact *f)
{
	static const char *const anywhere[] = { "0.0.0.0/0", "::/0", NULL };
	const char *ranges = attribute_of(f, "ranges");

	if (!fact_attribute_is(f, "type", "LoadBalancer") || attribute_true(f, "internal") ||
	    (*ranges && !list_has_any(ranges, anywhere)))
		return VERDICT_QUIET;
	eval_say(e, "service %s asks the cloud for an address, with no source ranges or internal "
		    "annotation", f->value);
	return VERDICT_FIRES;
}

static enum verdict service_external_ips(struct eval *e, const struct fact *f)
{
	const char *external = attribute_of(f, "external");

	if (!*external || attribute_false(f, "external"))
		return VERDICT_QUIET;
	/* What a chart's values put there, by default mostly nothing. */
	if (text_holds(external, "{{"))
		return VERDICT_UNKNOWN;
	eval_say(e, "service %s takes traffic for outside addresses (%s)", f->value, external);
	return VERDICT_FIRES;
}

static enum verdict ingress_exposed(struct eval *e, const struct fact *f)
{
	const char *kind = attribute_of(f, "kind");

	if (attribute_true(f, "mesh"))
		return VERDICT_QUIET;
	eval_say(e, "%s %s lets requests in from outside the cluster", *kind ? kind : "route",
		 f->value);
	return judge_written(e, f);
}

static enum verdict ingress_no_tls(struct eval *e, const struct fact *f)
{
	if (!attribute_false(f, "tls") || row_is_workload(eval_row(e)))
		return VERDICT_QUIET;
	if (fact_attribute(f, "plain_host"))
		eval_say(e, "%s has no tls entry for host %s", f->value, attribute_of(f, "plain_host"));
	else
		eval_say(e, "%s has no tls section", f->value);
	return VERDICT_FIRES;
}

static enum verdict ingress_snippet(struct eval *e, const struct fact *f)
{
	if (f->kind == FACT_SNIPPETS) {
		eval_say(e, "the ingress controller puts snippets of any Ingress into its "
			    "configuration");
		return judge_true(e, f);
	}
	if (!attribute_true(f, "snippet") || row_is_workload(eval_row(e)))
		return VERDICT_QUIET;
	eval_say(e, "%s carries a configuration snippet for the ingress controller", f->value);
	return VERDICT_FIRES;
}

static bool isolates_ingress(const struct fact *f)
{
	static const char *const states[] = { "restricted", "denied", NULL };

	if (!policy_governs(f))
		return false;
	if (fact_attribute(f, "covers_ingress"))
		return attribute_true(f, "covers_ingress");
	return text_is_any(attribute_of(f, "ingress"), states);
}

static enum verdict netpol_none(struct eval *e, const struct fact *f)
{
	if (first_of_kind(e, f) && f->provenance == PROVENANCE_ABSENT &&
	    text_is_any(eval_row(e)->object_kind, (const char *const[]){ "Namespace", NULL })) {
		eval_say(e, "no supplied NetworkPolicy is in the namespace");
		return VERDICT_FIRES;
	}
	if (!first_of_kind(e, f) || !row_is_workload(eval_row(e)))
		return VERDICT_QUIET;
	if (eval_find(e, FACT_NETWORK_POLICY, isolates_ingress))
		return VERDICT_QUIET;
	if (!fact_is_known(f))
		return VERDICT_UNKNOWN;
	if (f->provenance != PROVENANCE_ABSENT)
		eval_subject_row(e);
	eval_say(e, f->provenance == PROVENANCE_ABSENT ?
			    "no supplied NetworkPolicy selects the pod" :
		    policy_governs(f) ? "no supplied NetworkPolicy limits who may connect to the pod" :
					"the pod is on the host's network, which NetworkPolicies do "
					"not cover");
	return VERDICT_FIRES;
}

const struct rule rules_services[] = {
	{
		.slug = "service-nodeport",
		.field = FIELD_INGRESS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "Service of type NodePort",
		.consequence =
			"Every node of the cluster listens on that port, past the ingress layer.",
		.fix = "Use ClusterIP behind an Ingress or Gateway.",
		.compatibility = "Clients that use the node port change address.",
		.owner = "platform owner",
		.restore = RESTORE_LINES,
		.formats = FORMATS_K8S,
		.task_context = true,
		.concepts = "service-node-port",
		.each = FACT_SERVICE,
		.judge = service_nodeport,
	},
	{
		.slug = "service-loadbalancer",
		.field = FIELD_INGRESS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"Service of type LoadBalancer without an internal annotation or source "
			"ranges",
		.consequence =
			"The cloud gives the workload a public address unless something not in "
			"evidence prevents it.",
		.fix = "Add source ranges or the internal annotation.",
		.compatibility = "Outside clients must be in the ranges.",
		.owner = "platform owner",
		.restore = RESTORE_LINES,
		.formats = FORMATS_K8S,
		.task_context = true,
		.concepts = "service-load-balancer-external",
		.each = FACT_SERVICE,
		.judge = service_loadbalancer,
	},
	{
		.slug = "service-external-ips",
		.field = FIELD_INGRESS,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "Service with externalIPs",
		.consequence =
			"Whoever may write the Service can take traffic for any address "
			"(CVE-2020-8554).",
		.fix = "Remove externalIPs and restrict the field by policy.",
		.compatibility = "Fixed addresses need a load balancer.",
		.owner = "platform owner",
		.restore = RESTORE_LINES,
		.formats = FORMATS_K8S,
		.concepts = "service-external-ip",
		.each = FACT_SERVICE,
		.judge = service_external_ips,
	},
	{
		.slug = "ingress-exposed",
		.field = FIELD_INGRESS,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "Ingress, Gateway route or mesh object leads to the workload",
		.consequence =
			"The row takes requests from outside the cluster as far as this object "
			"is applied.",
		.fix = "Name the authentication in front, or remove the route.",
		.compatibility = "Users of the route lose it.",
		.owner = "platform owner",
		.restore = RESTORE_LINES,
		.formats = FORMATS_K8S,
		.task_context = true,
		.concepts = "exposed-via-ingress",
		.each = FACT_INGRESS_ROUTE,
		.judge = ingress_exposed,
	},
	{
		.slug = "ingress-no-tls",
		.field = FIELD_INGRESS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "Ingress without tls",
		.consequence =
			"Credentials and model traffic cross the network in clear unless "
			"something outside terminates TLS.",
		.fix = "Add a tls section with a certificate.",
		.compatibility = "Clients move to https.",
		.owner = "platform owner",
		.restore = RESTORE_LINES,
		.formats = FORMATS_K8S,
		.concepts = "ingress-without-tls",
		.each = FACT_INGRESS_ROUTE,
		.judge = ingress_no_tls,
	},
	{
		.slug = "ingress-snippet",
		.field = FIELD_INGRESS,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"ingress-nginx snippet annotation, or a controller whose version or "
			"ConfigMap allows them",
		.consequence =
			"Text from the object becomes controller configuration, and with it the "
			"controller's secrets (CVE-2021-25742).",
		.fix = "Remove the snippet; disable snippets in the controller.",
		.compatibility = "Rewrite the rule with supported annotations.",
		.owner = "platform owner",
		.restore = RESTORE_LINES,
		.formats = FORMATS_K8S,
		.concepts = "ingress-nginx-snippet",
		.each = FACT_INGRESS_ROUTE,
		.also = { FACT_SNIPPETS },
		.judge = ingress_snippet,
	},
	{
		.slug = "netpol-none",
		.field = FIELD_INGRESS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "no supplied NetworkPolicy selects the pod for ingress",
		.consequence = "Every pod of the cluster may connect to it.",
		.fix =
			"Add a policy that lists the callers, and a default deny for the "
			"namespace.",
		.compatibility = "Callers must be listed.",
		.owner = "network team",
		.restore = RESTORE_MANIFEST,
		.formats = FORMATS_K8S,
		.concepts = "network-not-isolated",
		.each = FACT_NETWORK_POLICY,
		.judge = netpol_none,
	},
};

const size_t rules_services_count = sizeof rules_services / sizeof *rules_services;
