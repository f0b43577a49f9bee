/* ServiceAccounts: token mounting, cloud identity, pull secrets; pod over account.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/objects.h"

#include <string.h>

#include "model/limits.h"
#include "src/formats/k8s/index.h"

const char *k8s_account(const struct k8s_pod *pod)
{
	const char *name = k8s_text(pod->spec, "serviceAccountName");

	if (!name)
		name = k8s_text(pod->spec, "serviceAccount");
	return name && *name ? name : "default";
}

static struct k8s_target target_of(struct k8s_world *world, struct k8s_pod *pod, struct row *r)
{
	return (struct k8s_target){ .w = world->w, .pod = pod, .row = r, .anchor = r->span };
}

static const char *truth(const struct node *map)
{
	return k8s_is_false(map, "automountServiceAccountToken") ? "false" : "true";
}

/* Of a pod that neither the pod nor the account says anything for. */
static void default_token(const struct k8s_target *t, const struct k8s_object *account)
{
	const bool off = k8s_is_sandbox_template(t->pod->object);
	struct fact *f = k8s_absent(
		t, FACT_TOKEN_MOUNT, off ? "false" : "true", node_key_span(t->pod->spec),
		off ? "the pod does not say: the sandbox controller switches it off for pods of a "
		      "template" :
		account ? "neither pod nor account says no: Kubernetes mounts the token" :
			  "the pod does not say no and the account is not supplied: Kubernetes "
			  "mounts the token");

	k8s_set(t, f, "source", "default");
}

/* The token is mounted unless the pod says no, or the pod is silent and the account says no. What a
 * controller sets in the pod beats the account. */
static void token(struct k8s_world *world, struct k8s_pod *pod, struct row *r,
		  const struct k8s_object *account)
{
	static const char key[] = "automountServiceAccountToken";
	struct k8s_target t = target_of(world, pod, r);
	const struct node *own = k8s_get(pod->spec, key);
	const bool counts = account && !k8s_is_sandbox_template(pod->object) && !pod->operated;
	const struct node *theirs = counts ? k8s_get(account->node, key) : NULL;
	struct fact *f;

	if (own || theirs) {
		f = k8s_fact(&t, FACT_TOKEN_MOUNT, own ? own : theirs,
			     truth(own ? pod->spec : account->node));
		k8s_set(&t, f, "source", own ? "pod" : "account");
		if (own && theirs)
			snapshot_add_hop(world->w->snapshot, f, theirs->span, node_text(theirs),
					 "account");
		return;
	}
	default_token(&t, account);
}

static const char *const cloud_annotations[] = {
	"eks.amazonaws.com/role-arn", "iam.gke.io/gcp-service-account",
	"azure.workload.identity/client-id", "iam.amazonaws.com/role",
};

static void cloud_identity(struct k8s_world *world, struct k8s_pod *pod, struct row *r,
			   const struct k8s_object *account)
{
	struct k8s_target t = target_of(world, pod, r);
	const struct node *maps[] = { account ? k8s_map(account->metadata, "annotations") : NULL,
				      k8s_map(pod->metadata, "annotations") };

	for (size_t m = 0; m < 2; m++)
		for (size_t i = 0; i < sizeof cloud_annotations / sizeof *cloud_annotations; i++)
			if (k8s_get(maps[m], cloud_annotations[i]))
				k8s_fact_at(&t, FACT_CLOUD_IDENTITY, cloud_annotations[i],
					    k8s_key(maps[m], cloud_annotations[i]));
	if (k8s_is_true(k8s_labels(pod), "azure.workload.identity/use"))
		k8s_fact_at(&t, FACT_CLOUD_IDENTITY, "azure.workload.identity/use",
			    k8s_key(k8s_labels(pod), "azure.workload.identity/use"));
}

/* The account's pull secrets go to pods that name none. */
static void pull_secrets(struct k8s_world *world, struct k8s_pod *pod, struct row *r,
			 const struct k8s_object *account)
{
	struct k8s_target t = target_of(world, pod, r);
	const struct node *list = account ? k8s_seq(account->node, "imagePullSecrets") : NULL;

	if (node_count(k8s_seq(pod->spec, "imagePullSecrets")))
		return;
	for (uint32_t i = 0; i < node_count(list) && i < LIMIT_JOINED; i++) {
		const struct node *name = k8s_get(node_at(list, i), "name");

		if (node_text(name) && *node_text(name))
			k8s_set(&t, k8s_fact(&t, FACT_PULL_SECRET, name, NULL), "source", "account");
	}
}

void k8s_mark_account(struct k8s_world *world, const struct k8s_pod *pod, const char *name, bool value)
{
	for (size_t i = 0; i < pod->rows.count; i++)
		for (size_t k = 0; k < pod->rows.items[i]->facts.count; k++) {
			struct fact *f = pod->rows.items[i]->facts.items[k];

			if (f->kind == FACT_SERVICE_ACCOUNT && f->layer == pod->layer)
				k8s_attribute(world->w, f, name, value ? "true" : "false");
		}
}

/* A named account is judged with its pods; the default account has pods that nobody wrote it for. */
static void own_token(struct k8s_world *world, struct k8s_object *o)
{
	static const char key[] = "automountServiceAccountToken";
	const struct node *own = k8s_get(o->node, key);
	struct fact *f;

	if (strcmp(o->name, "default") != 0)
		return;
	f = k8s_object_fact(world->w, o, FACT_TOKEN_MOUNT, truth(o->node),
			    k8s_place(o->node, own ? key : "kind"));
	k8s_attribute(world->w, f, "source", own ? "account" : "default");
	if (!own) {
		f->provenance = PROVENANCE_ABSENT;
		f->note = "the account does not say no: Kubernetes mounts its token";
	} else if (k8s_templated(world->w, own)) {
		f->provenance = PROVENANCE_TEMPLATED;
	}
}

static void own_row(struct k8s_world *world, struct k8s_object *o)
{
	static const char key[] = "automountServiceAccountToken";
	struct fact *f;

	f = k8s_object_fact(world->w, o, FACT_SERVICE_ACCOUNT, o->name, o->row->span);
	k8s_attribute(world->w, f, "supplied", "true");
	k8s_attribute(world->w, f, "default", strcmp(o->name, "default") ? "false" : "true");
	k8s_attribute(world->w, f, "automount", k8s_text(o->node, key));
	own_token(world, o);
	for (size_t i = 0; i < sizeof cloud_annotations / sizeof *cloud_annotations; i++)
		if (k8s_get(k8s_map(o->metadata, "annotations"), cloud_annotations[i]))
			k8s_object_fact(world->w, o, FACT_CLOUD_IDENTITY, cloud_annotations[i],
					k8s_key(k8s_map(o->metadata, "annotations"),
						cloud_annotations[i]));
}

void k8s_join_accounts(struct k8s_world *world)
{
	const struct id_list *accounts = k8s_of_kind(world, "ServiceAccount");
	size_t at = 0;

	for (struct k8s_object *o; (o = k8s_next_with_row(world, accounts, &at));)
		own_row(world, o);
	for (size_t p = 0; p < world->pods.count; p++) {
		struct k8s_pod *pod = world->pods.items[p];
		const struct k8s_object *account = k8s_find_object(
			world, "ServiceAccount", k8s_account(pod), pod->object);

		for (size_t i = 0; i < pod->rows.count; i++) {
			token(world, pod, pod->rows.items[i], account);
			cloud_identity(world, pod, pod->rows.items[i], account);
			pull_secrets(world, pod, pod->rows.items[i], account);
		}
		k8s_mark_account(world, pod, "supplied", account != NULL);
	}
}
