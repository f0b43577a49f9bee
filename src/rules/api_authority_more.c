/* Rules of the field API authority: single resources, default accounts and combinations.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rules.h"

#include <string.h>

#include "src/rules/judge.h"
#include "src/rules/rbac_facts.h"

static const char *const makers[] = { "create", NULL };
static const char *const changers[] = { "update", "patch", NULL };

/* As an account, or by the name that it has as a user. */
static bool is_default_account(const struct fact *f)
{
	const char *name = strrchr(f->value, ':');

	if (fact_is(f, "ServiceAccount:default"))
		return true;
	return name && strcmp(name, ":default") == 0 &&
	       text_begins(f->value, "User:system:serviceaccount:");
}

static enum verdict service_account_default(struct eval *e, const struct fact *f)
{
	if (f->kind == FACT_RBAC_SUBJECT) {
		if (!is_default_account(f) || !fact_attribute(f, "role"))
			return VERDICT_QUIET;
		eval_say(e, "the default service account is given role %s", attribute_of(f, "role"));
		return VERDICT_FIRES;
	}
	if (!attribute_true(f, "default") && !fact_is(f, "default"))
		return fact_is_known(f) || f->provenance == PROVENANCE_TEMPLATED ? VERDICT_QUIET :
										   VERDICT_UNKNOWN;
	eval_say(e, text_is_any(eval_row(e)->object_kind,
				(const char *const[]){ "ServiceAccount", NULL }) ?
			    "the default service account: pods that name none share it" :
			    "the pod uses the default service account of its namespace");
	return VERDICT_FIRES;
}

static enum verdict rbac_portforward(struct eval *e, const struct fact *f)
{
	static const char *const forward[] = { "pods/portforward", "pods/*", NULL };

	if (!grants(f, makers, forward, ""))
		return VERDICT_QUIET;
	return say_grant(e, f, "the identity reaches ports that nothing exposes");
}

static enum verdict rbac_delete(struct eval *e, const struct fact *f)
{
	static const char *const verbs[] = { "delete", "deletecollection", NULL };
	static const char *const objects[] = { "pods", "namespaces", "secrets", "services",
					       "persistentvolumeclaims", "persistentvolumes", NULL };

	if (!grants(f, verbs, objects, "core") && !grants_of(f, verbs, grant_templates))
		return VERDICT_QUIET;
	return say_grant(e, f, "the identity deletes what other workloads need");
}

static enum verdict rbac_delete_logs(struct eval *e, const struct fact *f)
{
	static const char *const verbs[] = { "delete", "deletecollection", NULL };
	static const char *const objects[] = { "events", "pods/log", NULL };

	if (!grants(f, verbs, objects, "core events.k8s.io"))
		return VERDICT_QUIET;
	return say_grant(e, f, "traces can be removed");
}

/* ConfigMaps from which a cluster takes names, identities or settings of its own parts. */
static bool names_cluster_map(const struct fact *f)
{
	static const char *const maps[] = { "coredns", "coredns-custom", "kube-dns", "node-local-dns",
					    "aws-auth", "kube-proxy", "kubeadm-config",
					    "kubelet-config", "extension-apiserver-authentication",
					    "cluster-info", "kube-root-ca.crt", NULL };

	return list_has_any(attribute_of(f, "names"), maps);
}

static enum verdict rbac_configmap_write(struct eval *e, const struct fact *f)
{
	static const char *const maps[] = { "configmaps", NULL };
	static const char *const verbs[] = { "create", "update",	       "patch",
					     "delete", "deletecollection", NULL };

	/* Named maps of its own are what the fix asks for. */
	if (grant_is_named(f) && !names_cluster_map(f))
		return VERDICT_QUIET;
	if (!grants(f, verbs, maps, "")) {
		if (!grants_but_for_names(f, verbs, maps, ""))
			return VERDICT_QUIET;
		eval_severity(e, SEVERITY_INFO);
		return say_grant(e, f, "resourceNames never match these verbs, so that it grants "
				       "nothing; without them it would");
	}
	if (grant_is_wide(f))
		return say_grant(e, f, "cluster DNS and identity maps are ConfigMaps");
	eval_severity(e, SEVERITY_MEDIUM);
	return say_grant(e, f, "other workloads read their settings from ConfigMaps");
}

#define LIST(...) ((const char *const[]){ __VA_ARGS__, NULL })

static const struct grant_target routes[] = {
	{ "core", LIST("services", "services/status", "services/*", "endpoints") },
	{ "networking.k8s.io extensions",
	  LIST("ingresses", "ingresses/status", "networkpolicies", "ingressclasses") },
	{ "discovery.k8s.io", LIST("endpointslices") },
	{ "gateway.networking.k8s.io",
	  LIST("gateways", "gatewayclasses", "httproutes", "grpcroutes", "tcproutes", "tlsroutes",
	       "udproutes", "referencegrants") },
	{ "networking.istio.io security.istio.io",
	  LIST("gateways", "virtualservices", "destinationrules", "serviceentries", "sidecars",
	       "envoyfilters", "authorizationpolicies") },
	{ "cilium.io", LIST("ciliumnetworkpolicies", "ciliumclusterwidenetworkpolicies") },
	{ "policy.networking.k8s.io",
	  LIST("adminnetworkpolicies", "baselineadminnetworkpolicies", "clusternetworkpolicies") },
	{ "projectcalico.org crd.projectcalico.org",
	  LIST("networkpolicies", "globalnetworkpolicies") },
	{ "traefik.io traefik.containo.us", LIST("ingressroutes", "ingressroutetcps") },
	{ "route.openshift.io", LIST("routes") },
	{ NULL, NULL },
};

static enum verdict rbac_network_write(struct eval *e, const struct fact *f)
{
	static const char *const verbs[] = { "create", "update", "patch", "delete",
					     "deletecollection", NULL };

	if (!grants_of(f, verbs, routes))
		return VERDICT_QUIET;
	return say_grant(e, f, "traffic can be redirected, cut off or let past a policy");
}

static enum verdict rbac_pv_write(struct eval *e, const struct fact *f)
{
	static const char *const volumes[] = { "persistentvolumes", NULL };

	if (!grants(f, makers, volumes, ""))
		return VERDICT_QUIET;
	return say_cluster_grant(e, f, "a hostPath volume mounts any folder of a node");
}

static enum verdict rbac_namespace_write(struct eval *e, const struct fact *f)
{
	static const char *const namespaces[] = { "namespaces", NULL };

	if (!grants(f, changers, namespaces, ""))
		return VERDICT_QUIET;
	return say_grant(e, f, "labels of the namespace switch enforcement off");
}

static enum verdict rbac_node_write(struct eval *e, const struct fact *f)
{
	static const char *const nodes[] = { "nodes", "nodes/status", NULL };

	if (!grants(f, changers, nodes, ""))
		return VERDICT_QUIET;
	return say_cluster_grant(e, f, "labels and taints decide where others run");
}

static bool reads_secrets(const struct fact *f)
{
	static const char *const secrets[] = { "secrets", NULL };
	static const char *const readers[] = { "get", "list", "watch", NULL };

	return grants(f, readers, secrets, "");
}

static bool reads_any_secret(const struct fact *f)
{
	return reads_secrets(f) && !grant_is_named(f);
}

static enum verdict rbac_secrets_create(struct eval *e, const struct fact *f)
{
	static const char *const secrets[] = { "secrets", NULL };

	if (!grants(f, makers, secrets, "") || !eval_find(e, FACT_RBAC_RULE, reads_secrets))
		return VERDICT_QUIET;
	if (eval_find(e, FACT_RBAC_RULE, reads_any_secret))
		return say_grant(e, f, "a Secret of the token type is filled with a token of any "
				       "account");
	eval_severity(e, SEVERITY_MEDIUM);
	return say_grant(e, f, "a Secret of the token type is filled with a token of any account, and "
			       "those of some names can be read");
}

static bool token_is_there(const struct fact *f)
{
	return says_true(f);
}

static bool is_everything(const struct fact *f)
{
	return !grant_is_namespaced(f) &&
	       list_has(attribute_of(f, "verbs"), "*") &&
	       list_has(attribute_of(f, "resources"), "*");
}

static bool is_admin(const struct fact *f)
{
	return !grant_is_namespaced(f) &&
	       text_is_any(attribute_of(f, "role"), (const char *const[]){ "cluster-admin", NULL });
}

static enum verdict x_token_cluster_admin(struct eval *e, const struct fact *f)
{
	const struct fact *right;

	(void)f;
	if (!eval_fired(e, "sa-token-mounted") || !eval_find(e, FACT_TOKEN_MOUNT, token_is_there))
		return VERDICT_QUIET;
	right = eval_find(e, FACT_RBAC_SUBJECT, is_admin);
	if (!right)
		right = eval_find(e, FACT_RBAC_RULE, is_everything);
	if (!right)
		return VERDICT_QUIET;
	eval_part(e, "sa-token-mounted");
	eval_part(e, "rbac-cluster-admin");
	eval_part(e, "rbac-wildcard");
	eval_say(e, "the mounted token holds every right of the cluster");
	return VERDICT_FIRES;
}

static enum verdict x_create_pods_no_psa(struct eval *e, const struct fact *f)
{
	const struct fact *grant = eval_find(e, FACT_RBAC_RULE, grant_starts_pods);
	bool starts = grant != NULL;

	(void)f;
	if (!grant)
		grant = eval_find(e, FACT_RBAC_RULE, grant_changes_templates);
	if (!grant || (!eval_fired(e, "rbac-create-pods") && !eval_fired(e, "rbac-wildcard")))
		return VERDICT_QUIET;
	if (!row_first(eval_row(e), FACT_POD_SECURITY_LABEL, eval_layer(e)) ||
	    eval_find(e, FACT_POD_SECURITY_LABEL, level_is_enforced))
		return VERDICT_QUIET;
	eval_part(e, "rbac-create-pods");
	eval_part(e, "psa-not-enforced");
	eval_say(e, starts ? "the identity starts pods where nothing refuses a privileged one" :
			     "the identity rewrites pod templates where nothing refuses a "
			     "privileged pod");
	return VERDICT_FIRES;
}

const struct rule rules_api_authority_more[] = {
	{
		.slug = "service-account-default",
		.field = FIELD_API_AUTHORITY,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "the pod uses or a binding names the default service account",
		.consequence =
			"Rights given to the default account reach every pod of the namespace "
			"that names none.",
		.fix = "Create an account for the workload.",
		.compatibility = "Bindings move to the new account.",
		.owner = "platform owner",
		.restore = RESTORE_LINES,
		.formats = FORMATS_RBAC,
		.concepts = "default-service-account",
		.each = FACT_SERVICE_ACCOUNT,
		.also = { FACT_RBAC_SUBJECT },
		.judge = service_account_default,
	},
	{
		.slug = "rbac-portforward",
		.field = FIELD_API_AUTHORITY,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "create on pods/portforward",
		.consequence =
			"The identity reaches ports that no Service or NetworkPolicy exposes.",
		.fix = "Drop the sub-resource from the role.",
		.compatibility = "Operators use another account.",
		.owner = "platform owner",
		.restore = RESTORE_LINES,
		.formats = FORMATS_RBAC,
		.concepts = "rbac-portforward",
		.each = FACT_RBAC_RULE,
		.judge = rbac_portforward,
	},
	{
		.slug = "rbac-delete",
		.field = FIELD_API_AUTHORITY,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "delete or deletecollection on workloads or namespaces",
		.consequence =
			"The identity can stop or erase other workloads, their guards included.",
		.fix = "Name the resources it must delete.",
		.compatibility = "Controllers that clean up need resourceNames or labels.",
		.owner = "platform owner",
		.restore = RESTORE_LINES,
		.formats = FORMATS_RBAC,
		.task_context = true,
		.concepts = "rbac-delete-workloads",
		.each = FACT_RBAC_RULE,
		.judge = rbac_delete,
	},
	{
		.slug = "rbac-delete-logs",
		.field = FIELD_API_AUTHORITY,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "delete on events or pod logs",
		.consequence =
			"Events can be removed, and with them traces of what the identity did; "
			"delete on pods/log names no API call and shows a careless role.",
		.fix = "Drop the verb.",
		.compatibility = "Log rotation is not done through the API.",
		.owner = "platform owner",
		.restore = RESTORE_LINES,
		.formats = FORMATS_RBAC,
		.concepts = "rbac-delete-logs-events",
		.each = FACT_RBAC_RULE,
		.judge = rbac_delete_logs,
	},
	{
		.slug = "rbac-configmap-write",
		.field = FIELD_API_AUTHORITY,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger = "update or patch on ConfigMaps at cluster scope or in kube-system",
		.consequence =
			"What other workloads read as their configuration can be rewritten; in "
			"kube-system also cluster DNS and cloud identity maps (CoreDNS, aws-auth).",
		.fix = "Limit to named ConfigMaps of the own namespace.",
		.compatibility = "Operators that edit them need another account.",
		.owner = "platform owner",
		.restore = RESTORE_LINES,
		.formats = FORMATS_RBAC,
		.concepts = "rbac-configmap-write",
		.each = FACT_RBAC_RULE,
		.judge = rbac_configmap_write,
	},
	{
		.slug = "rbac-network-write",
		.field = FIELD_API_AUTHORITY,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"write on Services, Ingresses, NetworkPolicies, Endpoints or their "
			"status",
		.consequence = "The identity can redirect traffic or open what a policy closed.",
		.fix = "Limit to named objects.",
		.compatibility = "Controllers keep what they own.",
		.owner = "platform owner",
		.restore = RESTORE_LINES,
		.formats = FORMATS_RBAC,
		.task_context = true,
		.concepts = "rbac-network-write",
		.each = FACT_RBAC_RULE,
		.judge = rbac_network_write,
	},
	{
		.slug = "rbac-pv-write",
		.field = FIELD_API_AUTHORITY,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "create on persistentvolumes",
		.consequence =
			"A hostPath PersistentVolume mounts any node directory, past pod "
			"security.",
		.fix = "Drop the right; use storage classes.",
		.compatibility = "Static provisioning moves to administrators.",
		.owner = "platform owner",
		.restore = RESTORE_LINES,
		.formats = FORMATS_RBAC,
		.concepts = "rbac-create-pv",
		.each = FACT_RBAC_RULE,
		.judge = rbac_pv_write,
	},
	{
		.slug = "rbac-namespace-write",
		.field = FIELD_API_AUTHORITY,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "update or patch on namespaces",
		.consequence =
			"Labels choose pod security and policy: the holder can switch "
			"enforcement off.",
		.fix = "Remove it, or refuse changes of those labels by policy.",
		.compatibility = "Namespace controllers keep it.",
		.owner = "cluster admin",
		.restore = RESTORE_LINES,
		.formats = FORMATS_RBAC,
		.concepts = "",
		.each = FACT_RBAC_RULE,
		.judge = rbac_namespace_write,
	},
	{
		.slug = "rbac-node-write",
		.field = FIELD_API_AUTHORITY,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger = "update or patch on nodes or nodes/status",
		.consequence =
			"Labels, taints and capacity decide placement: other workloads can be "
			"drawn to a chosen node.",
		.fix = "Leave it to the node controllers.",
		.compatibility = "Autoscalers keep it.",
		.owner = "cluster admin",
		.restore = RESTORE_LINES,
		.formats = FORMATS_RBAC,
		.concepts = "",
		.each = FACT_RBAC_RULE,
		.judge = rbac_node_write,
	},
	{
		.slug = "rbac-secrets-create",
		.field = FIELD_API_AUTHORITY,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger = "create on secrets together with get, list or watch on them",
		.consequence =
			"A Secret of the service-account-token type is filled with a lasting "
			"token of any service account of that namespace.",
		.fix = "Split the two rights, or refuse that type by policy.",
		.compatibility = "Token issuers need another route.",
		.owner = "cluster admin",
		.restore = RESTORE_LINES,
		.formats = FORMATS_RBAC,
		.concepts = "",
		.each = FACT_RBAC_RULE,
		.judge = rbac_secrets_create,
	},
	{
		.slug = "x-token-cluster-admin",
		.field = FIELD_API_AUTHORITY,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "token mounted AND binding to cluster-admin or wildcard",
		.consequence = "Any code in the pod owns the cluster.",
		.fix = "Unmount the token first, then narrow the binding.",
		.compatibility = "API calls stop until a narrow role is bound.",
		.owner = "cluster admin",
		.restore = RESTORE_MANIFEST,
		.formats = FORMATS_RBAC,
		.combination = true,
		.concepts = "",
		.judge = x_token_cluster_admin,
	},
	{
		.slug = "x-create-pods-no-psa",
		.field = FIELD_API_AUTHORITY,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"rights to create pods or workloads in a namespace with no restricted "
			"or baseline enforcement",
		.consequence = "Start a privileged pod, own the node.",
		.fix = "Enforce baseline or restricted in that namespace.",
		.compatibility = "Weak pods are refused.",
		.owner = "cluster admin",
		.restore = RESTORE_MANIFEST,
		.formats = FORMATS_RBAC,
		.combination = true,
		.concepts = "",
		.judge = x_create_pods_no_psa,
	},
};

const size_t rules_api_authority_more_count =
	sizeof rules_api_authority_more / sizeof *rules_api_authority_more;
