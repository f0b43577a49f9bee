/* Options of docker, podman and nerdctl: names, letters and how many words they take.
 *
 * Sources: docker/cli cli/command/container/opts.go, exec.go and podman cmd/podman/common (2026-08).
 * SPDX-License-Identifier: MIT */
#include "src/syntax/docker_run.h"

#include <string.h>

static const struct docker_option_row run_rows[] = {
	{ "add-host", NULL, 0, DOCKER_LIST },
	{ "annotation", NULL, 0, DOCKER_LIST },
	{ "attach", NULL, 'a', DOCKER_LIST },
	{ "blkio-weight", NULL, 0, DOCKER_VALUE },
	{ "blkio-weight-device", NULL, 0, DOCKER_LIST },
	{ "cap-add", NULL, 0, DOCKER_LIST },
	{ "cap-drop", NULL, 0, DOCKER_LIST },
	{ "cgroup-parent", NULL, 0, DOCKER_VALUE },
	{ "cgroupns", NULL, 0, DOCKER_VALUE },
	{ "cidfile", NULL, 0, DOCKER_VALUE },
	{ "cpu-count", NULL, 0, DOCKER_VALUE },
	{ "cpu-percent", NULL, 0, DOCKER_VALUE },
	{ "cpu-period", NULL, 0, DOCKER_VALUE },
	{ "cpu-quota", NULL, 0, DOCKER_VALUE },
	{ "cpu-rt-period", NULL, 0, DOCKER_VALUE },
	{ "cpu-rt-runtime", NULL, 0, DOCKER_VALUE },
	{ "cpu-shares", NULL, 'c', DOCKER_VALUE },
	{ "cpus", NULL, 0, DOCKER_VALUE },
	{ "cpuset-cpus", NULL, 0, DOCKER_VALUE },
	{ "cpuset-mems", NULL, 0, DOCKER_VALUE },
	{ "detach", NULL, 'd', DOCKER_BOOL },
	{ "detach-keys", NULL, 0, DOCKER_VALUE },
	{ "device", NULL, 0, DOCKER_LIST },
	{ "device-cgroup-rule", NULL, 0, DOCKER_LIST },
	{ "device-read-bps", NULL, 0, DOCKER_LIST },
	{ "device-read-iops", NULL, 0, DOCKER_LIST },
	{ "device-write-bps", NULL, 0, DOCKER_LIST },
	{ "device-write-iops", NULL, 0, DOCKER_LIST },
	{ "disable-content-trust", NULL, 0, DOCKER_BOOL },
	{ "dns", NULL, 0, DOCKER_LIST },
	{ "dns-option", NULL, 0, DOCKER_LIST },
	{ "dns-opt", "dns-option", 0, DOCKER_LIST },
	{ "dns-search", NULL, 0, DOCKER_LIST },
	{ "domainname", NULL, 0, DOCKER_VALUE },
	{ "entrypoint", NULL, 0, DOCKER_VALUE },
	{ "env", NULL, 'e', DOCKER_LIST },
	{ "env-file", NULL, 0, DOCKER_LIST },
	{ "expose", NULL, 0, DOCKER_LIST },
	{ "gpus", NULL, 0, DOCKER_VALUE },
	{ "group-add", NULL, 0, DOCKER_LIST },
	{ "health-cmd", NULL, 0, DOCKER_VALUE },
	{ "health-interval", NULL, 0, DOCKER_VALUE },
	{ "health-retries", NULL, 0, DOCKER_VALUE },
	{ "health-start-interval", NULL, 0, DOCKER_VALUE },
	{ "health-start-period", NULL, 0, DOCKER_VALUE },
	{ "health-timeout", NULL, 0, DOCKER_VALUE },
	{ "help", NULL, 0, DOCKER_BOOL },
	{ "hostname", NULL, 'h', DOCKER_VALUE },
	{ "init", NULL, 0, DOCKER_BOOL },
	{ "interactive", NULL, 'i', DOCKER_BOOL },
	{ "io-maxbandwidth", NULL, 0, DOCKER_VALUE },
	{ "io-maxiops", NULL, 0, DOCKER_VALUE },
	{ "ip", NULL, 0, DOCKER_VALUE },
	{ "ip6", NULL, 0, DOCKER_VALUE },
	{ "ipc", NULL, 0, DOCKER_VALUE },
	{ "isolation", NULL, 0, DOCKER_VALUE },
	{ "kernel-memory", NULL, 0, DOCKER_VALUE },
	{ "label", NULL, 'l', DOCKER_LIST },
	{ "label-file", NULL, 0, DOCKER_LIST },
	{ "link", NULL, 0, DOCKER_LIST },
	{ "link-local-ip", NULL, 0, DOCKER_LIST },
	{ "log-driver", NULL, 0, DOCKER_VALUE },
	{ "log-opt", NULL, 0, DOCKER_LIST },
	{ "mac-address", NULL, 0, DOCKER_VALUE },
	{ "memory", NULL, 'm', DOCKER_VALUE },
	{ "memory-reservation", NULL, 0, DOCKER_VALUE },
	{ "memory-swap", NULL, 0, DOCKER_VALUE },
	{ "memory-swappiness", NULL, 0, DOCKER_VALUE },
	{ "mount", NULL, 0, DOCKER_LIST },
	{ "name", NULL, 0, DOCKER_VALUE },
	{ "network", NULL, 0, DOCKER_LIST },
	{ "net", "network", 0, DOCKER_LIST },
	{ "network-alias", NULL, 0, DOCKER_LIST },
	{ "net-alias", "network-alias", 0, DOCKER_LIST },
	{ "no-healthcheck", NULL, 0, DOCKER_BOOL },
	{ "oom-kill-disable", NULL, 0, DOCKER_BOOL },
	{ "oom-score-adj", NULL, 0, DOCKER_VALUE },
	{ "pid", NULL, 0, DOCKER_VALUE },
	{ "pids-limit", NULL, 0, DOCKER_VALUE },
	{ "platform", NULL, 0, DOCKER_VALUE },
	{ "privileged", NULL, 0, DOCKER_BOOL },
	{ "publish", NULL, 'p', DOCKER_LIST },
	{ "publish-all", NULL, 'P', DOCKER_BOOL },
	{ "pull", NULL, 0, DOCKER_VALUE },
	{ "quiet", NULL, 'q', DOCKER_BOOL },
	{ "read-only", NULL, 0, DOCKER_BOOL },
	{ "restart", NULL, 0, DOCKER_VALUE },
	{ "rm", NULL, 0, DOCKER_BOOL },
	{ "runtime", NULL, 0, DOCKER_VALUE },
	{ "security-opt", NULL, 0, DOCKER_LIST },
	{ "shm-size", NULL, 0, DOCKER_VALUE },
	{ "sig-proxy", NULL, 0, DOCKER_BOOL },
	{ "stop-signal", NULL, 0, DOCKER_VALUE },
	{ "stop-timeout", NULL, 0, DOCKER_VALUE },
	{ "storage-opt", NULL, 0, DOCKER_LIST },
	{ "sysctl", NULL, 0, DOCKER_LIST },
	{ "tmpfs", NULL, 0, DOCKER_LIST },
	{ "tty", NULL, 't', DOCKER_BOOL },
	{ "ulimit", NULL, 0, DOCKER_LIST },
	{ "use-api-socket", NULL, 0, DOCKER_BOOL },
	{ "user", NULL, 'u', DOCKER_VALUE },
	{ "userns", NULL, 0, DOCKER_VALUE },
	{ "uts", NULL, 0, DOCKER_VALUE },
	{ "volume", NULL, 'v', DOCKER_LIST },
	{ "volume-driver", NULL, 0, DOCKER_VALUE },
	{ "volumes-from", NULL, 0, DOCKER_LIST },
	{ "workdir", NULL, 'w', DOCKER_VALUE },
};

static const struct docker_option_row podman_rows[] = {
	{ "arch", NULL, 0, DOCKER_VALUE },
	{ "authfile", NULL, 0, DOCKER_VALUE },
	{ "cert-dir", NULL, 0, DOCKER_VALUE },
	{ "cgroup-conf", NULL, 0, DOCKER_LIST },
	{ "cgroups", NULL, 0, DOCKER_VALUE },
	{ "chrootdirs", NULL, 0, DOCKER_LIST },
	{ "creds", NULL, 0, DOCKER_VALUE },
	{ "env-host", NULL, 0, DOCKER_BOOL },
	{ "env-merge", NULL, 0, DOCKER_LIST },
	{ "gidmap", NULL, 0, DOCKER_LIST },
	{ "hostuser", NULL, 0, DOCKER_LIST },
	{ "http-proxy", NULL, 0, DOCKER_BOOL },
	{ "image-volume", NULL, 0, DOCKER_VALUE },
	{ "infra-name", NULL, 0, DOCKER_VALUE },
	{ "init-path", NULL, 0, DOCKER_VALUE },
	{ "no-hosts", NULL, 0, DOCKER_BOOL },
	{ "passwd", NULL, 0, DOCKER_BOOL },
	{ "pod", NULL, 0, DOCKER_VALUE },
	{ "pod-id-file", NULL, 0, DOCKER_VALUE },
	{ "preserve-fds", NULL, 0, DOCKER_VALUE },
	{ "preserve-fd", NULL, 0, DOCKER_LIST },
	{ "rdt-class", NULL, 0, DOCKER_VALUE },
	{ "read-only-tmpfs", NULL, 0, DOCKER_BOOL },
	{ "replace", NULL, 0, DOCKER_BOOL },
	{ "requires", NULL, 0, DOCKER_LIST },
	{ "retry", NULL, 0, DOCKER_VALUE },
	{ "retry-delay", NULL, 0, DOCKER_VALUE },
	{ "rootfs", NULL, 0, DOCKER_BOOL },
	{ "sdnotify", NULL, 0, DOCKER_VALUE },
	{ "seccomp-policy", NULL, 0, DOCKER_VALUE },
	{ "secret", NULL, 0, DOCKER_LIST },
	{ "shm-size-systemd", NULL, 0, DOCKER_VALUE },
	{ "signature-policy", NULL, 0, DOCKER_VALUE },
	{ "subgidname", NULL, 0, DOCKER_VALUE },
	{ "subuidname", NULL, 0, DOCKER_VALUE },
	{ "systemd", NULL, 0, DOCKER_VALUE },
	{ "timeout", NULL, 0, DOCKER_VALUE },
	{ "tls-verify", NULL, 0, DOCKER_BOOL },
	{ "tz", NULL, 0, DOCKER_VALUE },
	{ "uidmap", NULL, 0, DOCKER_LIST },
	{ "umask", NULL, 0, DOCKER_VALUE },
	{ "unsetenv", NULL, 0, DOCKER_LIST },
	{ "unsetenv-all", NULL, 0, DOCKER_BOOL },
	{ "variant", NULL, 0, DOCKER_VALUE },
	{ "decryption-key", NULL, 0, DOCKER_LIST },
	{ "group-entry", NULL, 0, DOCKER_VALUE },
	{ "health-log-destination", NULL, 0, DOCKER_VALUE },
	{ "health-max-log-count", NULL, 0, DOCKER_VALUE },
	{ "health-max-log-size", NULL, 0, DOCKER_VALUE },
	{ "health-on-failure", NULL, 0, DOCKER_VALUE },
	{ "health-startup-cmd", NULL, 0, DOCKER_VALUE },
	{ "health-startup-interval", NULL, 0, DOCKER_VALUE },
	{ "health-startup-retries", NULL, 0, DOCKER_VALUE },
	{ "health-startup-success", NULL, 0, DOCKER_VALUE },
	{ "health-startup-timeout", NULL, 0, DOCKER_VALUE },
	{ "os", NULL, 0, DOCKER_VALUE },
	{ "passwd-entry", NULL, 0, DOCKER_VALUE },
	{ "rmi", NULL, 0, DOCKER_BOOL },
};

static const struct docker_option_row exec_rows[] = {
	{ "detach", NULL, 'd', DOCKER_BOOL },
	{ "detach-keys", NULL, 0, DOCKER_VALUE },
	{ "env", NULL, 'e', DOCKER_LIST },
	{ "env-file", NULL, 0, DOCKER_LIST },
	{ "interactive", NULL, 'i', DOCKER_BOOL },
	{ "privileged", NULL, 0, DOCKER_BOOL },
	{ "tty", NULL, 't', DOCKER_BOOL },
	{ "user", NULL, 'u', DOCKER_VALUE },
	{ "workdir", NULL, 'w', DOCKER_VALUE },
};

static const struct docker_option_row podman_exec_rows[] = {
	{ "latest", NULL, 'l', DOCKER_BOOL },
	{ "preserve-fds", NULL, 0, DOCKER_VALUE },
	{ "preserve-fd", NULL, 0, DOCKER_LIST },
	{ "cidfile", NULL, 0, DOCKER_VALUE },
	{ "no-session", NULL, 0, DOCKER_BOOL },
};

static const struct docker_option_row nerdctl_rows[] = {
	{ "cgroup-conf", NULL, 0, DOCKER_LIST },
	{ "cosign-certificate-identity", NULL, 0, DOCKER_VALUE },
	{ "cosign-certificate-oidc-issuer", NULL, 0, DOCKER_VALUE },
	{ "cosign-key", NULL, 0, DOCKER_VALUE },
	{ "ipfs-address", NULL, 0, DOCKER_VALUE },
	{ "pidfile", NULL, 0, DOCKER_VALUE },
	{ "rdt-class", NULL, 0, DOCKER_VALUE },
	{ "rootfs", NULL, 0, DOCKER_BOOL },
	{ "umask", NULL, 0, DOCKER_VALUE },
	{ "verify", NULL, 0, DOCKER_VALUE },
};

static const struct docker_option_row docker_globals[] = {
	{ "config", NULL, 0, DOCKER_VALUE },	{ "context", NULL, 'c', DOCKER_VALUE },
	{ "debug", NULL, 'D', DOCKER_BOOL },	{ "host", NULL, 'H', DOCKER_LIST },
	{ "log-level", NULL, 'l', DOCKER_VALUE }, { "tls", NULL, 0, DOCKER_BOOL },
	{ "tlscacert", NULL, 0, DOCKER_VALUE }, { "tlscert", NULL, 0, DOCKER_VALUE },
	{ "tlskey", NULL, 0, DOCKER_VALUE },	{ "tlsverify", NULL, 0, DOCKER_BOOL },
};

static const struct docker_option_row podman_globals[] = {
	{ "cgroup-manager", NULL, 0, DOCKER_VALUE }, { "config", NULL, 0, DOCKER_VALUE },
	{ "conmon", NULL, 0, DOCKER_VALUE },	     { "connection", NULL, 'c', DOCKER_VALUE },
	{ "context", NULL, 0, DOCKER_VALUE },	     { "events-backend", NULL, 0, DOCKER_VALUE },
	{ "hooks-dir", NULL, 0, DOCKER_LIST },	     { "host", NULL, 'H', DOCKER_VALUE },
	{ "identity", NULL, 0, DOCKER_VALUE },	     { "imagestore", NULL, 0, DOCKER_VALUE },
	{ "log-level", NULL, 0, DOCKER_VALUE },	     { "module", NULL, 0, DOCKER_LIST },
	{ "network-cmd-path", NULL, 0, DOCKER_VALUE }, { "network-config-dir", NULL, 0, DOCKER_VALUE },
	{ "out", NULL, 0, DOCKER_VALUE },	     { "remote", NULL, 'r', DOCKER_BOOL },
	{ "root", NULL, 0, DOCKER_VALUE },	     { "runroot", NULL, 0, DOCKER_VALUE },
	{ "runtime", NULL, 0, DOCKER_VALUE },	     { "runtime-flag", NULL, 0, DOCKER_LIST },
	{ "ssh", NULL, 0, DOCKER_VALUE },	     { "storage-driver", NULL, 0, DOCKER_VALUE },
	{ "storage-opt", NULL, 0, DOCKER_LIST },     { "syslog", NULL, 0, DOCKER_BOOL },
	{ "tmpdir", NULL, 0, DOCKER_VALUE },	     { "transient-store", NULL, 0, DOCKER_BOOL },
	{ "url", NULL, 0, DOCKER_VALUE },	     { "volumepath", NULL, 0, DOCKER_VALUE },
};

static const struct docker_option_row nerdctl_globals[] = {
	{ "address", NULL, 'a', DOCKER_VALUE },	     { "bridge-ip", NULL, 0, DOCKER_VALUE },
	{ "cgroup-manager", NULL, 0, DOCKER_VALUE }, { "cni-netconfpath", NULL, 0, DOCKER_VALUE },
	{ "cni-path", NULL, 0, DOCKER_VALUE },	     { "data-root", NULL, 0, DOCKER_VALUE },
	{ "debug", NULL, 0, DOCKER_BOOL },	     { "debug-full", NULL, 0, DOCKER_BOOL },
	{ "experimental", NULL, 0, DOCKER_BOOL },    { "host", "address", 'H', DOCKER_VALUE },
	{ "host-gateway-ip", NULL, 0, DOCKER_VALUE }, { "hosts-dir", NULL, 0, DOCKER_LIST },
	{ "insecure-registry", NULL, 0, DOCKER_BOOL }, { "namespace", NULL, 'n', DOCKER_VALUE },
	{ "snapshotter", NULL, 0, DOCKER_VALUE },    { "storage-driver", NULL, 0, DOCKER_VALUE },
};

struct option_table {
	const struct docker_option_row *rows;
	size_t count;
};

#define TABLE(rows) { (rows), sizeof(rows) / sizeof((rows)[0]) }

/* Per tool, first the options of its own. */
static const struct option_table run_tables[][2] = {
	[DOCKER_TOOL_DOCKER] = { TABLE(run_rows), { NULL, 0 } },
	[DOCKER_TOOL_PODMAN] = { TABLE(podman_rows), TABLE(run_rows) },
	[DOCKER_TOOL_NERDCTL] = { TABLE(nerdctl_rows), TABLE(run_rows) },
};
static const struct option_table exec_tables[][2] = {
	[DOCKER_TOOL_DOCKER] = { TABLE(exec_rows), { NULL, 0 } },
	[DOCKER_TOOL_PODMAN] = { TABLE(podman_exec_rows), TABLE(exec_rows) },
	[DOCKER_TOOL_NERDCTL] = { TABLE(exec_rows), { NULL, 0 } },
};
static const struct option_table global_tables[][2] = {
	[DOCKER_TOOL_DOCKER] = { TABLE(docker_globals), { NULL, 0 } },
	[DOCKER_TOOL_PODMAN] = { TABLE(podman_globals), { NULL, 0 } },
	[DOCKER_TOOL_NERDCTL] = { TABLE(nerdctl_globals), TABLE(docker_globals) },
};

static const struct docker_option_row *find(const struct option_table tables[2], const char *name,
					    size_t length, char letter)
{
	for (int t = 0; t < 2; t++)
		for (size_t i = 0; i < tables[t].count; i++) {
			const struct docker_option_row *row = &tables[t].rows[i];

			if (name ? strncmp(row->name, name, length) == 0 && !row->name[length]
				 : letter && row->letter == letter)
				return row;
		}
	return NULL;
}

const struct docker_option_row *docker_option_find(enum docker_tool tool, enum docker_verb verb,
						   const char *name, size_t length, char letter)
{
	return find(verb == DOCKER_EXEC ? exec_tables[tool] : run_tables[tool], name, length,
		    letter);
}

const struct docker_option_row *docker_global_find(enum docker_tool tool, const char *name,
						   size_t length, char letter)
{
	return find(global_tables[tool], name, length, letter);
}
