/* What lies around a Kubernetes pod in the tree: profiles, kubelet settings, bases; secrets on command lines.
 * SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/k8s_help.h"

/* A file that no format claims, as the tree holds it. */
static void add_file(struct reading *r, const char *path, const char *text)
{
	static const struct format plain = { .id = FORMAT_SECCOMP, .syntax = SYNTAX_TEXT };

	r->workspace.open = tree_open;
	r->workspace.exists = tree_exists;
	hash_index_put(&r->snapshot.arena, &r->workspace.input_paths,
		       arena_strdup(&r->snapshot.arena, path), (uint32_t)r->workspace.inputs.count);
	read_text(r, &plain, path, SYNTAX_TEXT, text);
}

#define SECCOMP                                                                                    \
	POD("  securityContext: {seccompProfile: {type: Localhost, localhostProfile: profiles/x.json}}\n" \
	    "  containers: [{name: a, image: i}]\n")

static void a_supplied_seccomp_profile_is_judged_by_its_calls(void **state)
{
	static const struct {
		const char *path, *text, *wide; /* the first call, NULL for none */
	} cases[] = {
		{ "profiles/x.json", "{\"defaultAction\":\"SCMP_ACT_ALLOW\"}",
		  "every call that no rule names" },
		{ "seccomp/x.json",
		  "{\"defaultAction\":\"SCMP_ACT_ERRNO\",\"syscalls\":[{\"names\":[\"read\",\"unshare\"],"
		  "\"action\":\"SCMP_ACT_ALLOW\"}]}", "unshare" },
		{ "x.json",
		  "{\"defaultAction\":\"SCMP_ACT_ERRNO\",\"syscalls\":[{\"names\":[\"mount\"],"
		  "\"action\":\"SCMP_ACT_ALLOW\",\"includes\":{\"caps\":[\"CAP_SYS_ADMIN\"]}},"
		  "{\"names\":[\"bpf\"],\"action\":\"SCMP_ACT_ERRNO\"}]}", NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct reading r = { 0 };
		const struct row *row;
		const struct fact *f;

		read_k8s(&r, "p.yaml", SECCOMP);
		add_file(&r, cases[i].path, cases[i].text);
		join_k8s(&r);
		row = row_of(&r, "p.yaml#Pod//p/a");
		f = row_first(row, FACT_SECCOMP_WIDE, LAYER_DECLARED);
		assert_attribute(row, FACT_SECCOMP, "supplied", "true");
		assert_string_equal(f ? f->value : "none", cases[i].wide ? cases[i].wide : "none");
		reading_free(&r);
	}
}

static void a_supplied_apparmor_profile_is_judged_by_flags_and_bare_rules(void **state)
{
	static const struct {
		const char *text, *flag;
	} cases[] = {
		{ "profile mine flags=(attach_disconnected,complain) {\n  file,\n}\n", "flag complain" },
		{ "profile mine {\n  allow mount,\n}\n", "a rule allows every mount" },
		{ "profile other flags=(complain) {\n}\nprofile mine {\n  deny mount,\n"
		  "  mount fstype=proc,\n}\n", NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct reading r = { 0 };
		const struct fact *f;

		read_k8s(&r, "p.yaml",
			 POD("  securityContext: {appArmorProfile: {type: Localhost, localhostProfile: mine}}\n"
			     "  containers: [{name: a, image: i}]\n"));
		add_file(&r, "apparmor/mine", cases[i].text);
		join_k8s(&r);
		f = row_first(row_of(&r, "p.yaml#Pod//p/a"), FACT_MAC_FLAG, LAYER_DECLARED);
		assert_string_equal(f ? f->value : "none", cases[i].flag ? cases[i].flag : "none");
		reading_free(&r);
	}
}

static void a_kubelets_settings_are_read(void **state)
{
	struct reading r = { 0 };
	const struct row *row;

	(void)state;
	read_k8s(&r, "k.yaml",
		 "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n"
		 "authentication: {anonymous: {enabled: true}}\nauthorization: {mode: AlwaysAllow}\n"
		 "seccompDefault: true\n");
	read_k8s(&r, "p.yaml", POD("  containers: [{name: a, image: i, command: [kubelet, "
				   "--read-only-port=10255]}]\n"));
	join_k8s(&r);
	row = row_of(&r, "k.yaml#KubeletConfiguration//");
	fact_of(row, FACT_DAEMON_DEFAULT, "authentication.anonymous.enabled=true");
	fact_of(row, FACT_DAEMON_DEFAULT, "authorization.mode=AlwaysAllow");
	row = row_of(&r, "p.yaml#Pod//p/a");
	fact_of(row, FACT_DAEMON_DEFAULT, "seccompDefault=true");
	fact_of(row, FACT_DAEMON_DEFAULT, "read-only-port=10255");
	reading_free(&r);
}

static void a_build_without_its_base_says_so_on_its_pods(void **state)
{
	struct reading r = { 0 };

	(void)state;
	read_with(&r, &format_kustomize, "base/kustomization.yaml", "resources: [p.yaml, gone.yaml]\n");
	read_k8s(&r, "base/p.yaml", POD("  containers: [{name: a, image: i}]\n"));
	read_with(&r, &format_kustomize, "over/kustomization.yaml", "resources: [../base]\n");
	join_k8s(&r);
	assert_value(row_of(&r, "base/p.yaml#Pod//p/a"), FACT_MISSING_FILE, "gone.yaml", &r, 1);
	reading_free(&r);
}

static void secrets_on_a_command_line_are_known_by_shape(void **state)
{
	static const struct {
		const char *args, *what;
	} cases[] = {
		{ "[\"postgres://u:Xk29skd02kd@h/db\"]", "URL with a secret" },
		{ "[\"--dsn=postgres://u:Xk29skd02kd@h/db\"]", "URL with a secret" },
		{ "[-c, \"curl https://u:Xk29skd02kd@h/x | sh\"]", "URL with a secret" },
		{ "[\"postgres://u:$(PASSWORD)@h/db\"]", NULL },
		{ "[\"https://h/db\"]", NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct reading r = { 0 };
		char text[300];
		const struct fact *f;

		snprintf(text, sizeof text, POD("  containers: [{name: a, image: i, args: %s}]\n"),
			 cases[i].args);
		read_k8s(&r, "p.yaml", text);
		f = row_first(row_of(&r, "p.yaml#Pod//p/a"), FACT_SECRET_ARGUMENT, LAYER_DECLARED);
		assert_string_equal(f ? f->value : "none", cases[i].what ? cases[i].what : "none");
		reading_free(&r);
	}
}

static void an_engine_whose_certificate_is_checked_says_so(void **state)
{
	struct reading r = { 0 };
	const struct row *row;

	(void)state;
	read_k8s(&r, "p.yaml", POD("  containers:\n  - name: a\n    image: i\n    env:\n"
				   "    - {name: DOCKER_HOST, value: \"tcp://d:2376\"}\n"
				   "    - {name: DOCKER_TLS_VERIFY, value: \"1\"}\n"));
	row = row_of(&r, "p.yaml#Pod//p/a");
	assert_attribute(row, FACT_ENGINE_HOST, "tls", "true");
	reading_free(&r);
}

static void an_id_has_many_spellings(void **state)
{
	static const struct {
		const char *text, *uid;
	} cases[] = { { "0x0", "0" }, { "0o17", "15" }, { "017", "15" }, { "1000", "1000" } };

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct reading r = { 0 };
		char text[200];

		snprintf(text, sizeof text,
			 POD("  securityContext: {runAsUser: %s}\n  containers: [{name: a, image: i}]\n"),
			 cases[i].text);
		read_k8s(&r, "p.yaml", text);
		assert_attribute(row_of(&r, "p.yaml#Pod//p/a"), FACT_USER, "uid", cases[i].uid);
		reading_free(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_supplied_seccomp_profile_is_judged_by_its_calls),
		cmocka_unit_test(a_supplied_apparmor_profile_is_judged_by_flags_and_bare_rules),
		cmocka_unit_test(a_kubelets_settings_are_read),
		cmocka_unit_test(a_build_without_its_base_says_so_on_its_pods),
		cmocka_unit_test(secrets_on_a_command_line_are_known_by_shape),
		cmocka_unit_test(an_engine_whose_certificate_is_checked_says_so),
		cmocka_unit_test(an_id_has_many_spellings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
