/* Rules of the field api_authority.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rules.h"

const struct rule rules_api_authority[] = {
	{
		.slug = "rbac-cluster-admin",
		.field = FIELD_API_AUTHORITY,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"binding of the row's service account or its group to cluster-admin, to "
			"admin or edit in kube-system, or group system:masters",
		.consequence =
			"The token is the cluster.",
		.fix =
			"Bind a role with the listed verbs only.",
		.compatibility =
			"Find used verbs from audit logs.",
		.owner =
			"cluster admin",
		.restore =
			"Re-apply the previous manifest revision (kubectl rollout undo needs "
			"the cluster owner's go-ahead).",
		.formats = FORMAT_BIT(RBAC),
		.concepts = "rbac-cluster-admin",
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
		.fix =
			"Name resources and verbs.",
		.compatibility =
			"New resource kinds need adding.",
		.owner =
			"cluster admin",
		.restore =
			"Re-apply the previous manifest revision (kubectl rollout undo needs "
			"the cluster owner's go-ahead).",
		.formats = FORMAT_BIT(RBAC),
		.concepts = "rbac-wildcard",
	},
	{
		.slug = "rbac-secrets",
		.field = FIELD_API_AUTHORITY,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"get, list or watch on secrets; critical when cluster-wide",
		.consequence =
			"Other workloads' credentials, including service account tokens, can be "
			"read; list returns contents.",
		.fix =
			"Limit by resourceNames with get only.",
		.compatibility =
			"Controllers that watch need a namespace scope.",
		.owner =
			"cluster admin",
		.restore =
			"Re-apply the previous manifest revision (kubectl rollout undo needs "
			"the cluster owner's go-ahead).",
		.formats = FORMAT_BIT(RBAC),
		.concepts = "rbac-secrets-access",
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
		.compatibility =
			"Agents that start jobs need the template.",
		.owner =
			"cluster admin",
		.restore =
			"Re-apply the previous manifest revision (kubectl rollout undo needs "
			"the cluster owner's go-ahead).",
		.formats = FORMAT_BIT(RBAC),
		.concepts = "rbac-create-pods",
	},
	{
		.slug = "rbac-exec",
		.field = FIELD_API_AUTHORITY,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"create (before 1.35 also get alone) on pods/exec or pods/attach; "
			"update or patch on pods/ephemeralcontainers",
		.consequence =
			"Code runs inside other pods with their identity.",
		.fix =
			"Remove, or scope to one namespace.",
		.compatibility =
			"Debug from the agent stops.",
		.owner =
			"cluster admin",
		.restore =
			"Re-apply the previous manifest revision (kubectl rollout undo needs "
			"the cluster owner's go-ahead).",
		.formats = FORMAT_BIT(RBAC),
		.concepts = "rbac-exec-attach",
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
		.consequence =
			"The usual guard against granting oneself more does not apply.",
		.fix =
			"Remove the verb.",
		.compatibility =
			"Only role managers need it.",
		.owner =
			"cluster admin",
		.restore =
			"Re-apply the previous manifest revision (kubectl rollout undo needs "
			"the cluster owner's go-ahead).",
		.formats = FORMAT_BIT(RBAC),
		.concepts = "rbac-escalate-bind rbac-impersonate",
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
		.compatibility =
			"Old monitoring agents need an update.",
		.owner =
			"cluster admin",
		.restore =
			"Re-apply the previous manifest revision (kubectl rollout undo needs "
			"the cluster owner's go-ahead).",
		.formats = FORMAT_BIT(RBAC),
		.concepts = "rbac-node-proxy",
	},
	{
		.slug = "rbac-csr-token-webhook",
		.field = FIELD_API_AUTHORITY,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"update on certificatesigningrequests/approval together with approve on "
			"signers; write on mutating or validating webhook configurations, "
			"admission policies or their bindings; create on serviceaccounts/token "
			"(high in one namespace other than kube-system)",
		.consequence =
			"Each issues identities, or reads and rewrites what is admitted.",
		.fix =
			"Remove; keep for the controller that needs it.",
		.compatibility =
			"Cert or webhook controllers are the exception.",
		.owner =
			"cluster admin",
		.restore =
			"Re-apply the previous manifest revision (kubectl rollout undo needs "
			"the cluster owner's go-ahead).",
		.formats = FORMAT_BIT(RBAC),
		.concepts = "rbac-csr-approve rbac-token-create rbac-webhook-write",
	},
	{
		.slug = "rbac-unknown",
		.field = FIELD_API_AUTHORITY,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"a service account is named but no Role or Binding is supplied",
		.consequence =
			"Its rights cannot be told from the pod.",
		.fix =
			"Add kubectl auth can-i --list output or the bindings, with date.",
		.compatibility =
			"None, review only.",
		.owner =
			"security reviewer",
		.restore =
			"Nothing was changed; close the check as unavailable if the evidence "
			"cannot be had.",
		.formats = FORMAT_BIT(K8S),
		.concepts = "",
	},
	{
		.slug = "x-token-cluster-admin",
		.field = FIELD_API_AUTHORITY,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"token mounted AND binding to cluster-admin or wildcard",
		.consequence =
			"Any code in the pod owns the cluster.",
		.fix =
			"Unmount the token first, then narrow the binding.",
		.compatibility =
			"API calls stop until a narrow role is bound.",
		.owner =
			"cluster admin",
		.restore =
			"Re-apply the previous manifest revision (kubectl rollout undo needs "
			"the cluster owner's go-ahead).",
		.formats = FORMAT_BIT(K8S) | FORMAT_BIT(RBAC),
		.combination = true,
		.concepts = "",
	},
	{
		.slug = "x-create-pods-no-psa",
		.field = FIELD_API_AUTHORITY,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"rights to create pods or workloads in a namespace with no restricted "
			"or baseline enforcement",
		.consequence =
			"Start a privileged pod, own the node.",
		.fix =
			"Enforce baseline or restricted in that namespace.",
		.compatibility =
			"Weak pods are refused.",
		.owner =
			"cluster admin",
		.restore =
			"Re-apply the previous manifest revision (kubectl rollout undo needs "
			"the cluster owner's go-ahead).",
		.formats = FORMAT_BIT(K8S) | FORMAT_BIT(RBAC),
		.combination = true,
		.concepts = "",
	},
	{
		.slug = "service-account-default",
		.field = FIELD_API_AUTHORITY,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"the pod uses or a binding names the default service account",
		.consequence =
			"Rights given to the default account reach every pod of the namespace "
			"that names none.",
		.fix =
			"Create an account for the workload.",
		.compatibility =
			"Bindings move to the new account.",
		.owner =
			"platform owner",
		.restore =
			"Put the former lines back from the finding's stored excerpt and "
			"re-apply the manifest.",
		.formats = FORMAT_BIT(K8S),
		.concepts = "default-service-account",
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
		.fix =
			"Bind named identities.",
		.compatibility =
			"Tools that relied on anonymous access need an identity.",
		.owner =
			"platform owner",
		.restore =
			"Put the former lines back from the finding's stored excerpt and "
			"re-apply the manifest.",
		.formats = FORMAT_BIT(K8S) | FORMAT_BIT(RBAC),
		.concepts = "rbac-anonymous-or-authenticated-binding",
	},
	{
		.slug = "rbac-portforward",
		.field = FIELD_API_AUTHORITY,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"create on pods/portforward",
		.consequence =
			"The identity reaches ports that no Service or NetworkPolicy exposes.",
		.fix =
			"Drop the sub-resource from the role.",
		.compatibility =
			"Operators use another account.",
		.owner =
			"platform owner",
		.restore =
			"Put the former lines back from the finding's stored excerpt and "
			"re-apply the manifest.",
		.formats = FORMAT_BIT(K8S),
		.concepts = "rbac-portforward",
	},
	{
		.slug = "rbac-delete",
		.field = FIELD_API_AUTHORITY,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"delete or deletecollection on workloads or namespaces",
		.consequence =
			"The identity can stop or erase other workloads, their guards included.",
		.fix =
			"Name the resources it must delete.",
		.compatibility =
			"Controllers that clean up need resourceNames or labels.",
		.owner =
			"platform owner",
		.restore =
			"Put the former lines back from the finding's stored excerpt and "
			"re-apply the manifest.",
		.formats = FORMAT_BIT(K8S),
		.task_context = true,
		.concepts = "rbac-delete-workloads",
	},
	{
		.slug = "rbac-delete-logs",
		.field = FIELD_API_AUTHORITY,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"delete on events or pod logs",
		.consequence =
			"Events can be removed, and with them traces of what the identity did; "
			"delete on pods/log names no API call and shows a careless role.",
		.fix =
			"Drop the verb.",
		.compatibility =
			"Log rotation is not done through the API.",
		.owner =
			"platform owner",
		.restore =
			"Put the former lines back from the finding's stored excerpt and "
			"re-apply the manifest.",
		.formats = FORMAT_BIT(K8S),
		.concepts = "rbac-delete-logs-events",
	},
	{
		.slug = "rbac-configmap-write",
		.field = FIELD_API_AUTHORITY,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"update or patch on ConfigMaps at cluster scope or in kube-system",
		.consequence =
			"Cluster DNS and cloud identity maps (CoreDNS, aws-auth) can be "
			"rewritten.",
		.fix =
			"Limit to named ConfigMaps of the own namespace.",
		.compatibility =
			"Operators that edit them need another account.",
		.owner =
			"platform owner",
		.restore =
			"Put the former lines back from the finding's stored excerpt and "
			"re-apply the manifest.",
		.formats = FORMAT_BIT(K8S),
		.concepts = "rbac-configmap-write",
	},
	{
		.slug = "rbac-network-write",
		.field = FIELD_API_AUTHORITY,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"write on Services, Ingresses, NetworkPolicies, Endpoints or their "
			"status",
		.consequence =
			"The identity can redirect traffic or open what a policy closed.",
		.fix =
			"Limit to named objects.",
		.compatibility =
			"Controllers keep what they own.",
		.owner =
			"platform owner",
		.restore =
			"Put the former lines back from the finding's stored excerpt and "
			"re-apply the manifest.",
		.formats = FORMAT_BIT(K8S),
		.task_context = true,
		.concepts = "rbac-network-write",
	},
	{
		.slug = "rbac-pv-write",
		.field = FIELD_API_AUTHORITY,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"create on persistentvolumes",
		.consequence =
			"A hostPath PersistentVolume mounts any node directory, past pod "
			"security.",
		.fix =
			"Drop the right; use storage classes.",
		.compatibility =
			"Static provisioning moves to administrators.",
		.owner =
			"platform owner",
		.restore =
			"Put the former lines back from the finding's stored excerpt and "
			"re-apply the manifest.",
		.formats = FORMAT_BIT(K8S),
		.concepts = "rbac-create-pv",
	},
	{
		.slug = "rbac-namespace-write",
		.field = FIELD_API_AUTHORITY,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"update or patch on namespaces",
		.consequence =
			"Labels choose pod security and policy: the holder can switch "
			"enforcement off.",
		.fix =
			"Remove it, or refuse changes of those labels by policy.",
		.compatibility =
			"Namespace controllers keep it.",
		.owner =
			"cluster admin",
		.restore =
			"Put the former lines back from the finding's stored excerpt and "
			"re-apply the manifest.",
		.formats = FORMAT_BIT(RBAC),
		.concepts = "",
	},
	{
		.slug = "rbac-node-write",
		.field = FIELD_API_AUTHORITY,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"update or patch on nodes or nodes/status",
		.consequence =
			"Labels, taints and capacity decide placement: other workloads can be "
			"drawn to a chosen node.",
		.fix =
			"Leave it to the node controllers.",
		.compatibility =
			"Autoscalers keep it.",
		.owner =
			"cluster admin",
		.restore =
			"Put the former lines back from the finding's stored excerpt and "
			"re-apply the manifest.",
		.formats = FORMAT_BIT(RBAC),
		.concepts = "",
	},
	{
		.slug = "rbac-secrets-create",
		.field = FIELD_API_AUTHORITY,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"create on secrets together with get, list or watch on them",
		.consequence =
			"A Secret of the service-account-token type is filled with a lasting "
			"token of any service account of that namespace.",
		.fix =
			"Split the two rights, or refuse that type by policy.",
		.compatibility =
			"Token issuers need another route.",
		.owner =
			"cluster admin",
		.restore =
			"Put the former lines back from the finding's stored excerpt and "
			"re-apply the manifest.",
		.formats = FORMAT_BIT(RBAC),
		.concepts = "",
	},
};

const size_t rules_api_authority_count = sizeof rules_api_authority / sizeof *rules_api_authority;
