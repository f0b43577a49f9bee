/* The Kubernetes manifest format: recognition, reading of a file, joins over the tree.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/kustomize.h"
#include "src/formats/k8s/objects.h"

#include <string.h>

#include "src/formats/k8s/index.h"

/* Groups of other programs that use the pair apiVersion and kind for something else. */
static const char foreign_groups[] =
	"backstage.io scaffolder.backstage.io release-notes skaffold kustomize.config.k8s.io "
	"krew.googlecontainertools.github.com kots.io kind.x-k8s.io kubeadm.k8s.io kubelet.config.k8s.io "
	"kubeproxy.config.k8s.io eksctl.io k3d.io minikube.k8s.io audit.k8s.io config.istio.io "
	"apiserver.config.k8s.io client.authentication.k8s.io cluster.x-k8s.io ctlptl.dev";

static bool is_foreign(const struct node *n)
{
	const char *api_version = k8s_text(n, "apiVersion"), *kind = k8s_text(n, "kind");
	size_t length = strcspn(api_version, "/");
	char group[128];

	if (strcmp(api_version, "v1") == 0 && strcmp(kind, "Config") == 0)
		return true;
	if (k8s_word_in(kind, "AdmissionConfiguration KubeletConfiguration"))
		return false;
	if (length >= sizeof group || api_version[length] != '/')
		return false;
	memcpy(group, api_version, length);
	group[length] = '\0';
	return k8s_word_in(group, foreign_groups);
}

static bool is_object(const struct node *n)
{
	return node_is_map(n) && k8s_text(n, "apiVersion") && k8s_text(n, "kind") && !is_foreign(n);
}

static bool recognise(const struct input *in)
{
	for (size_t i = 0; i < in->documents.count; i++) {
		const struct node *n = node_resolve(in->documents.items[i]);

		if (is_object(n) || (node_is_seq(n) && is_object(node_at(n, 0))))
			return true;
	}
	return false;
}

bool k8s_is_template_path(const char *path)
{
	return path_ends(path, ".yaml .yml") &&
	       (strncmp(path, "templates/", 10) == 0 || strstr(path, "/templates/"));
}

static bool has_extension(const char *path)
{
	return strchr(path_base(path), '.') != NULL;
}

/* The first line that is no comment is an object's: a script that writes manifests begins otherwise. */
static bool begins_as_object(const char *bytes, size_t length)
{
	static const char *const starts[] = { "apiVersion:", "kind:", "metadata:", "---" };
	const char *end = bytes + length;

	for (const char *line = bytes; line < end;) {
		const char *next = memchr(line, '\n', (size_t)(end - line));
		const size_t size = (size_t)((next ? next : end) - line);

		for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
			if (size >= strlen(starts[i]) &&
			    strncmp(line, starts[i], strlen(starts[i])) == 0)
				return true;
		if (size && (line[0] != '#' || (size > 1 && line[1] == '!')))
			return false;
		line = next ? next + 1 : end;
	}
	return false;
}

/* Templates are the Helm format's. */
static bool claims(const char *path, const char *bytes, size_t length)
{
	if (!has_extension(path) && !begins_as_object(bytes, length))
		return false;
	if (k8s_is_template_path(path) && bytes_hold(bytes, length, "{{"))
		return false;
	return bytes_hold(bytes, length, "apiVersion") && bytes_hold(bytes, length, "kind");
}

static bool interested(const char *path)
{
	return path_ends(path, ".yaml .yml .json") || !has_extension(path);
}

void k8s_add_objects(struct workspace *w, struct k8s_file *file)
{
	for (size_t i = 0; i < file->objects.count; i++) {
		struct k8s_object *o = file->objects.items[i];

		k8s_check_object(w, o);
		k8s_find_pods(w, o);
		k8s_add_object(w, o);
		for (size_t p = 0; p < o->pods.count && !o->exported; p++)
			k8s_add_pod(w, o->pods.items[p]);
		k8s_read_sandbox_policy(w, o);
	}
}

void k8s_read_objects(struct workspace *w, struct input *in, struct k8s_file *file)
{
	k8s_collect(w, in, file);
	file->deferred = !file->template && kustomize_governs(w, in->artifact->path);
	if (!file->deferred)
		k8s_add_objects(w, file);
}

/* kubectl takes one JSON value after the other from a file; other readers of JSON stop after the first. */
static void read_stream(struct workspace *w, struct input *in)
{
	struct arena *a = &w->snapshot->arena;

	if (!in->documents.failed || !path_ends(in->artifact->path, ".json"))
		return;
	in->documents = (struct documents){ 0 };
	in->artifact->problems.count = 0;
	json_read_stream(a, in->source, &in->documents, &in->artifact->problems);
}

static void read_file(struct workspace *w, struct input *in)
{
	struct k8s_file *file = ARENA_NEW(&w->snapshot->arena, struct k8s_file);

	read_stream(w, in);
	in->state[FORMAT_K8S] = file;
	k8s_read_objects(w, in, file);
}

static void add_deferred(struct workspace *w)
{
	kustomize_apply(w);
	for (size_t i = 0; i < w->inputs.count; i++) {
		struct k8s_file *file = w->inputs.items[i]->state[FORMAT_K8S];

		if (file && file->deferred && !file->patch)
			k8s_add_objects(w, file);
	}
}

static void gather(struct workspace *w, struct k8s_world *world)
{
	struct arena *a = &w->snapshot->arena;
	struct {
		struct k8s_object **items;
		size_t count, capacity;
	} all = { 0 };

	for (size_t i = 0; i < w->inputs.count; i++) {
		struct k8s_file *file = w->inputs.items[i]->state[FORMAT_K8S];

		if (file)
			file->folder = path_folder(a, w->inputs.items[i]->artifact->path);
		for (size_t o = 0; file && o < file->objects.count; o++) {
			struct k8s_object *object = file->objects.items[o];

			if (!file->patch)
				*ARENA_PUSH(a, &all) = object;
			/* Owners of pods are never looked up: without them a lookup stays short. */
			if (!object->pods.count)
				*ARENA_PUSH(a, &world->objects) = object;
			for (size_t p = 0; p < object->pods.count; p++)
				*ARENA_PUSH(a, &world->pods) = object->pods.items[p];
		}
	}
	k8s_link_versions(a, all.items, all.count);
}

static void join(struct workspace *w)
{
	struct k8s_world world = { .w = w };
	struct k8s_index index;

	add_deferred(w);
	gather(w, &world);
	k8s_index_init(&world, &index);
	k8s_join_exports(&world);
	k8s_join_accounts(&world);
	k8s_join_rbac(&world);
	k8s_join_network(&world);
	k8s_join_gateways(&world);
	k8s_join_services(&world);
	k8s_join_snippets(&world);
	k8s_join_limits(&world);
	k8s_join_volumes(&world);
	k8s_join_mounted_texts(&world);
	k8s_join_policies(&world);
	k8s_join_evidence(&world);
	k8s_join_publishers(&world);
	k8s_index_free(&index);
}

const struct format format_k8s = {
	.id = FORMAT_K8S,
	.syntax = SYNTAX_YAML,
	.claims = claims,
	.interested = interested,
	.recognise = recognise,
	.read = read_file,
	.join = join,
};
