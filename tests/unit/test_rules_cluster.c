/* Rules of clusters: rights, policies, services and enforcement.
 * SPDX-License-Identifier: MIT */
#include "tests/unit/rules_cases.h"

#define K FORMAT_K8S
#define B FORMAT_RBAC
#define BINDING "row b rbac object unknown RoleBinding\n"
#define RIGHT(verbs, resources, groups, scope)                                                     \
	"rbac_rule|r|verbs=" verbs "|resources=" resources "|groups=" groups "|scope=" scope       \
	"|bound=true"

static void rights(void **state)
{
	static const struct rule_case cases[] = {
		{ "rbac-cluster-admin", B, "rbac_subject|User:a|role=cluster-admin|scope=cluster", FIRES,
		  NULL, "critical" },
		{ "rbac-cluster-admin", B, "rbac_subject|User:a|role=view|scope=cluster", QUIET, NULL,
		  NULL },
		{ "rbac-wildcard", B, RIGHT("*", "*", "apps", "cluster"), FIRES, "rbac-wildcard",
		  "critical" },
		{ "rbac-wildcard", B, RIGHT("*", "*", "apps", "namespace:a"), FIRES, NULL, "high" },
		{ "rbac-wildcard", B, RIGHT("get", "*", "apps", "cluster"), FIRES, NULL, "medium" },
		{ "rbac-wildcard", B,
		  "rbac_rule|r|verbs=*|resources=*|groups=*|scope=cluster|role=cluster-admin|bound=false",
		  QUIET, NULL, NULL },
		{ "rbac-wildcard", B, RIGHT("get", "pods", "", "cluster"), QUIET, NULL, NULL },
		{ "rbac-secrets", B, RIGHT("get", "secrets", "", "cluster"), FIRES, NULL, "critical" },
		{ "rbac-secrets", B, RIGHT("list", "secrets", "", "namespace:a"), FIRES, NULL, "high" },
		{ "rbac-secrets", B, RIGHT("get", "secrets", "", "cluster") "|names=one", FIRES, NULL,
		  "medium" },
		{ "rbac-secrets", B, RIGHT("list", "secrets", "", "cluster") "|names=one", FIRES, NULL,
		  "critical" },
		{ "rbac-secrets", B, RIGHT("get", "configmaps", "", "cluster"), QUIET, NULL, NULL },
		{ "rbac-secrets", B, RIGHT("get", "secrets", "other.io", "cluster"), QUIET, NULL, NULL },
		{ "rbac-create-pods", B, RIGHT("create", "deployments", "apps", "cluster"), FIRES, NULL,
		  NULL },
		{ "rbac-create-pods", B, RIGHT("get", "pods", "", "cluster"), QUIET, NULL, NULL },
		{ "rbac-exec", B, RIGHT("create", "pods/exec", "", "cluster"), FIRES, NULL, NULL },
		{ "rbac-exec", B, "at 1.35\n" RIGHT("get", "pods/exec", "", "cluster"), QUIET, NULL,
		  NULL },
		{ "rbac-exec", B, "at 1.30\n" RIGHT("get", "pods/exec", "", "cluster"), FIRES, NULL,
		  NULL },
		{ "rbac-escalate", B,
		  RIGHT("bind", "clusterroles", "rbac.authorization.k8s.io", "cluster"), FIRES,
		  "rbac-escalate-bind", "critical" },
		{ "rbac-escalate", B, RIGHT("impersonate", "users", "", "cluster"), FIRES,
		  "rbac-impersonate", NULL },
		{ "rbac-escalate", B,
		  RIGHT("impersonate", "userextras/scopes", "authentication.k8s.io", "cluster"), FIRES,
		  "rbac-impersonate", "critical" },
		{ "rbac-escalate", B,
		  RIGHT("get", "clusterroles", "rbac.authorization.k8s.io", "cluster"), QUIET, NULL,
		  NULL },
		{ "rbac-nodes-proxy", B, RIGHT("get", "nodes/proxy", "", "cluster"), FIRES, NULL,
		  "critical" },
		{ "rbac-nodes-proxy", B, RIGHT("get", "nodes/proxy", "", "namespace:a"), FIRES, NULL,
		  "info" },
		{ "rbac-nodes-proxy", B, RIGHT("update", "nodes/proxy", "", "namespace:a"), QUIET, NULL,
		  NULL },
		{ "rbac-nodes-proxy", B, RIGHT("get", "nodes/stats", "", "cluster"), QUIET, NULL, NULL },
		{ "rbac-csr-token-webhook", B, RIGHT("create", "serviceaccounts/token", "", "cluster"),
		  FIRES, "rbac-token-create", NULL },
		{ "rbac-csr-token-webhook", B,
		  RIGHT("update", "certificatesigningrequests/approval", "certificates.k8s.io",
			"cluster"),
		  FIRES, "rbac-csr-approve", "medium" },
		{ "rbac-csr-token-webhook", B,
		  RIGHT("update", "certificatesigningrequests/approval", "certificates.k8s.io",
			"namespace:a"),
		  FIRES, "rbac-csr-approve", "info" },
		{ "rbac-csr-token-webhook", B,
		  RIGHT("get", "certificatesigningrequests/approval", "certificates.k8s.io",
			"cluster"),
		  QUIET, NULL, NULL },
		{ "rbac-csr-token-webhook", B,
		  RIGHT("update", "certificatesigningrequests/approval", "certificates.k8s.io",
			"cluster") "\n" RIGHT("approve", "signers", "certificates.k8s.io", "cluster"),
		  FIRES, "rbac-csr-approve", NULL },
		{ "rbac-csr-token-webhook", B,
		  RIGHT("patch", "mutatingwebhookconfigurations", "admissionregistration.k8s.io",
			"cluster"),
		  FIRES, "rbac-webhook-write", NULL },
		{ "rbac-csr-token-webhook", B,
		  RIGHT("patch", "mutatingwebhookconfigurations", "admissionregistration.k8s.io",
			"namespace:a"),
		  FIRES, "rbac-webhook-write", "info" },
		{ "rbac-csr-token-webhook", B,
		  RIGHT("create", "serviceaccounts/token", "", "namespace:a"), FIRES,
		  "rbac-token-create", "high" },
		{ "rbac-csr-token-webhook", B,
		  RIGHT("delete", "validatingwebhookconfigurations", "admissionregistration.k8s.io",
			"cluster"),
		  FIRES, "rbac-webhook-write", "critical" },
		{ "rbac-csr-token-webhook", B,
		  RIGHT("create", "serviceaccounts/token,validatingwebhookconfigurations", "*",
			"cluster"),
		  FIRES, "rbac-webhook-write rbac-token-create", NULL },
		{ "rbac-open-subject", B, "rbac_subject|Group:system:authenticated|role=edit", FIRES,
		  NULL, "critical" },
		{ "rbac-open-subject", B, "rbac_subject|Group:system:authenticated|role=view", FIRES,
		  NULL, "medium" },
		{ "rbac-open-subject", B,
		  "rbac_subject|Group:system:authenticated|role=system:basic-user", QUIET, NULL, NULL },
		{ "rbac-exec", B,
		  RIGHT("create", "pods/exec", "", "cluster") "|role=cluster-admin|bound=false",
		  QUIET, NULL, NULL },
		{ "rbac-exec", B,
		  RIGHT("create", "pods/exec", "", "cluster") "|role=cluster-admin|bound=true",
		  FIRES, "rbac-exec-attach", NULL },
		{ "rbac-unknown", B,
		  BINDING "rbac_subject|User:a|role=own|role_supplied=false", FIRES, "", "info" },
		{ "rbac-unknown", B,
		  BINDING "rbac_subject|User:a|role=own|role_supplied=true", QUIET, NULL, NULL },
		{ "rbac-unknown", B,
		  BINDING "rbac_subject|User:a|role=view|role_supplied=false", QUIET, NULL, NULL },
		{ "rbac-unknown", K, "service_account|builder", FIRES, NULL, NULL },
		{ "rbac-unknown", K, "service_account|builder\n" RIGHT("get", "pods", "", "cluster"),
		  QUIET, NULL, NULL },
		{ "service-account-default", K, "-service_account|default|default=true", FIRES, NULL,
		  NULL },
		{ "service-account-default", K, "service_account|builder", QUIET, NULL, NULL },
		{ "rbac-portforward", B, RIGHT("create", "pods/portforward", "", "cluster"), FIRES, NULL,
		  NULL },
		{ "rbac-portforward", B, RIGHT("get", "pods", "", "cluster"), QUIET, NULL, NULL },
		{ "rbac-delete", B, RIGHT("delete", "pods", "", "cluster"), FIRES, NULL, NULL },
		{ "rbac-delete", B, RIGHT("get", "pods", "", "cluster"), QUIET, NULL, NULL },
		{ "rbac-delete-logs", B, RIGHT("delete", "events", "", "cluster"), FIRES, NULL, NULL },
		{ "rbac-delete-logs", B, RIGHT("get", "events", "", "cluster"), QUIET, NULL, NULL },
		{ "rbac-configmap-write", B, RIGHT("patch", "configmaps", "", "cluster"), FIRES, NULL,
		  "high" },
		{ "rbac-configmap-write", B, RIGHT("get", "configmaps", "", "cluster"), QUIET, NULL,
		  NULL },
		{ "rbac-network-write", B, RIGHT("update", "services", "", "cluster"), FIRES, NULL,
		  NULL },
		{ "rbac-network-write", B,
		  RIGHT("delete", "ciliumnetworkpolicies", "cilium.io", "cluster"), FIRES, NULL, NULL },
		{ "rbac-network-write", B, RIGHT("get", "services", "", "cluster"), QUIET, NULL, NULL },
		{ "rbac-pv-write", B, RIGHT("create", "persistentvolumes", "", "cluster"), FIRES, NULL,
		  NULL },
		{ "rbac-pv-write", B, RIGHT("get", "persistentvolumes", "", "cluster"), QUIET, NULL,
		  NULL },
		{ "rbac-namespace-write", B, RIGHT("patch", "namespaces", "", "cluster"), FIRES, NULL,
		  NULL },
		{ "rbac-namespace-write", B, RIGHT("get", "namespaces", "", "cluster"), QUIET, NULL,
		  NULL },
		{ "rbac-node-write", B, RIGHT("patch", "nodes", "", "cluster"), FIRES, NULL, NULL },
		{ "rbac-node-write", B, RIGHT("get", "nodes", "", "cluster"), QUIET, NULL, NULL },
		{ "rbac-secrets-create", B, RIGHT("create,get", "secrets", "", "cluster"), FIRES, NULL,
		  NULL },
		{ "rbac-secrets-create", B, RIGHT("create", "secrets", "", "cluster"), QUIET, NULL,
		  NULL },
		{ "x-token-cluster-admin", K,
		  "-service_account_token|true\nrbac_subject|ServiceAccount:a/b|role=cluster-admin",
		  FIRES, NULL, NULL },
		{ "x-token-cluster-admin", K,
		  "service_account_token|false\nrbac_subject|ServiceAccount:a/b|role=cluster-admin",
		  QUIET, NULL, NULL },
		{ "x-create-pods-no-psa", K,
		  "-pod_security_label|\n" RIGHT("create", "pods", "", "cluster"), FIRES, NULL, NULL },
		{ "x-create-pods-no-psa", K,
		  "pod_security_label|restricted|mode=enforce\n" RIGHT("create", "pods", "", "cluster"),
		  QUIET, NULL, NULL },
		{ "x-create-pods-no-psa", K,
		  "-pod_security_label|\n" RIGHT("patch", "pods", "", "cluster"), QUIET, NULL, NULL },
		{ "x-create-pods-no-psa", K,
		  "-pod_security_label|\n" RIGHT("patch", "deployments", "apps", "cluster"), FIRES, NULL,
		  NULL },
		{ "x-create-pods-no-psa", K,
		  "-pod_security_label|\n" RIGHT("get", "*", "*", "cluster"), QUIET, NULL, NULL },
		{ "cloud-identity-bound", K, "cloud_identity|role-arn", FIRES, NULL, NULL },
		{ "cloud-identity-bound", K, "service_account|a", QUIET, NULL, NULL },
		{ "sa-token-longlived", K,
		  "secret_object|t|kind=Secret|type=kubernetes.io/service-account-token", FIRES, NULL,
		  NULL },
		{ "sa-token-longlived", K, "secret_object|t|kind=Secret|type=Opaque", QUIET, NULL,
		  NULL },
	};

	(void)state;
	CHECK(cases);
}

static void network(void **state)
{
	static const struct rule_case cases[] = {
		{ "netpol-none", K, "-network_policy|", FIRES, "network-not-isolated", NULL },
		{ "netpol-none", K, "network_policy|a|ingress=restricted", QUIET, NULL, NULL },
		{ "netpol-ingress-only", K, "network_policy|a|ingress=restricted|egress=none", FIRES,
		  NULL, NULL },
		{ "netpol-ingress-only", K, "network_policy|a|ingress=restricted|egress=denied", QUIET,
		  NULL, NULL },
		{ "netpol-wide", K, "network_policy|a|wide=true", FIRES, "network-policy-too-wide",
		  NULL },
		{ "netpol-wide", K, "network_policy|a|egress=restricted", QUIET, NULL, NULL },
		{ "netpol-no-match", K, "row a k8s object\nnetwork_policy|a|matches=0", FIRES, NULL,
		  NULL },
		{ "netpol-no-match", K, "row a k8s object\nnetwork_policy|a|matches=2", QUIET, NULL,
		  NULL },
		{ "netpol-no-match", K,
		  "row a k8s object\nnetwork_policy|a|matches=false|pods_supplied=false", FIRES, NULL,
		  "info" },
		{ "netpol-unproven", K, "network_policy|a|egress=denied", FIRES, NULL, NULL },
		{ "netpol-unproven", K, "-network_policy|", QUIET, NULL, NULL },
		{ "service-nodeport", K, "service|a|type=NodePort", FIRES, NULL, NULL },
		{ "service-nodeport", K, "service|a|type=ClusterIP", QUIET, NULL, NULL },
		{ "service-loadbalancer", K, "service|a|type=LoadBalancer", FIRES, NULL, NULL },
		{ "service-loadbalancer", K, "service|a|type=LoadBalancer|internal=true", QUIET, NULL,
		  NULL },
		{ "service-external-ips", K, "service|a|type=ClusterIP|external=10.0.0.1", FIRES, NULL,
		  NULL },
		{ "service-external-ips", K, "service|a|type=ClusterIP", QUIET, NULL, NULL },
		{ "ingress-exposed", K, "ingress_route|a|kind=Ingress|tls=true", FIRES, NULL, NULL },
		{ "ingress-exposed", K, "service|a|type=ClusterIP", QUIET, NULL, NULL },
		{ "ingress-no-tls", K, "row a k8s object\ningress_route|a|kind=Ingress|tls=false", FIRES,
		  NULL, NULL },
		{ "ingress-no-tls", K, "row a k8s object\ningress_route|a|kind=Ingress|tls=true", QUIET,
		  NULL, NULL },
		{ "ingress-snippet", K, "row a k8s object\ningress_route|a|snippet=true", FIRES, NULL,
		  NULL },
		{ "ingress-snippet", K, "row a k8s object\ningress_route|a|tls=true", QUIET, NULL, NULL },
		{ "probe-host", K, "probe|http|host=10.0.0.1", FIRES, "host-in-probe-or-hook", NULL },
		{ "device-raw", K, "mount|d|type=hostPath|source=/dev|mounted=false", FIRES, NULL,
		  "info" },
		{ "docker-socket", K,
		  "mount|d|type=hostPath|source=/var/run/docker.sock|mounted=false|read_only=true", FIRES,
		  "docker-socket-mounted sensitive-host-path host-path-any", "info" },
		{ "probe-host", K, "probe|http", QUIET, NULL, NULL },
		{ "kubelet-open", K, "row a k8s object\ndaemon_default|readOnlyPort=10255", FIRES, NULL,
		  "medium" },
		{ "kubelet-open", K,
		  "row a k8s object\ndaemon_default|authentication.anonymous.enabled=true\n"
		  "daemon_default|authorization.mode=AlwaysAllow",
		  FIRES, NULL, "critical" },
		{ "kubelet-open", K, "row a k8s object\ndaemon_default|readOnlyPort=0", QUIET, NULL,
		  NULL },
	};

	(void)state;
	CHECK(cases);
}

static void enforcement(void **state)
{
	static const struct rule_case cases[] = {
		{ "psa-not-enforced", K, "-pod_security_label|", FIRES, "namespace-policy-missing",
		  NULL },
		{ "psa-not-enforced", K, "pod_security_label|privileged|mode=enforce", FIRES, NULL,
		  NULL },
		{ "psa-not-enforced", K, "pod_security_label|restricted|mode=warn", FIRES, NULL, NULL },
		{ "psa-not-enforced", K, "pod_security_label|restricted|mode=enforce", QUIET, NULL,
		  NULL },
		{ "psa-not-enforced", K,
		  "-pod_security_label|\npolicy|h|engine=webhook|bound=true|action=enforce", UNKNOWN,
		  NULL, NULL },
		{ "psa-not-enforced", K, "~pod_security_label|{{x}}|mode=enforce", UNKNOWN, NULL, NULL },
		{ "policy-unbound", K, "policy|a|bound=false", FIRES, NULL, NULL },
		{ "policy-unbound", K, "policy|a|bound=true", QUIET, NULL, NULL },
		{ "policy-audit-only", K, "policy|a|action=audit", FIRES, NULL, NULL },
		{ "policy-audit-only", K, "policy|a|action=enforce|failure=Ignore", FIRES, NULL, NULL },
		{ "policy-audit-only", K, "policy|a|action=enforce|failure=Fail", QUIET, NULL, NULL },
		{ "feature-too-new", K, "feature|hostUsers|since=1.25|ignored=true", FIRES, NULL, NULL },
		{ "feature-too-new", K, "ignored_setting|capabilities|why=pod level", FIRES, NULL,
		  NULL },
		{ "feature-too-new", K, "feature|hostUsers|since=1.25|ignored=false", QUIET, NULL, NULL },
		{ "policy-admits-privileged", K, "policy|a|admits=privileged,root", FIRES, NULL, NULL },
		{ "policy-admits-privileged", K, "policy|a|admits=root", QUIET, NULL, NULL },
		{ "policy-admits-escalation", K, "policy|a|admits=escalation", FIRES, NULL, NULL },
		{ "policy-admits-escalation", K, "policy|a|admits=root", QUIET, NULL, NULL },
		{ "policy-admits-root", K, "policy|a|admits=root", FIRES, NULL, NULL },
		{ "policy-admits-root", K, "policy|a|admits=", QUIET, NULL, NULL },
		{ "policy-admits-capabilities", K, "policy|a|admits=capabilities", FIRES, NULL, NULL },
		{ "policy-admits-capabilities", K, "policy|a|admits=root", QUIET, NULL, NULL },
		{ "policy-admits-host-namespaces", K, "policy|a|admits=host-namespaces", FIRES, NULL,
		  NULL },
		{ "policy-admits-host-namespaces", K, "policy|a|admits=root", QUIET, NULL, NULL },
		{ "policy-admits-host-path", K, "policy|a|admits=host-path", FIRES, NULL, NULL },
		{ "policy-admits-host-path", K, "policy|a|admits=root", QUIET, NULL, NULL },
		{ "policy-seccomp-unset", K, "policy|a|admits=seccomp", FIRES, NULL, NULL },
		{ "policy-seccomp-unset", K, "policy|a|admits=root", QUIET, NULL, NULL },
		{ "psa-exempt", K, "policy|a|exempts=namespace kube-system", FIRES, NULL, NULL },
		{ "psa-exempt", K, "policy|a|bound=true", QUIET, NULL, NULL },
		{ "psp-removed", K, "policy|a|engine=PodSecurityPolicy", FIRES, NULL, NULL },
		{ "psp-removed", K, "at 1.20\npolicy|a|engine=PodSecurityPolicy", QUIET, NULL, NULL },
		{ "pull-policy-not-always", K, "image|a:1|tag=1\npull_policy|IfNotPresent", FIRES, NULL,
		  NULL },
		{ "pull-policy-not-always", K, "image|a:1|tag=1\npull_policy|Always", QUIET, NULL, NULL },
		{ "x-nonroot-image-root", K, "run_as_non_root|true\nuser|root|uid=0", QUIET, NULL, NULL },
	};

	(void)state;
	CHECK(cases);
}

/* runAsNonRoot against the user of the image, which the fact's chain shows. */
static void image_user_against_run_as_non_root(void **state)
{
	struct snapshot s = { 0 };
	struct rule_table tables[RULE_TABLE_COUNT];
	struct fact *user;

	(void)state;
	s.scope.kubernetes = s.scope.runtime = s.scope.os = "";
	read_case(&s, K, "run_as_non_root|true\nuser|root|uid=0");
	user = s.rows.items[0]->facts.items[1];
	snapshot_add_hop(&s, user, user->span, "root", "image");
	rules_tables(tables);
	eval_snapshot(&s, tables, RULE_TABLE_COUNT, simple_digest);
	assert_int_equal(verdict_of(&s, "x-nonroot-image-root"), VERDICT_FIRES);
	snapshot_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rights),
		cmocka_unit_test(network),
		cmocka_unit_test(enforcement),
		cmocka_unit_test(image_user_against_run_as_non_root),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
