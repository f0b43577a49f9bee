/* Rules that every review needs: fires, quiet and unknown for each.
 * SPDX-License-Identifier: MIT */
#include "tests/unit/rules_cases.h"

#define C FORMAT_COMPOSE
#define K FORMAT_K8S
#define D FORMAT_DOCKERFILE
#define M FORMAT_MCP
#define SOCKET "mount|/var/run/docker.sock|type=bind|source=/var/run/docker.sock|target=/s"

static void control_channels(void **state)
{
	static const struct rule_case cases[] = {
		{ "docker-socket", C, SOCKET, FIRES,
		  "docker-socket-mounted sensitive-host-path host-path-writable host-path-any",
		  "critical" },
		{ "docker-socket", C, SOCKET "|read_only=true", FIRES, NULL, "critical" },
		{ "docker-socket", C, "mount|v|type=bind|source=/run/|target=/r", FIRES, NULL, NULL },
		{ "docker-socket", C, "mount|v|type=bind|source=/var/run/../run|target=/r", FIRES,
		  NULL, NULL },
		{ "docker-socket", C, "mount|v|type=npipe|source=\\\\.\\pipe\\docker_engine|target=p",
		  FIRES, NULL, NULL },
		{ "docker-socket", C, "mount|v|type=bind|source=${HOME}/.colima/default/docker.sock",
		  FIRES, NULL, NULL },
		{ "docker-socket", C, "?mount|v|type=bind|source=${SOCK:-/var/run/docker.sock}", FIRES,
		  NULL, NULL },
		{ "docker-socket", C, "?mount|v|type=bind|source=${SOCK}|target=/s", UNKNOWN, NULL,
		  NULL },
		{ "docker-socket", C, "mount|v|type=bind|source=./data|target=/data", QUIET, NULL,
		  NULL },
		{ "docker-socket", C, "mount|v|type=volume|source=/run|target=/data", QUIET, NULL,
		  NULL },
		{ "docker-socket", C, "mount|v|type=bind|source=/var/log|target=/l", QUIET, NULL,
		  NULL },
		{ "runtime-socket", K,
		  "mount|v|type=hostPath|source=/run/containerd/containerd.sock|target=/s", FIRES,
		  "docker-socket-mounted sensitive-host-path host-path-writable host-path-any",
		  "critical" },
		{ "runtime-socket", K, "mount|v|type=hostPath|source=/var/run/crio/crio.sock", FIRES,
		  NULL, NULL },
		{ "runtime-socket", K, "mount|v|type=hostPath|source=/run/buildkit/buildkitd.sock",
		  FIRES, NULL, "high" },
		{ "runtime-socket", K, "mount|v|type=hostPath|source=/data", QUIET, NULL, NULL },
		{ "user-podman-socket", C,
		  "mount|v|type=bind|source=$XDG_RUNTIME_DIR/podman/podman.sock|target=/s", FIRES, NULL,
		  "high" },
		{ "docker-socket", C,
		  "mount|v|type=bind|source=$XDG_RUNTIME_DIR/podman/podman.sock|target=/s", QUIET, NULL,
		  NULL },
		{ "api-socket-flag", C, "use_api_socket|true", FIRES, NULL, NULL },
		{ "api-socket-flag", C, "use_api_socket|false", QUIET, NULL, NULL },
		{ "api-socket-flag", C, "~use_api_socket|{{x}}", UNKNOWN, NULL, NULL },
		{ "x-socket-ro", C, SOCKET "|read_only=true", FIRES, NULL, NULL },
		{ "x-socket-ro", C, SOCKET, QUIET, NULL, NULL },
		{ "x-nonroot-docker-socket", C, SOCKET "\nuser|1000:1000|uid=1000|gid=1000", FIRES,
		  NULL, NULL },
		{ "x-nonroot-docker-socket", C, SOCKET "\nuser|root", QUIET, NULL, NULL },
		{ "x-nonroot-docker-socket", C,
		  SOCKET "\nuser|root|uid=0\nprivilege_drop|app|tool=gosu", FIRES, NULL, NULL },
		{ "x-nonroot-docker-socket", C, "user|1000|uid=1000", QUIET, NULL, NULL },
		{ "x-group-plus-socket", C, SOCKET "\nsocket_group_join|docker", FIRES, NULL, NULL },
		{ "x-group-plus-socket", C, "group_add|docker", QUIET, NULL, NULL },
		{ "docker-tcp", C, "engine_host|DOCKER_HOST|scheme=tcp|tls=false", FIRES, NULL,
		  "critical" },
		{ "docker-tcp", C, "engine_host|DOCKER_HOST|scheme=tcp|tls=true", FIRES, NULL, "high" },
		{ "docker-tcp", C, "engine_host|DOCKER_HOST|scheme=unix", QUIET, NULL, NULL },
	};

	(void)state;
	CHECK(cases);
}

static void privileges(void **state)
{
	static const struct rule_case cases[] = {
		{ "privileged-container", C, "privileged|true", FIRES, "privileged-container",
		  "critical" },
		{ "privileged-container", C, "privileged|false", QUIET, NULL, NULL },
		{ "privileged-container", C, "-privileged|false", QUIET, NULL, NULL },
		{ "privileged-container", C, "?privileged|${P}", UNKNOWN, NULL, NULL },
		{ "privileged-container", C, "?privileged|true", FIRES, NULL, NULL },
		{ "privileged-container", C, "?privileged|false", UNKNOWN, NULL, NULL },
		{ "nnp-missing", C, "-no_new_privileges|false", FIRES, "privilege-escalation-allowed",
		  "medium" },
		{ "nnp-missing", C, "no_new_privileges|true", QUIET, NULL, NULL },
		{ "nnp-missing", C, "no_new_privileges|false", FIRES, NULL, NULL },
		{ "nnp-missing", C, "~no_new_privileges|{{x}}", UNKNOWN, NULL, NULL },
		{ "nnp-missing", C, "privileged|false", QUIET, NULL, NULL },
		{ "ape-not-false", K, "-allow_privilege_escalation|true", FIRES, NULL, NULL },
		{ "ape-not-false", K, "allow_privilege_escalation|false", QUIET, NULL, NULL },
		{ "ape-not-false", K, "~allow_privilege_escalation|{{x}}", UNKNOWN, NULL, NULL },
		{ "ape-not-false", K, "-allow_privilege_escalation|true\ntarget_os|windows", QUIET,
		  NULL, NULL },
		{ "cap-all", C, "cap_add|ALL", FIRES, NULL, "critical" },
		{ "cap-all", C, "cap_add|CHOWN", QUIET, NULL, NULL },
		{ "cap-sys-admin", C, "cap_add|SYS_ADMIN", FIRES, NULL, "critical" },
		{ "cap-sys-admin", C, "cap_add|SYS_ADMIN\nuserns|keep-id", FIRES, NULL, "medium" },
		{ "cap-sys-admin", K, "cap_add|SYS_ADMIN|effective=false|raw=CAP_SYS_ADMIN", FIRES,
		  "capability-sys-admin capability-added-dangerous capability-added-any", NULL },
		{ "cap-sys-admin", K,
		  "cap_add|SYS_ADMIN|effective=false|raw=CAP_SYS_ADMIN\nruntime|containerd", QUIET, NULL,
		  NULL },
		{ "cap-added-other", K,
		  "cap_add|SYS_ADMIN|effective=false|raw=CAP_SYS_ADMIN\nruntime|containerd", FIRES,
		  NULL, NULL },
		{ "cap-sys-admin", C, "~cap_add|{{x}}", UNKNOWN, NULL, NULL },
		{ "cap-drop-all-missing", C, "-cap_drop|", FIRES, "capabilities-not-dropped-all",
		  "medium" },
		{ "cap-drop-all-missing", C, "cap_drop|NET_RAW\ncap_drop|ALL", QUIET, NULL, NULL },
		{ "cap-drop-all-missing", C, "cap_drop|NET_RAW", FIRES, NULL, NULL },
		{ "cap-drop-all-missing", K, "~cap_drop|{{x}}", UNKNOWN, NULL, NULL },
		{ "cap-net-raw", C, "-cap_drop|", FIRES, "capability-net-raw", NULL },
		{ "cap-net-raw", C, "cap_drop|ALL", QUIET, NULL, NULL },
		{ "cap-net-raw", C, "cap_drop|ALL\ncap_add|NET_RAW", FIRES, NULL, NULL },
		{ "cap-misc-host", C, "cap_add|SYS_TIME", FIRES, NULL, "medium" },
		{ "cap-misc-host", C, "cap_add|IPC_LOCK", FIRES, "capability-added-any", "info" },
		{ "cap-added-other", C, "cap_add|CHOWN", FIRES, NULL, NULL },
		{ "cap-added-other", C, "cap_add|SYS_ADMIN", QUIET, NULL, NULL },
		{ "x-netadmin-hostnet", C, "cap_add|NET_ADMIN\nnetwork_mode|host", FIRES, NULL, NULL },
		{ "x-netadmin-hostnet", C, "cap_add|NET_ADMIN\nnetwork_mode|bridge", QUIET, NULL,
		  NULL },
		{ "x-cap-nonroot-softens", C, "cap_add|SYS_TIME\nuser|1000|uid=1000", FIRES, NULL,
		  NULL },
		{ "x-cap-nonroot-softens", C, "cap_add|SYS_TIME\nuser|root|uid=0", QUIET, NULL, NULL },
		{ "x-ape-setuid", D, "setuid|chmod u+s /bin/x", QUIET, NULL, NULL },
		{ "x-ape-setuid", C, "-no_new_privileges|false\nsetuid|chmod u+s /bin/x", FIRES, NULL,
		  NULL },
	};

	(void)state;
	CHECK(cases);
}

static void identity(void **state)
{
	static const struct rule_case cases[] = {
		{ "root-declared", D, "user|root", FIRES, "explicit-root-uid runs-as-root", NULL },
		{ "root-declared", D, "user|0:0", FIRES, NULL, NULL },
		{ "root-declared", D, "user|nonroot", QUIET, NULL, NULL },
		{ "root-declared", D, "?user|${U}", UNKNOWN, NULL, NULL },
		{ "root-declared", D, "base_image|x|final=false\nuser|root", QUIET, NULL, NULL },
		{ "root-declared", K, "user|0|uid=0", FIRES, NULL, "medium" },
		{ "root-declared", K, "user|0|uid=0\nuserns|private", FIRES, NULL, "info" },
		{ "root-declared", D, "user|root\nprivilege_drop|app|tool=setpriv|closed=true", FIRES,
		  NULL, "info" },
		{ "root-by-default", D, "-user|", FIRES, "runs-as-root", "medium" },
		{ "root-by-default", K, "-user|\nrun_as_non_root|true", QUIET, NULL, NULL },
		{ "root-by-default", D, "-user|\nbase_image|gcr.io/distroless/static:nonroot", UNKNOWN,
		  NULL, NULL },
		{ "root-by-default", C, "user|1000|uid=1000", QUIET, NULL, NULL },
		{ "nonroot-without-uid", K, "run_as_non_root|true\n-user|", FIRES, NULL, NULL },
		{ "nonroot-without-uid", K, "run_as_non_root|true\nuser|5|uid=5", QUIET, NULL, NULL },
		{ "root-group", C, "group_add|0", FIRES, NULL, NULL },
		{ "root-group", C, "group_add|1000", QUIET, NULL, NULL },
		{ "docker-group", C, "group_add|docker", FIRES, NULL, "high" },
		{ "docker-group", C, "group_add|kvm", FIRES, NULL, "medium" },
		{ "docker-group", C, "group_add|users", QUIET, NULL, NULL },
		{ "uid-low", K, "user|1000|uid=1000", FIRES, NULL, NULL },
		{ "uid-low", K, "user|20000|uid=20000", QUIET, NULL, NULL },
		{ "gid-low", K, "group|0", FIRES, NULL, NULL },
		{ "gid-low", K, "group|20000", QUIET, NULL, NULL },
	};

	(void)state;
	CHECK(cases);
}

static void kernel(void **state)
{
	static const struct rule_case cases[] = {
		{ "seccomp-unconfined", C, "seccomp|unconfined", FIRES, NULL, NULL },
		{ "seccomp-unconfined", C, "-seccomp|default", QUIET, NULL, NULL },
		{ "seccomp-unconfined", C, "-seccomp|default\nselinux|seccomp:unconfined", FIRES, NULL,
		  "info" },
		{ "seccomp-unconfined", C, "-seccomp|default\nselinux|type:x", QUIET, NULL, NULL },
		{ "seccomp-unconfined", K, "-seccomp|Unconfined", QUIET, NULL, NULL },
		{ "seccomp-unconfined", C, "~seccomp|{{x}}", UNKNOWN, NULL, NULL },
		{ "seccomp-unset-k8s", K, "-seccomp|Unconfined", FIRES, "seccomp-unset", NULL },
		{ "seccomp-unset-k8s", K, "seccomp|RuntimeDefault", QUIET, NULL, NULL },
		{ "apparmor-unconfined", C, "apparmor|unconfined", FIRES, NULL, NULL },
		{ "apparmor-unconfined", C, "apparmor|docker-default", QUIET, NULL, NULL },
		{ "apparmor-unconfined", K, "~apparmor|{{x}}", UNKNOWN, NULL, NULL },
		{ "host-pid", K, "pid|host", FIRES, NULL, "high" },
		{ "host-pid", K, "-pid|private", QUIET, NULL, NULL },
		{ "host-pid", K, "~pid|{{x}}", UNKNOWN, NULL, NULL },
		{ "host-ipc", C, "ipc|host", FIRES, NULL, NULL },
		{ "host-ipc", C, "ipc|shareable", QUIET, NULL, NULL },
		{ "host-ipc", K, "~ipc|{{x}}", UNKNOWN, NULL, NULL },
		{ "host-network", C, "network_mode|host", FIRES, NULL, NULL },
		{ "host-network", C, "network_mode|none", QUIET, NULL, NULL },
		{ "host-network", K, "~network_mode|{{x}}", UNKNOWN, NULL, NULL },
		{ "rootfs-writable", K, "-read_only_root|false", FIRES, "root-fs-writable", NULL },
		{ "rootfs-writable", K, "read_only_root|true", QUIET, NULL, NULL },
		{ "rootfs-writable", K, "~read_only_root|{{x}}", UNKNOWN, NULL, NULL },
		{ "proc-masks-off", K, "proc_mask|unconfined", FIRES, NULL, NULL },
		{ "proc-masks-off", K, "-proc_mask|default", QUIET, NULL, NULL },
		{ "x-seccomp-off-caps", C, "seccomp|unconfined\ncap_add|SYS_PTRACE", FIRES, NULL,
		  NULL },
		{ "x-sysadmin-noapparmor", C, "cap_add|SYS_ADMIN\napparmor|unconfined", FIRES, NULL,
		  "critical" },
		{ "x-hostpid-ptrace", C, "pid|host\nprivileged|true", FIRES, NULL, NULL },
		{ "x-hostpid-ptrace", C, "pid|host", QUIET, NULL, NULL },
	};

	(void)state;
	CHECK(cases);
}

static void mounts(void **state)
{
	static const struct rule_case cases[] = {
		{ "host-root-mount", C, "mount|v|type=bind|source=/|target=/h|read_only=true", FIRES,
		  "sensitive-host-path host-path-any", "critical" },
		{ "host-root-mount", C, "mount|v|type=bind|source=//|target=/h", FIRES,
		  "sensitive-host-path host-path-writable host-path-any", NULL },
		{ "host-root-mount", C, "mount|v|type=bind|source=/data|target=/h", QUIET, NULL,
		  NULL },
		{ "host-root-mount", K, "~mount|v|type=hostPath|source={{ .Values.p }}|target=/h",
		  UNKNOWN, NULL, NULL },
		{ "host-cred-dir", C, "mount|v|type=bind|source=~/.ssh|target=/k|read_only=true", FIRES,
		  NULL, "high" },
		{ "host-cred-dir", C, "mount|v|type=bind|source=~/.codex|target=/k|read_only=true", FIRES,
		  NULL, NULL },
		{ "host-cred-dir", C, "?mount|v|type=bind|source=${HOME}/.aws/|target=/k", FIRES, NULL,
		  NULL },
		{ "host-cred-dir", C, "mount|v|type=bind|source=C:\\Users\\me\\.kube\\config|target=/k",
		  FIRES, NULL, NULL },
		{ "host-cred-dir", C, "mount|v|type=bind|source=/home/me/.git-credentials|target=/k",
		  FIRES, NULL, NULL },
		{ "host-cred-dir", C, "mount|v|type=bind|source=/home/me/work|target=/k", QUIET, NULL,
		  NULL },
		{ "host-cred-dir", C, "?mount|v|type=bind|source=${DIR}|target=/k", UNKNOWN, NULL,
		  NULL },
		{ "host-home", C, "mount|v|type=bind|source=/home/me|target=/k", FIRES, NULL, NULL },
		{ "host-home", C, "mount|v|type=bind|source=/home/me/x|target=/k", QUIET, NULL, NULL },
		{ "host-system-write", K, "mount|v|type=hostPath|source=/etc|target=/e", FIRES, NULL,
		  "critical" },
		{ "host-system-write", K,
		  "mount|v|type=hostPath|source=/etc|target=/e|read_only=true", QUIET, NULL, NULL },
		{ "hostpath-other", K, "mount|v|type=hostPath|source=/etc|target=/e|read_only=true",
		  FIRES, "sensitive-host-path host-path-any", NULL },
		{ "hostpath-other", C, "mount|v|type=bind|source=/srv/x|target=/e", FIRES,
		  "host-path-any host-path-writable", "info" },
		{ "hostpath-other", C, "mount|v|type=bind|source=/a|target=/e|project=true", QUIET, NULL,
		  NULL },
		{ "host-kubelet-dir", K, "mount|v|type=hostPath|source=/var/lib/kubelet/pods", FIRES,
		  NULL, "critical" },
		{ "host-kubelet-dir", K, "mount|v|type=hostPath|source=/var/lib/kubelet/plugins", FIRES,
		  NULL, "critical" },
		{ "host-kubelet-dir", K,
		  "mount|v|type=hostPath|source=/var/lib/kubelet/plugins/csi.example.com", FIRES, NULL,
		  "medium" },
		{ "host-kubelet-dir", K,
		  "mount|v|type=hostPath|source=/var/lib/kubelet/plugins_registry", QUIET, NULL, NULL },
		{ "host-runtime-data", C, "mount|v|type=bind|source=/var/lib/docker|read_only=true",
		  FIRES, NULL, "high" },
		{ "host-proc-sys", C, "mount|v|type=bind|source=/proc|target=/p", FIRES, NULL,
		  "critical" },
		{ "host-proc-sys", C, "mount|v|type=bind|source=/sys|read_only=true", FIRES, NULL,
		  "medium" },
		{ "var-log-write", K, "mount|v|type=hostPath|source=/var/log|target=/l", FIRES, NULL,
		  NULL },
		{ "host-tmp", C, "mount|v|type=bind|source=/tmp|target=/t", FIRES, NULL, "medium" },
		{ "host-tmp", C, "mount|v|type=bind|source=/run/user/1000|target=/t", FIRES, NULL,
		  "high" },
		{ "project-writable", C, "mount|v|type=bind|source=.|target=/w|project=true", FIRES,
		  NULL, "info" },
		{ "project-writable", C,
		  "mount|v|type=bind|source=.|target=/w|project=true|read_only=true", QUIET, NULL,
		  NULL },
		{ "mount-propagation-shared", K, "mount|v|type=hostPath|propagation=Bidirectional",
		  FIRES, NULL, "medium" },
		{ "volume-shared", C,
		  "mount|v|type=volume|source=d|target=/a\nrow b compose\n"
		  "mount|v|type=volume|source=d|target=/b",
		  FIRES, NULL, NULL },
		{ "x-ro-root-rw-hostpath", C,
		  "read_only_root|true\nmount|v|type=bind|source=/srv/x|target=/e", FIRES, NULL,
		  NULL },
		{ "x-ro-root-rw-hostpath", C,
		  "read_only_root|true\nmount|v|type=bind|source=/srv/x|target=/e|read_only=true",
		  QUIET, NULL, NULL },
		{ "mcp-root-wide", M, "access_root|~", FIRES, NULL, NULL },
		{ "mcp-root-wide", M, "access_root|/home/me", FIRES, NULL, NULL },
		{ "mcp-root-wide", M, "access_root|C:\\", FIRES, NULL, NULL },
		{ "mcp-root-wide", M, "access_root|/home/me/work/project", QUIET, NULL, NULL },
		{ "mcp-root-wide", M, "?access_root|${DIR}", UNKNOWN, NULL, NULL },
	};

	(void)state;
	CHECK(cases);
}

static void the_rest(void **state)
{
	static const struct rule_case cases[] = {
		{ "publish-all-interfaces", C, "port|80:80|host_ip=|target=80|published=80", FIRES,
		  "port-published-on-all-interfaces", NULL },
		{ "publish-all-interfaces", C, "?port|${P:-8000}:8000|host_ip=|target=8000", FIRES,
		  NULL, NULL },
		{ "publish-all-interfaces", C, "port|127.0.0.1:80:80|host_ip=127.0.0.1|target=80",
		  QUIET, NULL, NULL },
		{ "publish-all-interfaces", C, "?port|${A}|target=80|host_ip=${BIND}", UNKNOWN, NULL,
		  NULL },
		{ "secret-literal", C, "env|API_KEY|secret=true|class=literal", FIRES,
		  "secret-in-env-literal", "high" },
		{ "secret-literal", C, "env|API_KEY|secret=true|class=reference", QUIET, NULL, NULL },
		{ "secret-literal", C, "env|LOG_LEVEL|class=literal", QUIET, NULL, NULL },
		{ "secret-literal", M, "env|API_KEY|secret=true|class=literal", FIRES,
		  "mcp-secret-literal secret-in-env-literal", NULL },
		{ "secret-literal", K, "secret_object|password|kind=ConfigMap|class=placeholder", FIRES,
		  "secret-in-configmap", "info" },
		{ "secret-literal", K, "secret_object|password|kind=Secret|class=placeholder", QUIET,
		  NULL, NULL },
		{ "secret-literal", K, "secret_object|password|kind=ConfigMap|class=literal", FIRES,
		  "secret-in-configmap", NULL },
		{ "sa-token-mounted", K, "-service_account_token|true", FIRES,
		  "service-account-token-mounted", NULL },
		{ "sa-token-mounted", K, "service_account_token|false", QUIET, NULL, NULL },
		{ "sa-token-mounted", K, "~service_account_token|{{x}}", UNKNOWN, NULL, NULL },
		{ "image-mutable", C, "image|nginx|repository=nginx", FIRES,
		  "image-tag-latest image-not-digest-pinned", NULL },
		{ "image-mutable", C, "image|nginx:1.25|repository=nginx|tag=1.25", FIRES,
		  "image-not-digest-pinned", NULL },
		{ "image-mutable", C, "image|nginx@sha256:0|repository=nginx|digest=sha256:0", QUIET,
		  NULL, NULL },
		{ "image-mutable", C, "image|nginx@sha256:0|invalid=true", QUIET, NULL, NULL },
		{ "image-reference-invalid", C, "image|nginx@sha256:0|invalid=true", FIRES,
		  "image-not-digest-pinned", NULL },
		{ "image-reference-invalid", C, "image|nginx@own:a|invalid=true", FIRES, "", NULL },
		{ "image-mutable", D, "base_image|scratch|scratch=true", QUIET, NULL, NULL },
		{ "image-mutable", K, "~image|{{ .Values.image }}", UNKNOWN, NULL, NULL },
		{ "mcp-unpinned", M, "package|@x/y|pinned=false", FIRES, "mcp-unpinned-package", NULL },
		{ "mcp-unpinned", M, "package|@x/y@1.2.3|pinned=true", QUIET, NULL, NULL },
		{ "mcp-unpinned", M, "~package|{{x}}", UNKNOWN, NULL, NULL },
		{ "no-limits", C, "-memory_limit|", FIRES, "memory-limit-missing", "info" },
		{ "no-limits", C, "-cpu_limit|", FIRES, "cpu-limit-missing", NULL },
		{ "no-limits", C, "pids_limit|-1", FIRES, "pids-limit-missing", NULL },
		{ "no-limits", C, "memory_limit|8g\ncpu_limit|2\npids_limit|100", QUIET, NULL, NULL },
		{ "no-limits", K, "~memory_limit|{{x}}", UNKNOWN, NULL, NULL },
		{ "declared-observed-conflict", C, "privileged|false\n!privileged|true", FIRES, NULL,
		  "high" },
		{ "declared-observed-conflict", C, "cap_add|NET_ADMIN\n!cap_add|NET_ADMIN", QUIET,
		  NULL, NULL },
		{ "declared-observed-conflict", C, "seccomp|RuntimeDefault\n!seccomp|builtin", QUIET,
		  NULL, NULL },
		{ "declared-observed-conflict", C,
		  "image|a:1|repository=a|tag=1\n!image|a:2|repository=a|tag=2", FIRES, NULL, NULL },
		{ "declared-observed-conflict", C,
		  "cap_add|NET_ADMIN\n!cap_add|SYS_ADMIN\n!cap_add|NET_ADMIN", FIRES, NULL, NULL },
		{ "evidence-stale", C, "!evidence_age|older than 30 days|stale=true", FIRES, NULL,
		  NULL },
	};

	(void)state;
	CHECK(cases);
}

/* One finding for each missing limit, each with its own identity. */
static void missing_limits_are_told_apart(void **state)
{
	struct snapshot s = { 0 };
	size_t count = 0;

	(void)state;
	evaluate(&s, C, "-memory_limit|\n-cpu_limit|\n-pids_limit|");
	for (size_t i = 0; i < s.findings.count; i++)
		if (strcmp(s.findings.items[i]->rule->slug, "no-limits") == 0) {
			for (size_t k = 0; k < i; k++)
				assert_string_not_equal(s.findings.items[i]->id,
							s.findings.items[k]->id);
			count++;
		}
	assert_int_equal(count, 3);
	snapshot_free(&s);
}

/* A finding stands at the list item that it is about. */
static void place_is_the_item(void **state)
{
	struct snapshot s = { 0 };
	const struct finding *f;

	(void)state;
	evaluate(&s, C, "user|1000|uid=1000\nmount|v|type=bind|source=./a|target=/a\n" SOCKET);
	f = finding_of(&s, "x-nonroot-docker-socket");
	assert_non_null(f);
	assert_int_equal(snapshot_line(&s, f->citations[0].span), 3);
	assert_int_equal(f->part_count, 1);
	snapshot_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(control_channels),
		cmocka_unit_test(privileges),
		cmocka_unit_test(identity),
		cmocka_unit_test(kernel),
		cmocka_unit_test(mounts),
		cmocka_unit_test(the_rest),
		cmocka_unit_test(missing_limits_are_told_apart),
		cmocka_unit_test(place_is_the_item),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
