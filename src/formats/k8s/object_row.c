/* Objects that are judged on their own: one ROW_OBJECT row each, with the facts that their file gives.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/objects.h"

#include <string.h>

static void nothing(struct workspace *w, struct k8s_object *o)
{
	(void)w;
	(void)o;
}

/* Kinds by name; GROUP narrows those whose name other programs use too (NULL: any group). */
static const struct object_reader {
	const char *kinds, *group;
	enum format_id format;
	void (*read)(struct workspace *w, struct k8s_object *o); /* facts that need no other object */
} readers[] = {
	{ "Service", "", FORMAT_K8S, k8s_read_service },
	{ "Ingress", NULL, FORMAT_K8S, k8s_read_ingress },
	{ "HTTPRoute GRPCRoute TCPRoute UDPRoute TLSRoute Gateway", "gateway.networking.k8s.io", FORMAT_K8S,
	  k8s_read_route },
	{ "VirtualService", "networking.istio.io", FORMAT_K8S, k8s_read_route },
	{ "Gateway", "networking.istio.io", FORMAT_K8S, k8s_read_route },
	{ "Route DomainMapping", "serving.knative.dev", FORMAT_K8S, k8s_read_route },
	{ "IngressRoute IngressRouteTCP IngressRouteUDP", NULL, FORMAT_K8S, k8s_read_route },
	{ "Route", "route.openshift.io", FORMAT_K8S, k8s_read_route },
	{ "Namespace", "", FORMAT_K8S, k8s_read_namespace },
	{ "SandboxClaim", "extensions.agents.x-k8s.io", FORMAT_K8S, k8s_read_sandbox_claim },
	{ "ConfigMap", "", FORMAT_K8S, k8s_read_config_map },
	{ "Secret", "", FORMAT_K8S, k8s_read_secret },
	{ "ServiceAccount", "", FORMAT_K8S, nothing },
	{ "LimitRange ResourceQuota", "", FORMAT_K8S, nothing },
	{ "PriorityClass", "scheduling.k8s.io", FORMAT_K8S, k8s_read_priority_class },
	{ "PersistentVolume", "", FORMAT_K8S, k8s_read_persistent_volume },
	{ "NetworkPolicy", "networking.k8s.io", FORMAT_K8S, nothing },
	{ "NetworkPolicy", "extensions", FORMAT_K8S, nothing },
	{ "CiliumNetworkPolicy CiliumClusterwideNetworkPolicy", "cilium.io", FORMAT_K8S, nothing },
	{ "AdminNetworkPolicy BaselineAdminNetworkPolicy ClusterNetworkPolicy", "policy.networking.k8s.io", FORMAT_K8S, k8s_read_foreign_policy },
	{ "NetworkPolicy GlobalNetworkPolicy", "projectcalico.org", FORMAT_K8S,
	  k8s_read_foreign_policy },
	{ "NetworkPolicy GlobalNetworkPolicy", "crd.projectcalico.org", FORMAT_K8S,
	  k8s_read_foreign_policy },
	{ "NetworkPolicy ClusterNetworkPolicy", "crd.antrea.io", FORMAT_K8S, k8s_read_foreign_policy },
	{ "Role ClusterRole RoleBinding ClusterRoleBinding", NULL, FORMAT_RBAC, nothing },
	{ "RuntimeClass", "node.k8s.io", FORMAT_RUNTIMECLASS, k8s_read_runtime_class },
	{ "PodSecurityPolicy", NULL, FORMAT_K8S, k8s_read_pod_security_policy },
	{ "SecurityContextConstraints", NULL, FORMAT_K8S, k8s_read_constraints },
	{ "AdmissionConfiguration PodSecurityConfiguration", NULL, FORMAT_K8S,
	  k8s_read_admission_configuration },
	{ "KubeletConfiguration", "kubelet.config.k8s.io", FORMAT_K8S, k8s_read_kubelet },
	{ "ValidatingAdmissionPolicy MutatingAdmissionPolicy", NULL, FORMAT_K8S, nothing },
	{ "ValidatingWebhookConfiguration MutatingWebhookConfiguration", NULL, FORMAT_K8S,
	  k8s_read_webhooks },
	{ "ClusterPolicy Policy ValidatingPolicy", "kyverno.io", FORMAT_K8S, k8s_read_kyverno },
	{ "ValidatingPolicy", "policies.kyverno.io", FORMAT_K8S, k8s_read_kyverno },
	{ "ConstraintTemplate", NULL, FORMAT_K8S, nothing },
};

static const struct object_reader *reader_of(const struct k8s_object *o)
{
	static const struct object_reader sandbox = { "", NULL, FORMAT_K8S, nothing };
	static const struct object_reader constraint = { "", NULL, FORMAT_K8S,
							 k8s_read_constraint };

	if (strcmp(o->group, "constraints.gatekeeper.sh") == 0)
		return &constraint;
	if (strcmp(o->kind, "SandboxTemplate") == 0 && !o->pods.count)
		return &sandbox;
	for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
		if (k8s_word_in(o->kind, readers[i].kinds) &&
		    (!readers[i].group || strcmp(readers[i].group, o->group) == 0))
			return &readers[i];
	return NULL;
}

static struct span place_of(const struct k8s_object *o)
{
	if (k8s_text(o->metadata, "name"))
		return k8s_place(o->metadata, "name");
	return k8s_place(o->node, "kind");
}

void k8s_add_object(struct workspace *w, struct k8s_object *o)
{
	const struct object_reader *reader = reader_of(o);

	if (!reader)
		return;
	o->row = snapshot_add_row(
		w->snapshot, &(struct row_spec){ .path = o->in->artifact->path,
						 .object_kind = o->kind,
						 .namespace = o->namespace,
						 .unit = o->name,
						 .kind = ROW_OBJECT,
						 .format = reader->format,
						 .artifact = o->in->artifact->index,
						 .span = place_of(o) });
	o->in->artifact->formats |= UINT64_C(1) << reader->format;
	reader->read(w, o);
}
