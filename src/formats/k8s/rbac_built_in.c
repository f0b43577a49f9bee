/* The cluster roles that an API server makes when it starts.
 *
 * Source: kubernetes plugin/pkg/auth/authorizer/rbac/bootstrappolicy, 1.36; status reads and rules without
 * consequence for others are left out. `edit` writes no endpoints since 1.22.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/rbac_roles.h"

#include <string.h>

#define READ "get,list,watch"
#define WRITE "create,delete,deletecollection,patch,update"
#define READ_WRITE "create,delete,deletecollection,get,list,patch,update,watch"
#define RBAC_GROUP "rbac.authorization.k8s.io"
#define EDIT "system:aggregate-to-edit"
#define VIEW "system:aggregate-to-view"
#define CONTROLLER "system:controller:"
#define APPROVER "system:certificates.k8s.io:"

static const struct built_in_rule rules[] = {
	{ "cluster-admin", "*", "*", "*", NULL },
	{ "cluster-admin", "*", "", "", "*" },
	/* Of these three, all rules come by aggregation. */
	{ "admin", NULL, NULL, NULL, NULL },
	{ "edit", NULL, NULL, NULL, NULL },
	{ "view", NULL, NULL, NULL, NULL },
	{ "system:aggregate-to-admin", READ_WRITE, "roles,rolebindings", RBAC_GROUP, NULL },
	{ "system:aggregate-to-admin", "create", "localsubjectaccessreviews",
	  "authorization.k8s.io", NULL },
	{ EDIT, READ, "secrets,pods/exec,pods/attach,pods/portforward,pods/proxy,services/proxy", "",
	  NULL },
	{ EDIT, "impersonate", "serviceaccounts", "", NULL },
	{ EDIT, WRITE, "pods,pods/exec,pods/attach,pods/portforward,pods/proxy", "", NULL },
	{ EDIT, "create", "pods/eviction", "", NULL },
	{ EDIT, WRITE,
	  "secrets,configmaps,events,persistentvolumeclaims,replicationcontrollers,"
	  "replicationcontrollers/scale,serviceaccounts,services,services/proxy", "", NULL },
	{ EDIT, "create", "serviceaccounts/token", "", NULL },
	{ EDIT, WRITE,
	  "daemonsets,deployments,deployments/rollback,deployments/scale,replicasets,"
	  "replicasets/scale,statefulsets,statefulsets/scale", "apps", NULL },
	{ EDIT, WRITE, "jobs,cronjobs", "batch", NULL },
	{ EDIT, WRITE, "horizontalpodautoscalers", "autoscaling", NULL },
	{ EDIT, WRITE, "poddisruptionbudgets", "policy", NULL },
	{ EDIT, WRITE, "ingresses,networkpolicies", "networking.k8s.io", NULL },
	{ VIEW, READ,
	  "pods,pods/log,configmaps,endpoints,events,limitranges,namespaces,"
	  "persistentvolumeclaims,replicationcontrollers,resourcequotas,serviceaccounts,services", "",
	  NULL },
	{ VIEW, READ, "controllerrevisions,daemonsets,deployments,replicasets,statefulsets", "apps",
	  NULL },
	{ VIEW, READ, "jobs,cronjobs", "batch", NULL },
	{ VIEW, READ, "horizontalpodautoscalers", "autoscaling", NULL },
	{ VIEW, READ, "poddisruptionbudgets", "policy", NULL },
	{ VIEW, READ, "endpointslices", "discovery.k8s.io", NULL },
	{ VIEW, READ, "ingresses,networkpolicies", "networking.k8s.io", NULL },
	{ "system:discovery", "get", "", "", "/api,/apis,/healthz,/livez,/openapi,/readyz,/version" },
	{ "system:public-info-viewer", "get", "", "", "/healthz,/livez,/readyz,/version" },
	{ "system:service-account-issuer-discovery", "get", "", "",
	  "/.well-known/openid-configuration,/openid/v1/jwks" },
	{ "system:monitoring", "get", "", "", "/healthz,/livez,/metrics,/readyz" },
	{ "system:basic-user", "create",
	  "selfsubjectaccessreviews,selfsubjectrulesreviews", "authorization.k8s.io", NULL },
	{ "system:auth-delegator", "create", "tokenreviews", "authentication.k8s.io", NULL },
	{ "system:auth-delegator", "create", "subjectaccessreviews", "authorization.k8s.io", NULL },
	{ "system:heapster", READ, "events,pods,nodes,namespaces", "", NULL },
	{ "system:kube-aggregator", READ, "services,endpoints", "", NULL },
	{ "system:kube-dns", "list,watch", "services,endpoints", "", NULL },
	{ "system:node-problem-detector", "get", "nodes", "", NULL },
	{ "system:node-problem-detector", "patch", "nodes/status", "", NULL },
	{ "system:node-bootstrapper", "create,get,list,watch", "certificatesigningrequests",
	  "certificates.k8s.io", NULL },
	{ "system:node-proxier", "list,watch", "services,endpoints", "", NULL },
	{ "system:node-proxier", READ, "nodes", "", NULL },
	{ "system:kubelet-api-admin", "*",
	  "nodes/proxy,nodes/metrics,nodes/spec,nodes/stats,nodes/log", "", NULL },
	{ "system:node", READ, "secrets,configmaps,pods,services,nodes", "", NULL },
	{ "system:node", "create,delete", "pods", "", NULL },
	{ "system:node", "create", "pods/eviction,nodes,serviceaccounts/token", "", NULL },
	{ "system:node", "patch,update", "nodes,nodes/status,pods/status", "", NULL },
	{ "system:node", "create,get,list,watch", "certificatesigningrequests",
	  "certificates.k8s.io", NULL },
	{ "system:kube-scheduler", "get,list,watch,delete", "pods", "", NULL },
	{ "system:kube-scheduler", "create", "pods/binding,bindings", "", NULL },
	{ "system:kube-scheduler", READ,
	  "nodes,services,replicationcontrollers,persistentvolumes,persistentvolumeclaims", "", NULL },
	{ "system:volume-scheduler", "get,list,watch,patch,update",
	  "persistentvolumes,persistentvolumeclaims", "", NULL },
	{ "system:kube-controller-manager", "list,watch", "*", "*", NULL },
	{ "system:kube-controller-manager", "create,delete,get,update", "secrets", "", NULL },
	{ "system:kube-controller-manager", "create,get,update", "serviceaccounts", "", NULL },
	{ "system:kube-controller-manager", "create", "serviceaccounts/token", "", NULL },
	{ "system:persistent-volume-provisioner", "create,delete,get,list,watch",
	  "persistentvolumes", "", NULL },
	{ "system:persistent-volume-provisioner", "get,list,update,watch",
	  "persistentvolumeclaims", "", NULL },
	{ APPROVER "legacy-unknown-approver", "approve", "signers", "certificates.k8s.io", NULL },
	{ APPROVER "kubelet-serving-approver", "approve", "signers", "certificates.k8s.io", NULL },
	{ APPROVER "kube-apiserver-client-approver", "approve", "signers", "certificates.k8s.io",
	  NULL },
	{ APPROVER "kube-apiserver-client-kubelet-approver", "approve", "signers",
	  "certificates.k8s.io", NULL },
	{ APPROVER "certificatesigningrequests:nodeclient", "create",
	  "certificatesigningrequests/nodeclient", "certificates.k8s.io", NULL },
	{ APPROVER "certificatesigningrequests:selfnodeclient", "create",
	  "certificatesigningrequests/selfnodeclient", "certificates.k8s.io", NULL },
	{ CONTROLLER "attachdetach-controller", "patch,update", "nodes/status", "", NULL },
	{ CONTROLLER "certificate-controller", "update", "certificatesigningrequests/approval",
	  "certificates.k8s.io", NULL },
	{ CONTROLLER "certificate-controller", "approve,sign", "signers", "certificates.k8s.io",
	  NULL },
	{ CONTROLLER "clusterrole-aggregation-controller", "escalate,get,list,patch,update,watch",
	  "clusterroles", RBAC_GROUP, NULL },
	{ CONTROLLER "cronjob-controller", "create,delete,get,list,patch,update,watch", "jobs",
	  "batch", NULL },
	{ CONTROLLER "daemon-set-controller", "create,delete,list,patch,watch", "pods", "", NULL },
	{ CONTROLLER "deployment-controller", "create,delete,get,list,patch,update,watch",
	  "replicasets", "apps,extensions", NULL },
	{ CONTROLLER "endpoint-controller", "create,delete,get,list,update", "endpoints", "", NULL },
	{ CONTROLLER "endpointslice-controller", "create,delete,get,list,update", "endpointslices",
	  "discovery.k8s.io", NULL },
	{ CONTROLLER "expand-controller", "get", "secrets", "", NULL },
	{ CONTROLLER "generic-garbage-collector", "delete,get,list,patch,update,watch", "*", "*",
	  NULL },
	{ CONTROLLER "job-controller", "create,delete,list,patch,watch", "pods", "", NULL },
	{ CONTROLLER "legacy-service-account-token-cleaner", "delete,patch", "secrets", "", NULL },
	{ CONTROLLER "namespace-controller", "delete,deletecollection,get,list", "*", "*", NULL },
	{ CONTROLLER "node-controller", "delete,get,list,patch,update", "nodes", "", NULL },
	{ CONTROLLER "node-controller", "delete,get,list", "pods", "", NULL },
	{ CONTROLLER "persistent-volume-binder", "create,delete,get,list,update,watch",
	  "persistentvolumes", "", NULL },
	{ CONTROLLER "persistent-volume-binder", "create,delete,get,list,watch", "pods", "", NULL },
	{ CONTROLLER "persistent-volume-binder", "get", "secrets", "", NULL },
	{ CONTROLLER "pod-garbage-collector", "delete,list,watch", "pods", "", NULL },
	{ CONTROLLER "replicaset-controller", "create,delete,list,patch,watch", "pods", "", NULL },
	{ CONTROLLER "replication-controller", "create,delete,list,patch,watch", "pods", "", NULL },
	{ CONTROLLER "resourcequota-controller", "list,watch", "*", "*", NULL },
	{ CONTROLLER "root-ca-cert-publisher", "create,update", "configmaps", "", NULL },
	{ CONTROLLER "service-account-controller", "create", "serviceaccounts", "", NULL },
	{ CONTROLLER "service-controller", "patch,update", "services/status", "", NULL },
	{ CONTROLLER "statefulset-controller", "create,delete,get,list,patch,update,watch", "pods",
	  "", NULL },
	{ CONTROLLER "ttl-controller", "list,patch,update,watch", "nodes", "", NULL },
	{ CONTROLLER "ttl-after-finished-controller", "delete,get,list,watch", "jobs", "batch",
	  NULL },
};

const struct built_in_rule *built_in_rules(size_t *count)
{
	*count = sizeof rules / sizeof *rules;
	return rules;
}

const char *built_in_role(const char *name)
{
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
		if (strcmp(rules[i].role, name) == 0)
			return rules[i].role;
	return NULL;
}

const char *built_in_target(const char *name)
{
	static const struct {
		const char *role, *target;
	} targets[] = {
		{ "edit", "admin" },
		{ "view", "edit" },
		{ "system:aggregate-to-admin", "admin" },
		{ EDIT, "edit" },
		{ VIEW, "view" },
	};

	for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
		if (strcmp(targets[i].role, name) == 0)
			return targets[i].target;
	return NULL;
}
