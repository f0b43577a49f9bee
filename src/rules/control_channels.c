/* Rules of the field control_channels.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rules.h"

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
		.fix =
			"Remove the mount; give the agent a builder or a narrow helper.",
		.compatibility =
			"In-agent docker commands stop; use a remote builder or rootless daemon "
			"in its own row.",
		.owner =
			"service owner",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(DEVCONTAINER) | FORMAT_BIT(MCP) | FORMAT_BIT(BWRAP) |
			   FORMAT_BIT(INSPECT),
		.concepts = "docker-socket-mounted",
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
		.consequence =
			"As docker-socket, below the orchestrator's checks and audit.",
		.fix =
			"Remove the mount.",
		.compatibility =
			"Node tools must run as platform workloads.",
		.owner =
			"platform team",
		.restore =
			"Re-apply the previous manifest revision (kubectl rollout undo needs "
			"the cluster owner's go-ahead).",
		.formats = FORMAT_BIT(K8S) | FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) |
			   FORMAT_BIT(INSPECT),
		.concepts = "docker-socket-mounted",
	},
	{
		.slug = "api-socket-flag",
		.field = FIELD_CONTROL_CHANNELS,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"compose use_api_socket: true or docker run --use-api-socket",
		.consequence =
			"The engine socket and the user's registry logins are mounted by one "
			"key, with no volume line to see.",
		.fix =
			"Delete the key.",
		.compatibility =
			"Engine calls from inside stop.",
		.owner =
			"service owner",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(INSPECT),
		.concepts = "docker-socket-mounted",
	},
	{
		.slug = "docker-tcp",
		.field = FIELD_CONTROL_CHANNELS,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"DOCKER_HOST, CONTAINER_HOST or daemon hosts set to tcp:// without "
			"tlsverify (2375 and alike); high when TLS is verified",
		.consequence =
			"Anything on that network path owns the daemon's host.",
		.fix =
			"Use a local socket held by a helper, or ssh:// with a forced command.",
		.compatibility =
			"Remote builds need new settings.",
		.owner =
			"host admin",
		.restore =
			"Revert the commit and redeploy; the finding stores the former lines "
			"and their sha256.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(DAEMON_JSON) | FORMAT_BIT(INSPECT),
		.concepts = "",
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
		.fix =
			"Allow only the read calls that are needed and pin the proxy image.",
		.compatibility =
			"Restart or exec features stop.",
		.owner =
			"service owner",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(INSPECT),
		.concepts = "",
	},
	{
		.slug = "user-podman-socket",
		.field = FIELD_CONTROL_CHANNELS,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"rootless podman or docker socket under /run/user",
		.consequence =
			"Full control of the user's files and other rootless containers, though "
			"not of host root.",
		.fix =
			"Remove it or run a separate user for the agent.",
		.compatibility =
			"In-agent container commands stop.",
		.owner =
			"agent operator",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(DEVCONTAINER) |
			   FORMAT_BIT(BWRAP) | FORMAT_BIT(INSPECT),
		.concepts = "docker-socket-mounted",
	},
	{
		.slug = "ssh-agent",
		.field = FIELD_CONTROL_CHANNELS,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"SSH_AUTH_SOCK passed and its socket mounted, or devcontainer/compose "
			"ssh forwarding at run time",
		.consequence =
			"The agent can sign as the person to any host that trusts the key.",
		.fix =
			"Use a deploy key for one repository, or an agent with confirm on use.",
		.compatibility =
			"Pushes need the deploy key.",
		.owner =
			"agent operator",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(DEVCONTAINER) |
			   FORMAT_BIT(BWRAP) | FORMAT_BIT(INSPECT),
		.concepts = "",
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
		.fix =
			"Remove it or put a filtering proxy (xdg-dbus-proxy) in between.",
		.compatibility =
			"Desktop notifications and GUIs change.",
		.owner =
			"agent operator",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(BWRAP) |
			   FORMAT_BIT(FIREJAIL) | FORMAT_BIT(INSPECT),
		.concepts = "",
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
		.fix =
			"Remove the socket; changing the uid is no fix.",
		.compatibility =
			"In-agent docker stops.",
		.owner =
			"service owner",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(DEVCONTAINER) | FORMAT_BIT(INSPECT),
		.combination = true,
		.concepts = "",
	},
	{
		.slug = "x-socket-ro",
		.field = FIELD_CONTROL_CHANNELS,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"control socket mounted with :ro or readOnly",
		.consequence =
			"Read-only applies to the file entry; requests still pass.",
		.fix =
			"Remove the mount.",
		.compatibility =
			"As docker-socket.",
		.owner =
			"service owner",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(INSPECT),
		.combination = true,
		.concepts = "",
	},
	{
		.slug = "x-group-plus-socket",
		.field = FIELD_CONTROL_CHANNELS,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"docker-group AND the socket path visible (mount, host network with "
			"tcp, or host /run)",
		.consequence =
			"The group was the missing half of full control.",
		.fix =
			"Remove both.",
		.compatibility =
			"As docker-socket.",
		.owner =
			"host admin",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(RUN) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(SYSTEMD) | FORMAT_BIT(INSPECT),
		.combination = true,
		.concepts = "",
	},
	{
		.slug = "x-dind-privileged",
		.field = FIELD_CONTROL_CHANNELS,
		.severity = SEVERITY_CRITICAL,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"docker:dind or nested engine with privileged AND published 2375 or "
			"shared socket volume with the agent",
		.consequence =
			"The agent owns a privileged engine, hence the node.",
		.fix =
			"Use a rootless or remote builder, or a micro-VM.",
		.compatibility =
			"Builds move.",
		.owner =
			"service owner",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(K8S) | FORMAT_BIT(INSPECT),
		.combination = true,
		.concepts = "",
	},
};

const size_t rules_control_channels_count = sizeof rules_control_channels / sizeof *rules_control_channels;
