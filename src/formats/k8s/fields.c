/* Keys that no field of the API has: misspelt, in the wrong case, or of another object.
 *
 * Source: kubernetes/api core/v1 of 2026-07. The API server drops them, or refuses the object when it
 * validates strictly, as kubectl asks since 1.25. Custom resources have fields of their own and are left alone.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/k8s.h"

#include <string.h>
#include <strings.h>

static const char pod_spec[] =
	"volumes initContainers containers ephemeralContainers restartPolicy "
	"terminationGracePeriodSeconds activeDeadlineSeconds dnsPolicy nodeSelector serviceAccountName "
	"serviceAccount automountServiceAccountToken nodeName hostNetwork hostPID hostIPC "
	"shareProcessNamespace securityContext imagePullSecrets hostname subdomain affinity schedulerName "
	"tolerations hostAliases priorityClassName priority dnsConfig readinessGates runtimeClassName "
	"enableServiceLinks preemptionPolicy overhead topologySpreadConstraints setHostnameAsFQDN os "
	"hostUsers schedulingGates resourceClaims resources hostnameOverride workloadRef schedulingGroup "
	"evictionResponders";
static const char container_fields[] =
	"name image command args workingDir ports envFrom env resources resizePolicy restartPolicy "
	"restartPolicyRules volumeMounts volumeDevices livenessProbe readinessProbe startupProbe lifecycle "
	"terminationMessagePath terminationMessagePolicy imagePullPolicy securityContext stdin stdinOnce "
	"tty targetContainerName";
static const char pod_context[] =
	"seLinuxOptions windowsOptions runAsUser runAsGroup runAsNonRoot supplementalGroups "
	"supplementalGroupsPolicy fsGroup sysctls fsGroupChangePolicy seccompProfile appArmorProfile "
	"seLinuxChangePolicy";
static const char container_context[] =
	"capabilities privileged seLinuxOptions windowsOptions runAsUser runAsGroup runAsNonRoot "
	"readOnlyRootFilesystem allowPrivilegeEscalation procMount seccompProfile appArmorProfile";
static const char profile_fields[] = "type localhostProfile";
static const char selinux_fields[] = "user role type level";
static const char windows_fields[] =
	"gmsaCredentialSpecName gmsaCredentialSpec runAsUserName hostProcess";
static const char volume_fields[] =
	"name hostPath emptyDir gcePersistentDisk awsElasticBlockStore gitRepo secret nfs iscsi glusterfs "
	"persistentVolumeClaim rbd flexVolume cinder cephfs flocker downwardAPI fc azureFile configMap "
	"vsphereVolume quobyte azureDisk photonPersistentDisk projected portworxVolume scaleIO storageos "
	"csi ephemeral image";
static const char mount_fields[] =
	"name readOnly recursiveReadOnly mountPath subPath mountPropagation subPathExpr bindMountOptions";

/* The word of WORDS that KEY is when case does not count, or NULL. */
static const char *nearly(const struct k8s_target *t, const char *key, const char *words)
{
	size_t length = strlen(key);

	for (; *words; words += strspn(words, " ")) {
		size_t word = strcspn(words, " ");

		if (word == length && strncasecmp(words, key, length) == 0)
			return arena_copy(&t->w->snapshot->arena, words, word);
		words += word;
	}
	return NULL;
}

static bool is_told(const struct k8s_target *t, struct span span)
{
	for (const struct fact *f = row_first(t->row, FACT_IGNORED_SETTING, t->pod->layer); f;
	     f = row_next(t->row, f))
		if (f->span.source == span.source && f->span.offset == span.offset)
			return true;
	return false;
}

#define UNKNOWN_TOLD 32u /* on one row: more are not a slip of the pen */

struct look {
	const struct k8s_target *t;
	uint32_t told;
};

static void unknown_in(struct look *l, const struct node *map, const char *what, const char *known)
{
	const struct k8s_target *t = l->t;

	for (uint32_t i = 0; node_is_map(map) && i < map->count && l->told < UNKNOWN_TOLD; i++) {
		const struct node *key = map->items[i].key;
		const char *text = node_text(key), *meant;

		if (!text || !*text || strcmp(text, "<<") == 0 || k8s_word_in(text, known) ||
		    k8s_templated(t->w, key) || is_told(t, key->span))
			continue;
		l->told++;
		meant = nearly(t, text, known);
		k8s_ignored(t, text, key->span,
			    arena_printf(&t->w->snapshot->arena,
					 "%s has no such field%s%s%s: it is dropped or refused", what,
					 meant ? ", the name is " : "", meant ? meant : "",
					 meant ? " and case counts" : ""));
	}
}

static void unknown_in_context(struct look *l, const struct node *context,
			       const char *what, const char *known)
{
	unknown_in(l, context, what, known);
	unknown_in(l, k8s_map(context, "capabilities"), "capabilities", "add drop");
	unknown_in(l, k8s_map(context, "seccompProfile"), "seccompProfile", profile_fields);
	unknown_in(l, k8s_map(context, "appArmorProfile"), "appArmorProfile", profile_fields);
	unknown_in(l, k8s_map(context, "seLinuxOptions"), "seLinuxOptions", selinux_fields);
	unknown_in(l, k8s_map(context, "windowsOptions"), "windowsOptions", windows_fields);
}

static void unknown_in_list(struct look *l, const struct node *list, const char *what,
			    const char *known)
{
	for (uint32_t i = 0; i < node_count(list); i++)
		unknown_in(l, node_at(list, i), what, known);
}

void k8s_read_unknown(const struct k8s_target *t)
{
	const struct node *spec = t->pod->spec;
	struct look l = { .t = t };

	if (!k8s_is_served(t->pod->object))
		return;
	unknown_in(&l, t->container, "a container", container_fields);
	unknown_in_context(&l, t->security, "a container's securityContext", container_context);
	unknown_in_list(&l, k8s_seq(t->container, "volumeMounts"), "a volume mount", mount_fields);
	if (t->pod->rows.count != 1)
		return;
	unknown_in(&l, spec, "a pod spec", pod_spec);
	unknown_in_context(&l, t->pod->security, "a pod's securityContext", pod_context);
	unknown_in_list(&l, k8s_seq(spec, "volumes"), "a volume", volume_fields);
}
