/* The keys of a Compose file: the table.
 * SPDX-License-Identifier: MIT */
#include "src/formats/compose/schema.h"

#include <stddef.h>
#include <string.h>

#define KEY(key, kind)                                                                             \
	{                                                                                          \
		.name = key, .form = CFORM_##kind                                                  \
	}
#define KEY_UNIQUE(key, kind, by)                                                                  \
	{                                                                                          \
		.name = key, .form = CFORM_##kind, .unique = CUNIQUE_##by, .item = &text_item       \
	}
#define KEY_PATH(key, kind)                                                                        \
	{                                                                                          \
		.name = key, .form = CFORM_##kind, .path = true                                    \
	}
#define KEY_CHOICE(key, words)                                                                     \
	{                                                                                          \
		.name = key, .form = CFORM_TEXT, .choices = words                                  \
	}
#define KEY_MAP(key, table)                                                                        \
	{                                                                                          \
		.name = key, .form = CFORM_MAP, .keys = table                                      \
	}
#define KEY_LIST(key, row)                                                                         \
	{                                                                                          \
		.name = key, .form = CFORM_LIST, .item = row                                       \
	}
#define END                                                                                        \
	{                                                                                          \
		.name = NULL                                                                       \
	}

#define MAP_OR_NOTHING(key, table)                                                                 \
	{                                                                                          \
		.name = key, .form = CFORM_MAP, .keys = table, .nullable = true                    \
	}
#define MAP_OF_NAMES(key, table)                                                                   \
	{                                                                                          \
		.name = key, .form = CFORM_MAP, .keys = table, .named = true                       \
	}

static const struct ckey any_value = KEY("*", ANY);
static const struct ckey path_item = KEY_PATH("*", TEXT);
static const struct ckey scalar_item = KEY("*", SCALAR);
static const struct ckey text_item = KEY("*", TEXT);
static const struct ckey scalar_values[] = { KEY("*", SCALAR), END };
static const struct ckey nullable_values[] = {
	{ .name = "*", .form = CFORM_SCALAR, .nullable = true },
	END,
};
static const struct ckey text_values[] = { KEY("*", TEXT), END };
static const struct ckey option_values[] = { KEY("*", OPTION), END };

#define TEXT_LIST(key)                                                                             \
	{                                                                                          \
		.name = key, .form = CFORM_LIST, .unique = CUNIQUE_TEXT, .item = &text_item        \
	}
#define SCALAR_LIST(key)                                                                           \
	{                                                                                          \
		.name = key, .form = CFORM_LIST, .unique = CUNIQUE_TEXT, .item = &scalar_item      \
	}
#define TEXTS(key, kind)                                                                           \
	{                                                                                          \
		.name = key, .form = CFORM_##kind, .item = &text_item                              \
	}

static const struct ckey hook_keys[] = {
	TEXTS("command", COMMAND),     KEY("image", TEXT),
	KEY("user", TEXT),           KEY("privileged", BOOLEAN),
	KEY("working_dir", TEXT),    KEY("environment", PAIRS),
	KEY("per_replica", BOOLEAN), END,
};
/* A pre_start step may leave its command to its image; the others run in the service's container. */
static const struct ckey hook = { .name = "*", .form = CFORM_MAP, .keys = hook_keys };
static const struct ckey command_hook = {
	.name = "*",
	.form = CFORM_MAP,
	.keys = hook_keys,
	.required = "command",
};

static const struct ckey ulimit_keys[] = { KEY("hard", INTEGER), KEY("soft", INTEGER), END };
static const struct ckey ulimits[] = {
	{ .name = "*", .form = CFORM_ULIMIT, .keys = ulimit_keys, .merge = CMERGE_REPLACE },
	END,
};

static const struct ckey mount_keys[] = {
	KEY("source", TEXT), KEY("target", TEXT), KEY("uid", TEXT),
	KEY("gid", TEXT),    KEY("mode", MODE),   END,
};
static const struct ckey mount_item = { .name = "*", .form = CFORM_MOUNT, .keys = mount_keys };

static const struct ckey context_values[] = { KEY_PATH("*", SCALAR), END };
static const struct ckey build_keys[] = {
	KEY_PATH("context", TEXT),
	KEY("dockerfile", TEXT),
	KEY("dockerfile_inline", TEXT),
	TEXT_LIST("entitlements"),
	KEY("args", PAIRS),
	KEY("ssh", SSH),
	KEY("labels", PAIRS),
	TEXT_LIST("cache_from"),
	TEXT_LIST("cache_to"),
	KEY("no_cache", BOOLEAN),
	KEY_UNIQUE("no_cache_filter", STRINGS, TEXT),
	{ .name = "additional_contexts", .form = CFORM_PAIRS, .keys = context_values },
	KEY("network", TEXT),
	KEY("provenance", SCALAR),
	KEY("sbom", SCALAR),
	KEY("pull", BOOLEAN),
	KEY("target", TEXT),
	KEY("shm_size", BYTES),
	KEY("extra_hosts", HOSTS),
	KEY("isolation", TEXT),
	KEY("privileged", BOOLEAN),
	{ .name = "secrets", .form = CFORM_LIST, .item = &mount_item, .unique = CUNIQUE_SECRET },
	TEXT_LIST("tags"),
	KEY_MAP("ulimits", ulimits),
	TEXT_LIST("platforms"),
	END,
};

static const struct ckey rate_keys[] = {
	KEY("path", TEXT),
	KEY("rate", BYTES),
	KEY("weight", INTEGER),
	END,
};
static const struct ckey rate = { .name = "*", .form = CFORM_MAP, .keys = rate_keys };
static const struct ckey blkio_keys[] = {
	KEY_LIST("device_read_bps", &rate),
	KEY_LIST("device_read_iops", &rate),
	KEY_LIST("device_write_bps", &rate),
	KEY_LIST("device_write_iops", &rate),
	KEY("weight", INTEGER),
	KEY_LIST("weight_device", &rate),
	END,
};

static const struct ckey credential_keys[] = {
	KEY("config", TEXT),
	KEY("file", TEXT),
	KEY("registry", TEXT),
	END,
};

static const struct ckey dependency_keys[] = {
	KEY("restart", BOOLEAN),
	KEY("required", BOOLEAN),
	KEY_CHOICE("condition", "service_started service_healthy service_completed_successfully"),
	END,
};
static const struct ckey dependencies[] = { KEY_MAP("*", dependency_keys), END };

static const struct ckey device_keys[] = {
	KEY("source", TEXT),
	KEY("target", TEXT),
	KEY("permissions", TEXT),
	END,
};
static const struct ckey device_item = {
	.name = "*",
	.form = CFORM_DEVICE,
	.keys = device_keys,
	.required = "source",
};

static const struct ckey request_keys[] = {
	TEXT_LIST("capabilities"), KEY("count", COUNT_OR_ALL), TEXT_LIST("device_ids"),
	KEY("driver", TEXT),       KEY("options", PAIRS),      END,
};
static const struct ckey gpu_item = { .name = "*", .form = CFORM_REQUEST, .keys = request_keys };
static const struct ckey request_item = {
	.name = "*",
	.form = CFORM_REQUEST,
	.keys = request_keys,
	.required = "capabilities",
};

static const struct ckey discrete_keys[] = { KEY("kind", TEXT), KEY("value", NUMBER), END };
static const struct ckey generic_keys[] = {
	KEY_MAP("discrete_resource_spec", discrete_keys),
	END,
};
static const struct ckey generic_item = { .name = "*", .form = CFORM_MAP, .keys = generic_keys };
static const struct ckey limit_keys[] = {
	KEY("cpus", NUMBER),
	KEY("memory", BYTES),
	KEY("pids", INTEGER),
	KEY_LIST("generic_resources", &generic_item),
	KEY_LIST("devices", &request_item),
	END,
};
static const struct ckey resource_keys[] = {
	KEY_MAP("limits", limit_keys),
	KEY_MAP("reservations", limit_keys),
	END,
};
static const struct ckey update_keys[] = {
	KEY("parallelism", INTEGER),
	KEY("delay", DURATION),
	KEY("failure_action", TEXT),
	KEY("monitor", DURATION),
	KEY("max_failure_ratio", NUMBER),
	KEY_CHOICE("order", "start-first stop-first"),
	END,
};
static const struct ckey restart_keys[] = {
	KEY("condition", TEXT),
	KEY("delay", DURATION),
	KEY("max_attempts", INTEGER),
	KEY("window", DURATION),
	END,
};
static const struct ckey spread_keys[] = { KEY("spread", TEXT), END };
static const struct ckey spread = { .name = "*", .form = CFORM_MAP, .keys = spread_keys };
static const struct ckey placement_keys[] = {
	TEXT_LIST("constraints"),
	KEY_LIST("preferences", &spread),
	KEY("max_replicas_per_node", INTEGER),
	END,
};
static const struct ckey deploy_keys[] = {
	KEY("mode", TEXT),
	KEY("endpoint_mode", TEXT),
	KEY("replicas", INTEGER),
	KEY("labels", PAIRS),
	KEY_MAP("rollback_config", update_keys),
	KEY_MAP("update_config", update_keys),
	KEY_MAP("resources", resource_keys),
	KEY_MAP("restart_policy", restart_keys),
	KEY_MAP("placement", placement_keys),
	END,
};

static const struct ckey watch_keys[] = {
	TEXTS("ignore", STRINGS),
	TEXTS("include", STRINGS),
	KEY_PATH("path", TEXT),
	KEY_CHOICE("action", "rebuild sync restart sync+restart sync+exec"),
	KEY("target", TEXT),
	KEY_MAP("exec", hook_keys),
	KEY("initial_sync", BOOLEAN),
	END,
};
static const struct ckey watch = {
	.name = "*",
	.form = CFORM_MAP,
	.keys = watch_keys,
	.required = "path action",
};
static const struct ckey develop_keys[] = { KEY_LIST("watch", &watch), END };

static const struct ckey env_file_keys[] = {
	KEY_PATH("path", TEXT),
	KEY("format", TEXT),
	KEY("required", BOOLEAN),
	END,
};
static const struct ckey env_file_item = {
	.name = "*",
	.form = CFORM_ENV_FILE,
	.keys = env_file_keys,
	.required = "path",
};

static const struct ckey extends_keys[] = { KEY("service", TEXT), KEY("file", TEXT), END };
static const struct ckey provider_keys[] = {
	KEY("type", TEXT),
	KEY_MAP("options", option_values),
	END,
};
static const struct ckey health_keys[] = {
	KEY("disable", BOOLEAN),
	KEY("interval", DURATION),
	KEY("retries", INTEGER),
	{ .name = "test", .form = CFORM_TEST, .merge = CMERGE_REPLACE, .item = &text_item },
	KEY("timeout", DURATION),
	KEY("start_period", DURATION),
	KEY("start_interval", DURATION),
	END,
};
static const struct ckey logging_keys[] = {
	KEY("driver", TEXT),
	KEY_MAP("options", nullable_values),
	END,
};
static const struct ckey model_use_keys[] = {
	KEY("endpoint_var", TEXT),
	KEY("model_var", TEXT),
	END,
};
static const struct ckey model_uses[] = { MAP_OR_NOTHING("*", model_use_keys), END };
static const struct ckey attachment_keys[] = {
	TEXT_LIST("aliases"),
	KEY("interface_name", TEXT),
	KEY("ipv4_address", TEXT),
	KEY("ipv6_address", TEXT),
	TEXT_LIST("link_local_ips"),
	KEY("mac_address", TEXT),
	KEY_MAP("driver_opts", scalar_values),
	KEY("priority", NUMBER),
	KEY("gw_priority", NUMBER),
	END,
};
static const struct ckey attachments[] = { MAP_OR_NOTHING("*", attachment_keys), END };

static const struct ckey port_keys[] = {
	KEY("name", TEXT),         KEY("mode", TEXT),
	KEY("host_ip", TEXT),      KEY("target", INTEGER),
	KEY("published", SCALAR),  KEY("protocol", TEXT),
	KEY("app_protocol", TEXT), END,
};
static const struct ckey port_item = { .name = "*", .form = CFORM_MAP, .keys = port_keys };

static const struct ckey bind_keys[] = {
	KEY("propagation", TEXT),
	KEY("create_host_path", BOOLEAN),
	KEY_CHOICE("recursive", "enabled disabled writable readonly"),
	KEY_CHOICE("selinux", "z Z"),
	END,
};
static const struct ckey volume_use_keys[] = {
	KEY("labels", PAIRS),
	KEY("nocopy", BOOLEAN),
	KEY("subpath", TEXT),
	END,
};
static const struct ckey tmpfs_keys[] = { KEY("size", SIZE), KEY("mode", MODE), END };
static const struct ckey image_keys[] = { KEY("subpath", TEXT), END };
static const struct ckey volume_keys[] = {
	KEY_CHOICE("type", "bind volume tmpfs cluster npipe image"),
	KEY("source", TEXT),
	KEY("target", TEXT),
	KEY("read_only", BOOLEAN),
	KEY("consistency", TEXT),
	KEY_MAP("bind", bind_keys),
	KEY_MAP("volume", volume_use_keys),
	KEY_MAP("tmpfs", tmpfs_keys),
	KEY_MAP("image", image_keys),
	END,
};
static const struct ckey volume_item = {
	.name = "*",
	.form = CFORM_VOLUME,
	.keys = volume_keys,
	.required = "type",
};

static const struct ckey service_keys[] = {
	MAP_OR_NOTHING("develop", develop_keys),
	MAP_OR_NOTHING("deploy", deploy_keys),
	KEY("annotations", PAIRS),
	KEY("attach", BOOLEAN),
	{ .name = "build", .form = CFORM_BUILD, .keys = build_keys },
	KEY_MAP("blkio_config", blkio_keys),
	TEXT_LIST("cap_add"),
	TEXT_LIST("cap_drop"),
	KEY_CHOICE("cgroup", "host private"),
	KEY("cgroup_parent", TEXT),
	{ .name = "command",
	  .form = CFORM_COMMAND,
	  .merge = CMERGE_REPLACE,
	  .item = &text_item },
	{ .name = "configs", .form = CFORM_LIST, .item = &mount_item, .unique = CUNIQUE_CONFIG },
	KEY("container_name", TEXT),
	KEY("cpu_count", INTEGER),
	KEY("cpu_percent", NUMBER),
	KEY("cpu_shares", INTEGER),
	KEY("cpu_quota", INTEGER),
	KEY("cpu_period", SCALAR),
	KEY("cpu_rt_period", SCALAR),
	KEY("cpu_rt_runtime", SCALAR),
	KEY("cpus", NUMBER),
	KEY("cpuset", TEXT),
	KEY_MAP("credential_spec", credential_keys),
	{ .name = "depends_on", .form = CFORM_DEPENDS, .keys = dependencies, .named = true },
	TEXT_LIST("device_cgroup_rules"),
	{ .name = "devices", .form = CFORM_LIST, .item = &device_item, .unique = CUNIQUE_TARGET },
	KEY_UNIQUE("dns", STRINGS, TEXT),
	TEXT_LIST("dns_opt"),
	KEY_UNIQUE("dns_search", STRINGS, TEXT),
	KEY("domainname", TEXT),
	{ .name = "entrypoint",
	  .form = CFORM_COMMAND,
	  .merge = CMERGE_REPLACE,
	  .item = &text_item },
	{ .name = "env_file",
	  .form = CFORM_ENV_FILES,
	  .item = &env_file_item,
	  .unique = CUNIQUE_PATH },
	{ .name = "label_file", .form = CFORM_STRINGS, .item = &path_item, .unique = CUNIQUE_TEXT },
	KEY("environment", PAIRS),
	SCALAR_LIST("expose"),
	{ .name = "extends", .form = CFORM_EXTENDS, .keys = extends_keys, .required = "service" },
	{ .name = "provider", .form = CFORM_MAP, .keys = provider_keys, .required = "type" },
	TEXT_LIST("external_links"),
	KEY("extra_hosts", HOSTS),
	{ .name = "gpus", .form = CFORM_GPUS, .item = &gpu_item },
	SCALAR_LIST("group_add"),
	KEY_MAP("healthcheck", health_keys),
	KEY("hostname", TEXT),
	KEY("image", TEXT),
	KEY("init", BOOLEAN),
	KEY("ipc", TEXT),
	KEY("isolation", TEXT),
	KEY("labels", PAIRS),
	TEXT_LIST("links"),
	{ .name = "logging", .form = CFORM_MAP, .keys = logging_keys, .merge = CMERGE_LOGGING },
	KEY("mac_address", TEXT),
	KEY("mem_limit", BYTES),
	KEY("mem_reservation", BYTES),
	KEY("mem_swappiness", INTEGER),
	KEY("memswap_limit", BYTES),
	{ .name = "models", .form = CFORM_NAMES, .keys = model_uses },
	KEY("network_mode", TEXT),
	{ .name = "networks", .form = CFORM_NAMES, .keys = attachments, .named = true },
	KEY("oom_kill_disable", BOOLEAN),
	KEY("oom_score_adj", INTEGER),
	{ .name = "pid", .form = CFORM_TEXT, .nullable = true },
	KEY("pids_limit", INTEGER),
	KEY("platform", TEXT),
	{ .name = "ports", .form = CFORM_PORTS, .item = &port_item, .unique = CUNIQUE_PORT },
	KEY_LIST("pre_start", &hook),
	KEY_LIST("post_start", &command_hook),
	KEY_LIST("pre_stop", &command_hook),
	KEY("privileged", BOOLEAN),
	TEXT_LIST("profiles"),
	KEY("pull_policy", TEXT),
	KEY("pull_refresh_after", TEXT),
	KEY("read_only", BOOLEAN),
	KEY("restart", TEXT),
	KEY("runtime", TEXT),
	KEY("scale", INTEGER),
	TEXT_LIST("security_opt"),
	KEY("shm_size", BYTES),
	{ .name = "secrets", .form = CFORM_LIST, .item = &mount_item, .unique = CUNIQUE_SECRET },
	KEY("sysctls", SETTINGS),
	KEY("stdin_open", BOOLEAN),
	KEY("stop_grace_period", DURATION),
	KEY("stop_signal", TEXT),
	KEY_MAP("storage_opt", scalar_values),
	KEY_UNIQUE("tmpfs", STRINGS, TEXT),
	KEY("tty", BOOLEAN),
	KEY_MAP("ulimits", ulimits),
	KEY("use_api_socket", BOOLEAN),
	KEY("user", TEXT),
	KEY("uts", TEXT),
	KEY("userns_mode", TEXT),
	{ .name = "volumes", .form = CFORM_LIST, .item = &volume_item, .unique = CUNIQUE_TARGET },
	TEXT_LIST("volumes_from"),
	KEY("working_dir", TEXT),
	END,
};
static const struct ckey services[] = { KEY_MAP("*", service_keys), END };

static const struct ckey pool_keys[] = {
	KEY("subnet", TEXT),
	KEY("ip_range", TEXT),
	KEY("gateway", TEXT),
	KEY_MAP("aux_addresses", text_values),
	END,
};
static const struct ckey pool = { .name = "*", .form = CFORM_MAP, .keys = pool_keys };
static const struct ckey ipam_keys[] = {
	KEY("driver", TEXT),
	{ .name = "config", .form = CFORM_LIST, .item = &pool, .merge = CMERGE_IPAM },
	KEY_MAP("options", scalar_values),
	END,
};
static const struct ckey external_keys[] = { KEY("name", TEXT), END };
#define EXTERNAL                                                                                   \
	{                                                                                          \
		.name = "external", .form = CFORM_EXTERNAL, .keys = external_keys                  \
	}

static const struct ckey network_keys[] = {
	KEY("name", TEXT),
	KEY("driver", TEXT),
	KEY_MAP("driver_opts", scalar_values),
	KEY_MAP("ipam", ipam_keys),
	EXTERNAL,
	KEY("internal", BOOLEAN),
	KEY("enable_ipv4", BOOLEAN),
	KEY("enable_ipv6", BOOLEAN),
	KEY("attachable", BOOLEAN),
	KEY("labels", PAIRS),
	END,
};
static const struct ckey networks[] = { MAP_OR_NOTHING("*", network_keys), END };

static const struct ckey volume_top_keys[] = {
	KEY("name", TEXT), KEY("driver", TEXT),  KEY_MAP("driver_opts", scalar_values),
	EXTERNAL,          KEY("labels", PAIRS), END,
};
static const struct ckey volumes[] = { MAP_OR_NOTHING("*", volume_top_keys), END };

static const struct ckey secret_keys[] = {
	KEY("name", TEXT),
	KEY("environment", TEXT),
	KEY("content", TEXT),
	KEY_PATH("file", TEXT),
	EXTERNAL,
	KEY("labels", PAIRS),
	KEY("driver", TEXT),
	KEY_MAP("driver_opts", scalar_values),
	KEY("template_driver", TEXT),
	END,
};
static const struct ckey secrets[] = { KEY_MAP("*", secret_keys), END };

static const struct ckey model_keys[] = {
	KEY("name", TEXT),
	KEY("model", TEXT),
	KEY("context_size", INTEGER),
	TEXT_LIST("runtime_flags"),
	END,
};
static const struct ckey models[] = {
	{ .name = "*", .form = CFORM_MAP, .keys = model_keys, .required = "model" },
	END,
};

static const struct ckey include_keys[] = {
	TEXTS("path", STRINGS),
	TEXTS("env_file", STRINGS),
	KEY("project_directory", TEXT),
	END,
};
static const struct ckey include_item = {
	.name = "*",
	.form = CFORM_INCLUDE,
	.keys = include_keys,
};

static const struct ckey top_keys[] = {
	KEY("version", SCALAR),
	KEY("name", TEXT),
	KEY_LIST("include", &include_item),
	MAP_OF_NAMES("services", services),
	KEY_MAP("models", models),
	KEY_MAP("networks", networks),
	MAP_OF_NAMES("volumes", volumes),
	MAP_OF_NAMES("secrets", secrets),
	MAP_OF_NAMES("configs", secrets),
	END,
};
const struct ckey compose_schema = { .name = "", .form = CFORM_MAP, .keys = top_keys };

const struct ckey *schema_child(const struct ckey *parent, const char *key)
{
	if (!parent->keys)
		return &any_value;
	for (const struct ckey *k = parent->keys; k->name; k++)
		if (strcmp(k->name, key) == 0 || strcmp(k->name, "*") == 0)
			return k;
	return strncmp(key, "x-", 2) == 0 ? &any_value : NULL;
}
