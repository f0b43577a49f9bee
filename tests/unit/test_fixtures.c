/* Example repositories of every rule: fixtures/rules/SLUG/{fires,quiet,unknown}, read as a whole.
 *
 * A folder may hold a file `expect`. A line "PATH:LINE" names a place that a finding of the rule
 * (in unknown/: a verdict that could not be given) is about, PATH alone any line of a file, LINE
 * alone a line in the folder's only file; "kubernetes=1.N" sets the scope's version.
 * SPDX-License-Identifier: MIT */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "model/finding.h"
#include "src/load.h"
#include "src/rules/rules.h"
#include "tests/unit/git_help.h"

#define ROOT "fixtures/rules"

enum verdict_folder { FOLDER_FIRES, FOLDER_QUIET, FOLDER_UNKNOWN, FOLDER_COUNT };

static const char *const folder_names[FOLDER_COUNT] = { "fires", "quiet", "unknown" };

#define WHOLLY(slug, reason)                                                                       \
	{                                                                                          \
		slug, { true, true, true }, reason                                                 \
	}
#define NEVER_UNKNOWN(slug, reason)                                                                \
	{                                                                                          \
		slug, { false, false, true }, reason                                               \
	}

/* Rules that can do without some of the folders, and why. */
static const struct {
	const char *slug;
	bool absent[FOLDER_COUNT];
	const char *reason;
} exceptions[] = {
	NEVER_UNKNOWN("add-for-copy", "an instruction is written or it is not"),
	NEVER_UNKNOWN("admin-interface-exposed", "a name is compared as it is written"),
	NEVER_UNKNOWN("approvals-bypassed", "a mode is written or it is not"),
	NEVER_UNKNOWN("autorun-files-writable", "other rules say that a path is not known"),
	NEVER_UNKNOWN("build-frontend", "a directive is written or it is not"),
	NEVER_UNKNOWN("build-mounts-system-dir", "a variable in the path is no system folder"),
	NEVER_UNKNOWN("build-password-set", "a step is written or it is not"),
	NEVER_UNKNOWN("build-remote-script", "a check is written or it is not"),
	NEVER_UNKNOWN("build-secret-kept", "a name is written or it is not"),
	NEVER_UNKNOWN("bus-socket", "docker-socket alone says that a path is not known"),
	NEVER_UNKNOWN("cap-added-other", "cap-sys-admin alone says that a name is not known"),
	NEVER_UNKNOWN("cap-all", "cap-sys-admin alone says that a name is not known"),
	NEVER_UNKNOWN("cap-bpf", "cap-sys-admin alone says that a name is not known"),
	NEVER_UNKNOWN("cap-dac-read-search", "cap-sys-admin alone says that a name is not known"),
	NEVER_UNKNOWN("cap-misc-host", "cap-sys-admin alone says that a name is not known"),
	NEVER_UNKNOWN("cap-net-admin", "cap-sys-admin alone says that a name is not known"),
	NEVER_UNKNOWN("cap-sys-module", "cap-sys-admin alone says that a name is not known"),
	NEVER_UNKNOWN("cap-sys-ptrace", "cap-sys-admin alone says that a name is not known"),
	NEVER_UNKNOWN("cap-sys-rawio", "cap-sys-admin alone says that a name is not known"),
	NEVER_UNKNOWN("capabilities-untouched", "a drop is written or it is not"),
	NEVER_UNKNOWN("cloud-identity-bound", "the annotation's name tells"),
	NEVER_UNKNOWN("debug-port", "a port that is not known is no debugger's"),
	NEVER_UNKNOWN("declared-observed-conflict", "no conflict with an unknown value"),
	NEVER_UNKNOWN("device-special", "device-raw alone says that a device is not known"),
	NEVER_UNKNOWN("domain-wildcard", "a domain is written or it is not"),
	NEVER_UNKNOWN("effective-file-unknown", "a file that was not supplied is the finding"),
	WHOLLY("evidence-stale", "no load compares an export's date yet"),
	NEVER_UNKNOWN("feature-too-new", "without a version the latest known is assumed"),
	NEVER_UNKNOWN("gitrepo-volume", "a type is a key and always known"),
	NEVER_UNKNOWN("gpu-toolkit", "a request is written or it is not"),
	NEVER_UNKNOWN("hardening-absent", "a setting is written or it is not"),
	NEVER_UNKNOWN("hidden-container-kinds", "the rules of each setting say what is not known"),
	NEVER_UNKNOWN("hook-privileged", "a right is written or it is not"),
	NEVER_UNKNOWN("host-enter-command", "a command is written or it is not"),
	NEVER_UNKNOWN("host-gateway", "host-aliases says that an address is not known"),
	NEVER_UNKNOWN("host-home", "other rules say that a path is not known"),
	NEVER_UNKNOWN("host-kubelet-dir", "other rules say that a path is not known"),
	NEVER_UNKNOWN("host-proc-sys", "other rules say that a path is not known"),
	NEVER_UNKNOWN("host-runtime-data", "other rules say that a path is not known"),
	NEVER_UNKNOWN("host-system-write", "other rules say that a path is not known"),
	NEVER_UNKNOWN("host-tmp", "other rules say that a path is not known"),
	NEVER_UNKNOWN("image-reference-invalid", "image-mutable says that a reference is not known"),
	NEVER_UNKNOWN("ingress-exposed", "a route is written or it is not"),
	NEVER_UNKNOWN("ingress-no-tls", "a section is written or it is not"),
	NEVER_UNKNOWN("ingress-snippet", "an annotation is written or it is not"),
	NEVER_UNKNOWN("install-hooks-run", "a step is written or it is not"),
	WHOLLY("kubelet-open", "no format reads the kubelet's configuration yet"),
	NEVER_UNKNOWN("label-runtime-reserved", "a label is written or it is not"),
	NEVER_UNKNOWN("lsm-assumed", "apparmor-unconfined alone says that a profile is not known"),
	WHOLLY("mac-profile-complain", "no format reads AppArmor profiles yet"),
	NEVER_UNKNOWN("mcp-auth-absent", "an entry names a credential or it does not"),
	NEVER_UNKNOWN("mcp-auto-trusted", "a setting is written or it is not"),
	NEVER_UNKNOWN("mcp-bind-all", "an address that is not known is not every address"),
	NEVER_UNKNOWN("mcp-egress-odd", "mcp-plain-http says that an address is not known"),
	WHOLLY("mcp-env-inherited", "no file tells what a client passes on"),
	NEVER_UNKNOWN("mcp-gateway-wide", "a flag is written or it is not"),
	NEVER_UNKNOWN("mcp-origin-unchecked", "what nothing shows is the finding"),
	NEVER_UNKNOWN("mcp-shell-launch", "a command is written or it is not"),
	NEVER_UNKNOWN("mcp-unsandboxed", "an entry names a container or it does not"),
	NEVER_UNKNOWN("metadata-reachable", "nothing that denies an address is the finding"),
	NEVER_UNKNOWN("mount-propagation-shared", "a mode is written or it is not"),
	NEVER_UNKNOWN("netpol-ingress-only", "a section is written or it is not"),
	NEVER_UNKNOWN("netpol-none", "what was not supplied is the finding"),
	NEVER_UNKNOWN("netpol-unproven", "what no file can prove is the finding"),
	NEVER_UNKNOWN("netpol-wide", "a range is written or it is not"),
	NEVER_UNKNOWN("nonroot-without-uid", "a number is written or it is not"),
	NEVER_UNKNOWN("package-version-free", "a version is written or it is not"),
	NEVER_UNKNOWN("packages-unsigned", "a step is written or it is not"),
	NEVER_UNKNOWN("policy-admits-capabilities", "a policy is written or it is not"),
	NEVER_UNKNOWN("policy-admits-escalation", "a policy is written or it is not"),
	NEVER_UNKNOWN("policy-admits-host-namespaces", "a policy is written or it is not"),
	NEVER_UNKNOWN("policy-admits-host-path", "a policy is written or it is not"),
	NEVER_UNKNOWN("policy-admits-privileged", "a policy is written or it is not"),
	NEVER_UNKNOWN("policy-admits-root", "a policy is written or it is not"),
	NEVER_UNKNOWN("policy-audit-only", "an action is written or it is not"),
	NEVER_UNKNOWN("policy-seccomp-unset", "a policy is written or it is not"),
	NEVER_UNKNOWN("policy-unbound", "a binding is supplied or it is not"),
	NEVER_UNKNOWN("port-privileged", "a port that is not known is not below 1024"),
	NEVER_UNKNOWN("privileged-helper", "a helper without a row is the finding"),
	NEVER_UNKNOWN("probe-host", "a host is written or it is not"),
	NEVER_UNKNOWN("project-writable", "other rules say that a path is not known"),
	NEVER_UNKNOWN("proxy-env-only", "the variable's name tells"),
	NEVER_UNKNOWN("psa-exempt", "an exemption is written or it is not"),
	NEVER_UNKNOWN("psp-removed", "without a version the latest known is assumed"),
	NEVER_UNKNOWN("pv-hostpath", "a type is a key and always known"),
	NEVER_UNKNOWN("rbac-cluster-admin", "a name that is not known is no cluster-admin"),
	NEVER_UNKNOWN("rbac-configmap-write", "a rule is written or it is not"),
	NEVER_UNKNOWN("rbac-create-pods", "a rule is written or it is not"),
	NEVER_UNKNOWN("rbac-csr-token-webhook", "a rule is written or it is not"),
	NEVER_UNKNOWN("rbac-delete", "a rule is written or it is not"),
	NEVER_UNKNOWN("rbac-delete-logs", "a rule is written or it is not"),
	NEVER_UNKNOWN("rbac-escalate", "a rule is written or it is not"),
	NEVER_UNKNOWN("rbac-exec", "a rule is written or it is not"),
	NEVER_UNKNOWN("rbac-namespace-write", "a rule is written or it is not"),
	NEVER_UNKNOWN("rbac-network-write", "a rule is written or it is not"),
	NEVER_UNKNOWN("rbac-node-write", "a rule is written or it is not"),
	NEVER_UNKNOWN("rbac-nodes-proxy", "a rule is written or it is not"),
	NEVER_UNKNOWN("rbac-open-subject", "a name that is not known is no open group"),
	NEVER_UNKNOWN("rbac-portforward", "a rule is written or it is not"),
	NEVER_UNKNOWN("rbac-pv-write", "a rule is written or it is not"),
	NEVER_UNKNOWN("rbac-secrets", "a rule is written or it is not"),
	NEVER_UNKNOWN("rbac-secrets-create", "a rule is written or it is not"),
	NEVER_UNKNOWN("rbac-unknown", "a templated name is one as well"),
	NEVER_UNKNOWN("rbac-wildcard", "a rule is written or it is not"),
	NEVER_UNKNOWN("registry-insecure", "a registry is written or it is not"),
	NEVER_UNKNOWN("ro-not-recursive", "other rules say that a path is not known"),
	NEVER_UNKNOWN("runtime-annotation", "the annotation's name tells"),
	NEVER_UNKNOWN("runtime-sandbox-holes", "a flag is written or it is not"),
	NEVER_UNKNOWN("runtime-socket", "docker-socket alone says that a path is not known"),
	NEVER_UNKNOWN("sa-token-longlived", "a type is written or it is not"),
	NEVER_UNKNOWN("sandbox-by-name-only", "a name is written or it is not"),
	NEVER_UNKNOWN("sandbox-escape-hatch", "a switch is written or it is not"),
	NEVER_UNKNOWN("sandbox-excluded-commands", "a list is written or it is not"),
	NEVER_UNKNOWN("sandbox-fail-open", "a switch is written or it is not"),
	NEVER_UNKNOWN("sandbox-net-open", "a switch is written or it is not"),
	NEVER_UNKNOWN("sandbox-off", "a switch is written or it is not"),
	NEVER_UNKNOWN("sandbox-weakened", "a switch is written or it is not"),
	NEVER_UNKNOWN("seatbelt-permissive", "a profile is written or it is not"),
	NEVER_UNKNOWN("seccomp-annotation-dead", "an annotation is written or it is not"),
	NEVER_UNKNOWN("seccomp-custom-unseen", "seccomp-unconfined says when it is not known"),
	WHOLLY("seccomp-custom-wide", "no format reads seccomp profiles yet"),
	NEVER_UNKNOWN("seccomp-unset-k8s", "a profile is written or it is not"),
	NEVER_UNKNOWN("secret-env", "a reference is written or it is not"),
	NEVER_UNKNOWN("secret-in-args", "a variable on a command line is no literal"),
	NEVER_UNKNOWN("secret-literal", "a value that is not written in the file is no literal"),
	NEVER_UNKNOWN("security-context-absent", "a setting is written or it is not"),
	NEVER_UNKNOWN("service-account-default", "a templated name is not the default one"),
	NEVER_UNKNOWN("service-external-ips", "an address is written or it is not"),
	NEVER_UNKNOWN("service-loadbalancer", "service-nodeport says that a type is not known"),
	NEVER_UNKNOWN("setuid-added", "a step is written or it is not"),
	NEVER_UNKNOWN("ssh-agent", "the variable's name tells"),
	NEVER_UNKNOWN("ssh-in-container", "a port that is not known is not 22"),
	NEVER_UNKNOWN("stage-copied-whole", "a path is written or it is not"),
	NEVER_UNKNOWN("subpath-old-kubelet", "without a version the latest known is assumed"),
	WHOLLY("subprocess-wider", "no format tells which agent starts a tool yet"),
	NEVER_UNKNOWN("sudo-in-use", "a call is written or it is not"),
	NEVER_UNKNOWN("sudo-nopasswd", "a rule is written or it is not"),
	NEVER_UNKNOWN("tls-check-off", "a switch is written or it is not"),
	WHOLLY("token-passthrough", "no file tells where a server sends a token"),
	NEVER_UNKNOWN("tool-allowed-wide", "a pattern is written or it is not"),
	NEVER_UNKNOWN("user-podman-socket", "docker-socket alone says that a path is not known"),
	NEVER_UNKNOWN("var-log-write", "other rules say that a path is not known"),
	NEVER_UNKNOWN("volume-shared", "a name is compared as it is written"),
	NEVER_UNKNOWN("volume-type-outside-restricted", "a type is a key and always known"),
	NEVER_UNKNOWN("x-ape-setuid", "its parts are unknown"),
	NEVER_UNKNOWN("x-autorun-hosthook", "its parts are unknown"),
	WHOLLY("x-bwrap-tty", "no format reads bwrap commands yet"),
	NEVER_UNKNOWN("x-cap-nonroot-softens", "its parts are unknown"),
	NEVER_UNKNOWN("x-create-pods-no-psa", "its parts are unknown"),
	NEVER_UNKNOWN("x-dacread-hostmount", "its parts are unknown"),
	NEVER_UNKNOWN("x-dind-privileged", "its parts are unknown"),
	NEVER_UNKNOWN("x-escape-hatch-unattended", "its parts are unknown"),
	NEVER_UNKNOWN("x-firewall-self-held", "its parts are unknown"),
	NEVER_UNKNOWN("x-group-plus-socket", "its parts are unknown"),
	NEVER_UNKNOWN("x-hostpid-ptrace", "its parts are unknown"),
	NEVER_UNKNOWN("x-hostpid-root", "its parts are unknown"),
	NEVER_UNKNOWN("x-mcp-http-noauth-published", "its parts are unknown"),
	NEVER_UNKNOWN("x-metadata-noderole", "its parts are unknown"),
	NEVER_UNKNOWN("x-mknod-device-rule", "its parts are unknown"),
	NEVER_UNKNOWN("x-netadmin-hostnet", "its parts are unknown"),
	NEVER_UNKNOWN("x-netraw-hostnet", "its parts are unknown"),
	NEVER_UNKNOWN("x-nonroot-docker-socket", "its parts are unknown"),
	NEVER_UNKNOWN("x-nonroot-image-root", "its parts are unknown"),
	NEVER_UNKNOWN("x-ro-root-rw-hostpath", "its parts are unknown"),
	WHOLLY("x-sandbox-unix-socket", "no format reads bwrap commands yet"),
	NEVER_UNKNOWN("x-seccomp-off-caps", "its parts are unknown"),
	NEVER_UNKNOWN("x-secrets-open-egress", "its parts are unknown"),
	NEVER_UNKNOWN("x-shared-net-localhost", "its parts are unknown"),
	NEVER_UNKNOWN("x-sidecar-weaker", "its parts are unknown"),
	NEVER_UNKNOWN("x-socket-ro", "its parts are unknown"),
	NEVER_UNKNOWN("x-sysadmin-noapparmor", "its parts are unknown"),
	NEVER_UNKNOWN("x-token-cluster-admin", "its parts are unknown"),
	NEVER_UNKNOWN("x-unpinned-with-secrets", "its parts are unknown"),
	NEVER_UNKNOWN("x-userns-hostmount", "its parts are unknown"),
	NEVER_UNKNOWN("x-userns-softens", "its parts are unknown"),
};

struct expectation {
	struct string_list places; /* "path:line", "path" or "line" */
	struct load_options options;
};

struct run {
	const char *slug;
	enum verdict_folder folder;
	struct expectation expect;
	struct snapshot snapshot;
	struct arena arena;
	unsigned failures;
};

static void complain(struct run *r, const char *what, const char *detail)
{
	print_error("%s/%s: %s%s%s\n", r->slug, folder_names[r->folder], what, *detail ? ": " : "",
	            detail);
	r->failures++;
}

static bool is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool is_excepted(const char *slug, enum verdict_folder folder)
{
	for (size_t i = 0; i < sizeof exceptions / sizeof *exceptions; i++)
		if (strcmp(exceptions[i].slug, slug) == 0)
			return exceptions[i].absent[folder];
	return false;
}

static void take_line(struct run *r, const char *line)
{
	static const char kubernetes[] = "kubernetes=";

	if (strncmp(line, kubernetes, sizeof kubernetes - 1) == 0)
		r->expect.options.scope.kubernetes =
		    arena_strdup(&r->arena, line + sizeof kubernetes - 1);
	else if (*line)
		*ARENA_PUSH(&r->arena, &r->expect.places) = arena_strdup(&r->arena, line);
}

static void read_expectation(struct run *r, const char *folder)
{
	const char *path = arena_printf(&r->arena, "%s/expect", folder);
	FILE *file = fopen(path, "r");
	char line[512];

	if (!file)
		return;
	while (fgets(line, sizeof line, file)) {
		line[strcspn(line, "\n")] = '\0';
		take_line(r, line);
	}
	fclose(file);
}

static bool place_is(const struct run *r, struct span span, const char *wanted)
{
	const char *path = snapshot_path(&r->snapshot, span);
	char place[512], line[16];

	snprintf(line, sizeof line, "%u", (unsigned)snapshot_line(&r->snapshot, span));
	snprintf(place, sizeof place, "%s:%s", path, line);
	return strcmp(wanted, place) == 0 || strcmp(wanted, path) == 0 || strcmp(wanted, line) == 0;
}

static struct span finding_place(const struct finding *f)
{
	return f->citation_count ? f->citations[0].span : (struct span){ 0 };
}

/* Calls the rule's results in turn: findings in fires/, verdicts not given in unknown/. */
static bool next_place(const struct run *r, size_t *at, struct span *out)
{
	bool findings = r->folder != FOLDER_UNKNOWN;
	size_t count = findings ? r->snapshot.findings.count : r->snapshot.unknowns.count;

	for (; *at < count; (*at)++) {
		const struct rule *rule = findings ? r->snapshot.findings.items[*at]->rule
		                                   : r->snapshot.unknowns.items[*at].rule;

		if (strcmp(rule->slug, r->slug) != 0)
			continue;
		*out = findings ? finding_place(r->snapshot.findings.items[*at])
		                : r->snapshot.unknowns.items[*at].span;
		(*at)++;
		return true;
	}
	return false;
}

static void list_places(struct run *r)
{
	struct span span;

	for (size_t at = 0; next_place(r, &at, &span);)
		print_error("    is at %s:%u\n", snapshot_path(&r->snapshot, span),
		            (unsigned)snapshot_line(&r->snapshot, span));
}

static void check_places(struct run *r)
{
	bool missed = false;

	for (size_t i = 0; i < r->expect.places.count; i++) {
		bool found = false;
		struct span span;

		for (size_t at = 0; !found && next_place(r, &at, &span);)
			found = place_is(r, span, r->expect.places.items[i]);
		if (!found)
			complain(r, "nothing at", r->expect.places.items[i]);
		missed |= !found;
	}
	if (missed)
		list_places(r);
}

static const struct finding *finding_of(const struct run *r)
{
	for (size_t i = 0; i < r->snapshot.findings.count; i++)
		if (strcmp(r->snapshot.findings.items[i]->rule->slug, r->slug) == 0)
			return r->snapshot.findings.items[i];
	return NULL;
}

static bool has_unknown(const struct run *r)
{
	for (size_t i = 0; i < r->snapshot.unknowns.count; i++)
		if (strcmp(r->snapshot.unknowns.items[i].rule->slug, r->slug) == 0)
			return true;
	return false;
}

static void check_fires(struct run *r)
{
	if (!finding_of(r))
		complain(r, "no finding", "");
	check_places(r);
}

static void check_quiet(struct run *r)
{
	const struct finding *f = finding_of(r);

	if (f)
		complain(r, "a finding", f->message);
	if (has_unknown(r))
		complain(r, "a verdict that could not be given", "");
}

static void check_unknown(struct run *r)
{
	const struct finding *f = finding_of(r);

	if (f)
		complain(r, "a finding", f->message);
	if (!has_unknown(r))
		complain(r, "the verdict is not unknown", "");
	check_places(r);
}

/* Every file of the folder that says something must have been read to the end. */
static void check_reading(struct run *r)
{
	if (!r->snapshot.rows.count)
		complain(r, "no row", "");
	for (size_t i = 0; i < r->snapshot.artifacts.count; i++) {
		const struct artifact *artifact = r->snapshot.artifacts.items[i];

		for (size_t k = 0; k < artifact->problems.count; k++)
			complain(r, artifact->path, artifact->problems.items[k].message);
	}
}

static void load_folder(struct run *r, const char *folder)
{
	static void (*const checks[FOLDER_COUNT])(struct run *) = { check_fires, check_quiet,
		                                                    check_unknown };
	struct buf why = { 0 };

	r->expect.options.path = folder;
	if (!load_all(&r->expect.options, &r->snapshot, &why)) {
		complain(r, "cannot be read", buf_text(&why));
	} else {
		check_reading(r);
		checks[r->folder](r);
		snapshot_free(&r->snapshot);
	}
	buf_free(&why);
}

static unsigned check_folder(const char *slug, enum verdict_folder folder)
{
	struct run r = { .slug = slug, .folder = folder };
	const char *path = arena_printf(&r.arena, ROOT "/%s/%s", slug, folder_names[folder]);

	if (is_excepted(slug, folder) == is_folder(path)) {
		complain(&r, is_folder(path) ? "stands among the exceptions" : "is missing", "");
	} else if (is_folder(path)) {
		read_expectation(&r, path);
		load_folder(&r, path);
	}
	arena_free(&r.arena);
	return r.failures;
}

static void every_rule_has_its_examples(void **state)
{
	struct rule_table tables[RULE_TABLE_COUNT];
	unsigned failures = 0;

	(void)state;
	rules_tables(tables);
	for (size_t t = 0; t < RULE_TABLE_COUNT; t++)
		for (size_t i = 0; i < tables[t].count; i++)
			for (unsigned folder = 0; folder < FOLDER_COUNT; folder++)
				failures += check_folder(tables[t].rules[i].slug,
				                         (enum verdict_folder)folder);
	if (failures)
		fail_msg("%u complaints", failures);
}

static void every_folder_is_of_a_rule(void **state)
{
	DIR *folder = opendir(ROOT);
	const struct dirent *entry;

	(void)state;
	assert_non_null(folder);
	while ((entry = readdir(folder)))
		if (entry->d_name[0] != '.' && !rules_find(entry->d_name))
			fail_msg("there is no rule %s", entry->d_name);
	closedir(folder);
}

static void every_exception_is_a_rule(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof exceptions / sizeof *exceptions; i++)
		if (!rules_find(exceptions[i].slug))
			fail_msg("there is no rule %s", exceptions[i].slug);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_folder_is_of_a_rule),
		cmocka_unit_test(every_exception_is_a_rule),
		cmocka_unit_test(every_rule_has_its_examples),
	};

	return cmocka_run_group_tests(tests, hold_git, release_git);
}
