/* The rule tables as a whole: every rule is told apart, has its texts and can judge.
 * SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "src/rules/rules.h"

/* The neutral names that rules carry; a new one is added here on purpose. */
static const char *const concepts[] = {
	"add-remote-url", "agent-egress-open", "apparmor-unconfined", "apparmor-unset",
	"build-mount-system-dir", "capabilities-none-dropped", "capabilities-not-dropped-all",
	"capability-added-any", "capability-added-dangerous", "capability-net-raw",
	"capability-sys-admin", "capability-sys-module", "cgroup-not-default",
	"cloud-credential-path", "cloud-metadata-access", "copy-whole-filesystem",
	"cpu-limit-missing", "default-service-account", "deprecated-api",
	"docker-socket-mounted", "explicit-root-uid", "exposed-via-ingress", "host-aliases",
	"host-in-probe-or-hook", "host-ipc", "host-network", "host-path-any",
	"host-path-writable", "host-pid", "host-port", "host-user-namespace",
	"image-not-digest-pinned", "image-pull-policy", "image-registry-not-allowed",
	"image-tag-latest", "image-unsigned", "ingress-nginx-snippet", "ingress-without-tls",
	"linux-hardening-absent", "low-gid", "low-uid", "mcp-broad-filesystem", "mcp-egress",
	"mcp-excessive-tool-permission", "mcp-missing-auth", "mcp-plain-http",
	"mcp-secret-literal", "mcp-shell-launch", "mcp-unpinned-package", "memory-limit-missing",
	"namespace-policy-missing", "network-not-isolated", "network-policy-too-wide",
	"non-numeric-user", "package-unpinned", "password-set-in-build", "pids-limit-missing",
	"policy-admits-capabilities", "policy-admits-host-namespaces", "policy-admits-host-path",
	"policy-admits-privilege-escalation", "policy-admits-privileged", "policy-admits-root",
	"policy-seccomp-unset", "port-published-on-all-interfaces",
	"privilege-escalation-allowed", "privileged-container", "privileged-port",
	"rbac-anonymous-or-authenticated-binding", "rbac-cluster-admin", "rbac-configmap-write",
	"rbac-create-pods", "rbac-create-pv", "rbac-csr-approve", "rbac-delete-logs-events",
	"rbac-delete-workloads", "rbac-escalate-bind", "rbac-exec-attach", "rbac-impersonate",
	"rbac-network-write", "rbac-node-proxy", "rbac-portforward", "rbac-secrets-access",
	"rbac-token-create", "rbac-webhook-write", "rbac-wildcard", "restart-policy-unbounded",
	"restricted-volume-type", "root-fs-writable", "root-group", "runs-as-root",
	"runtime-class-not-hardened", "seccomp-unconfined", "seccomp-unset", "secret-as-env-var",
	"secret-in-build-arg-or-env", "secret-in-configmap", "secret-in-env-literal",
	"security-context-missing", "selinux-weakened", "sensitive-host-path",
	"sensitive-interface-exposed", "service-account-token-mounted", "service-external-ip",
	"service-load-balancer-external", "service-node-port", "ssh-port-exposed",
	"subpath-symlink-cve", "sudo-used", "unmasked-proc", "unsafe-sysctls",
	"unsigned-packages", "unverified-download", "volume-shared-between-containers",
	"windows-host-process",
	NULL,
};

static bool is_known_concept(const char *name, size_t length)
{
	for (size_t i = 0; concepts[i]; i++)
		if (strlen(concepts[i]) == length && strncmp(concepts[i], name, length) == 0)
			return true;
	return false;
}

static void check_texts(const struct rule *rule)
{
	const char *const texts[] = { rule->slug,  rule->trigger,	rule->consequence, rule->fix,
				      rule->owner, rule->compatibility, rule->restore };

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (!texts[i] || !*texts[i])
			fail_msg("%s lacks text %zu", rule->slug, i);
	for (const char *c = rule->slug; *c; c++)
		if (!islower((unsigned char)*c) && !isdigit((unsigned char)*c) && *c != '-')
			fail_msg("the slug %s is not lower case", rule->slug);
	assert_true(rule->severity < SEVERITY_COUNT);
	assert_true(rule->confidence < CONFIDENCE_COUNT);
	assert_true(rule->field < FIELD_COUNT);
	assert_true(rule->formats != 0);
	assert_true(rule->combination == (strncmp(rule->slug, "x-", 2) == 0));
	if (!rule->judge)
		fail_msg("%s does not judge", rule->slug);
}

static void check_concepts(const struct rule *rule)
{
	assert_non_null(rule->concepts);
	for (const char *at = rule->concepts; *at;) {
		size_t length = strcspn(at, " ");

		if (!is_known_concept(at, length))
			fail_msg("%s carries the unknown concept %.*s", rule->slug, (int)length, at);
		at += length;
		at += strspn(at, " ");
	}
}

static void every_rule_is_whole(void **state)
{
	struct rule_table tables[RULE_TABLE_COUNT];
	size_t count = 0;

	(void)state;
	rules_tables(tables);
	for (size_t t = 0; t < RULE_TABLE_COUNT; t++)
		for (size_t i = 0; i < tables[t].count; i++) {
			const struct rule *rule = &tables[t].rules[i];

			check_texts(rule);
			check_concepts(rule);
			if (rules_find(rule->slug) != rule)
				fail_msg("two rules are called %s", rule->slug);
			count++;
		}
	assert_true(count >= 229);
}

static void every_concept_is_carried(void **state)
{
	struct rule_table tables[RULE_TABLE_COUNT];

	(void)state;
	rules_tables(tables);
	for (size_t c = 0; concepts[c]; c++) {
		bool carried = false;

		for (size_t t = 0; t < RULE_TABLE_COUNT && !carried; t++)
			for (size_t i = 0; i < tables[t].count && !carried; i++)
				carried = strstr(tables[t].rules[i].concepts, concepts[c]) != NULL;
		if (!carried)
			fail_msg("no rule carries %s", concepts[c]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_rule_is_whole),
		cmocka_unit_test(every_concept_is_carried),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
