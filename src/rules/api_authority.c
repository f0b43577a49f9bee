/* Rules of the field API authority: rights that equal takeover.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rules.h"

#include "src/rules/judge.h"
#include "src/rules/rbac_facts.h"

static const char *const readers[] = { "get", "list", "watch", NULL };
static const char *const writers[] = { "create", "update", "patch", NULL };
static const char *const makers[] = { "create", NULL };
static const char *const changers[] = { "update", "patch", NULL };

/* A Role of a namespace may have any name. */
static bool names_cluster_role(const struct fact *f, const char *const *names)
{
	return text_is_any(attribute_of(f, "role"), names) &&
	       !(fact_attribute_is(f, "role_kind", "Role") && grant_is_namespaced(f));
}

static bool is_cluster_admin(const struct fact *f)
{
	return names_cluster_role(f, (const char *const[]){ "cluster-admin", NULL });
}

static enum verdict rbac_cluster_admin(struct eval *e, const struct fact *f)
{
	static const char *const edit[] = { "admin", "edit", NULL };

	if (fact_is_nocase(f, "Group:system:masters"))
		eval_say(e, "the group system:masters passes every check of the API server");
	else if (is_cluster_admin(f))
		eval_say(e, "%s %s is bound to cluster-admin", attribute_of(f, "kind"),
			 attribute_of(f, "name"));
	else if (names_cluster_role(f, edit) &&
		 fact_attribute_is(f, "scope", "namespace:kube-system"))
		eval_say(e, "%s %s is bound to %s in kube-system", attribute_of(f, "kind"),
			 attribute_of(f, "name"), attribute_of(f, "role"));
	else
		return VERDICT_QUIET;
	return judge_bad(e, f, true);
}

/* What a wildcard over an API group holds, so that nobody has to spell it out. */
static void add_covered(struct eval *e, const struct fact *f)
{
	static const struct {
		const char *group, *concepts;
	} covered[] = {
		{ "", "rbac-secrets-access rbac-create-pods rbac-exec-attach rbac-portforward "
		      "rbac-delete-workloads rbac-delete-logs-events rbac-configmap-write "
		      "rbac-token-create rbac-create-pv rbac-impersonate rbac-node-proxy "
		      "rbac-network-write" },
		{ "rbac.authorization.k8s.io", "rbac-escalate-bind" },
		{ "certificates.k8s.io", "rbac-csr-approve" },
		{ "admissionregistration.k8s.io", "rbac-webhook-write" },
	};

	for (size_t i = 0; i < sizeof covered / sizeof *covered; i++)
		if (grant_covers(f, covered[i].group))
			eval_concept_too(e, covered[i].concepts);
}

static enum verdict rbac_wildcard(struct eval *e, const struct fact *f)
{
	bool verbs = list_has(attribute_of(f, "verbs"), "*");
	bool resources = list_has(attribute_of(f, "resources"), "*");
	bool groups = list_has(attribute_of(f, "groups"), "*");
	bool writes = verbs || list_has_any(attribute_of(f, "verbs"), writers);
	bool apart = *attribute_of(f, "groups") && !groups && !grant_is_of_the_cluster(f);

	if (!fact_is_known(f) || grant_is_built_in(f) || (!verbs && !resources && !groups) ||
	    !*attribute_of(f, "resources"))
		return VERDICT_QUIET;
	if (apart)
		eval_severity(e, SEVERITY_MEDIUM);
	else if (!(verbs && resources) && !(groups && writes && resources))
		eval_severity(e, writes && resources ? SEVERITY_HIGH : SEVERITY_MEDIUM);
	else if (!grant_is_wide(f))
		eval_severity(e, SEVERITY_HIGH);
	if (grant_has_every_verb(f) && resources)
		add_covered(e, f);
	/* Only a binding makes somebody an administrator. */
	if (groups && resources && grant_has_every_verb(f) && !attribute_false(f, "bound"))
		eval_concept_too(e, "rbac-cluster-admin");
	return say_grant(e, f, "a wildcard grants what nobody listed");
}

static enum verdict rbac_secrets(struct eval *e, const struct fact *f)
{
	static const char *const secrets[] = { "secrets", NULL };
	static const char *const any[] = { "get",   "list",  "watch", "create",	    "update",
					   "patch", "delete", "deletecollection", NULL };
	bool reads = grants(f, readers, secrets, "");

	if (!reads && !grants(f, any, secrets, ""))
		return VERDICT_QUIET;
	/* Named Secrets are what the fix asks for; they still are Secrets. */
	if (!reads || grant_is_named(f))
		eval_severity(e, SEVERITY_MEDIUM);
	else if (fact_attribute_is(f, "scope", "cluster"))
		eval_severity(e, SEVERITY_CRITICAL);
	return say_grant(e, f, reads ? "the identity reads Secrets" : "the identity changes Secrets");
}

static bool admission_is_enforced(struct eval *e)
{
	const struct fact *f = row_first(eval_row(e), FACT_POD_SECURITY_LABEL, eval_layer(e));

	for (; f; f = eval_next(e, f))
		if (fact_attribute_is(f, "mode", "enforce") && fact_is_written(f) &&
		    !fact_is_nocase(f, "privileged")) {
			eval_read(e, f);
			return true;
		}
	return false;
}

static enum verdict rbac_create_pods(struct eval *e, const struct fact *f)
{
	static const char *const makes[] = { "create", "*", NULL };

	if (!grant_makes_workloads(f, writers)) {
		if (!grant_makes_claims(f))
			return VERDICT_QUIET;
		eval_severity(e, SEVERITY_MEDIUM);
		return say_grant(e, f, "the identity starts pods, of templates that are there");
	}
	if (row_first(eval_row(e), FACT_POD_SECURITY_LABEL, eval_layer(e)) &&
	    !admission_is_enforced(e))
		eval_severity(e, SEVERITY_CRITICAL);
	return say_grant(e, f, list_has_any(attribute_of(f, "verbs"), makes) && !grant_is_named(f) ?
				       "the identity starts workloads" :
				       "the identity changes workloads, the images they run included");
}

static enum verdict rbac_exec(struct eval *e, const struct fact *f)
{
	static const char *const shells[] = { "pods/exec", "pods/attach", "pods/*", NULL };
	static const char *const debug[] = { "pods/ephemeralcontainers", "pods/*", NULL };
	static const char *const old[] = { "get", NULL };

	if (!grants(f, makers, shells, "") && !grants(f, changers, debug, "")) {
		if (kubernetes_at_least(e, 35) || !grants(f, old, shells, ""))
			return VERDICT_QUIET;
		if (!kubernetes_below(e, 35))
			eval_confidence(e, CONFIDENCE_MEDIUM);
		return say_grant(e, f, "before Kubernetes 1.35 the identity runs code in other pods");
	}
	return say_grant(e, f, "the identity runs code in other pods");
}

static enum verdict rbac_escalate(struct eval *e, const struct fact *f)
{
	static const char *const lift[] = { "escalate", "bind", NULL };
	static const char *const roles[] = { "roles", "clusterroles", "rolebindings",
					     "clusterrolebindings", NULL };
	static const char *const act_as[] = { "impersonate", NULL };
	static const char *const people[] = { "users", "groups", "serviceaccounts", "uids",
					      "userextras", "userextras/*", NULL };
	static const char *const rbac_group = "rbac.authorization.k8s.io";
	bool lifts = grants(f, lift, roles, rbac_group);
	bool edits = grants(f, writers, roles, rbac_group);
	bool impersonates = grants(f, act_as, people, "core authentication.k8s.io") ||
			    (text_holds(attribute_of(f, "resources"), "userextras/") &&
			     list_has(attribute_of(f, "verbs"), "impersonate")) ||
			    text_holds(attribute_of(f, "verbs"), "impersonate:");

	if (!lifts && !edits && !impersonates)
		return VERDICT_QUIET;
	eval_concepts(e, impersonates && (lifts || edits) ? "rbac-escalate-bind rbac-impersonate"
			 : impersonates			  ? "rbac-impersonate"
							  : "rbac-escalate-bind");
	/* Without escalate or bind the API server lets nobody grant more than they hold. */
	if (!lifts && !impersonates)
		eval_severity(e, SEVERITY_MEDIUM);
	else if (!grant_is_wide(f))
		eval_severity(e, SEVERITY_HIGH);
	return say_grant(e, f, impersonates ? "the identity acts as others"
			       : lifts	    ? "the identity may give itself more rights"
					    : "the identity changes roles or bindings");
}

static enum verdict rbac_nodes_proxy(struct eval *e, const struct fact *f)
{
	static const char *const proxy[] = { "nodes/proxy", "nodes/*", NULL };
	static const char *const any[] = { "get", "list", "watch", "create", "update", "patch",
					   "delete", NULL };
	/* The kubelet runs commands for GET and POST. */
	static const char *const running[] = { "get", "create", NULL };

	/* In a Role it grants nothing; other verbs would not even do so in a ClusterRole. */
	if (!grants(f, grant_is_namespaced(f) ? running : any, proxy, ""))
		return VERDICT_QUIET;
	return say_cluster_grant(e, f, "the kubelet's own API runs commands, past admission and audit");
}

static bool may_approve_signer(const struct fact *f)
{
	static const char *const signers[] = { "signers", NULL };
	static const char *const approve[] = { "approve", NULL };

	return grants(f, approve, signers, "certificates.k8s.io");
}

static bool approves_certificates(const struct fact *f)
{
	static const char *const approval[] = { "certificatesigningrequests/approval",
						"certificatesigningrequests/*", NULL };

	return grants(f, changers, approval, "certificates.k8s.io");
}

/* It takes both: the update of the approval, and the signer's consent, which another role may give. */
static const char *weigh_approval(struct eval *e)
{
	if (eval_find(e, FACT_RBAC_RULE, may_approve_signer))
		return "the identity approves certificates for any name";
	eval_severity(e, SEVERITY_MEDIUM);
	return "with approve on a signer from any other role, the identity approves certificates";
}

static const char *changes_admission(const struct fact *f)
{
	static const char *const hooks[] = { "mutatingwebhookconfigurations",
					     "validatingwebhookconfigurations",
					     "validatingadmissionpolicies",
					     "validatingadmissionpolicybindings",
					     "mutatingadmissionpolicies",
					     "mutatingadmissionpolicybindings", NULL };
	static const char *const removers[] = { "delete", "deletecollection", NULL };
	static const char *const group = "admissionregistration.k8s.io";

	if (grants(f, writers, hooks, group))
		return "the identity reads and rewrites every object through admission";
	return grants(f, removers, hooks, group) ?
		       "the identity removes what refuses objects at admission" : NULL;
}

static enum verdict rbac_csr_token_webhook(struct eval *e, const struct fact *f)
{
	static const char *const tokens[] = { "serviceaccounts/token", NULL };
	const char *admission = changes_admission(f);
	bool makes_tokens = grants(f, makers, tokens, ""), approves = approves_certificates(f);

	if (!approves && !admission && !makes_tokens)
		return VERDICT_QUIET;
	eval_concepts(e, approves ? "rbac-csr-approve" : admission ? "rbac-webhook-write" :
								     "rbac-token-create");
	if (approves && admission)
		eval_concept_too(e, "rbac-webhook-write");
	if (makes_tokens && (approves || admission))
		eval_concept_too(e, "rbac-token-create");
	/* Accounts lie in namespaces, the others do not. */
	if (makes_tokens && !grant_is_wide(f)) {
		eval_severity(e, SEVERITY_HIGH);
		return say_grant(e, f, "the identity makes tokens of other accounts");
	}
	if (makes_tokens && !approves && !admission)
		return say_grant(e, f, "the identity makes tokens of other accounts");
	return say_cluster_grant(e, f, approves ? weigh_approval(e) : admission);
}

/* A binding without its role gives rights that nobody can tell; those of built-in roles are known. */
static bool role_is_missing(const struct fact *f)
{
	return attribute_false(f, "role_supplied") && *attribute_of(f, "role");
}

static enum verdict rbac_unknown(struct eval *e, const struct fact *f)
{
	const bool workload = row_is_workload(eval_row(e));
	const struct fact *subject;

	if (f->kind == FACT_RBAC_SUBJECT) {
		if (workload || !first_of_kind(e, f) || !role_is_missing(f))
			return VERDICT_QUIET;
		eval_say(e, "binding %s gives the rights of %s, which was not supplied",
			 attribute_of(f, "binding"), attribute_of(f, "role"));
		return VERDICT_FIRES;
	}
	if (f->provenance == PROVENANCE_ABSENT || !workload ||
	    row_first(eval_row(e), FACT_RBAC_RULE, eval_layer(e)))
		return VERDICT_QUIET;
	subject = eval_find(e, FACT_RBAC_SUBJECT, role_is_missing);
	if (subject)
		eval_say(e, "service account %s has the rights of %s, which was not supplied",
			 f->value, attribute_of(subject, "role"));
	else
		eval_say(e, "service account %s is used; no Role or binding for it was supplied",
			 f->value);
	/* A name that a template makes is one all the same, and the role's would be as well. */
	return f->provenance == PROVENANCE_TEMPLATED ? VERDICT_FIRES : judge_written(e, f);
}

/* The group, or the user, for whom nobody has to show who they are. */
static const char *open_subject(const struct fact *f)
{
	static const struct {
		const char *value, *name;
	} open[] = {
		{ "Group:system:unauthenticated", "system:unauthenticated" },
		{ "Group:system:authenticated", "system:authenticated" },
		{ "Group:system:serviceaccounts", "system:serviceaccounts" },
		{ "Group:system:masters", "system:masters" },
		{ "User:system:anonymous", "system:anonymous" },
	};

	for (size_t i = 0; i < sizeof open / sizeof *open; i++)
		if (fact_is(f, open[i].value))
			return open[i].name;
	return NULL;
}

static enum verdict rbac_open_subject(struct eval *e, const struct fact *f)
{
	static const char *const built_in[] = { "system:discovery", "system:basic-user",
						"system:public-info-viewer",
						"system:service-account-issuer-discovery", NULL };
	const char *role = attribute_of(f, "role"), *name = open_subject(f);

	if (!name || names_cluster_role(f, built_in))
		return VERDICT_QUIET;
	if (attribute_false(f, "writes") && attribute_false(f, "secrets"))
		eval_severity(e, SEVERITY_MEDIUM);
	eval_say(e, "%s is bound to %s", name, *role ? role : "a role");
	return judge_bad(e, f, true);
}

const struct rule rules_api_authority[] = {
	{
		.slug = "rbac-cluster-admin",
		.field = FIELD_API_AUTHORITY,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"binding of the row's service account or its group to cluster-admin, to "
			"admin or edit in kube-system, or group system:masters",
		.consequence = "The token is the cluster.",
		.fix = "Bind a role with the listed verbs only.",
		.compatibility = "Find used verbs from audit logs.",
		.owner = "cluster admin",
		.restore = RESTORE_MANIFEST,
		.formats = FORMATS_RBAC,
		.concepts = "rbac-cluster-admin",
		.each = FACT_RBAC_SUBJECT,
		.judge = rbac_cluster_admin,
	},
	{
		.slug = "rbac-wildcard",
		.field = FIELD_API_AUTHORITY,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"* in verbs and resources, or in apiGroups with write verbs, bound "
			"cluster-wide or in kube-system; high when bound in one other namespace",
		.consequence =
			"Within its scope every right on every kind, present and future, "
			"escalate, bind and impersonate included.",
		.fix = "Name resources and verbs.",
		.compatibility = "New resource kinds need adding.",
		.owner = "cluster admin",
		.restore = RESTORE_MANIFEST,
		.formats = FORMATS_RBAC,
		.concepts = "rbac-wildcard",
		.each = FACT_RBAC_RULE,
		.judge = rbac_wildcard,
	},
	{
		.slug = "rbac-secrets",
		.field = FIELD_API_AUTHORITY,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "get, list or watch on secrets; critical when cluster-wide",
		.consequence =
			"Other workloads' credentials, service account tokens included, can be "
			"read, where list returns contents too, or be replaced and deleted.",
		.fix = "Limit by resourceNames with get only.",
		.compatibility = "Controllers that watch need a namespace scope.",
		.owner = "cluster admin",
		.restore = RESTORE_MANIFEST,
		.formats = FORMATS_RBAC,
		.concepts = "rbac-secrets-access",
		.each = FACT_RBAC_RULE,
		.judge = rbac_secrets,
	},
	{
		.slug = "rbac-create-pods",
		.field = FIELD_API_AUTHORITY,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"create, update or patch on pods, deployments, daemonsets, "
			"statefulsets, jobs, cronjobs, replicasets or sandbox resources; "
			"critical when no pod security enforcement is in evidence",
		.consequence =
			"New pods may mount any secret, use any service account and, unless "
			"stopped, the node.",
		.fix =
			"Use a namespace of its own with restricted enforcement, or a "
			"controller with fixed templates.",
		.compatibility = "Agents that start jobs need the template.",
		.owner = "cluster admin",
		.restore = RESTORE_MANIFEST,
		.formats = FORMATS_RBAC,
		.concepts = "rbac-create-pods",
		.each = FACT_RBAC_RULE,
		.judge = rbac_create_pods,
	},
	{
		.slug = "rbac-exec",
		.field = FIELD_API_AUTHORITY,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"create (before 1.35 also get alone) on pods/exec or pods/attach; "
			"update or patch on pods/ephemeralcontainers",
		.consequence = "Code runs inside other pods with their identity.",
		.fix = "Remove, or scope to one namespace.",
		.compatibility = "Debug from the agent stops.",
		.owner = "cluster admin",
		.restore = RESTORE_MANIFEST,
		.formats = FORMATS_RBAC,
		.concepts = "rbac-exec-attach",
		.each = FACT_RBAC_RULE,
		.judge = rbac_exec,
	},
	{
		.slug = "rbac-escalate",
		.field = FIELD_API_AUTHORITY,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"escalate or bind on roles or clusterroles, impersonate (or a "
			"constrained impersonate: verb) on users, groups, serviceaccounts or "
			"uids; high when held in one namespace other than kube-system",
		.consequence = "The usual guard against granting oneself more does not apply.",
		.fix = "Remove the verb.",
		.compatibility = "Only role managers need it.",
		.owner = "cluster admin",
		.restore = RESTORE_MANIFEST,
		.formats = FORMATS_RBAC,
		.concepts = "rbac-escalate-bind rbac-impersonate",
		.each = FACT_RBAC_RULE,
		.judge = rbac_escalate,
	},
	{
		.slug = "rbac-nodes-proxy",
		.field = FIELD_API_AUTHORITY,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"any verb, get included, on nodes/proxy through a ClusterRoleBinding "
			"(nodes are not namespaced)",
		.consequence =
			"Runs commands in every pod of the nodes it reaches through the "
			"kubelet, past admission and audit.",
		.fix =
			"Use nodes/metrics, nodes/stats or nodes/log, and from 1.33 nodes/pods, "
			"nodes/healthz or nodes/configz.",
		.compatibility = "Old monitoring agents need an update.",
		.owner = "cluster admin",
		.restore = RESTORE_MANIFEST,
		.formats = FORMATS_RBAC,
		.concepts = "rbac-node-proxy",
		.each = FACT_RBAC_RULE,
		.judge = rbac_nodes_proxy,
	},
	{
		.slug = "rbac-csr-token-webhook",
		.field = FIELD_API_AUTHORITY,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"update on certificatesigningrequests/approval together with approve on "
			"signers (medium when no role that was supplied adds it); write or delete on "
			"mutating or validating webhook configurations, admission policies or "
			"their bindings; create on serviceaccounts/token (high in one namespace "
			"other than kube-system)",
		.consequence = "Each issues identities, or reads and rewrites what is admitted.",
		.fix = "Remove; keep for the controller that needs it.",
		.compatibility = "Cert or webhook controllers are the exception.",
		.owner = "cluster admin",
		.restore = RESTORE_MANIFEST,
		.formats = FORMATS_RBAC,
		.concepts = "rbac-csr-approve rbac-token-create rbac-webhook-write",
		.each = FACT_RBAC_RULE,
		.judge = rbac_csr_token_webhook,
	},
	{
		.slug = "rbac-unknown",
		.field = FIELD_API_AUTHORITY,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"a service account is named but no Role or Binding is supplied, or a "
			"binding names a role that is not",
		.consequence = "Its rights cannot be told from what was supplied.",
		.fix = "Add kubectl auth can-i --list output or the bindings, with date.",
		.compatibility = "None, review only.",
		.owner = "security reviewer",
		.restore = RESTORE_NOTHING,
		.formats = FORMATS_RBAC,
		.concepts = "",
		.each = FACT_SERVICE_ACCOUNT,
		.also = { FACT_RBAC_SUBJECT },
		.judge = rbac_unknown,
	},
	{
		.slug = "rbac-open-subject",
		.field = FIELD_API_AUTHORITY,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"a binding to system:anonymous, system:unauthenticated, "
			"system:authenticated, system:serviceaccounts or system:masters that "
			"grants more than the built-in system:discovery, system:basic-user and "
			"system:public-info-viewer; medium when it only reads and reads no "
			"secrets",
		.consequence =
			"Anyone who reaches the API server, or every authenticated identity, "
			"holds the bound rights.",
		.fix = "Bind named identities.",
		.compatibility = "Tools that relied on anonymous access need an identity.",
		.owner = "platform owner",
		.restore = RESTORE_LINES,
		.formats = FORMATS_RBAC,
		.concepts = "rbac-anonymous-or-authenticated-binding",
		.each = FACT_RBAC_SUBJECT,
		.judge = rbac_open_subject,
	},
};

const size_t rules_api_authority_count = sizeof rules_api_authority / sizeof *rules_api_authority;
