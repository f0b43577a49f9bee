/* The checks of the Pod Security Standards; policy versions are noted where a check changed.
 *
 * Every check that speaks of containers walks regular, init and ephemeral ones.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/pod_security.h"

#include <string.h>

static const char *const container_lists[] = { "initContainers", "containers",
					       "ephemeralContainers" };

typedef void container_check(struct check_run *run, const struct node *container,
			     const struct node *security);

static void each_container(struct check_run *run, container_check *check)
{
	for (size_t l = 0; l < sizeof container_lists / sizeof *container_lists; l++) {
		const struct node *list = k8s_seq(run->pod->spec, container_lists[l]);

		for (uint32_t i = 0; i < node_count(list); i++) {
			const struct node *c = node_at(list, i);

			if (!node_is_map(c))
				continue;
			run->container = k8s_container_name(run->w, c, i);
			check(run, c, k8s_map(c, "securityContext"));
		}
	}
	run->container = NULL;
}

/* A value that only a renderer knows violates nothing yet. */
static bool is_open(const struct check_run *run, struct span span)
{
	const struct k8s_file *file = run->pod->object->in->state[FORMAT_K8S];
	const struct source *s = snapshot_source(run->w->snapshot, span.source);
	const char *text = s ? source_text(s, span) : NULL;

	return file && file->template && text && bytes_hold(text, span.length, "{{");
}

/* A pod of a hundred containers is rare; each of its rows lists what the whole pod violates, and the square of
 * a hostile one must stay small. */
#define PLACES_LISTED 64u

static void add_place(struct check_run *run, struct span span)
{
	const struct k8s_object *o = run->pod->object;

	if (run->places > PLACES_LISTED)
		return;
	if (run->places++ == PLACES_LISTED) {
		input_problem(run->w, o->in, span,
			      "%s \"%s\": violates the pod security check %s at more than %u places; "
			      "the others are not listed", o->kind, o->name, run->check,
			      PLACES_LISTED);
		return;
	}
	*ARENA_PUSH(&run->w->snapshot->arena, &run->found) = (struct row_violation){
		.check = run->check,
		.level = run->level,
		.container = run->container,
		.span = span,
	};
}

static void violated(struct check_run *run, struct span value)
{
	if (is_open(run, value))
		run->open = true;
	else
		add_place(run, value);
}

/* Something required is missing: at the container's securityContext, else at the container, whatever a
 * renderer makes of the name that stands there. */
static void missing(struct check_run *run, const struct node *container)
{
	if (k8s_get(container, "securityContext"))
		add_place(run, k8s_key(container, "securityContext"));
	else
		add_place(run, k8s_text(container, "name") ? k8s_place(container, "name") :
							     node_key_span(container));
}

static bool text_in(const struct node *map, const char *key, const char *words)
{
	return k8s_word_in(k8s_text(map, key), words);
}

/* Zero in any of YAML's spellings of an integer. */
static bool is_zero(const char *text)
{
	if (!text)
		return false;
	text += *text == '+' || *text == '-';
	if (text[0] == '0' && text[1] && strchr("xob", text[1]))
		text += 2;
	return *text && text[strspn(text, "0_")] == '\0';
}

static bool is_windows(const struct check_run *run)
{
	return run->minor >= 25 && run->pod->windows;
}

/* From policy 1.35 a user namespace relaxes some checks. */
static bool has_user_namespace(const struct check_run *run)
{
	return run->minor >= 35 && k8s_is_false(run->pod->spec, "hostUsers");
}

/* --- baseline ------------------------------------------------------------------------------- */

static void host_namespaces(struct check_run *run)
{
	static const char *const keys[] = { "hostNetwork", "hostPID", "hostIPC" };

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (k8s_is_true(run->pod->spec, keys[i]))
			violated(run, k8s_place(run->pod->spec, keys[i]));
}

static void privileged_container(struct check_run *run, const struct node *c,
				 const struct node *security)
{
	(void)c;
	if (k8s_is_true(security, "privileged"))
		violated(run, k8s_place(security, "privileged"));
}

static void privileged(struct check_run *run)
{
	each_container(run, privileged_container);
}

static void added_outside(struct check_run *run, const struct node *security, const char *allowed)
{
	const struct node *add = k8s_seq(k8s_map(security, "capabilities"), "add");

	for (uint32_t i = 0; i < node_count(add); i++)
		if (!k8s_word_in(node_text(node_at(add, i)), allowed))
			violated(run, node_at(add, i) ? node_at(add, i)->span : add->span);
}

static void capabilities_baseline_container(struct check_run *run, const struct node *c,
					    const struct node *security)
{
	(void)c;
	added_outside(run, security,
		      "AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE "
		      "SETFCAP SETGID SETPCAP SETUID SYS_CHROOT");
}

static void capabilities_baseline(struct check_run *run)
{
	each_container(run, capabilities_baseline_container);
}

static void host_path_volumes(struct check_run *run)
{
	const struct node *list = k8s_seq(run->pod->spec, "volumes");

	for (uint32_t i = 0; i < node_count(list); i++)
		if (k8s_get(node_at(list, i), "hostPath"))
			violated(run, k8s_key(node_at(list, i), "hostPath"));
}

static void host_ports_container(struct check_run *run, const struct node *c,
				 const struct node *security)
{
	const struct node *ports = k8s_seq(c, "ports");

	(void)security;
	for (uint32_t i = 0; i < node_count(ports); i++) {
		const char *port = k8s_text(node_at(ports, i), "hostPort");

		if (port && !is_zero(port))
			violated(run, k8s_place(node_at(ports, i), "hostPort"));
	}
}

static void host_ports(struct check_run *run)
{
	each_container(run, host_ports_container);
}

static void app_armor_field(struct check_run *run, const struct node *security)
{
	const struct node *map = k8s_map(security, "appArmorProfile");

	if (map && !text_in(map, "type", "RuntimeDefault Localhost"))
		violated(run, k8s_get(map, "type") ? k8s_place(map, "type") :
						     k8s_key(security, "appArmorProfile"));
}

static void app_armor_container(struct check_run *run, const struct node *c,
				const struct node *security)
{
	(void)c;
	app_armor_field(run, security);
}

static void app_armor(struct check_run *run)
{
	static const char prefix[] = "container.apparmor.security.beta.kubernetes.io/";
	const struct node *map = k8s_map(run->pod->metadata, "annotations");

	app_armor_field(run, run->pod->security);
	each_container(run, app_armor_container);
	for (uint32_t i = 0; i < node_count(map); i++) {
		const char *key = node_text(map->items[i].key);
		const char *value = node_text(map->items[i].value);

		if (key && strncmp(key, prefix, sizeof prefix - 1) == 0 && value && *value &&
		    strcmp(value, "runtime/default") != 0 && strncmp(value, "localhost/", 10) != 0)
			violated(run, map->items[i].value->span);
	}
}

static void se_linux_options(struct check_run *run, const struct node *security)
{
	const struct node *map = k8s_map(security, "seLinuxOptions");
	const char *type = k8s_text(map, "type");
	static const char *const keys[] = { "user", "role" };

	if (type && *type &&
	    !k8s_word_in(type, run->minor >= 31 ? "container_t container_init_t container_kvm_t "
						  "container_engine_t" :
						  "container_t container_init_t container_kvm_t"))
		violated(run, k8s_place(map, "type"));
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (k8s_text(map, keys[i]) && *k8s_text(map, keys[i]))
			violated(run, k8s_place(map, keys[i]));
}

static void se_linux_container(struct check_run *run, const struct node *c,
			       const struct node *security)
{
	(void)c;
	se_linux_options(run, security);
}

static void se_linux(struct check_run *run)
{
	se_linux_options(run, run->pod->security);
	each_container(run, se_linux_container);
}

static void proc_mount_container(struct check_run *run, const struct node *c,
				 const struct node *security)
{
	(void)c;
	if (k8s_text(security, "procMount") && !text_in(security, "procMount", "Default"))
		violated(run, k8s_place(security, "procMount"));
}

static void proc_mount_baseline(struct check_run *run)
{
	if (!has_user_namespace(run))
		each_container(run, proc_mount_container);
}

static void seccomp_annotation(struct check_run *run, const char *key)
{
	const struct node *map = k8s_map(run->pod->metadata, "annotations");
	const struct node_item *item = node_find(map, key);
	const char *value = item ? node_text(item->value) : NULL;

	if (item && !k8s_word_in(value, "runtime/default docker/default") &&
	    (!value || strncmp(value, "localhost/", 10) != 0))
		violated(run, k8s_place(map, key));
}

static void seccomp_annotation_container(struct check_run *run, const struct node *c,
					 const struct node *security)
{
	(void)c, (void)security;
	seccomp_annotation(run, arena_printf(&run->w->snapshot->arena,
					     "container.seccomp.security.alpha.kubernetes.io/%s",
					     run->container));
}

/* Before 1.19 only the annotations existed; one for a container that is not there means nothing. */
static void seccomp_annotations(struct check_run *run)
{
	seccomp_annotation(run, "seccomp.security.alpha.kubernetes.io/pod");
	if (k8s_map(run->pod->metadata, "annotations"))
		each_container(run, seccomp_annotation_container);
}

static void seccomp_field(struct check_run *run, const struct node *security)
{
	const struct node *map = k8s_map(security, "seccompProfile");

	if (map && !text_in(map, "type", "RuntimeDefault Localhost"))
		violated(run, k8s_get(map, "type") ? k8s_place(map, "type") :
						     k8s_key(security, "seccompProfile"));
}

static void seccomp_container(struct check_run *run, const struct node *c,
			      const struct node *security)
{
	(void)c;
	seccomp_field(run, security);
}

static void seccomp_baseline(struct check_run *run)
{
	if (run->minor < 19) {
		seccomp_annotations(run);
		return;
	}
	seccomp_field(run, run->pod->security);
	each_container(run, seccomp_container);
}

static void sysctls(struct check_run *run)
{
	const struct node *list = k8s_seq(run->pod->security, "sysctls");

	for (uint32_t i = 0; i < node_count(list); i++) {
		const char *name = k8s_text(node_at(list, i), "name");

		if (node_is_map(node_at(list, i)) &&
		    (!name || !k8s_sysctl_is_safe(name, run->minor)))
			violated(run, k8s_place(node_at(list, i), "name"));
	}
}

static void host_process_options(struct check_run *run, const struct node *security)
{
	const struct node *options = k8s_map(security, "windowsOptions");

	if (k8s_is_true(options, "hostProcess"))
		violated(run, k8s_place(options, "hostProcess"));
}

static void host_process_container(struct check_run *run, const struct node *c,
				   const struct node *security)
{
	(void)c;
	host_process_options(run, security);
}

static void windows_host_process(struct check_run *run)
{
	host_process_options(run, run->pod->security);
	each_container(run, host_process_container);
}

static void handler_host(struct check_run *run, const struct node *handler)
{
	static const char *const ways[] = { "httpGet", "tcpSocket" };

	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		const struct node *way = k8s_map(handler, ways[i]);

		if (k8s_text(way, "host") && *k8s_text(way, "host"))
			violated(run, k8s_place(way, "host"));
	}
}

static void probe_hosts_container(struct check_run *run, const struct node *c,
				  const struct node *security)
{
	const struct node *lifecycle = k8s_map(c, "lifecycle");

	(void)security;
	handler_host(run, k8s_map(c, "livenessProbe"));
	handler_host(run, k8s_map(c, "readinessProbe"));
	handler_host(run, k8s_map(c, "startupProbe"));
	handler_host(run, k8s_map(lifecycle, "postStart"));
	handler_host(run, k8s_map(lifecycle, "preStop"));
}

static void probe_hosts(struct check_run *run)
{
	each_container(run, probe_hosts_container);
}

/* --- restricted ----------------------------------------------------------------------------- */

/* A volume without a source becomes an emptyDir; so does one with a key that is no source. */
static void restricted_volumes(struct check_run *run)
{
	const struct node *list = k8s_seq(run->pod->spec, "volumes");

	for (uint32_t i = 0; i < node_count(list); i++) {
		const struct node *volume = node_at(list, i);

		for (uint32_t k = 0; node_is_map(volume) && k < volume->count; k++) {
			const char *key = node_text(volume->items[k].key);

			if (!node_is_null(volume->items[k].value) &&
			    k8s_word_in(key, "hostPath gcePersistentDisk awsElasticBlockStore gitRepo nfs "
					     "iscsi glusterfs rbd flexVolume cinder cephfs flocker fc "
					     "azureFile vsphereVolume quobyte azureDisk "
					     "photonPersistentDisk portworxVolume scaleIO storageos"))
				violated(run, volume->items[k].key->span);
		}
	}
}

static void escalation_container(struct check_run *run, const struct node *c,
				 const struct node *security)
{
	if (k8s_is_false(security, "allowPrivilegeEscalation"))
		return;
	if (k8s_get(security, "allowPrivilegeEscalation"))
		violated(run, k8s_place(security, "allowPrivilegeEscalation"));
	else
		missing(run, c);
}

static void escalation(struct check_run *run)
{
	if (!is_windows(run))
		each_container(run, escalation_container);
}

static void non_root_container(struct check_run *run, const struct node *c,
			       const struct node *security)
{
	if (k8s_is_true(security, "runAsNonRoot"))
		return;
	if (k8s_get(security, "runAsNonRoot"))
		violated(run, k8s_place(security, "runAsNonRoot"));
	else if (!k8s_is_true(run->pod->security, "runAsNonRoot"))
		missing(run, c);
}

static void run_as_non_root(struct check_run *run)
{
	if (has_user_namespace(run))
		return;
	if (k8s_is_false(run->pod->security, "runAsNonRoot"))
		violated(run, k8s_place(run->pod->security, "runAsNonRoot"));
	each_container(run, non_root_container);
}

static void user_container(struct check_run *run, const struct node *c,
			   const struct node *security)
{
	(void)c;
	if (is_zero(k8s_text(security, "runAsUser")))
		violated(run, k8s_place(security, "runAsUser"));
}

static void run_as_user(struct check_run *run)
{
	if (has_user_namespace(run))
		return;
	if (is_zero(k8s_text(run->pod->security, "runAsUser")))
		violated(run, k8s_place(run->pod->security, "runAsUser"));
	each_container(run, user_container);
}

static void seccomp_set_container(struct check_run *run, const struct node *c,
				  const struct node *security)
{
	const struct node *pods = k8s_map(run->pod->security, "seccompProfile");

	if (k8s_map(security, "seccompProfile"))
		seccomp_field(run, security);
	else if (!text_in(pods, "type", "RuntimeDefault Localhost"))
		missing(run, c);
}

static void seccomp_restricted(struct check_run *run)
{
	if (is_windows(run))
		return;
	seccomp_field(run, run->pod->security);
	each_container(run, seccomp_set_container);
}

static void capabilities_restricted_container(struct check_run *run, const struct node *c,
					      const struct node *security)
{
	const struct node *map = k8s_map(security, "capabilities");

	if (!k8s_holds(k8s_seq(map, "drop"), "ALL")) {
		if (map)
			violated(run, k8s_key(security, "capabilities"));
		else
			missing(run, c);
	}
	added_outside(run, security, "NET_BIND_SERVICE");
}

static void capabilities_restricted(struct check_run *run)
{
	if (!is_windows(run))
		each_container(run, capabilities_restricted_container);
}

static void proc_mount_restricted(struct check_run *run)
{
	each_container(run, proc_mount_container);
}

const struct pod_check pod_checks[] = {
	{ "hostNamespaces", false, 0, host_namespaces },
	{ "privileged", false, 0, privileged },
	{ "capabilities_baseline", false, 0, capabilities_baseline },
	{ "hostPathVolumes", false, 0, host_path_volumes },
	{ "hostPorts", false, 0, host_ports },
	{ "appArmorProfile", false, 0, app_armor },
	{ "seLinuxOptions", false, 0, se_linux },
	{ "procMount", false, 0, proc_mount_baseline },
	{ "seccompProfile_baseline", false, 0, seccomp_baseline },
	{ "sysctls", false, 0, sysctls },
	{ "windowsHostProcess", false, 0, windows_host_process },
	{ "hostProbesAndHostLifecycle", false, 34, probe_hosts },
	{ "restrictedVolumes", true, 0, restricted_volumes },
	{ "allowPrivilegeEscalation", true, 8, escalation },
	{ "runAsNonRoot", true, 0, run_as_non_root },
	{ "runAsUser", true, 23, run_as_user },
	{ "seccompProfile_restricted", true, 19, seccomp_restricted },
	{ "capabilities_restricted", true, 22, capabilities_restricted },
	{ "procMount_restricted", true, 35, proc_mount_restricted },
	{ NULL, false, 0, NULL },
};
