/* What a NetworkPolicy lets through, and what the sandbox controller makes of a template.
 * SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/buf.h"
#include "model/cell.h"
#include "tests/unit/k8s_help.h"

static void assert_says(const struct fact *f, const char *name, const char *expected)
{
	const char *is = fact_attribute(f, name);

	if (expected ? !is || strcmp(is, expected) != 0 : is != NULL)
		fail_msg("%s: %s is %s, not %s", f->value, name, is ? is : "(none)",
			 expected ? expected : "(none)");
}

#define PRIVATE "10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16"

static void a_policy_is_as_wide_as_its_widest_rule(void **state)
{
	static const struct {
		const char *egress, *verdict, *lets, *metadata;
	} cases[] = {
		{ "[]", "denied", NULL, NULL },
		{ "[{}]", "open", "every address", NULL },
		{ "[{ports: [{port: 53, protocol: UDP}, {port: 53}]}]", "lookups", NULL, NULL },
		{ "[{ports: [{port: 53}]}, {ports: [{port: 443}, {port: 80}]}]", "open",
		  "every address on port 443, 80", NULL },
		{ "[{ports: [{port: 53, endPort: 65535}]}]", "open", "every address on port 53", NULL },
		{ "[{to: [{ipBlock: {cidr: 0.0.0.0/0}}]}]", "open", "every address", NULL },
		{ "[{to: [{ipBlock: {cidr: 10.1.0.0/16}}]}]", "restricted", NULL, NULL },
		{ "[{to: [{ipBlock: {cidr: 0.0.0.0/0, except: [169.254.0.0/16, " PRIVATE "]}}]}]",
		  "public", NULL, "denied" },
		{ "[{to: [{ipBlock: {cidr: 0.0.0.0/0, except: [169.254.169.254/32, " PRIVATE "]}},"
		  " {ipBlock: {cidr: '::/0', except: [fc00::/7]}}]}]", "public", NULL, "denied" },
		{ "[{to: [{ipBlock: {cidr: 0.0.0.0/0, except: [169.254.0.0/16, " PRIVATE "]}}]}, {}]",
		  "open", "every address", NULL },
		{ "[{to: [{ipBlock: {cidr: 0.0.0.0/0, except: [169.254.0.0/16]}}]}]", "open",
		  "every address but the exceptions", "denied" },
		{ "[{to: [{ipBlock: {cidr: 0.0.0.0/0, except: [" PRIVATE ", 169.254.169.254/32]}},"
		  " {ipBlock: {cidr: '::/0', except: [fc00::/7]}}]}]", "public", NULL, "denied" },
		{ "[{to: [{ipBlock: {cidr: 0.0.0.0/0, except: [" PRIVATE "]}}]}]", "open",
		  "every address but the exceptions", NULL },
		{ "[{to: [{ipBlock: {cidr: 0.0.0.0/0, except: [" PRIVATE ", 169.254.169.0/24x]}}]}]",
		  "open", "every address but the exceptions", NULL },
		{ "[{to: [{ipBlock: {cidr: 0.0.0.0/0, except: [169.254.0.0/16]}}]}, {}]", "open",
		  "every address", NULL },
		{ "[{to: [{podSelector: {}}]}]", "namespace", NULL, NULL },
		{ "[{to: [{}]}]", "open", "every address", NULL },
		{ "[{to: [{namespaceSelector: {}}], ports: [{port: 8888}]}]", "cluster",
		  "every pod of the cluster on port 8888", NULL },
		{ "[{to: [{podSelector: {matchLabels: {a: b}}}]}]", "restricted", NULL, NULL },
		{ "[{to: [{namespaceSelector: {matchLabels: '${labels}'}}]}]", "restricted", NULL,
		  NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct reading r = { 0 };
		const struct row *row = read_web(
			&r, arena_printf(&r.snapshot.arena,
					 "apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\n"
					 "metadata: {name: np, namespace: shop}\n"
					 "spec: {podSelector: {}, policyTypes: [Egress], egress: %s}\n",
					 cases[i].egress));
		const struct fact *f = fact_of(row, FACT_NETWORK_POLICY, "np");

		assert_says(f, "egress", cases[i].verdict);
		assert_says(f, "lets_out", cases[i].lets);
		assert_says(f, "metadata", cases[i].metadata);
		assert_says(f, "wide_egress", cases[i].lets ? "true" : "false");
		assert_says(f, "ingress", "none");
		reading_free(&r);
	}
}

static const struct row *read_template(struct reading *r, const char *kind, const char *settings,
				       const char *pod)
{
	struct arena *a = &r->snapshot.arena;

	read_k8s(r, "t.yaml",
		 arena_printf(a,
			      "apiVersion: extensions.agents.x-k8s.io/v1beta1\nkind: %s\n"
			      "metadata: {name: t}\nspec:\n%s  podTemplate:\n    spec:\n%s"
			      "      containers: [{name: c, image: i}]\n",
			      kind, settings, pod));
	join_k8s(r);
	return row_of(r, arena_printf(a, "t.yaml#%s//t/c", kind));
}

static void a_template_without_a_policy_gets_the_controllers(void **state)
{
	struct reading r = { 0 };
	const struct row *row = read_template(&r, "SandboxTemplate", "", "");
	const struct fact *f = fact_of(row, FACT_NETWORK_POLICY, "t-network-policy");
	struct buf text = { 0 };

	(void)state;
	assert_int_equal(f->provenance, PROVENANCE_ABSENT);
	assert_says(f, "egress", "public");
	assert_says(f, "ingress", "restricted");
	assert_says(f, "metadata", "denied");
	assert_null(row_next(row, f));
	assert_int_equal(fact_of(row, FACT_DNS, NULL)->provenance, PROVENANCE_ABSENT);
	cell_declared(&r.snapshot, row, FIELD_EGRESS, &text);
	assert_non_null(strstr(buf_text(&text), "t-network-policy by default (lets out to public addresses)"));
	buf_free(&text);
	reading_free(&r);
}

static void a_template_decides_on_its_policy(void **state)
{
	static const struct {
		const char *settings, *egress, *ingress;
		enum provenance provenance;
	} cases[] = {
		{ "  networkPolicyManagement: Managed\n", "public", "restricted", PROVENANCE_ABSENT },
		{ "  networkPolicy: {}\n", "denied", "denied", PROVENANCE_EXPLICIT },
		{ "  networkPolicy: {egress: [{}]}\n", "open", "denied", PROVENANCE_EXPLICIT },
		{ "  networkPolicy: {ingress: [{}]}\n", "denied", "open", PROVENANCE_EXPLICIT },
		{ "  networkPolicy: {egress: {}}\n", "open", "denied", PROVENANCE_EXPLICIT },
		{ "  networkPolicy: []\n", "open", "open", PROVENANCE_EXPLICIT },
		{ "  networkPolicy: {egress: '${RULES}'}\n", NULL, NULL, PROVENANCE_TEMPLATED },
		{ "  networkPolicy: ${POLICY}\n", NULL, NULL, PROVENANCE_TEMPLATED },
		{ "  networkPolicyManagement: Unmanaged\n  networkPolicy: {}\n", NULL, NULL,
		  PROVENANCE_ABSENT },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct reading r = { 0 };
		const struct row *row = read_template(&r, "SandboxTemplate", cases[i].settings, "");
		const struct fact *f = fact_of(row, FACT_NETWORK_POLICY, NULL);

		assert_int_equal(f->provenance, cases[i].provenance);
		assert_says(f, "egress", cases[i].egress);
		assert_says(f, "ingress", cases[i].ingress);
		assert_int_equal(*f->value == '\0', strstr(cases[i].settings, "Unmanaged") != NULL);
		reading_free(&r);
	}
}

static void the_controller_keeps_the_token_from_a_templates_pods(void **state)
{
	static const struct {
		const char *kind, *pod, *token;
		enum provenance provenance;
	} cases[] = {
		{ "SandboxTemplate", "", "false", PROVENANCE_ABSENT },
		{ "SandboxTemplate", "      automountServiceAccountToken: true\n", "true",
		  PROVENANCE_EXPLICIT },
		{ "SandboxTemplate", "      serviceAccountName: open\n", "false", PROVENANCE_ABSENT },
		{ "Sandbox", "", "true", PROVENANCE_ABSENT },
		{ "Sandbox", "      serviceAccountName: shut\n", "false", PROVENANCE_EXPLICIT },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct reading r = { 0 };
		const struct row *row;
		const struct fact *f;

		read_k8s(&r, "accounts.yaml",
			 "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: open}\n"
			 "automountServiceAccountToken: true\n---\napiVersion: v1\n"
			 "kind: ServiceAccount\nmetadata: {name: shut}\n"
			 "automountServiceAccountToken: false\n");
		row = read_template(&r, cases[i].kind, "", cases[i].pod);
		f = fact_of(row, FACT_TOKEN_MOUNT, NULL);
		assert_string_equal(f->value, cases[i].token);
		assert_int_equal(f->provenance, cases[i].provenance);
		reading_free(&r);
	}
}

static void a_plain_sandbox_gets_no_policy(void **state)
{
	struct reading r = { 0 };
	const struct row *row = read_template(&r, "Sandbox", "", "");

	(void)state;
	assert_string_equal(fact_of(row, FACT_NETWORK_POLICY, NULL)->value, "");
	reading_free(&r);
}

static void what_claims_may_set_and_set_is_shown(void **state)
{
	struct reading r = { 0 };
	const struct row *row;
	const struct fact *f;

	(void)state;
	read_k8s(&r, "claim.yaml",
		 "apiVersion: extensions.agents.x-k8s.io/v1beta1\nkind: SandboxClaim\n"
		 "metadata: {name: c}\nspec:\n  warmPoolRef: {name: p}\n  env:\n"
		 "  - {name: API_TOKEN, value: abcd1234efgh5678ijkl}\n  - {name: MODE, value: fast}\n");
	row = read_template(&r, "SandboxTemplate",
			    "  envVarsInjectionPolicy: Overrides\n"
			    "  volumeClaimTemplatesPolicy: Allowed\n", "");
	f = fact_of(row, FACT_CLAIM_POLICY, "claims may replace variables");
	assert_int_equal(snapshot_line(&r.snapshot, f->span), 5);
	fact_of(row, FACT_CLAIM_POLICY, "claims may add volumes");
	row = row_of(&r, "claim.yaml#SandboxClaim//c");
	f = fact_of(row, FACT_ENV, "API_TOKEN");
	assert_string_equal(fact_attribute(f, "class"), "literal");
	assert_string_equal(fact_attribute(f, "secret"), "true");
	assert_no_text(&r, "abcd1234efgh");
	reading_free(&r);
	r = (struct reading){ 0 };
	row = read_template(&r, "SandboxTemplate", "  envVarsInjectionPolicy: Disallowed\n", "");
	assert_null(row_first(row, FACT_CLAIM_POLICY, LAYER_DECLARED));
	reading_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_policy_is_as_wide_as_its_widest_rule),
		cmocka_unit_test(a_template_without_a_policy_gets_the_controllers),
		cmocka_unit_test(a_template_decides_on_its_policy),
		cmocka_unit_test(the_controller_keeps_the_token_from_a_templates_pods),
		cmocka_unit_test(a_plain_sandbox_gets_no_policy),
		cmocka_unit_test(what_claims_may_set_and_set_is_shown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
