/* Every format that boundwalk tells apart: of an artifact, of a row, and in a rule's scope.
 * SPDX-License-Identifier: MIT */
#ifndef MODEL_FORMAT_ID_H
#define MODEL_FORMAT_ID_H

#include <stdint.h>

/* X(CONSTANT, "name", "title") */
#define FORMAT_LIST(X)                                                                             \
	X(NONE, "none", "no known format")                                                         \
	X(COMPOSE, "compose", "Compose file")                                                      \
	X(DOCKERFILE, "dockerfile", "Dockerfile")                                                  \
	X(K8S, "k8s", "Kubernetes manifest")                                                       \
	X(RBAC, "rbac", "Kubernetes RBAC object")                                                  \
	X(HELM, "helm", "Helm chart file")                                                         \
	X(KUSTOMIZE, "kustomize", "Kustomize file")                                                \
	X(MCP, "mcp", "MCP client configuration")                                                  \
	X(MCP_CATALOG, "mcp-catalog", "MCP server description or catalog")                         \
	X(AGENT_SETTINGS, "agent-settings", "agent settings")                                      \
	X(DEVCONTAINER, "devcontainer", "dev container")                                           \
	X(RUN, "run", "container command line")                                                    \
	X(SCRIPT, "scripts", "script")                                                             \
	X(CLI, "cli", "agent command line")                                                        \
	X(INSPECT, "inspect", "container inspect export")                                          \
	X(IMAGE_INSPECT, "image-inspect", "image inspect export")                                  \
	X(ENGINE_INFO, "engine-info", "engine information export")                                 \
	X(RUNTIME_EXPORT, "runtime-export", "other runtime export")                                \
	X(DAEMON_JSON, "daemon.json", "engine daemon configuration")                               \
	X(RUNTIMECLASS, "runtimeclass", "RuntimeClass or runtime configuration")                   \
	X(SYSTEMD, "systemd", "systemd unit")                                                      \
	X(QUADLET, "quadlet", "Podman quadlet")                                                    \
	X(ECS, "ecs", "ECS task definition")                                                       \
	X(WORKFLOW, "github-workflow", "GitHub workflow")                                          \
	X(OCI, "oci", "OCI runtime configuration")                                                 \
	X(SECCOMP, "seccomp", "seccomp profile")                                                   \
	X(APPARMOR, "apparmor", "AppArmor profile")                                                \
	X(BWRAP, "bwrap", "bubblewrap command line")                                               \
	X(SEATBELT, "seatbelt", "Seatbelt profile")                                                \
	X(FIREJAIL, "firejail", "firejail profile")                                                \
	X(NSJAIL, "nsjail", "nsjail configuration")                                                \
	X(LANDLOCK, "landlock", "Landlock launcher policy")                                        \
	X(DOTENV, "dotenv", "environment file")

enum format_id {
#define X(constant, name, title) FORMAT_##constant,
	FORMAT_LIST(X)
#undef X
	FORMAT_COUNT,
};

/* A set of formats, one bit each. */
typedef uint64_t format_set;
#define FORMAT_BIT(constant) (UINT64_C(1) << FORMAT_##constant)
#define FORMAT_ALL (~UINT64_C(0))

struct format_info {
	const char *name, *title;
};
extern const struct format_info format_table[FORMAT_COUNT];

#endif
