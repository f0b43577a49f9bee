/* Effective security settings of Kubernetes: what the container replaces, what a version reads, what
 * privileged takes away, and what the API refuses.
 * SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/buf.h"
#include "model/cell.h"
#include "tests/unit/k8s_help.h"

#define APPARMOR "container.apparmor.security.beta.kubernetes.io/"
#define SECCOMP "container.seccomp.security.alpha.kubernetes.io/"
#define NOTED(key, value)                                                                          \
	"apiVersion: v1\nkind: Pod\nmetadata: {name: p, annotations: {" key ": " value "}}\nspec:\n"
#define FIELD_A "  containers: [{name: a, image: i, securityContext: {"

static const struct row *read_pod(struct reading *r, const char *version, const char *text)
{
	r->snapshot.scope.kubernetes = version;
	read_k8s(r, "p.yaml", text);
	return row_of(r, "p.yaml#Pod//p/a");
}

static bool is_ignored(const struct row *row, const char *key)
{
	for (const struct fact *f = row_first(row, FACT_IGNORED_SETTING, LAYER_DECLARED); f;
	     f = row_next(row, f))
		if (fact_is(f, key))
			return true;
	return false;
}

static void the_version_decides_between_annotation_and_field(void **state)
{
	static const struct {
		const char *version, *text;
		enum fact_kind kind;
		const char *value, *source;
		bool refused;
	} cases[] = {
		{ "1.29", NOTED(APPARMOR "a", "unconfined")
		  FIELD_A "appArmorProfile: {type: RuntimeDefault}}}]\n", FACT_APPARMOR, "Unconfined",
		  "annotation", false },
		{ "1.30", NOTED(APPARMOR "a", "unconfined")
		  FIELD_A "appArmorProfile: {type: RuntimeDefault}}}]\n", FACT_APPARMOR,
		  "RuntimeDefault", "field", true },
		{ "1.31", NOTED(APPARMOR "a", "localhost/x")
		  FIELD_A "appArmorProfile: {type: Localhost, localhostProfile: x}}}]\n", FACT_APPARMOR,
		  "Localhost", "field", false },
		{ "1.31", NOTED(APPARMOR "a", "unconfined")
		  "  securityContext: {appArmorProfile: {type: RuntimeDefault}}\n" FIELD_A "}}]\n",
		  FACT_APPARMOR, "Unconfined", "annotation", false },
		{ "1.26", NOTED(SECCOMP "a", "unconfined") FIELD_A "}}]\n", FACT_SECCOMP, "Unconfined",
		  "annotation", false },
		{ "1.26", NOTED(SECCOMP "a", "unconfined")
		  FIELD_A "seccompProfile: {type: RuntimeDefault}}}]\n", FACT_SECCOMP, "RuntimeDefault",
		  "field", false },
		{ "1.18", NOTED(SECCOMP "a", "unconfined")
		  FIELD_A "seccompProfile: {type: RuntimeDefault}}}]\n", FACT_SECCOMP, "Unconfined",
		  "annotation", false },
		{ "1.27", NOTED(SECCOMP "a", "runtime/default") FIELD_A "}}]\n", FACT_SECCOMP,
		  "Unconfined", NULL, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct reading r = { 0 };
		const struct row *row = read_pod(&r, cases[i].version, cases[i].text);
		const struct fact *f = fact_of(row, cases[i].kind, cases[i].value);
		const char *source = fact_attribute(f, "source");

		if (!cases[i].source)
			assert_int_equal(f->provenance, PROVENANCE_ABSENT);
		else
			assert_string_equal(source, cases[i].source);
		assert_int_equal(is_ignored(row, APPARMOR "a"), cases[i].refused);
		reading_free(&r);
	}
}

static void an_annotation_names_a_container_that_is_there(void **state)
{
	struct reading r = { 0 };
	const struct row *row = read_pod(&r, "1.31", NOTED(APPARMOR "gone", "runtime/default")
					 "  containers: [{name: a, image: i}]\n");

	(void)state;
	assert_true(is_ignored(row, APPARMOR "gone"));
	reading_free(&r);
}

static void what_the_container_replaces_stays_in_the_chain(void **state)
{
	struct reading r = { 0 };
	const struct row *row = read_pod(
		&r, "",
		POD("  securityContext:\n    seLinuxOptions: {type: spc_t, level: l}\n"
		    "    seLinuxChangePolicy: Recursive\n    fsGroup: 5\n"
		    "    fsGroupChangePolicy: OnRootMismatch\n"
		    "    windowsOptions: {runAsUserName: A, gmsaCredentialSpecName: g}\n"
		    "  containers:\n  - name: a\n    image: i\n    securityContext:\n"
		    "      seLinuxOptions: {level: m}\n      windowsOptions: {runAsUserName: B}\n"));
	const struct fact *f = fact_of(row, FACT_SELINUX, "level:m");

	(void)state;
	assert_string_equal(fact_attribute(f, "from"), "container");
	assert_string_equal(f->via[0].value, "type:spc_t level:l");
	assert_attribute(row, FACT_SELINUX, "change_policy", "Recursive");
	assert_attribute(row, FACT_FS_GROUP, "change_policy", "OnRootMismatch");
	f = fact_of(row, FACT_WINDOWS_USER, "B");
	assert_string_equal(f->via[0].value, "A");
	assert_attribute(row, FACT_WINDOWS_ACCOUNT, "level", "pod");
	reading_free(&r);
}

static void assert_cell(const struct reading *r, const struct row *row, enum field field,
			const char *text)
{
	struct buf out = { 0 };

	cell_declared(&r->snapshot, row, field, &out);
	assert_string_equal(buf_text(&out), text);
	buf_free(&out);
}

static void what_privileged_takes_away_is_not_shown_as_holding(void **state)
{
	struct reading r = { 0 };
	const struct row *row = read_pod(
		&r, "",
		POD("  containers:\n  - {name: a, image: i, securityContext: {privileged: true, "
		    "capabilities: {drop: [ALL]}, seccompProfile: {type: Localhost, "
		    "localhostProfile: s.json}, appArmorProfile: {type: Localhost, localhostProfile: "
		    "x}}}\n  - {name: b, image: i, securityContext: {privileged: true}}\n"));

	(void)state;
	assert_cell(&r, row, FIELD_CAPABILITIES,
		    "all: privileged; drops ALL (without effect: privileged)");
	assert_cell(&r, row, FIELD_SYSCALL_FILTER,
		    "privileged: no default filter; seccomp Localhost s.json (without effect: "
		    "privileged)");
	assert_cell(&r, row, FIELD_MAC_PROFILE,
		    "privileged: no default profile; AppArmor Localhost x");
	row = row_of(&r, "p.yaml#Pod//p/b");
	assert_cell(&r, row, FIELD_CAPABILITIES, "all: privileged");
	assert_cell(&r, row, FIELD_MAC_PROFILE, "privileged: no default profile");
	reading_free(&r);
}

static void no_runtime_knows_cap_all(void **state)
{
	struct reading r = { 0 };
	const struct row *row = read_pod(&r, "", POD("  containers:\n  - {name: a, image: i, "
						     "securityContext: {capabilities: {drop: "
						     "[cap_all]}}}\n"));

	(void)state;
	fact_of(row, FACT_CAP_DROP, "CAP_ALL");
	assert_attribute(row, FACT_CAP_DROP, "effective", "false");
	reading_free(&r);
}

static void windows_is_judged_by_values(void **state)
{
	struct reading r = { 0 };
	const struct row *row = read_pod(
		&r, "",
		POD("  os: {name: windows}\n  hostPID: false\n  hostIPC: true\n  hostUsers: true\n"
		    "  securityContext: {seLinuxChangePolicy: Recursive, runAsUser: null, sysctls: [], "
		    "windowsOptions: {hostProcess: true}}\n"
		    "  containers:\n  - {name: a, image: i}\n"));

	(void)state;
	assert_false(is_ignored(row, "hostPID"));
	assert_false(is_ignored(row, "runAsUser"));
	assert_false(is_ignored(row, "sysctls"));
	assert_true(is_ignored(row, "hostIPC"));
	assert_true(is_ignored(row, "hostUsers"));
	assert_true(is_ignored(row, "seLinuxChangePolicy"));
	assert_true(is_ignored(row, "hostProcess"));
	reading_free(&r);
}

/* Its cells say that these are Linux's settings; only the user's name counts. */
static void a_windows_pod_has_no_defaults_of_linux(void **state)
{
	struct reading r = { 0 };
	const struct row *row = read_pod(
		&r, "", NOTED(APPARMOR "a", "unconfined")
		"  os: {name: windows}\n  containers:\n  - {name: a, image: i, "
			    "securityContext: {privileged: true, runAsUser: 0}}\n");

	(void)state;
	assert_null(row_first(row, FACT_PRIVILEGED, LAYER_DECLARED));
	assert_null(row_first(row, FACT_GROUPS_POLICY, LAYER_DECLARED));
	assert_null(row_first(row, FACT_USERNS, LAYER_DECLARED));
	assert_null(row_first(row, FACT_APPARMOR, LAYER_DECLARED));
	assert_int_equal(fact_of(row, FACT_USER, "")->provenance, PROVENANCE_ABSENT);
	assert_true(is_ignored(row, "privileged"));
	assert_cell(&r, row, FIELD_SYSCALL_FILTER, "a Linux setting; this row runs on Windows");
	reading_free(&r);
}

static void a_debugging_container_joins_another_ones_processes(void **state)
{
	struct reading r = { 0 };
	const struct row *row;

	(void)state;
	read_k8s(&r, "p.yaml",
		 POD("  containers: [{name: a, image: i}]\n  ephemeralContainers:\n"
		     "  - {name: e, image: i, targetContainerName: a, ports: [{containerPort: 1}]}\n"));
	row = row_of(&r, "p.yaml#Pod//p/e");
	fact_of(row, FACT_PID, "container:a");
	assert_true(is_ignored(row, "ports"));
	assert_true(is_ignored(row, "ephemeralContainers"));
	reading_free(&r);
}

static void parameters_of_a_shared_namespace_are_refused(void **state)
{
	struct reading r = { 0 };
	const struct row *row = read_pod(
		&r, "", POD("  hostNetwork: true\n  securityContext: {sysctls: [{name: "
			    "net/ipv4/tcp_syncookies, value: \"1\"}, {name: kernel.shm_rmid_forced, "
			    "value: \"1\"}]}\n  containers: [{name: a, image: i}]\n"));

	(void)state;
	assert_true(is_ignored(row, "net/ipv4/tcp_syncookies"));
	assert_false(is_ignored(row, "kernel.shm_rmid_forced"));
	assert_attribute(row, FACT_SYSCTL, "safe", "true");
	reading_free(&r);
}

static void words_that_are_no_value_are_not_read(void **state)
{
	struct reading r = { 0 };
	const struct row *row = read_pod(
		&r, "", POD("  containers: [{name: a, image: i, securityContext: {procMount: \"\", "
			    "runAsNonRoot: \"\"}}]\n"));

	(void)state;
	assert_int_equal(fact_of(row, FACT_PROC_MASK, "")->provenance, PROVENANCE_UNPARSED);
	assert_int_equal(fact_of(row, FACT_RUN_AS_NON_ROOT, "")->provenance, PROVENANCE_UNPARSED);
	reading_free(&r);
}

static void the_accounts_pull_secrets_go_to_pods_without_any(void **state)
{
	struct reading r = { 0 };

	(void)state;
	read_k8s(&r, "p.yaml",
		 "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: default, namespace: n}\n"
		 "imagePullSecrets: [{name: theirs}]\n---\n"
		 "apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: n}\n"
		 "spec: {containers: [{name: a, image: i}]}\n---\n"
		 "apiVersion: v1\nkind: Pod\nmetadata: {name: q, namespace: n}\n"
		 "spec: {imagePullSecrets: [{name: own}], containers: [{name: a, image: i}]}\n");
	join_k8s(&r);
	assert_value(row_of(&r, "p.yaml#Pod/n/p/a"), FACT_PULL_SECRET, "theirs", &r, 4);
	fact_of(row_of(&r, "p.yaml#Pod/n/q/a"), FACT_PULL_SECRET, "own");
	assert_null(row_next(row_of(&r, "p.yaml#Pod/n/q/a"),
			     row_first(row_of(&r, "p.yaml#Pod/n/q/a"), FACT_PULL_SECRET,
				       LAYER_DECLARED)));
	reading_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_version_decides_between_annotation_and_field),
		cmocka_unit_test(an_annotation_names_a_container_that_is_there),
		cmocka_unit_test(what_the_container_replaces_stays_in_the_chain),
		cmocka_unit_test(what_privileged_takes_away_is_not_shown_as_holding),
		cmocka_unit_test(no_runtime_knows_cap_all),
		cmocka_unit_test(windows_is_judged_by_values),
		cmocka_unit_test(a_windows_pod_has_no_defaults_of_linux),
		cmocka_unit_test(a_debugging_container_joins_another_ones_processes),
		cmocka_unit_test(parameters_of_a_shared_namespace_are_refused),
		cmocka_unit_test(words_that_are_no_value_are_not_read),
		cmocka_unit_test(the_accounts_pull_secrets_go_to_pods_without_any),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
