/* What a path on the host is: engine sockets, system folders, credentials, devices, logs.
 * SPDX-License-Identifier: MIT */
#include "src/rules/host_paths.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "model/limits.h"

enum reach {
	EXACT,  /* this path only */
	BELOW,  /* this path and everything below it */
};

/* `upwards`: a mount of a parent of the path gives it too: a socket is reached through its folder. */
static const struct place {
	const char *path;
	enum reach reach;
	bool upwards;
	unsigned classes;
} places[] = {
	{ "/", EXACT, false, HOST_PATH_ROOT },

	{ "/etc", BELOW, false, HOST_PATH_SYSTEM },
	{ "/usr", BELOW, false, HOST_PATH_SYSTEM },
	{ "/bin", BELOW, false, HOST_PATH_SYSTEM },
	{ "/sbin", BELOW, false, HOST_PATH_SYSTEM },
	{ "/lib", BELOW, false, HOST_PATH_SYSTEM },
	{ "/lib32", BELOW, false, HOST_PATH_SYSTEM },
	{ "/lib64", BELOW, false, HOST_PATH_SYSTEM },
	{ "/boot", BELOW, false, HOST_PATH_SYSTEM },
	{ "/root", EXACT, false, HOST_PATH_SYSTEM | HOST_PATH_HOME },
	{ "/var/spool/cron", BELOW, false, HOST_PATH_SYSTEM },
	{ "/var/lib/cni", BELOW, false, HOST_PATH_SYSTEM },
	{ "/opt/cni", BELOW, false, HOST_PATH_SYSTEM },
	{ "/windows", BELOW, false, HOST_PATH_SYSTEM },
	{ "/program files", BELOW, false, HOST_PATH_SYSTEM },
	{ "/var/spool", EXACT, false, HOST_PATH_SYSTEM },
	{ "/system", BELOW, false, HOST_PATH_SYSTEM },
	{ "/library", BELOW, false, HOST_PATH_SYSTEM },

	{ "/var", EXACT, false, HOST_PATH_SENSITIVE },
	{ "/var/lib", EXACT, false, HOST_PATH_SENSITIVE },
	{ "/opt", EXACT, false, HOST_PATH_SENSITIVE },
	{ "/srv", EXACT, false, HOST_PATH_SENSITIVE },
	{ "/mnt", EXACT, false, HOST_PATH_SENSITIVE },
	{ "/media", EXACT, false, HOST_PATH_SENSITIVE },

	{ "/var/lib/kubelet", BELOW, true, HOST_PATH_KUBELET },
	{ "/etc/kubernetes", BELOW, false, HOST_PATH_KUBELET },
	{ "/var/lib/etcd", BELOW, true, HOST_PATH_KUBELET },
	{ "/var/lib/rancher", BELOW, true, HOST_PATH_KUBELET },
	{ "/etc/rancher", BELOW, false, HOST_PATH_KUBELET },
	{ "/var/lib/k0s", BELOW, true, HOST_PATH_KUBELET },

	{ "/var/lib/docker", BELOW, true, HOST_PATH_RUNTIME_DATA },
	{ "/var/lib/containerd", BELOW, true, HOST_PATH_RUNTIME_DATA },
	{ "/var/lib/containers", BELOW, true, HOST_PATH_RUNTIME_DATA },
	{ "/run/containerd", BELOW, false, HOST_PATH_RUNTIME_DATA },
	{ "/run/containers", BELOW, false, HOST_PATH_RUNTIME_DATA },

	{ "/proc", BELOW, false, HOST_PATH_PROC_SYS },
	{ "/sys", BELOW, false, HOST_PATH_PROC_SYS },

	{ "~", EXACT, false, HOST_PATH_HOME },
	{ "/home", EXACT, false, HOST_PATH_HOME },
	{ "/users", EXACT, false, HOST_PATH_HOME },
	{ "/var/home", EXACT, false, HOST_PATH_HOME },

	{ "~/.ssh", BELOW, false, HOST_PATH_CREDENTIAL },
	{ "~/.aws", BELOW, false, HOST_PATH_CREDENTIAL },
	{ "~/.azure", BELOW, false, HOST_PATH_CREDENTIAL },
	{ "~/.config/gcloud", BELOW, false, HOST_PATH_CREDENTIAL },
	{ "~/.config/gh", BELOW, false, HOST_PATH_CREDENTIAL },
	{ "~/.config/glab-cli", BELOW, false, HOST_PATH_CREDENTIAL },
	{ "~/.config/containers/auth.json", EXACT, false, HOST_PATH_CREDENTIAL },
	{ "~/.config/rclone", BELOW, false, HOST_PATH_CREDENTIAL },
	{ "~/.config/op", BELOW, false, HOST_PATH_CREDENTIAL },
	{ "~/.config", EXACT, false, HOST_PATH_CREDENTIAL },
	{ "~/.kube", BELOW, false, HOST_PATH_CREDENTIAL },
	{ "~/.docker", EXACT, false, HOST_PATH_CREDENTIAL },
	{ "~/.docker/config.json", EXACT, false, HOST_PATH_CREDENTIAL },
	{ "~/.gnupg", BELOW, false, HOST_PATH_CREDENTIAL },
	{ "~/.netrc", EXACT, false, HOST_PATH_CREDENTIAL },
	{ "~/_netrc", EXACT, false, HOST_PATH_CREDENTIAL },
	{ "~/.npmrc", EXACT, false, HOST_PATH_CREDENTIAL },
	{ "~/.yarnrc.yml", EXACT, false, HOST_PATH_CREDENTIAL },
	{ "~/.pypirc", EXACT, false, HOST_PATH_CREDENTIAL },
	{ "~/.git-credentials", EXACT, false, HOST_PATH_CREDENTIAL },
	{ "~/.config/git/credentials", EXACT, false, HOST_PATH_CREDENTIAL },
	{ "~/.cargo/credentials", EXACT, false, HOST_PATH_CREDENTIAL },
	{ "~/.cargo/credentials.toml", EXACT, false, HOST_PATH_CREDENTIAL },
	{ "~/.m2/settings.xml", EXACT, false, HOST_PATH_CREDENTIAL },
	{ "~/.gem/credentials", EXACT, false, HOST_PATH_CREDENTIAL },
	{ "~/.terraform.d", BELOW, false, HOST_PATH_CREDENTIAL },
	{ "~/.vault-token", EXACT, false, HOST_PATH_CREDENTIAL },
	{ "~/.password-store", BELOW, false, HOST_PATH_CREDENTIAL },
	{ "~/.pgpass", EXACT, false, HOST_PATH_CREDENTIAL },
	{ "~/.my.cnf", EXACT, false, HOST_PATH_CREDENTIAL },
	{ "~/.oci", BELOW, false, HOST_PATH_CREDENTIAL },
	{ "~/.databricks", BELOW, false, HOST_PATH_CREDENTIAL },
	{ "~/.huggingface", BELOW, false, HOST_PATH_CREDENTIAL },
	{ "~/.cache/huggingface/token", EXACT, false, HOST_PATH_CREDENTIAL },
	{ "~/.mozilla", BELOW, false, HOST_PATH_CREDENTIAL },
	{ "~/.config/google-chrome", BELOW, false, HOST_PATH_CREDENTIAL },
	{ "~/.config/chromium", BELOW, false, HOST_PATH_CREDENTIAL },
	{ "~/.local/share/keyrings", BELOW, false, HOST_PATH_CREDENTIAL },
	{ "~/library/keychains", BELOW, false, HOST_PATH_CREDENTIAL },
	{ "~/appdata/roaming/gcloud", BELOW, false, HOST_PATH_CREDENTIAL },
	/* Sign-ins of agent programs lie beside their settings. */
	{ "~/.claude", EXACT, false, HOST_PATH_CREDENTIAL },
	{ "~/.codex", EXACT, false, HOST_PATH_CREDENTIAL },
	{ "~/.gemini", EXACT, false, HOST_PATH_CREDENTIAL },
	{ "~/.local/share/opencode", EXACT, false, HOST_PATH_CREDENTIAL },
	{ "~/.config/github-copilot", BELOW, false, HOST_PATH_CREDENTIAL },
	{ "~/.claude.json", EXACT, false, HOST_PATH_CREDENTIAL },
	{ "~/.claude/.credentials.json", EXACT, false, HOST_PATH_CREDENTIAL },
	{ "~/.codex/auth.json", EXACT, false, HOST_PATH_CREDENTIAL },
	{ "~/.gemini/oauth_creds.json", EXACT, false, HOST_PATH_CREDENTIAL },
	{ "/etc/ssl/private", BELOW, false, HOST_PATH_CREDENTIAL },
	{ "/etc/pki/tls/private", BELOW, false, HOST_PATH_CREDENTIAL },
	{ "/etc/shadow", EXACT, false, HOST_PATH_CREDENTIAL },
	{ "/etc/ssh", BELOW, false, HOST_PATH_CREDENTIAL },
	{ "/etc/krb5.keytab", EXACT, false, HOST_PATH_CREDENTIAL },
	{ "/etc/kubernetes/azure.json", EXACT, false, HOST_PATH_CREDENTIAL },
	{ "/etc/kubernetes/admin.conf", EXACT, false, HOST_PATH_CREDENTIAL },

	{ "/var/log", BELOW, true, HOST_PATH_LOG },
	{ "/tmp", EXACT, false, HOST_PATH_TMP },
	{ "/var/tmp", EXACT, false, HOST_PATH_TMP },
	{ "/private/tmp", EXACT, false, HOST_PATH_TMP },
	{ "/run/user/*", EXACT, true, HOST_PATH_SESSION },
	{ "/dev", BELOW, false, HOST_PATH_DEVICE },

	{ "/run/docker.sock", EXACT, true, HOST_PATH_ENGINE_SOCKET },
	{ "/run/docker", EXACT, false, HOST_PATH_RUNTIME_DATA },
	{ "/run/docker/containerd", BELOW, true, HOST_PATH_RUNTIME_SOCKET },
	{ "/run/docker-host.sock", EXACT, false, HOST_PATH_ENGINE_SOCKET },
	{ "~/.docker/run", BELOW, false, HOST_PATH_ENGINE_SOCKET },
	{ "~/.docker/desktop/docker.sock", EXACT, false, HOST_PATH_ENGINE_SOCKET },
	{ "~/.orbstack/run", BELOW, false, HOST_PATH_ENGINE_SOCKET },
	{ "~/.rd/docker.sock", EXACT, true, HOST_PATH_ENGINE_SOCKET },
	{ "//./pipe/docker_engine", EXACT, false, HOST_PATH_ENGINE_SOCKET },
	{ "//./pipe/docker_engine_windows", EXACT, false, HOST_PATH_ENGINE_SOCKET },
	{ "//./pipe/dockerdesktoplinuxengine", EXACT, false, HOST_PATH_ENGINE_SOCKET },
	{ "/var/snap/lxd/common/lxd", BELOW, false, HOST_PATH_RUNTIME_SOCKET },
	{ "/var/lib/incus", BELOW, false, HOST_PATH_RUNTIME_SOCKET },

	{ "/run/containerd/containerd.sock", EXACT, true, HOST_PATH_RUNTIME_SOCKET },
	{ "/run/k3s/containerd/containerd.sock", EXACT, true, HOST_PATH_RUNTIME_SOCKET },
	{ "/run/dockershim.sock", EXACT, true, HOST_PATH_RUNTIME_SOCKET },
	{ "/run/cri-dockerd.sock", EXACT, true, HOST_PATH_RUNTIME_SOCKET },
	{ "/run/frakti.sock", EXACT, true, HOST_PATH_RUNTIME_SOCKET },
	{ "/run/crio/crio.sock", EXACT, true, HOST_PATH_RUNTIME_SOCKET },
	{ "/run/podman", BELOW, true, HOST_PATH_RUNTIME_SOCKET },
	{ "/run/nri", BELOW, true, HOST_PATH_RUNTIME_SOCKET },
	{ "/run/libvirt", BELOW, true, HOST_PATH_RUNTIME_SOCKET },
	{ "/var/lib/kubelet/device-plugins", BELOW, false, HOST_PATH_RUNTIME_SOCKET },
	{ "/var/lib/kubelet/plugins_registry", BELOW, false, HOST_PATH_RUNTIME_SOCKET },
	{ "/var/lib/kubelet/pod-resources", BELOW, false, HOST_PATH_RUNTIME_SOCKET },
	{ "//./pipe/containerd-containerd", EXACT, false, HOST_PATH_RUNTIME_SOCKET },
	{ "/run/buildkit", BELOW, true, HOST_PATH_BUILD_SOCKET },

	{ "/run/user/*/docker.sock", EXACT, true, HOST_PATH_USER_SOCKET },
	{ "/run/user/*/podman", BELOW, true, HOST_PATH_USER_SOCKET },
	{ "/run/user/*/containerd", BELOW, true, HOST_PATH_USER_SOCKET },

	{ "/run/host-services/ssh-auth.sock", EXACT, false, HOST_PATH_AGENT_SOCKET },
	{ "/run/user/*/ssh-agent.socket", EXACT, true, HOST_PATH_AGENT_SOCKET },
	{ "/run/user/*/keyring/ssh", EXACT, false, HOST_PATH_AGENT_SOCKET },

	{ "/run/dbus", BELOW, true, HOST_PATH_BUS_SOCKET },
	{ "/run/systemd/private", EXACT, true, HOST_PATH_BUS_SOCKET },
	{ "/run/systemd", EXACT, false, HOST_PATH_BUS_SOCKET },
	{ "/run/user/*/bus", EXACT, true, HOST_PATH_BUS_SOCKET },
	{ "/run/user/*/systemd", BELOW, true, HOST_PATH_BUS_SOCKET },
	{ "/run/user/*/keyring", BELOW, true, HOST_PATH_BUS_SOCKET },
	{ "/run/user/*/gnupg", BELOW, true, HOST_PATH_BUS_SOCKET },
	{ "/run/user/*/pulse", BELOW, true, HOST_PATH_BUS_SOCKET },
	{ "/tmp/.x11-unix", BELOW, true, HOST_PATH_BUS_SOCKET },
	{ "~/.gnupg/s.gpg-agent", EXACT, false, HOST_PATH_BUS_SOCKET },
	{ "~/.xauthority", EXACT, false, HOST_PATH_BUS_SOCKET | HOST_PATH_CREDENTIAL },

	{ "/etc/localtime", EXACT, false, HOST_PATH_ORDINARY },
	{ "/etc/timezone", EXACT, false, HOST_PATH_ORDINARY },
	{ "/usr/share/zoneinfo", BELOW, false, HOST_PATH_ORDINARY },
	{ "/etc/ssl/certs", BELOW, false, HOST_PATH_ORDINARY },
	{ "/etc/ca-certificates", BELOW, false, HOST_PATH_ORDINARY },
	{ "/usr/share/ca-certificates", BELOW, false, HOST_PATH_ORDINARY },
	{ "/usr/local/share/ca-certificates", BELOW, false, HOST_PATH_ORDINARY },
	{ "/etc/pki/ca-trust", BELOW, false, HOST_PATH_ORDINARY },
	{ "/etc/os-release", EXACT, false, HOST_PATH_ORDINARY },
	{ "/etc/machine-id", EXACT, false, HOST_PATH_ORDINARY },
	{ "/etc/hostname", EXACT, false, HOST_PATH_ORDINARY },
	{ "/etc/resolv.conf", EXACT, false, HOST_PATH_ORDINARY },
};

/* A last part that tells the kind wherever the folder is. */
static const struct {
	const char *begins, *ends;
	unsigned classes;
} names[] = {
	{ "docker", ".sock", HOST_PATH_ENGINE_SOCKET },
	{ "docker.sock.raw", "", HOST_PATH_ENGINE_SOCKET },
	{ "containerd", ".sock", HOST_PATH_RUNTIME_SOCKET },
	{ "crio", ".sock", HOST_PATH_RUNTIME_SOCKET },
	{ "cri-dockerd", ".sock", HOST_PATH_RUNTIME_SOCKET },
	{ "dockershim", ".sock", HOST_PATH_RUNTIME_SOCKET },
	{ "podman", ".sock", HOST_PATH_RUNTIME_SOCKET },
	{ "buildkitd", ".sock", HOST_PATH_BUILD_SOCKET },
	{ "nri", ".sock", HOST_PATH_RUNTIME_SOCKET },
	{ "pipewire-", "", HOST_PATH_BUS_SOCKET },
	{ "wayland-", "", HOST_PATH_BUS_SOCKET },
	{ "vscode-ipc-", ".sock", HOST_PATH_BUS_SOCKET },
	{ "system_bus_socket", "", HOST_PATH_BUS_SOCKET },
};

/* Spellings of a home or session folder, longest first; a '/' or the end must follow. */
static const struct {
	const char *prefix, *becomes;
} prefixes[] = {
	{ "npipe://", "" },
	{ "unix://", "" },
	{ "file://", "" },
	{ "${localenv:userprofile}", "~" },
	{ "${localenv:home}${localenv:userprofile}", "~" },
	{ "${localenv:home}", "~" },
	{ "${env:userprofile}", "~" },
	{ "${env:home}", "~" },
	{ "${userhome}", "~" },
	{ "%userprofile%", "~" },
	{ "${userprofile}", "~" },
	{ "$userprofile", "~" },
	{ "${home}", "~" },
	{ "$home", "~" },
	{ "$(home)", "~" },
	{ "%h", "~" },
	{ "${localenv:xdg_runtime_dir}", "/run/user/*" },
	{ "${xdg_runtime_dir}", "/run/user/*" },
	{ "$xdg_runtime_dir", "/run/user/*" },
	{ "%t", "/run/user/*" },
	{ "${ssh_auth_sock}", "/run/user/*/ssh-agent.socket" },
	{ "$ssh_auth_sock", "/run/user/*/ssh-agent.socket" },
	{ "${localenv:ssh_auth_sock}", "/run/user/*/ssh-agent.socket" },
};

/* Folders whose next part is a person's name. */
static const char *const homes[] = { "/home/", "/users/", "/var/home/", "/mnt/c/users/",
				     "/c/users/", "/host_mnt/c/users/", NULL };

static bool append(char *out, unsigned long size, const char *text, size_t length)
{
	size_t used = strlen(out);

	if (used + length + 1 > size)
		return false;
	for (size_t i = 0; i < length; i++)
		out[used + i] = text[i] == '\\' ? '/'
						: (char)tolower((unsigned char)text[i]);
	out[used + length] = '\0';
	return true;
}

/* "${HOME:-/root}/x" → the variable part's end, so that the default does not hide the name. */
static const char *known_prefix(const char *path, const char **becomes)
{
	for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
		size_t length = strlen(prefixes[i].prefix);
		const char *name = prefixes[i].prefix;

		if (tolower((unsigned char)*path) != *name)
			continue;
		*becomes = prefixes[i].becomes;
		if (strncasecmp(path, name, length) == 0 &&
		    (!isalnum((unsigned char)path[length]) || !**becomes) &&
		    path[length] != '_')
			return path + length;
		if (name[length - 1] != '}' || strncasecmp(path, name, length - 1) != 0)
			continue;
		if (path[length - 1] == ':' || path[length - 1] == '-' || path[length - 1] == '?') {
			const char *end = strchr(path, '}');

			if (end)
				return end + 1;
		}
	}
	return NULL;
}

/* "${DIR:-/var/run}/x" → "/var/run" and the rest. */
static const char *inline_default(const char *path, const char **start, size_t *length)
{
	const char *colon, *end;

	if (strncmp(path, "${", 2) != 0)
		return NULL;
	end = strchr(path, '}');
	colon = strchr(path, '-');
	if (!end || !colon || colon > end)
		return NULL;
	*start = colon + 1;
	*length = (size_t)(end - colon - 1);
	return end + 1;
}

/* Removes ".", "..", doubled and trailing slashes in place. */
static void tidy(char *path)
{
	char *out = path, *floor;
	const char *in = path;

	if (strncmp(path, "//./", 4) == 0)
		return;
	if (*in == '/')
		in++, out++;
	floor = out;
	while (*in) {
		size_t length = strcspn(in, "/");

		if (length == 2 && in[0] == '.' && in[1] == '.' && out > floor) {
			while (out > floor && out[-1] != '/')
				out--;
			if (out > floor)
				out--;
		} else if (length && !(length == 1 && *in == '.')) {
			if (out > floor)
				*out++ = '/';
			memmove(out, in, length);
			out += length;
		}
		in += length;
		in += *in == '/';
	}
	*out = '\0';
}

static void replace_prefix(char *path, size_t cut, const char *with)
{
	size_t length = strlen(with);

	memmove(path + length, path + cut, strlen(path + cut) + 1);
	memcpy(path, with, length);
}

/* The result is never longer than the input. */
static void name_homes(char *path)
{
	for (const char *const *home = homes; *home; home++) {
		size_t length = strlen(*home);

		if (strncmp(path, *home, length) == 0 && path[length]) {
			replace_prefix(path, length + strcspn(path + length, "/"), "~");
			return;
		}
	}
	if (strncmp(path, "/root/", 6) == 0)
		replace_prefix(path, 5, "~");
	if (strncmp(path, "/var/run", 8) == 0 && (path[8] == '/' || !path[8]))
		replace_prefix(path, 8, "/run");
	if (strncmp(path, "/private/var/run", 16) == 0)
		replace_prefix(path, 16, "/run");
	if (strncmp(path, "/run/user/", 10) == 0 && path[10])
		replace_prefix(path, 10 + strcspn(path + 10, "/"), "/run/user/*");
}

bool host_path_normalise(const char *path, char *out, unsigned long size)
{
	const char *rest, *becomes = "", *start;
	size_t length;

	*out = '\0';
	if (isalpha((unsigned char)path[0]) && path[1] == ':' &&
	    (path[2] == '\\' || path[2] == '/' || !path[2])) {
		if (!append(out, size, "/", path[2] ? 0 : 1))
			return false;
		path += 2;
	}
	rest = known_prefix(path, &becomes);
	if (rest) {
		if (!append(out, size, becomes, strlen(becomes)))
			return false;
		path = rest;
		rest = *becomes ? NULL : inline_default(path, &start, &length);
	} else {
		rest = inline_default(path, &start, &length);
	}
	if (rest) {
		if (!append(out, size, start, length))
			return false;
		path = rest;
	}
	if (size < strlen(out) + strlen(path) + 16 || !append(out, size, path, strlen(path)))
		return false;
	if (strncmp(out, "////./", 6) == 0)
		replace_prefix(out, 6, "//./");
	tidy(out);
	name_homes(out);
	return true;
}

static bool is_below(const char *path, const char *folder)
{
	size_t length = strlen(folder);

	return strncmp(path, folder, length) == 0 && path[length] == '/';
}

/* Folders that hold keys wherever they lie. */
static bool holds_keys(const char *path)
{
	static const char *const folders[] = { "/.ssh", "/.aws", "/.azure", "/.kube", "/.gnupg",
					       "/.config/gcloud", NULL };

	for (size_t i = 0; folders[i]; i++) {
		const char *at = strstr(path, folders[i]);

		if (at && (at[strlen(folders[i])] == '/' || !at[strlen(folders[i])]))
			return true;
	}
	return false;
}

static unsigned classes_of_name(const char *path)
{
	const char *base = strrchr(path, '/');
	size_t length = strlen(base ? base + 1 : path);
	unsigned classes = 0;

	if (!base || (path[0] != '/' && path[0] != '~' && path[0] != '$'))
		return 0;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		size_t begins = strlen(names[i].begins), ends = strlen(names[i].ends);

		if (length >= begins + ends &&
		    strncmp(base + 1, names[i].begins, begins) == 0 &&
		    strcmp(base + 1 + length - ends, names[i].ends) == 0)
			classes |= names[i].classes;
	}
	return classes;
}

static unsigned classes_of_place(const char *path, const struct place *place)
{
	/* Two characters tell most places apart. */
	if (path[0] != place->path[0] || path[1] != place->path[1])
		return 0;
	if (strcmp(path, place->path) == 0 ||
	    (place->reach == BELOW && is_below(path, place->path)))
		return place->classes;
	if (place->upwards && strcmp(path, "/") != 0 && strcmp(path, "~") != 0 &&
	    strcmp(path, "/home") != 0 && is_below(place->path, path))
		return place->classes | HOST_PATH_PARENT;
	return 0;
}

unsigned host_path_classes(const char *path)
{
	char normal[LIMIT_SCALAR_SHOWN + 16];
	unsigned classes = 0;

	if (!path || !host_path_normalise(path, normal, sizeof normal) || !*normal)
		return 0;
	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		classes |= classes_of_place(normal, &places[i]);
	classes |= classes_of_name(normal);
	if (holds_keys(normal))
		classes |= HOST_PATH_CREDENTIAL;
	/* The engine that answers below the session folder runs as the user. */
	if (strncmp(normal, "/run/user/*/", 12) == 0 &&
	    (classes & (HOST_PATH_ENGINE_SOCKET | HOST_PATH_RUNTIME_SOCKET))) {
		classes &= ~(unsigned)(HOST_PATH_ENGINE_SOCKET | HOST_PATH_RUNTIME_SOCKET);
		classes |= HOST_PATH_USER_SOCKET;
	}
	return classes;
}

bool host_path_is_opaque(const char *path)
{
	char normal[LIMIT_SCALAR_SHOWN + 16];

	if (!path || !*path || !host_path_normalise(path, normal, sizeof normal))
		return true;
	if (strncmp(normal, "${pwd", 5) == 0 || strncmp(normal, "$pwd", 4) == 0 ||
	    strncmp(normal, "$(pwd)", 6) == 0 || strncmp(normal, "${localworkspacefolder", 22) == 0)
		return false;
	return normal[0] == '$' || strncmp(normal, "{{", 2) == 0 ||
	       (normal[0] == '/' && normal[1] == '$');
}
