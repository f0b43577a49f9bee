/* Rules of the field control channels.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rules.h"

#include <string.h>

#include "src/rules/judge.h"
#include "src/rules/mount_facts.h"

#define ENGINE_SOCKETS                                                                             \
	(HOST_PATH_ENGINE_SOCKET | HOST_PATH_RUNTIME_SOCKET | HOST_PATH_USER_SOCKET |              \
	 HOST_PATH_BUILD_SOCKET)

static const char *socket_consequence(const struct fact *f, const char *what)
{
	if (mount_classes(f) & HOST_PATH_PARENT)
		return "the folder holds the engine's socket";
	return mount_is_writable(f) ? what : "read-only does not stop a connection to a socket";
}

/* The socket is also a path of the host, in the terms of the rules over paths. */
static void name_socket(struct eval *e, const struct fact *f)
{
	eval_concepts(e, mount_is_writable(f) ? "docker-socket-mounted " WRITABLE_MOUNT :
						"docker-socket-mounted " SENSITIVE_MOUNT);
}

static enum verdict docker_socket(struct eval *e, const struct fact *f)
{
	name_socket(e, f);
	return mount_judge(e, f, HOST_PATH_ENGINE_SOCKET,
			   socket_consequence(f, "whoever connects controls the engine"), true);
}

static const char *runtime_consequence(const struct fact *f)
{
	const char *source = attribute_of(f, "source");

	if (text_begins(source, "/var/lib/kubelet/pod-resources"))
		return "the kubelet tells there which devices every pod has";
	if (text_begins(source, "/var/lib/kubelet/"))
		return "whoever writes there registers with the kubelet as a plug-in";
	return "whoever connects controls the runtime";
}

static enum verdict runtime_socket(struct eval *e, const struct fact *f)
{
	const format_set kubernetes = FORMATS_K8S;
	unsigned classes = mount_classes(f);

	name_socket(e, f);
	/* One folder, one finding: on an engine's host docker-socket names /run already. */
	if ((classes & HOST_PATH_PARENT) && (classes & HOST_PATH_ENGINE_SOCKET) &&
	    !(kubernetes >> eval_row(e)->format & 1))
		return VERDICT_QUIET;
	if (!(classes & HOST_PATH_RUNTIME_SOCKET) && (classes & HOST_PATH_BUILD_SOCKET))
		eval_severity(e, SEVERITY_HIGH);
	return mount_judge(e, f, HOST_PATH_RUNTIME_SOCKET | HOST_PATH_BUILD_SOCKET,
			   socket_consequence(f, runtime_consequence(f)), false);
}

static enum verdict api_socket_flag(struct eval *e, const struct fact *f)
{
	enum verdict verdict = judge_true(e, f);

	if (verdict == VERDICT_FIRES)
		eval_say(e, "the engine's socket and the registry credentials are handed in by flag");
	return verdict;
}

static enum verdict docker_tcp(struct eval *e, const struct fact *f)
{
	if (!fact_attribute_is(f, "scheme", "tcp"))
		return fact_attribute(f, "scheme") || fact_is_known(f) ? VERDICT_QUIET
								       : VERDICT_UNKNOWN;
	if (attribute_true(f, "tls"))
		eval_severity(e, SEVERITY_HIGH);
	eval_say(e, "%s names an engine over tcp%s%s%s", f->value,
		 *attribute_of(f, "address") ? ": " : "", attribute_of(f, "address"),
		 attribute_true(f, "tls") ? " with TLS" : " without TLS");
	return VERDICT_FIRES;
}

static bool allows(struct eval *e, const char *permission)
{
	const struct fact *f = eval_value(e, FACT_SOCKET_PROXY, permission);

	return f && attribute_true(f, "enabled");
}

static enum verdict socket_proxy(struct eval *e, const struct fact *f)
{
	static const char *const wide[] = { "POST", "EXEC", "VOLUMES", "BUILD", "ALLOW_START", NULL };

	if (attribute_false(f, "supplied")) {
		eval_say(e, "a socket proxy is used and its rules are not supplied");
		return VERDICT_FIRES;
	}
	if (!attribute_true(f, "enabled"))
		return fact_is_known(f) ? VERDICT_QUIET : VERDICT_UNKNOWN;
	if (!text_is_any(f->value, wide) && !(fact_is_nocase(f, "CONTAINERS") && allows(e, "POST")))
		return VERDICT_QUIET;
	if (allows(e, "POST") && allows(e, "CONTAINERS"))
		eval_severity(e, SEVERITY_CRITICAL);
	eval_say(e, "the socket proxy allows %s", f->value);
	return VERDICT_FIRES;
}

static enum verdict user_podman_socket(struct eval *e, const struct fact *f)
{
	if (mount_classes(f) & (HOST_PATH_ENGINE_SOCKET | HOST_PATH_RUNTIME_SOCKET))
		return VERDICT_QUIET;
	return mount_judge(e, f, HOST_PATH_USER_SOCKET,
			   "the user's engine mounts anything of that user", false);
}

static enum verdict ssh_agent(struct eval *e, const struct fact *f)
{
	if (f->kind == FACT_MOUNT)
		return mount_has(f, HOST_PATH_PARENT)
			       ? VERDICT_QUIET
			       : mount_judge(e, f, HOST_PATH_AGENT_SOCKET,
					     "keys of the person can be used", false);
	if (eval_find(e, FACT_MOUNT, mount_is_host) && mount_find(e, HOST_PATH_AGENT_SOCKET) &&
	    eval_fired(e, "ssh-agent"))
		return VERDICT_QUIET;
	return judge_written(e, f);
}

static enum verdict bus_socket(struct eval *e, const struct fact *f)
{
	if (mount_classes(f) & HOST_PATH_AGENT_SOCKET)
		return VERDICT_QUIET;
	return mount_judge(e, f, HOST_PATH_BUS_SOCKET,
			   mount_has(f, HOST_PATH_PARENT) ?
				   "sockets of displays, buses and keyrings lie under it" :
				   "a bus, display or keyring of the host",
			   false);
}

static const struct fact *engine_socket(struct eval *e)
{
	static const char *const rules[] = { "docker-socket", "runtime-socket", "api-socket-flag",
					     NULL };
	const struct fact *mount = mount_find(e, ENGINE_SOCKETS);

	for (size_t i = 0; rules[i]; i++)
		eval_part(e, rules[i]);
	if (mount)
		return mount;
	return eval_value(e, FACT_API_SOCKET, "true");
}

static bool leaves_root(const struct fact *f)
{
	return fact_is_written(f) && !text_is_any(f->value, (const char *const[]){ "root", "0",
										   NULL });
}

static enum verdict x_nonroot_docker_socket(struct eval *e, const struct fact *f)
{
	const struct fact *drop, *socket;

	(void)f;
	if (!eval_fired(e, "docker-socket") && !eval_fired(e, "runtime-socket") &&
	    !eval_fired(e, "api-socket-flag"))
		return VERDICT_QUIET;
	drop = eval_find(e, FACT_PRIVILEGE_DROP, leaves_root);
	if (!drop && row_is_root(e) != TRI_FALSE)
		return VERDICT_QUIET;
	socket = engine_socket(e);
	if (socket)
		eval_subject(e, socket);
	eval_say(e, "the process is not root%s%s, but the engine behind the socket is",
		 drop ? " after the entrypoint changes to " : "", drop ? drop->value : "");
	return VERDICT_FIRES;
}

static bool is_read_only_socket(const struct fact *f)
{
	return mount_has(f, ENGINE_SOCKETS) && !mount_is_writable(f);
}

static enum verdict x_socket_ro(struct eval *e, const struct fact *f)
{
	if (!is_read_only_socket(f))
		return VERDICT_QUIET;
	eval_part(e, "docker-socket");
	eval_part(e, "runtime-socket");
	eval_part(e, "user-podman-socket");
	mount_say(e, f, "read-only protects the directory entry, not what is asked through the "
			"socket");
	return VERDICT_FIRES;
}

static bool joins_group(const struct fact *f)
{
	return fact_is_written(f);
}

static enum verdict x_group_plus_socket(struct eval *e, const struct fact *f)
{
	const struct fact *joined, *socket;

	(void)f;
	joined = eval_find(e, FACT_SOCKET_GROUP_JOIN, joins_group);
	if (!joined && !eval_fired(e, "docker-group"))
		return VERDICT_QUIET;
	socket = engine_socket(e);
	if (!socket && !(eval_fired(e, "docker-tcp") && eval_fired(e, "host-network")))
		return VERDICT_QUIET;
	eval_part(e, "docker-group");
	if (joined)
		eval_subject(e, joined);
	eval_say(e, joined ? "the entrypoint joins the socket's group, so the process that is not "
			     "root may open it"
			   : "the process is in the engine's group and the socket is visible");
	return VERDICT_FIRES;
}

static bool is_nested_engine(const struct fact *f)
{
	static const char *const names[] = { "docker", "library/docker", "podman", "podman/stable",
					     "containers/podman", NULL };
	const char *repository = attribute_of(f, "repository");
	const char *tag = attribute_of(f, "tag");

	if (!*repository)
		repository = f->value;
	if (text_holds(repository, "dind"))
		return true;
	return text_is_any(repository, names) && !text_holds(tag, "cli");
}

static bool is_engine_port(const struct fact *f)
{
	return fact_attribute_is(f, "published", "2375") || fact_attribute_is(f, "target", "2375");
}

static bool shares_engine(struct eval *e)
{
	const struct row *peer;

	for (size_t i = 0; (peer = eval_peer(e, i)); i++) {
		const struct fact *host = eval_in(e, peer, FACT_ENGINE_HOST);
		const struct fact *f = row_first(peer, FACT_MOUNT, LAYER_DECLARED);

		if (host)
			return true;
		for (; f; f = row_next(peer, f))
			if (text_holds(attribute_of(f, "target"), "docker.sock") ||
			    text_is_any(attribute_of(f, "target"),
					(const char *const[]){ "/var/run", "/run", NULL })) {
				eval_read(e, f);
				return true;
			}
	}
	return false;
}

static enum verdict x_dind_privileged(struct eval *e, const struct fact *f)
{
	(void)f;
	if (!eval_fired(e, "privileged-container") || !eval_find(e, FACT_IMAGE, is_nested_engine))
		return VERDICT_QUIET;
	if (!eval_find(e, FACT_PORT, is_engine_port) && !shares_engine(e))
		return VERDICT_QUIET;
	eval_part(e, "privileged-container");
	eval_say(e, "a privileged engine inside a container answers to others: through it they are "
		    "privileged too");
	return VERDICT_FIRES;
}

const struct rule rules_control_channels[] = {
	{
		.slug = "docker-socket",
		.field = FIELD_CONTROL_CHANNELS,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"mount of docker.sock (any path alias, :ro included) or of a directory "
			"that holds it (/run, /var/run), named pipe docker_engine, or "
			"Desktop/Colima/OrbStack socket; a GitHub workflow job container or "
			"container action (the runner binds the engine socket into it; critical "
			"on self-hosted runners, info on ephemeral hosted ones)",
		.consequence =
			"Whoever can talk to the daemon starts a container with the host's disk "
			"in it (Desktop, Colima, OrbStack: the VM's disk and the folders shared "
			"into it).",
		.fix = "Remove the mount; give the agent a builder or a narrow helper.",
		.compatibility =
			"In-agent docker commands stop; use a remote builder or rootless daemon "
			"in its own row.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S | FORMAT_BIT(BWRAP),
		.concepts = "docker-socket-mounted " WRITABLE_MOUNT,
		.each = FACT_MOUNT,
		.judge = docker_socket,
	},
	{
		.slug = "runtime-socket",
		.field = FIELD_CONTROL_CHANNELS,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"containerd.sock, crio.sock, rootful podman.sock, cri-dockerd.sock, "
			"dockershim, frakti, kubelet plugin or nri socket, or a directory that "
			"holds one (/run, /var/run); high for buildkitd.sock unless its "
			"configuration allows security.insecure",
		.consequence = "As docker-socket, below the orchestrator's checks and audit.",
		.fix = "Remove the mount.",
		.compatibility = "Node tools must run as platform workloads.",
		.owner = "platform team",
		.restore = RESTORE_MANIFEST,
		.formats = FORMATS_K8S | FORMAT_BIT(COMPOSE) | FORMATS_RUN,
		.concepts = "docker-socket-mounted " WRITABLE_MOUNT,
		.each = FACT_MOUNT,
		.judge = runtime_socket,
	},
	{
		.slug = "api-socket-flag",
		.field = FIELD_CONTROL_CHANNELS,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "compose use_api_socket: true or docker run --use-api-socket",
		.consequence =
			"The engine socket and the user's registry logins are mounted by one "
			"key, with no volume line to see.",
		.fix = "Delete the key.",
		.compatibility = "Engine calls from inside stop.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN,
		.concepts = "docker-socket-mounted",
		.each = FACT_API_SOCKET,
		.judge = api_socket_flag,
	},
	{
		.slug = "docker-tcp",
		.field = FIELD_CONTROL_CHANNELS,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"DOCKER_HOST, CONTAINER_HOST or daemon hosts set to tcp:// without "
			"tlsverify (2375 and alike); high when TLS is verified",
		.consequence = "Anything on that network path owns the daemon's host.",
		.fix = "Use a local socket held by a helper, or ssh:// with a forced command.",
		.compatibility = "Remote builds need new settings.",
		.owner = "host admin",
		.restore = RESTORE_COMMIT,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S | FORMATS_DAEMON,
		.concepts = "",
		.each = FACT_ENGINE_HOST,
		.judge = docker_tcp,
	},
	{
		.slug = "socket-proxy",
		.field = FIELD_CONTROL_CHANNELS,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"a socket proxy service is used and allows POST, EXEC, CONTAINERS "
			"create, VOLUMES or BUILD, or its rules are not supplied; critical when "
			"POST and CONTAINERS are both on",
		.consequence =
			"A filtered API that can still create containers is the whole API; read "
			"access to CONTAINERS still shows every container's environment.",
		.fix = "Allow only the read calls that are needed and pin the proxy image.",
		.compatibility = "Restart or exec features stop.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(INSPECT),
		.concepts = "",
		.each = FACT_SOCKET_PROXY,
		.judge = socket_proxy,
	},
	{
		.slug = "user-podman-socket",
		.field = FIELD_CONTROL_CHANNELS,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "rootless podman or docker socket under /run/user",
		.consequence =
			"Full control of the user's files and other rootless containers, though "
			"not of host root.",
		.fix = "Remove it or run a separate user for the agent.",
		.compatibility = "In-agent container commands stop.",
		.owner = "agent operator",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S | FORMAT_BIT(BWRAP),
		.concepts = "docker-socket-mounted",
		.each = FACT_MOUNT,
		.judge = user_podman_socket,
	},
	{
		.slug = "ssh-agent",
		.field = FIELD_CONTROL_CHANNELS,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"SSH_AUTH_SOCK passed and its socket mounted, or devcontainer/compose "
			"ssh forwarding at run time",
		.consequence = "The agent can sign as the person to any host that trusts the key.",
		.fix = "Use a deploy key for one repository, or an agent with confirm on use.",
		.compatibility = "Pushes need the deploy key.",
		.owner = "agent operator",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMAT_BIT(BWRAP) | FORMATS_K8S,
		.concepts = "",
		.each = FACT_MOUNT,
		.also = { FACT_SSH_AGENT },
		.judge = ssh_agent,
	},
	{
		.slug = "bus-socket",
		.field = FIELD_CONTROL_CHANNELS,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"system or session D-Bus socket, systemd private socket, gpg-agent, "
			"keyring, X11, Wayland, PipeWire or editor IPC sockets mounted or left "
			"reachable",
		.consequence =
			"Start units, unlock keys, type into or watch other windows, drive the "
			"editor outside the sandbox.",
		.fix = "Remove it or put a filtering proxy (xdg-dbus-proxy) in between.",
		.compatibility = "Desktop notifications and GUIs change.",
		.owner = "agent operator",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMAT_BIT(BWRAP) |
			   FORMAT_BIT(FIREJAIL),
		.concepts = "",
		.each = FACT_MOUNT,
		.judge = bus_socket,
	},
	{
		.slug = "x-nonroot-docker-socket",
		.field = FIELD_CONTROL_CHANNELS,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"non-root identity AND docker-socket or runtime-socket reachable by uid "
			"or group",
		.consequence =
			"The uid hardly matters: the daemon acts as root for whoever may "
			"connect.",
		.fix = "Remove the socket; changing the uid is no fix.",
		.compatibility = "In-agent docker stops.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S,
		.combination = true,
		.concepts = "",
		.judge = x_nonroot_docker_socket,
	},
	{
		.slug = "x-socket-ro",
		.field = FIELD_CONTROL_CHANNELS,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "control socket mounted with :ro or readOnly",
		.consequence = "Read-only applies to the file entry; requests still pass.",
		.fix = "Remove the mount.",
		.compatibility = "As docker-socket.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S,
		.combination = true,
		.concepts = "",
		.each = FACT_MOUNT,
		.judge = x_socket_ro,
	},
	{
		.slug = "x-group-plus-socket",
		.field = FIELD_CONTROL_CHANNELS,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"docker-group AND the socket path visible (mount, host network with "
			"tcp, or host /run)",
		.consequence = "The group was the missing half of full control.",
		.fix = "Remove both.",
		.compatibility = "As docker-socket.",
		.owner = "host admin",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_RUN | FORMATS_K8S | FORMAT_BIT(SYSTEMD) |
			   FORMAT_BIT(DOCKERFILE) | FORMAT_BIT(IMAGE_INSPECT) |
			   FORMAT_BIT(SCRIPT),
		.combination = true,
		.concepts = "",
		.judge = x_group_plus_socket,
	},
	{
		.slug = "x-dind-privileged",
		.field = FIELD_CONTROL_CHANNELS,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"docker:dind or nested engine with privileged AND published 2375 or "
			"shared socket volume with the agent",
		.consequence = "The agent owns a privileged engine, hence the node.",
		.fix = "Use a rootless or remote builder, or a micro-VM.",
		.compatibility = "Builds move.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_K8S | FORMAT_BIT(INSPECT),
		.combination = true,
		.concepts = "",
		.judge = x_dind_privileged,
	},
};

const size_t rules_control_channels_count =
	sizeof rules_control_channels / sizeof *rules_control_channels;
