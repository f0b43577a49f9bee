/* Identity, privileges, namespaces and root file system of a service.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "src/formats/compose/rows.h"

static const struct {
	const char *key;
	enum fact_kind kind;
} settings[] = {
	{ "privileged", FACT_PRIVILEGED },
	{ "read_only", FACT_READ_ONLY_ROOT },
	{ "pid", FACT_PID },
	{ "ipc", FACT_IPC },
	{ "uts", FACT_UTS },
	{ "cgroup", FACT_CGROUP_NAMESPACE },
	{ "userns_mode", FACT_USERNS },
	{ "runtime", FACT_RUNTIME },
	{ "isolation", FACT_WINDOWS_ISOLATION },
	{ "use_api_socket", FACT_API_SOCKET },
};

static void simple_settings(const struct crow *r)
{
	for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
		crow_fact(r, settings[i].kind, cvalue_get(r->service, settings[i].key));
}

static void identity(const struct crow *r)
{
	const struct cvalue *user = cvalue_get(r->service, "user");

	if (cvalue_text(user) && (user->text[0] || user->unresolved))
		crow_trace(r, user_fact(r->w, r->row, crow_shown(user), user->span), user);
	crow_facts(r, FACT_GROUP_ADD, cvalue_get(r->service, "group_add"));
	crow_fact(r, FACT_CGROUP_PARENT, cvalue_get(r->service, "cgroup_parent"));
}

static void capabilities(const struct crow *r, enum fact_kind kind, const char *key)
{
	const struct cvalue *list = cvalue_get(r->service, key);

	for (size_t i = 0; cvalue_is_list(list) && i < list->count; i++) {
		const struct cvalue *v = list->items[i].value;

		if (cvalue_text(v))
			crow_trace(r, capability_fact(r->w, r->row, kind, crow_shown(v), v->span),
			           v);
	}
}

static void security_options(const struct crow *r)
{
	const struct cvalue *list = cvalue_get(r->service, "security_opt");
	struct arena *a = &r->w->snapshot->arena;

	for (size_t i = 0; cvalue_is_list(list) && i < list->count; i++) {
		const struct cvalue *v = list->items[i].value;
		struct fact *f;

		if (!cvalue_text(v))
			continue;
		f = crow_trace(r, security_option_fact(r->w, r->row, crow_shown(v), v->span), v);
		if (f && f->kind == FACT_SECCOMP && fact_attribute(f, "profile")) {
			const char *path =
			    path_join(a, r->project->folder, fact_attribute(f, "profile"));
			bool supplied = path && r->w->exists(r->w, path);

			if (supplied)
				crow_attribute(r, f, "profile", path);
			crow_attribute(r, f, "supplied", supplied ? "true" : "false");
		}
	}
	if (cvalue_is_list(list) && !row_first(r->row, FACT_NO_NEW_PRIVILEGES, LAYER_DECLARED))
		snapshot_add_absent(r->w->snapshot, r->row, FACT_NO_NEW_PRIVILEGES, "false",
		                    cvalue_member(r->service, "security_opt")->key_span,
		                    "Docker default unless the daemon sets it");
}

static void security_context(const struct crow *r)
{
	static const char *const keys[] = { "security_opt", "cap_drop",   "read_only",
		                            "user",         "privileged", "userns_mode" };

	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
		const struct cvalue *v = cvalue_get(r->service, keys[i]);

		if (v && v->kind != CVALUE_NULL && !(v->kind == CVALUE_LIST && v->count == 0))
			return;
	}
	crow_absent(r, FACT_SECURITY_CONTEXT, "", "no security setting in the service");
}

static void sysctls(const struct crow *r)
{
	const struct cvalue *map = cvalue_get(r->service, "sysctls");

	for (size_t i = 0; cvalue_is_map(map) && i < map->count; i++) {
		const struct cvalue *v = map->items[i].value;

		if (cvalue_text(v))
			crow_trace(r,
			           sysctl_fact(r->w, r->row,
			                       arena_printf(&r->w->snapshot->arena, "%s=%s",
			                                    map->items[i].key, crow_shown(v)),
			                       v->span),
			           v);
	}
}

static void annotations(const struct crow *r)
{
	const struct cvalue *map = cvalue_get(r->service, "annotations");

	for (size_t i = 0; cvalue_is_map(map) && i < map->count; i++) {
		const struct cvalue *v = map->items[i].value;

		crow_fact_text(r, FACT_RUNTIME_ANNOTATION,
		               arena_printf(&r->w->snapshot->arena, "%s=%s", map->items[i].key,
		                            cvalue_text(v) ? crow_shown(v) : ""),
		               v);
	}
}

void crow_privileges(const struct crow *r)
{
	simple_settings(r);
	identity(r);
	capabilities(r, FACT_CAP_ADD, "cap_add");
	capabilities(r, FACT_CAP_DROP, "cap_drop");
	security_options(r);
	security_context(r);
	sysctls(r);
	annotations(r);
	crow_facts(r, FACT_TMPFS, cvalue_get(r->service, "tmpfs"));
	crow_fact(r, FACT_CLOUD_IDENTITY, cvalue_path(r->service, "credential_spec", "file", NULL));
}
