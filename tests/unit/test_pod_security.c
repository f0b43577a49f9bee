/* The Pod Security Standards: each check at the edges of its values and versions, where a violation is
 * cited, and that the boundary map says it too.
 * SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "model/buf.h"
#include "model/cell.h"
#include "tests/unit/k8s_help.h"

/* "check:line check:line", with a pod of one container "a". */
static void list_violations(const struct reading *r, const struct pod_security *p, struct buf *out)
{
	for (size_t i = 0; i < p->count; i++)
		buf_printf(out, "%s%s:%u", i ? " " : "", p->violations[i].check,
			   snapshot_line(&r->snapshot, p->violations[i].span));
}

#define HARD                                                                                       \
	"allowPrivilegeEscalation: false, runAsNonRoot: true, "                                   \
	"seccompProfile: {type: RuntimeDefault}, capabilities: {drop: [ALL]}"
#define SPEC(lines) POD("  containers: [{name: a, image: b, securityContext: {" HARD "}}]\n" lines)
#define CONTEXT(words) POD("  containers:\n  - {name: a, image: b, securityContext: {" HARD ", " words "}}\n")
#define CONTAINER(words) POD("  containers:\n  - {name: a, image: b, securityContext: {" HARD "}, " words "}\n")
#define NOTED(key, value)                                                                          \
	"apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\n  annotations:\n    " key ": " value      \
	"\nspec:\n  containers: [{name: a, image: b, securityContext: {" HARD "}}]\n"
#define SECCOMP(name) "container.seccomp.security.alpha.kubernetes.io/" name
#define APPARMOR(name) "container.apparmor.security.beta.kubernetes.io/" name

static const struct edge {
	const char *version, *text, *violated;
} edges[] = {
	{ "1.37", SPEC(""), "" },
	{ "1.0", SPEC(""), "" },
	/* user */
	{ "1.23", CONTEXT("runAsUser: 0"), "runAsUser:6" },
	{ "1.23", CONTEXT("runAsUser: 00"), "runAsUser:6" },
	{ "1.23", CONTEXT("runAsUser: 0x0"), "runAsUser:6" },
	{ "1.23", CONTEXT("runAsUser: 0x10"), "" },
	{ "1.22", CONTEXT("runAsUser: 0"), "" },
	{ "1.34", SPEC("  securityContext:\n    runAsUser: 0\n  hostUsers: false\n"), "runAsUser:7" },
	{ "1.35", SPEC("  securityContext:\n    runAsUser: 0\n  hostUsers: false\n"), "" },
	{ "1.35", SPEC("  securityContext:\n    runAsUser: 0\n  hostUsers: true\n"), "runAsUser:7" },
	{ "1.30", SPEC("  securityContext:\n    runAsNonRoot: false\n"), "runAsNonRoot:7" },
	{ "1.35", SPEC("  hostUsers: false\n  securityContext:\n    runAsNonRoot: false\n"), "" },
	/* ports and hosts */
	{ "1.30", CONTAINER("ports: [{containerPort: 1, hostPort: 0}]"), "" },
	{ "1.30", CONTAINER("ports: [{containerPort: 1, hostPort: 00}]"), "" },
	{ "1.30", CONTAINER("ports: [{containerPort: 1, hostPort: 8}]"), "hostPorts:6" },
	{ "1.30", CONTAINER("ports: [{containerPort: 1, hostPort: null}]"), "" },
	{ "1.34", CONTAINER("lifecycle: {preStop: {tcpSocket: {host: h, port: 1}}}"),
	  "hostProbesAndHostLifecycle:6" },
	{ "1.34", CONTAINER("startupProbe: {httpGet: {host: \"\", port: 1}}"), "" },
	{ "1.33", CONTAINER("lifecycle: {preStop: {tcpSocket: {host: h, port: 1}}}"), "" },
	/* sysctls */
	{ "1.36", SPEC("  securityContext:\n    sysctls:\n    - {name: net.ipv4.tcp_notsent_lowat}\n"),
	  "sysctls:8" },
	{ "1.37", SPEC("  securityContext:\n    sysctls:\n    - {name: net.ipv4.tcp_notsent_lowat}\n"),
	  "" },
	{ "1.37", SPEC("  securityContext:\n    sysctls:\n    - {value: \"1\"}\n"), "sysctls:8" },
	/* volumes */
	{ "1.30", SPEC("  volumes:\n  - {name: v, hostPath: null}\n  - {name: w}\n"), "" },
	{ "1.30", SPEC("  volumes:\n  - name: v\n    hostPath: {}\n"),
	  "hostPathVolumes:8 restrictedVolumes:8" },
	{ "1.30", SPEC("  volumes:\n  - name: v\n    flexVolume: {driver: d}\n"), "restrictedVolumes:8" },
	{ "1.30", SPEC("  volumes:\n  - name: v\n    hostpath: {path: /}\n"), "" },
	{ "1.0", SPEC("  volumes:\n  - {name: v, image: {reference: i}}\n  - {name: w, csi: {}}\n"),
	  "" },
	/* profiles */
	{ "1.30", SPEC("  securityContext:\n    appArmorProfile: {}\n"), "appArmorProfile:7" },
	{ "1.30", SPEC("  securityContext:\n    appArmorProfile: null\n"), "" },
	{ "1.0", CONTEXT("appArmorProfile: {type: Unconfined}"), "appArmorProfile:6" },
	{ "1.30", SPEC("  securityContext:\n    seccompProfile: {type: Unconfined}\n"),
	  "seccompProfile_baseline:7 seccompProfile_restricted:7" },
	{ "1.18", SPEC("  securityContext:\n    seccompProfile: {type: Unconfined}\n"), "" },
	{ "1.30", SPEC("  securityContext:\n    seLinuxOptions: {type: container_engine_t}\n"),
	  "seLinuxOptions:7" },
	{ "1.31", SPEC("  securityContext:\n    seLinuxOptions: {type: container_engine_t}\n"), "" },
	{ "1.31", CONTEXT("seLinuxOptions: {user: u, role: r, level: l}"),
	  "seLinuxOptions:6 seLinuxOptions:6" },
	{ "1.31", CONTEXT("seLinuxOptions: {user: \"\", role: \"\", type: \"\"}"), "" },
	{ "1.34", CONTEXT("procMount: Unmasked"), "procMount:6" },
	{ "1.35", CONTEXT("procMount: Unmasked"), "procMount:6 procMount_restricted:6" },
	{ "1.30", SPEC("  securityContext:\n    windowsOptions: {hostProcess: true}\n"),
	  "windowsHostProcess:7" },
	/* annotations */
	{ "1.18", NOTED(SECCOMP("a"), "unconfined"), "seccompProfile_baseline:6" },
	{ "1.18", NOTED(SECCOMP("a"), "\"\""), "seccompProfile_baseline:6" },
	{ "1.18", NOTED(SECCOMP("a"), "docker/default"), "" },
	{ "1.18", NOTED(SECCOMP("gone"), "unconfined"), "" },
	{ "1.18", NOTED("seccomp.security.alpha.kubernetes.io/pod", "unconfined"),
	  "seccompProfile_baseline:6" },
	{ "1.19", NOTED(SECCOMP("a"), "unconfined"), "" },
	{ "1.37", NOTED(APPARMOR("gone"), "unconfined"), "appArmorProfile:6" },
	{ "1.37", NOTED(APPARMOR("a"), "\"\""), "" },
	{ "1.37", NOTED(APPARMOR("a"), "localhost/x"), "" },
	{ "1.37", NOTED(APPARMOR("a"), "Runtime/default"), "appArmorProfile:6" },
	/* a container of Windows need not state what Linux needs */
	{ "1.25", POD("  os: {name: windows}\n  securityContext: {runAsNonRoot: true}\n"
		      "  containers:\n  - {name: a, image: b}\n"), "" },
	{ "1.24", POD("  os: {name: windows}\n  securityContext: {runAsNonRoot: true}\n"
		      "  containers:\n  - {name: a, image: b}\n"),
	  "allowPrivilegeEscalation:8 seccompProfile_restricted:8 capabilities_restricted:8" },
	{ "1.25", POD("  nodeSelector: {kubernetes.io/os: windows}\n"
		      "  securityContext: {runAsNonRoot: true}\n  containers:\n  - {name: a, image: b}\n"),
	  "allowPrivilegeEscalation:8 seccompProfile_restricted:8 capabilities_restricted:8" },
	/* capabilities: the names are compared as they are written */
	{ "1.30", POD("  containers:\n  - {name: a, image: b, securityContext: {"
		      "allowPrivilegeEscalation: false, runAsNonRoot: true, "
		      "seccompProfile: {type: Localhost, localhostProfile: x}, "
		      "capabilities: {drop: [all], add: [NET_BIND_SERVICE]}}}\n"),
	  "capabilities_restricted:6" },
};

static void every_check_keeps_to_its_values_and_versions(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
		struct reading r = { 0 };
		struct buf found = { 0 };

		r.snapshot.scope.kubernetes = edges[i].version;
		read_k8s(&r, "p.yaml", edges[i].text);
		list_violations(&r, row_of(&r, "p.yaml#Pod//p/a")->pod_security, &found);
		if (strcmp(buf_text(&found), edges[i].violated) != 0)
			fail_msg("%s %s\n%s instead of %s", edges[i].version, edges[i].text,
				 buf_text(&found), edges[i].violated);
		buf_free(&found);
		reading_free(&r);
	}
}

static void assert_version(const char *given, const char *policy, bool assumed)
{
	struct reading r = { 0 };
	const struct pod_security *p;

	r.snapshot.scope.kubernetes = given;
	read_k8s(&r, "p.yaml", SPEC(""));
	p = row_of(&r, "p.yaml#Pod//p/a")->pod_security;
	assert_string_equal(p->version, policy);
	assert_int_equal(p->version_assumed, assumed);
	reading_free(&r);
}

static void the_policy_says_when_its_version_is_assumed(void **state)
{
	(void)state;
	assert_version("", "latest", true);
	assert_version("latest", "latest", false);
	assert_version("1.29", "1.29", false);
	assert_version("v1.29.3", "1.29", false);
	assert_version("1.29.3-gke.100", "1.29", false);
	assert_version("1.99", "1.37", true);
	assert_version("nonsense", "latest", true);
}

/* A container's cell cites what the pod and it violate, not what its neighbour does. */
static void the_map_cites_the_violations_of_the_container(void **state)
{
	struct reading r = { 0 };
	struct buf text = { 0 };
	const struct fact *f;

	(void)state;
	r.snapshot.scope.kubernetes = "1.30";
	read_k8s(&r, "p.yaml",
		 POD("  hostPID: true\n  containers:\n"
		     "  - {name: a, image: b, securityContext: {" HARD "}}\n"
		     "  - {name: c, image: b, securityContext: {" HARD ", privileged: true}}\n"));
	f = fact_of(row_of(&r, "p.yaml#Pod//p/a"), FACT_POD_SECURITY, "privileged");
	assert_int_equal(f->via_count, 1);
	assert_string_equal(f->via[0].role, "hostNamespaces");
	assert_int_equal(snapshot_line(&r.snapshot, f->via[0].span), 5);
	cell_declared(&r.snapshot, row_of(&r, "p.yaml#Pod//p/c"), FIELD_PRIVILEGE_GAIN, &text);
	assert_non_null(strstr(buf_text(&text), "Pod Security level privileged (policy 1.30), "
						"violates hostNamespaces, privileged"));
	buf_free(&text);
	reading_free(&r);
}

/* The label's own version decides, not the one under review. */
static void a_label_says_whether_the_pod_meets_it(void **state)
{
	static const struct {
		const char *labels, *met;
	} cases[] = {
		{ "enforce: baseline", "true" },
		{ "enforce: restricted", "false" },
		{ "enforce: restricted, pod-security.kubernetes.io/enforce-version: v1.7", "true" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct reading r = { 0 };
		struct buf text = { 0 };

		buf_printf(&text,
			   "apiVersion: v1\nkind: Namespace\nmetadata: {name: n, labels: "
			   "{pod-security.kubernetes.io/%s}}\n---\napiVersion: v1\nkind: Pod\n"
			   "metadata: {name: p, namespace: n}\nspec:\n  securityContext: "
			   "{runAsNonRoot: true}\n  containers: [{name: a, image: i}, {name: b, "
			   "image: i}]\n",
			   cases[i].labels);
		read_k8s(&r, "p.yaml", buf_text(&text));
		join_k8s(&r);
		assert_attribute(row_of(&r, "p.yaml#Pod/n/p/a"), FACT_POD_SECURITY_LABEL, "met",
				 cases[i].met);
		assert_attribute(row_of(&r, "p.yaml#Pod/n/p/b"), FACT_POD_SECURITY_LABEL, "met",
				 cases[i].met);
		buf_free(&text);
		reading_free(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_check_keeps_to_its_values_and_versions),
		cmocka_unit_test(the_policy_says_when_its_version_is_assumed),
		cmocka_unit_test(the_map_cites_the_violations_of_the_container),
		cmocka_unit_test(a_label_says_whether_the_pod_meets_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
