/* What leads to and from Kubernetes pods: services, routes, gateways, network policies.
 * SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/k8s_help.h"

static void a_controllers_version_and_setting_tell_whether_it_takes_snippets(void **state)
{
	static const struct {
		const char *tag, *setting, *expected; /* NULL: not known */
	} cases[] = {
		{ "v0.49.0", "false", "true" }, { "v1.0.0", "false", "true" },
		{ "v1.3.0", NULL, "true" },	{ "v1.3.0", "false", "false" },
		{ "v1.9.4", NULL, "false" },	{ "v1.9.4", "true", "true" },
		{ "latest", NULL, NULL },	{ "latest", "true", "true" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct reading r = { 0 };
		struct arena *a = &r.snapshot.arena;
		const struct fact *f;

		read_k8s(&r, "pod.yaml",
			 arena_printf(a,
				      POD("  containers:\n  - name: c\n"
					  "    image: registry.k8s.io/ingress-nginx/controller:%s\n"),
				      cases[i].tag));
		if (cases[i].setting)
			read_k8s(&r, "map.yaml",
				 arena_printf(a,
					      "apiVersion: v1\nkind: ConfigMap\n"
					      "metadata: {name: c}\n"
					      "data: {allow-snippet-annotations: \"%s\"}\n",
					      cases[i].setting));
		join_k8s(&r);
		f = row_first(row_of(&r, "pod.yaml#Pod//p/c"), FACT_SNIPPETS, LAYER_DECLARED);
		if (cases[i].expected)
			assert_string_equal(f ? f->value : "none", cases[i].expected);
		else
			assert_null(f);
		reading_free(&r);
	}
}

/* What a policy for every pod with SPEC says of the deployment. */
static void assert_policy(const char *spec, const char *name, const char *expected)
{
	struct reading r = { 0 };
	struct arena *a = &r.snapshot.arena;
	const struct fact *f;

	f = row_first(read_web(&r, arena_printf(a,
						"apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\n"
						"metadata: {name: n, namespace: shop}\nspec: %s\n",
						spec)),
		      FACT_NETWORK_POLICY, LAYER_DECLARED);
	if (strcmp(fact_attribute(f, name) ? fact_attribute(f, name) : "none", expected) != 0)
		fail_msg("%s: %s is %s", spec, name, fact_attribute(f, name));
	reading_free(&r);
}

static void policy_types_default_by_what_the_policy_holds(void **state)
{
	(void)state;
	assert_policy("{podSelector: {}}", "covers_ingress", "true");
	assert_policy("{podSelector: {}}", "covers_egress", "false");
	assert_policy("{podSelector: {}, policyTypes: []}", "covers_ingress", "true");
	assert_policy("{podSelector: {}, egress: []}", "covers_egress", "false");
	assert_policy("{podSelector: {}, egress: [{to: [{podSelector: {}}]}]}", "covers_egress", "true");
	assert_policy("{podSelector: {}, policyTypes: [Egress]}", "covers_ingress", "false");
	assert_policy("{podSelector: null, policyTypes: [Egress]}", "egress", "denied");
	assert_policy("{policyTypes: [Egress]}", "egress", "denied");
}

static void exceptions_must_take_out_what_is_inside(void **state)
{
	static const struct {
		const char *peer, *egress, *metadata;
	} cases[] = {
		{ "{ipBlock: {cidr: 0.0.0.0/0}}", "open", "none" },
		{ "{ipBlock: {cidr: 0.0.0.0/0, except: [8.8.8.8/32]}}", "open", "none" },
		{ "{ipBlock: {cidr: 0.0.0.0/0, except: [169.254.169.254/32]}}", "open", "denied" },
		{ "{ipBlock: {cidr: 0.0.0.0/0, except: [10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16]}}",
		  "open", "none" },
		{ "{ipBlock: {cidr: 0.0.0.0/0, except: [10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16,"
		  " 169.254.0.0/16]}}", "public", "denied" },
		{ "{ipBlock: {cidr: 0.0.0.0/1}}, {ipBlock: {cidr: 128.0.0.0/1}}", "open", "none" },
		{ "{ipBlock: {cidr: \"::/0\"}}", "open", "denied" },
		{ "{ipBlock: {cidr: \"::/0\", except: [\"fc00::/7\"]}}", "public", "denied" },
		{ "{ipBlock: {cidr: 10.2.0.0/16}}", "restricted", "none" },
		{ "{namespaceSelector: {matchExpressions: [{key: kubernetes.io/metadata.name,"
		  " operator: Exists}]}}", "cluster", "none" },
		{ "{namespaceSelector: {}, podSelector: {matchLabels: {a: b}}}", "restricted", "none" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char spec[400];

		snprintf(spec, sizeof spec, "{podSelector: {}, egress: [{to: [%s]}]}", cases[i].peer);
		assert_policy(spec, "egress", cases[i].egress);
		assert_policy(spec, "metadata", cases[i].metadata);
	}
}

static void a_cilium_policy_is_as_wide_as_its_widest_rule(void **state)
{
	static const struct {
		const char *spec, *egress;
	} cases[] = {
		{ "egress: [{}]", "restricted" },
		{ "egress: [{toEntities: [world]}]", "open" },
		{ "egress: [{toCIDRSet: [{cidr: 0.0.0.0/0}]}]", "open" },
		{ "egress: [{toCIDRSet: [{cidr: 0.0.0.0/0, except: [10.0.0.0/8]}]}]", "restricted" },
		{ "egress: [{toPorts: [{ports: [{port: \"443\"}]}]}]", "open" },
		{ "egress: [{toFQDNs: [{matchPattern: \"*\"}]}]", "open" },
		{ "egress: [{toFQDNs: [{matchName: a.example}], toPorts: [{}]}]", "restricted" },
		{ "egress: [{toEndpoints: [{}]}], enableDefaultDeny: {egress: false}", "none" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct reading r = { 0 };
		char text[400];

		snprintf(text, sizeof text,
			 "apiVersion: cilium.io/v2\nkind: CiliumNetworkPolicy\n"
			 "metadata: {name: n, namespace: shop}\nspec: {endpointSelector: {}, %s}\n",
			 cases[i].spec);
		assert_attribute(read_web(&r, text), FACT_NETWORK_POLICY, "egress", cases[i].egress);
		reading_free(&r);
	}
}

static void a_kind_that_is_not_evaluated_leaves_the_pod_unknown(void **state)
{
	static const struct {
		const char *object;
		bool known;
	} cases[] = {
		{ "apiVersion: policy.networking.k8s.io/v1alpha1\nkind: AdminNetworkPolicy\n"
		  "metadata: {name: n}\nspec: {priority: 1, subject: {namespaces: {}}}\n", false },
		{ "apiVersion: projectcalico.org/v3\nkind: NetworkPolicy\n"
		  "metadata: {name: n, namespace: shop}\nspec: {selector: all()}\n", false },
		{ "apiVersion: projectcalico.org/v3\nkind: NetworkPolicy\n"
		  "metadata: {name: n, namespace: other}\nspec: {selector: all()}\n", true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct reading r = { 0 };
		const struct fact *f = row_first(read_web(&r, cases[i].object), FACT_NETWORK_POLICY,
						 LAYER_DECLARED);

		assert_int_equal(f->provenance,
				 cases[i].known ? PROVENANCE_ABSENT : PROVENANCE_UNRESOLVED);
		reading_free(&r);
	}
}

static void an_annotation_may_name_an_ingresss_certificate(void **state)
{
	struct reading r = { 0 };

	(void)state;
	read_k8s(&r, "i.yaml",
		 "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata:\n  name: i\n  annotations:\n"
		 "    networking.gke.io/managed-certificates: c\n"
		 "spec: {defaultBackend: {service: {name: s, port: {number: 80}}}}\n");
	assert_true(fact_attribute_is(fact_of(r.snapshot.rows.items[0], FACT_INGRESS_ROUTE, "i"), "tls",
				      "true"));
	reading_free(&r);
}

static void an_ingress_needs_tls_for_each_of_its_hosts(void **state)
{
	static const struct {
		const char *tls, *expected;
	} cases[] = {
		{ "", "false" },
		{ ", tls: []", "false" },
		{ ", tls: [{secretName: t}]", "true" },
		{ ", tls: [{hosts: [a.example, b.example]}]", "true" },
		{ ", tls: [{hosts: [\"*.example\"]}]", "true" },
		{ ", tls: [{hosts: [a.example]}]", "false" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct reading r = { 0 };
		char text[300];

		snprintf(text, sizeof text,
			 "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: i}\n"
			 "spec: {rules: [{host: a.example}, {host: b.example}]%s}\n",
			 cases[i].tls);
		read_k8s(&r, "i.yaml", text);
		assert_attribute(row_of(&r, "i.yaml#Ingress//i"), FACT_INGRESS_ROUTE, "tls",
				 cases[i].expected);
		reading_free(&r);
	}
}

static void a_name_for_something_elsewhere_leads_to_no_pod(void **state)
{
	struct reading r = { 0 };

	(void)state;
	assert_null(row_first(read_web(&r, "apiVersion: v1\nkind: Service\n"
					   "metadata: {name: s, namespace: shop}\n"
					   "spec: {type: ExternalName, externalName: a.example,"
					   " selector: {app: web}}\n"),
			      FACT_SERVICE, LAYER_DECLARED));
	reading_free(&r);
}

static void a_route_without_parents_stays_inside(void **state)
{
	static const struct {
		const char *spec, *mesh;
	} cases[] = {
		{ "{rules: []}", "true" },
		{ "{parentRefs: []}", "true" },
		{ "{parentRefs: [{name: g}]}", NULL },
		{ "{parentRefs: [{kind: Service, name: s}]}", "true" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct reading r = { 0 };
		char text[300];
		const char *mesh;

		snprintf(text, sizeof text,
			 "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\n"
			 "metadata: {name: r}\nspec: %s\n", cases[i].spec);
		read_k8s(&r, "r.yaml", text);
		mesh = fact_attribute(fact_of(row_of(&r, "r.yaml#HTTPRoute//r"), FACT_INGRESS_ROUTE, NULL),
				      "mesh");
		assert_int_equal(mesh != NULL, cases[i].mesh != NULL);
		reading_free(&r);
	}
}

static void a_selective_clusterwide_policy_leaves_the_namespace_open(void **state)
{
	static const struct {
		const char *selector;
		bool open;
	} cases[] = {
		{ "{}", false },
		{ "{matchLabels: {role: front}}", true },
		{ "{matchLabels: {\"k8s:io.kubernetes.pod.namespace\": shop}}", false },
		{ "{matchLabels: {\"k8s:io.kubernetes.pod.namespace\": other}}", true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct reading r = { 0 };
		const struct fact *f;

		read_k8s(&r, "all.yaml",
			 arena_printf(&r.snapshot.arena,
				      "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n---\n"
				      "apiVersion: cilium.io/v2\nkind: CiliumClusterwideNetworkPolicy\n"
				      "metadata: {name: c}\n"
				      "spec: {endpointSelector: %s, ingress: [{}]}\n",
				      cases[i].selector));
		join_k8s(&r);
		f = row_first(row_of(&r, "all.yaml#Namespace//shop"), FACT_NETWORK_POLICY,
			      LAYER_DECLARED);
		assert_int_equal(f != NULL, cases[i].open);
		reading_free(&r);
	}
}

static void routes_hang_on_gateways_or_stay_in_the_mesh(void **state)
{
	struct reading r = { 0 };
	const struct row *row;
	const struct fact *f;

	(void)state;
	row = read_web(&r,
		       "apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: shop}\n"
		       "spec: {selector: {app: web}}\n"
		       "---\napiVersion: networking.istio.io/v1\nkind: VirtualService\n"
		       "metadata: {name: out, namespace: mesh}\n"
		       "spec: {gateways: [edge/gw], http: [{route: [{destination: {host: "
		       "web.shop.svc.cluster.local}}]}]}\n"
		       "---\napiVersion: networking.istio.io/v1\nkind: VirtualService\n"
		       "metadata: {name: in, namespace: shop}\n"
		       "spec: {http: [{route: [{destination: {host: web}}]}]}\n"
		       "---\napiVersion: networking.istio.io/v1\nkind: Gateway\n"
		       "metadata: {name: gw, namespace: edge}\nspec: {selector: {app: web}}\n");
	f = fact_of(row, FACT_INGRESS_ROUTE, "out");
	assert_string_equal(f->via[0].role, "gateway");
	assert_null(fact_attribute(f, "mesh"));
	f = fact_of(row, FACT_INGRESS_ROUTE, "in");
	assert_string_equal(fact_attribute(f, "mesh"), "true");
	fact_of(row, FACT_INGRESS_ROUTE, "gw");
	reading_free(&r);
}

static void a_knative_service_is_workload_and_route(void **state)
{
	struct reading r = { 0 };
	const struct row *row;

	(void)state;
	read_k8s(&r, "k.yaml",
		 "apiVersion: serving.knative.dev/v1\nkind: Service\nmetadata: {name: hello}\n"
		 "spec: {template: {spec: {containers: [{name: c, image: i}]}}}\n"
		 "---\napiVersion: serving.knative.dev/v1beta1\nkind: DomainMapping\n"
		 "metadata: {name: hello.example.com}\nspec: {ref: {kind: Service, name: hello}}\n");
	join_k8s(&r);
	row = row_of(&r, "k.yaml#Service//hello/c");
	fact_of(row, FACT_INGRESS_ROUTE, "hello");
	fact_of(row, FACT_INGRESS_ROUTE, "hello.example.com");
	reading_free(&r);
}

static void a_policy_selects_by_labels_and_namespace(void **state)
{
	struct reading r = { 0 };
	const struct row *row;
	const struct fact *f;

	(void)state;
	row = read_web(&r, "apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\n"
			   "metadata: {name: mine, namespace: shop}\n"
			   "spec: {podSelector: {matchLabels: {app: web}}, policyTypes: [Ingress]}\n"
			   "---\napiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\n"
			   "metadata: {name: theirs, namespace: other}\nspec: {podSelector: {}}\n");
	f = fact_of(row, FACT_NETWORK_POLICY, "mine");
	assert_string_equal(fact_attribute(f, "ingress"), "denied");
	assert_string_equal(fact_attribute(f, "egress"), "none");
	assert_null(row_next(row, f));
	reading_free(&r);
}

static void a_pod_that_no_policy_selects_is_open(void **state)
{
	struct reading r = { 0 };
	const struct row *row;

	(void)state;
	row = read_web(&r, "apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\n"
			   "metadata: {name: np, namespace: shop}\n"
			   "spec:\n  podSelector:\n    matchExpressions:\n"
			   "    - {key: app, operator: NotIn, values: [web]}\n");
	assert_int_equal(fact_of(row, FACT_NETWORK_POLICY, NULL)->provenance, PROVENANCE_ABSENT);
	assert_attribute(row_of(&r, "objects.yaml#NetworkPolicy/shop/np"), FACT_NETWORK_POLICY,
			 "matches", "false");
	reading_free(&r);
}

static void routes_lead_to_the_pod_through_its_service(void **state)
{
	struct reading r = { 0 };
	const struct row *row;
	const struct fact *f;
	bool labels = false;

	(void)state;
	row = read_web(&r, "apiVersion: v1\nkind: Service\nmetadata: {name: s, namespace: shop}\n"
			   "spec: {type: NodePort, selector: {app: web}, ports: [{port: 80}]}\n"
			   "---\napiVersion: networking.k8s.io/v1\nkind: Ingress\n"
			   "metadata: {name: i, namespace: shop}\nspec: {rules: [{http: {paths: "
			   "[{backend: {service: {name: s, port: {number: 80}}}}]}}]}\n");
	assert_attribute(row, FACT_SERVICE, "type", "NodePort");
	f = fact_of(row, FACT_SERVICE, NULL);
	for (uint32_t i = 0; i < f->via_count; i++)
		labels |= strcmp(f->via[i].role, "labels") == 0 &&
			  snapshot_line(&r.snapshot, f->via[i].span) == 6;
	assert_true(labels);
	assert_value(row, FACT_INGRESS_ROUTE, "i", &r, 0);
	assert_attribute(row, FACT_INGRESS_ROUTE, "tls", "false");
	reading_free(&r);
}

static void routes_may_name_a_service_by_its_domain(void **state)
{
	static const struct {
		const char *route;
		bool leads;
	} cases[] = {
		{ "{host: s.shop.svc.cluster.local}", true }, { "{host: s.shop.svc}", true },
		{ "{host: s.shop}", true },		      { "{host: s}", false },
		{ "{host: s.other.svc}", false },	      { "{host: s.shopping.svc}", false },
		{ "{host: s.shop.example.org}", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct reading r = { 0 };
		char text[512];
		const struct row *row;

		snprintf(text, sizeof text,
			 "apiVersion: v1\nkind: Service\nmetadata: {name: s, namespace: shop}\n"
			 "spec: {selector: {app: web}, ports: [{port: 80}]}\n"
			 "---\napiVersion: networking.istio.io/v1\nkind: VirtualService\n"
			 "metadata: {name: v, namespace: mesh}\n"
			 "spec: {http: [{route: [{destination: %s}]}]}\n",
			 cases[i].route);
		row = read_web(&r, text);
		assert_int_equal(row_first(row, FACT_INGRESS_ROUTE, LAYER_DECLARED) != NULL,
				 cases[i].leads);
		reading_free(&r);
	}
}

static void a_backend_may_lie_in_another_namespace(void **state)
{
	struct reading r = { 0 };
	const struct row *row;

	(void)state;
	row = read_web(&r, "apiVersion: v1\nkind: Service\nmetadata: {name: s, namespace: shop}\n"
			   "spec: {selector: {app: web}, ports: [{port: 80}]}\n"
			   "---\napiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\n"
			   "metadata: {name: far, namespace: edge}\nspec: {rules: [{backendRefs: "
			   "[{name: s, namespace: shop, port: 80}]}]}\n"
			   "---\napiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\n"
			   "metadata: {name: other, namespace: shop}\nspec: {rules: [{backendRefs: "
			   "[{name: s, namespace: edge, port: 80}]}]}\n");
	assert_value(row, FACT_INGRESS_ROUTE, "far", &r, 0);
	assert_null(row_next(row, row_first(row, FACT_INGRESS_ROUTE, LAYER_DECLARED)));
	reading_free(&r);
}

#define CLUSTERWIDE(selector)                                                                      \
	"apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n---\n"                            \
	"apiVersion: cilium.io/v2\nkind: CiliumClusterwideNetworkPolicy\nmetadata: {name: p}\n"      \
	"spec: {endpointSelector: " selector ", ingress: [{}]}\n"

static void a_clusterwide_policy_covers_the_namespaces_that_it_selects_whole(void **state)
{
	static const struct {
		const char *text;
		bool open;
	} cases[] = {
		{ CLUSTERWIDE("{}"), false },
		{ CLUSTERWIDE("{matchLabels: {app: web}}"), true },
		{ CLUSTERWIDE("{matchExpressions: [{key: role, operator: In, values: [a]}]}"), true },
		{ CLUSTERWIDE("{matchLabels: {k8s:io.kubernetes.pod.namespace: shop}}"), false },
		{ CLUSTERWIDE("{matchLabels: {k8s:io.kubernetes.pod.namespace: other}}"), true },
		{ CLUSTERWIDE("{matchExpressions: [{key: io.kubernetes.pod.namespace, "
			      "operator: NotIn, values: [kube-system]}]}"), false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct reading r = { 0 };

		read_k8s(&r, "n.yaml", cases[i].text);
		join_k8s(&r);
		assert_int_equal(row_first(row_of(&r, "n.yaml#Namespace//shop"), FACT_NETWORK_POLICY,
					   LAYER_DECLARED) != NULL,
				 cases[i].open);
		reading_free(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_controllers_version_and_setting_tell_whether_it_takes_snippets),
		cmocka_unit_test(policy_types_default_by_what_the_policy_holds),
		cmocka_unit_test(exceptions_must_take_out_what_is_inside),
		cmocka_unit_test(a_cilium_policy_is_as_wide_as_its_widest_rule),
		cmocka_unit_test(a_kind_that_is_not_evaluated_leaves_the_pod_unknown),
		cmocka_unit_test(an_ingress_needs_tls_for_each_of_its_hosts),
		cmocka_unit_test(an_annotation_may_name_an_ingresss_certificate),
		cmocka_unit_test(a_name_for_something_elsewhere_leads_to_no_pod),
		cmocka_unit_test(a_route_without_parents_stays_inside),
		cmocka_unit_test(a_selective_clusterwide_policy_leaves_the_namespace_open),
		cmocka_unit_test(routes_hang_on_gateways_or_stay_in_the_mesh),
		cmocka_unit_test(a_knative_service_is_workload_and_route),
		cmocka_unit_test(a_policy_selects_by_labels_and_namespace),
		cmocka_unit_test(a_pod_that_no_policy_selects_is_open),
		cmocka_unit_test(routes_lead_to_the_pod_through_its_service),
		cmocka_unit_test(routes_may_name_a_service_by_its_domain),
		cmocka_unit_test(a_backend_may_lie_in_another_namespace),
		cmocka_unit_test(a_clusterwide_policy_covers_the_namespaces_that_it_selects_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
