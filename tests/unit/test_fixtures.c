/* Example repositories of every rule: fixtures/rules/SLUG/{fires,quiet,unknown}, read as a whole.
 *
 * A folder may hold a file `expect`. A line "PATH:LINE" names a place that a finding of the rule (in
 * unknown/: a verdict that could not be given) is about, PATH alone any line of a file, LINE alone a line
 * in the folder's only file; "kubernetes=1.N" and "runtime=NAME" set the scope.
 * SPDX-License-Identifier: MIT */
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

#define ROOT "fixtures/rules"

enum verdict_folder { FOLDER_FIRES, FOLDER_QUIET, FOLDER_UNKNOWN, FOLDER_COUNT };

static const char *const folder_names[FOLDER_COUNT] = { "fires", "quiet", "unknown" };

#define WHOLLY(slug, reason) { slug, { true, true, true }, reason }
#define NEVER_UNKNOWN(slug, reason) { slug, { false, false, true }, reason }

/* Rules that can do without some of the folders, and why. */
static const struct {
	const char *slug;
	bool absent[FOLDER_COUNT];
	const char *reason;
} exceptions[] = {
	WHOLLY("add-for-copy", "no examples yet"),
	WHOLLY("admin-interface-exposed", "no examples yet"),
	WHOLLY("agent-runtime-shared", "no examples yet"),
	WHOLLY("approvals-bypassed", "no examples yet"),
	WHOLLY("autorun-files-writable", "no examples yet"),
	WHOLLY("build-frontend", "no examples yet"),
	WHOLLY("build-mounts-system-dir", "no examples yet"),
	WHOLLY("build-password-set", "no examples yet"),
	WHOLLY("build-privileged", "no examples yet"),
	WHOLLY("build-remote-script", "no examples yet"),
	WHOLLY("build-secret-kept", "no examples yet"),
	WHOLLY("build-ssh", "no examples yet"),
	WHOLLY("bus-socket", "no examples yet"),
	WHOLLY("cap-added-other", "no examples yet"),
	NEVER_UNKNOWN("cap-all", "cap-sys-admin alone says that a name is not known"),
	WHOLLY("cap-bpf", "no examples yet"),
	WHOLLY("cap-dac-read-search", "no examples yet"),
	WHOLLY("cap-misc-host", "no examples yet"),
	WHOLLY("cap-net-admin", "no examples yet"),
	WHOLLY("cap-net-raw", "no examples yet"),
	WHOLLY("cap-sys-module", "no examples yet"),
	WHOLLY("cap-sys-ptrace", "no examples yet"),
	WHOLLY("cap-sys-rawio", "no examples yet"),
	WHOLLY("capabilities-untouched", "no examples yet"),
	WHOLLY("cgroup-host", "no examples yet"),
	WHOLLY("cloud-identity-bound", "no examples yet"),
	WHOLLY("debug-port", "no examples yet"),
	NEVER_UNKNOWN("declared-observed-conflict", "no conflict with an unknown value"),
	WHOLLY("default-bridge", "no examples yet"),
	WHOLLY("device-cgroup-wide", "no examples yet"),
	WHOLLY("device-raw", "no examples yet"),
	WHOLLY("device-special", "no examples yet"),
	WHOLLY("docker-group", "no examples yet"),
	WHOLLY("docker-tcp", "no examples yet"),
	WHOLLY("domain-wildcard", "no examples yet"),
	WHOLLY("effective-file-unknown", "no examples yet"),
	WHOLLY("egress-open", "no examples yet"),
	WHOLLY("entry-untraced", "no examples yet"),
	WHOLLY("env-file-broad", "no examples yet"),
	WHOLLY("evidence-stale", "no examples yet"),
	WHOLLY("feature-too-new", "no examples yet"),
	WHOLLY("gid-low", "no examples yet"),
	WHOLLY("gitrepo-volume", "no examples yet"),
	WHOLLY("gpu-toolkit", "no examples yet"),
	WHOLLY("hardening-absent", "no examples yet"),
	WHOLLY("hidden-container-kinds", "no examples yet"),
	WHOLLY("hook-privileged", "no examples yet"),
	WHOLLY("host-aliases", "no examples yet"),
	WHOLLY("host-enter-command", "no examples yet"),
	WHOLLY("host-gateway", "no examples yet"),
	WHOLLY("host-home", "no examples yet"),
	WHOLLY("host-kubelet-dir", "no examples yet"),
	WHOLLY("host-proc-sys", "no examples yet"),
	WHOLLY("host-runtime-data", "no examples yet"),
	WHOLLY("host-side-hook", "no examples yet"),
	WHOLLY("host-system-write", "no examples yet"),
	WHOLLY("host-tmp", "no examples yet"),
	WHOLLY("host-uts", "no examples yet"),
	WHOLLY("hostpath-other", "no examples yet"),
	WHOLLY("hostport", "no examples yet"),
	WHOLLY("image-publisher-unknown", "no examples yet"),
	WHOLLY("ingress-exposed", "no examples yet"),
	WHOLLY("ingress-no-tls", "no examples yet"),
	WHOLLY("ingress-snippet", "no examples yet"),
	WHOLLY("install-hooks-run", "no examples yet"),
	WHOLLY("kubelet-open", "no examples yet"),
	WHOLLY("label-runtime-reserved", "no examples yet"),
	WHOLLY("lsm-assumed", "no examples yet"),
	WHOLLY("mac-profile-complain", "no examples yet"),
	WHOLLY("mcp-auth-absent", "no examples yet"),
	WHOLLY("mcp-auto-trusted", "no examples yet"),
	WHOLLY("mcp-bind-all", "no examples yet"),
	WHOLLY("mcp-egress-odd", "no examples yet"),
	WHOLLY("mcp-env-inherited", "no examples yet"),
	WHOLLY("mcp-gateway-wide", "no examples yet"),
	WHOLLY("mcp-origin-unchecked", "no examples yet"),
	WHOLLY("mcp-plain-http", "no examples yet"),
	WHOLLY("mcp-shell-launch", "no examples yet"),
	WHOLLY("mcp-unsandboxed", "no examples yet"),
	WHOLLY("metadata-reachable", "no examples yet"),
	WHOLLY("mount-propagation-shared", "no examples yet"),
	WHOLLY("netpol-ingress-only", "no examples yet"),
	WHOLLY("netpol-no-match", "no examples yet"),
	WHOLLY("netpol-none", "no examples yet"),
	WHOLLY("netpol-unproven", "no examples yet"),
	WHOLLY("netpol-wide", "no examples yet"),
	WHOLLY("nonroot-without-uid", "no examples yet"),
	WHOLLY("oom-or-restart-abuse", "no examples yet"),
	WHOLLY("package-version-free", "no examples yet"),
	WHOLLY("packages-unsigned", "no examples yet"),
	WHOLLY("policy-admits-capabilities", "no examples yet"),
	WHOLLY("policy-admits-escalation", "no examples yet"),
	WHOLLY("policy-admits-host-namespaces", "no examples yet"),
	WHOLLY("policy-admits-host-path", "no examples yet"),
	WHOLLY("policy-admits-privileged", "no examples yet"),
	WHOLLY("policy-admits-root", "no examples yet"),
	WHOLLY("policy-audit-only", "no examples yet"),
	WHOLLY("policy-seccomp-unset", "no examples yet"),
	WHOLLY("policy-unbound", "no examples yet"),
	WHOLLY("port-privileged", "no examples yet"),
	WHOLLY("privileged-helper", "no examples yet"),
	WHOLLY("probe-host", "no examples yet"),
	WHOLLY("proc-masks-off", "no examples yet"),
	WHOLLY("process-namespace-shared", "no examples yet"),
	NEVER_UNKNOWN("project-writable", "other rules say that a path is not known"),
	WHOLLY("proxy-env-only", "no examples yet"),
	WHOLLY("psa-exempt", "no examples yet"),
	WHOLLY("psa-not-enforced", "no examples yet"),
	WHOLLY("psp-removed", "no examples yet"),
	WHOLLY("pull-policy-not-always", "no examples yet"),
	WHOLLY("pv-hostpath", "no examples yet"),
	WHOLLY("rbac-cluster-admin", "no examples yet"),
	WHOLLY("rbac-configmap-write", "no examples yet"),
	WHOLLY("rbac-create-pods", "no examples yet"),
	WHOLLY("rbac-csr-token-webhook", "no examples yet"),
	WHOLLY("rbac-delete", "no examples yet"),
	WHOLLY("rbac-delete-logs", "no examples yet"),
	WHOLLY("rbac-escalate", "no examples yet"),
	WHOLLY("rbac-exec", "no examples yet"),
	WHOLLY("rbac-namespace-write", "no examples yet"),
	WHOLLY("rbac-network-write", "no examples yet"),
	WHOLLY("rbac-node-write", "no examples yet"),
	WHOLLY("rbac-nodes-proxy", "no examples yet"),
	WHOLLY("rbac-open-subject", "no examples yet"),
	WHOLLY("rbac-portforward", "no examples yet"),
	WHOLLY("rbac-pv-write", "no examples yet"),
	WHOLLY("rbac-secrets", "no examples yet"),
	WHOLLY("rbac-secrets-create", "no examples yet"),
	WHOLLY("rbac-unknown", "no examples yet"),
	WHOLLY("rbac-wildcard", "no examples yet"),
	WHOLLY("registry-insecure", "no examples yet"),
	WHOLLY("ro-not-recursive", "no examples yet"),
	WHOLLY("root-group", "no examples yet"),
	WHOLLY("runtime-annotation", "no examples yet"),
	WHOLLY("runtime-class-unseen", "no examples yet"),
	WHOLLY("runtime-sandbox-holes", "no examples yet"),
	NEVER_UNKNOWN("runtime-socket", "docker-socket alone says that a path is not known"),
	WHOLLY("sa-token-longlived", "no examples yet"),
	WHOLLY("sandbox-by-name-only", "no examples yet"),
	WHOLLY("sandbox-escape-hatch", "no examples yet"),
	WHOLLY("sandbox-excluded-commands", "no examples yet"),
	WHOLLY("sandbox-fail-open", "no examples yet"),
	WHOLLY("sandbox-net-open", "no examples yet"),
	WHOLLY("sandbox-off", "no examples yet"),
	WHOLLY("sandbox-weakened", "no examples yet"),
	WHOLLY("seatbelt-permissive", "no examples yet"),
	WHOLLY("seccomp-annotation-dead", "no examples yet"),
	WHOLLY("seccomp-custom-unseen", "no examples yet"),
	WHOLLY("seccomp-custom-wide", "no examples yet"),
	NEVER_UNKNOWN("seccomp-unset-k8s", "a profile is written or it is not"),
	WHOLLY("secret-env", "no examples yet"),
	WHOLLY("secret-in-args", "no examples yet"),
	NEVER_UNKNOWN("secret-literal", "a value that is not written in the file is no literal"),
	WHOLLY("security-context-absent", "no examples yet"),
	WHOLLY("selinux-off-or-raised", "no examples yet"),
	WHOLLY("service-account-default", "no examples yet"),
	WHOLLY("service-external-ips", "no examples yet"),
	WHOLLY("service-loadbalancer", "no examples yet"),
	WHOLLY("service-nodeport", "no examples yet"),
	WHOLLY("setuid-added", "no examples yet"),
	WHOLLY("socket-proxy", "no examples yet"),
	WHOLLY("ssh-agent", "no examples yet"),
	WHOLLY("ssh-in-container", "no examples yet"),
	WHOLLY("stage-copied-whole", "no examples yet"),
	WHOLLY("subpath-old-kubelet", "no examples yet"),
	WHOLLY("subprocess-wider", "no examples yet"),
	WHOLLY("sudo-in-use", "no examples yet"),
	WHOLLY("sudo-nopasswd", "no examples yet"),
	WHOLLY("text-as-boundary", "no examples yet"),
	WHOLLY("tls-check-off", "no examples yet"),
	WHOLLY("token-passthrough", "no examples yet"),
	WHOLLY("tool-allowed-wide", "no examples yet"),
	WHOLLY("uid-low", "no examples yet"),
	WHOLLY("unsafe-sysctl", "no examples yet"),
	WHOLLY("user-podman-socket", "no examples yet"),
	WHOLLY("userns-forced-host", "no examples yet"),
	WHOLLY("var-log-write", "no examples yet"),
	WHOLLY("volume-shared", "no examples yet"),
	WHOLLY("volume-type-outside-restricted", "no examples yet"),
	WHOLLY("windows-hostprocess", "no examples yet"),
	WHOLLY("workdir-proc-fd", "no examples yet"),
	WHOLLY("x-ape-setuid", "no examples yet"),
	WHOLLY("x-autorun-hosthook", "no examples yet"),
	WHOLLY("x-bwrap-tty", "no examples yet"),
	WHOLLY("x-cap-nonroot-softens", "no examples yet"),
	WHOLLY("x-create-pods-no-psa", "no examples yet"),
	WHOLLY("x-dacread-hostmount", "no examples yet"),
	WHOLLY("x-dind-privileged", "no examples yet"),
	WHOLLY("x-escape-hatch-unattended", "no examples yet"),
	WHOLLY("x-firewall-self-held", "no examples yet"),
	WHOLLY("x-group-plus-socket", "no examples yet"),
	WHOLLY("x-hostpid-ptrace", "no examples yet"),
	WHOLLY("x-hostpid-root", "no examples yet"),
	WHOLLY("x-mcp-http-noauth-published", "no examples yet"),
	WHOLLY("x-metadata-noderole", "no examples yet"),
	WHOLLY("x-mknod-device-rule", "no examples yet"),
	WHOLLY("x-netadmin-hostnet", "no examples yet"),
	WHOLLY("x-netraw-hostnet", "no examples yet"),
	NEVER_UNKNOWN("x-nonroot-docker-socket", "its parts are unknown"),
	WHOLLY("x-nonroot-image-root", "no examples yet"),
	NEVER_UNKNOWN("x-ro-root-rw-hostpath", "its parts are unknown"),
	WHOLLY("x-sandbox-unix-socket", "no examples yet"),
	WHOLLY("x-seccomp-off-caps", "no examples yet"),
	WHOLLY("x-secrets-open-egress", "no examples yet"),
	WHOLLY("x-shared-net-localhost", "no examples yet"),
	WHOLLY("x-sidecar-weaker", "no examples yet"),
	NEVER_UNKNOWN("x-socket-ro", "its parts are unknown"),
	WHOLLY("x-sysadmin-noapparmor", "no examples yet"),
	WHOLLY("x-token-cluster-admin", "no examples yet"),
	WHOLLY("x-unpinned-with-secrets", "no examples yet"),
	WHOLLY("x-userns-hostmount", "no examples yet"),
	WHOLLY("x-userns-softens", "no examples yet"),
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
	static const char kubernetes[] = "kubernetes=", runtime[] = "runtime=";

	if (strncmp(line, kubernetes, sizeof kubernetes - 1) == 0)
		r->expect.options.scope.kubernetes =
		    arena_strdup(&r->arena, line + sizeof kubernetes - 1);
	else if (strncmp(line, runtime, sizeof runtime - 1) == 0)
		r->expect.options.scope.runtime = arena_strdup(&r->arena, line + sizeof runtime - 1);
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

	if (is_excepted(slug, folder) != is_folder(path)) {
		if (is_folder(path)) {
			read_expectation(&r, path);
			load_folder(&r, path);
		}
	} else {
		complain(&r, is_folder(path) ? "stands among the exceptions" : "is missing", "");
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
		cmocka_unit_test(every_exception_is_a_rule),
		cmocka_unit_test(every_rule_has_its_examples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
