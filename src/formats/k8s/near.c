/* Which objects of a tree meet in one cluster, and which are other versions of the same thing.
 *
 * A tree holds many installations: bases, rendered ones, examples, tests. Objects meet when they stand
 * near each other; of several versions of one object only the nearest counts.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/kustomize.h"
#include "src/formats/k8s/objects.h"

#include <string.h>

#include "model/hash_index.h"
#include "src/formats/k8s/index.h"

/* Folders whose entries are unrelated to each other. */
static const char *const collections[] = { "example", "examples", "sample", "samples", "docs",
					   "test",    "tests",	  "e2e",    "testdata", "fixtures",
					   "contrib" };

struct distance {
	size_t common;           /* length of the folder that holds both, slash included */
	size_t up, down;         /* folders from there to each of the two */
};

static struct distance between(const char *a, const char *b)
{
	struct distance d = { 0 };

	for (size_t i = 0; a[i] && a[i] == b[i]; i++)
		if (a[i] == '/')
			d.common = i + 1;
	for (const char *p = a + d.common; *p; p++)
		d.up += *p == '/';
	for (const char *p = b + d.common; *p; p++)
		d.down += *p == '/';
	return d;
}

/* True when the folder that ends at LENGTH only collects things that do not belong together. */
static bool is_collection(const char *path, size_t length)
{
	for (size_t i = 0; length && i < sizeof collections / sizeof *collections; i++) {
		size_t word = strlen(collections[i]);

		if (length > word && memcmp(path + length - 1 - word, collections[i], word) == 0 &&
		    (length == word + 1 || path[length - word - 2] == '/'))
			return true;
	}
	return false;
}

static bool near_folders(const char *a, const char *b, bool tests)
{
	struct distance d = between(a, b);

	if (d.up == 0 && d.down == 0)
		return true;
	if (is_collection(a, d.common))
		return false;
	if (d.up == 0 || d.down == 0)
		return true;
	return !tests && d.up == 1 && d.down == 1 && d.common > 0;
}

static const char *path_of(const struct k8s_object *o)
{
	return o->in->artifact->path;
}

size_t k8s_path_distance(const struct k8s_object *a, const struct k8s_object *b)
{
	struct distance d = between(path_of(a), path_of(b));

	return d.up + d.down;
}

static bool is_quoted(const struct k8s_object *o)
{
	return o->in->artifact->class == CLASS_TEST || o->in->artifact->class == CLASS_EXAMPLE;
}

/* A component that no kustomization takes in is deployed with nothing. */
static bool is_left_out(const struct k8s_object *o)
{
	return o->root && node_is(k8s_get(o->root->node, "kind"), "Component");
}

static bool may_meet(const struct k8s_object *a, const struct k8s_object *b)
{
	const bool tests = a->in->artifact->class == CLASS_TEST;

	/* What one kustomization takes in is deployed together, wherever it stands. */
	if (a->in == b->in || (a->root && a->root == b->root))
		return true;
	if (a->root != b->root && (is_left_out(a) || is_left_out(b)))
		return false;
	if (tests != (b->in->artifact->class == CLASS_TEST))
		return false;
	if (*a->namespace && *b->namespace && !is_quoted(a) && !is_quoted(b))
		return true;
	return near_folders(path_of(a), path_of(b), tests);
}

/* True when OTHER is nearer to BESIDE than O is; the earlier one of two that are equally near. */
static bool is_nearer(const struct k8s_object *other, const struct k8s_object *o,
		      const struct k8s_object *beside)
{
	size_t theirs, ours;

	if (other->in == o->in || o->in == beside->in)
		return false;
	if (other->in == beside->in)
		return true;
	theirs = k8s_path_distance(other, beside);
	ours = k8s_path_distance(o, beside);
	if (theirs != ours)
		return theirs < ours;
	return other->ordinal < o->ordinal;
}

static const struct k8s_file *file_of(const struct k8s_object *o)
{
	return o->in->state[FORMAT_K8S];
}

/* The first version of O that lies in FILE, or NULL. */
static const struct k8s_object *version_in_file(const struct k8s_object *o,
						const struct k8s_file *file)
{
	const struct k8s_versions *v = o->versions;
	size_t low = 0, high = v ? v->count : 0;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (v->items[middle]->ordinal < file->first_ordinal)
			low = middle + 1;
		else
			high = middle;
	}
	return v && low < v->count && v->items[low]->ordinal < file->end_ordinal ? v->items[low] : NULL;
}

/* A version in BESIDE's own folder, where O is not, is nearer than O. */
static bool has_version_in_folder(const struct k8s_object *o, const struct k8s_object *beside)
{
	const struct k8s_object *other;
	uint32_t at;

	if (strcmp(file_of(o)->folder, file_of(beside)->folder) == 0 ||
	    !hash_index_get(&o->versions->folders, file_of(beside)->folder, &at))
		return false;
	other = o->versions->items[at];
	return may_meet(other, beside);
}

static bool has_nearer_version(const struct k8s_object *o, const struct k8s_object *beside)
{
	const struct k8s_versions *v = o->versions;

	if (!v || v->count < 2)
		return false;
	if (version_in_file(o, file_of(beside)) || has_version_in_folder(o, beside))
		return true;
	for (size_t i = 0; i < v->count; i++)
		if (is_nearer(v->items[i], o, beside) && may_meet(v->items[i], beside))
			return true;
	return false;
}

/* "RoleBinding" and "ClusterRoleBinding" are of one family. */
static const char *family_of(const char *kind)
{
	return strncmp(kind, "Cluster", 7) == 0 ? kind + 7 : kind;
}

/* True when O's file is another rendering of what BESIDE's file holds: it has its own version of BESIDE,
 * and BESIDE's file does not need O, having objects of that family itself. */
static bool is_other_rendering(const struct k8s_object *o, const struct k8s_object *beside)
{
	const struct k8s_object *theirs;
	uint32_t at;

	if (!beside->versions || beside->versions->count < 2)
		return false;
	theirs = version_in_file(beside, file_of(o));
	return theirs && theirs != beside &&
	       hash_index_get(&file_of(beside)->families, family_of(o->kind), &at);
}

/* True when O is of another kustomize build than BESIDE, or of a file outside the build, that has a version of
 * BESIDE itself: each build goes with its own objects. */
static bool is_other_build(const struct k8s_object *o, const struct k8s_object *beside)
{
	uint32_t at;

	if (o->root == beside->root || !beside->versions)
		return false;
	if (o->root)
		return hash_index_get(&o->root->held, beside->versions->key, &at);
	return version_in_file(beside, file_of(o)) != NULL;
}

const char *k8s_namespace(const char *namespace)
{
	return *namespace ? namespace : "default";
}

bool k8s_same_namespace(const char *a, const char *b)
{
	return strcmp(k8s_namespace(a), k8s_namespace(b)) == 0;
}

bool k8s_near(const struct k8s_object *o, const struct k8s_object *beside)
{
	/* One build of kustomize goes out as a whole, wherever its files lie. */
	if (o->in == beside->in || (o->root && o->root == beside->root))
		return true;
	return may_meet(o, beside) && !has_nearer_version(o, beside) &&
	       !is_other_rendering(o, beside) && !is_other_build(o, beside);
}

bool k8s_related(const struct k8s_object *o, const struct k8s_object *beside)
{
	return k8s_same_namespace(o->namespace, beside->namespace) && k8s_near(o, beside);
}

bool k8s_may_meet(const struct k8s_object *a, const struct k8s_object *b)
{
	return k8s_same_namespace(a->namespace, b->namespace) && may_meet(a, b);
}

struct k8s_object *k8s_find_object(const struct k8s_world *world, const char *kind,
				   const char *name, const struct k8s_object *beside)
{
	const struct id_list *list = k8s_named(world, kind, name);

	for (size_t i = 0; i < list->count; i++) {
		struct k8s_object *o = world->objects.items[list->items[i]];

		if (!k8s_may_compare(world, k8s_near_cost(o)))
			return NULL;
		if (k8s_related(o, beside))
			return o;
	}
	return NULL;
}

size_t k8s_near_cost(const struct k8s_object *o)
{
	return 8 + (o->versions ? o->versions->count : 0);
}

static void add_version(struct arena *a, struct hash_index *seen, struct k8s_object **objects,
			struct k8s_object *o)
{
	uint32_t first, at;
	const char *key = arena_printf(a, "%s\n%s\n%s", o->kind, k8s_namespace(o->namespace),
				       o->name);

	if (hash_index_get(seen, key, &first)) {
		o->versions = objects[first]->versions;
	} else {
		o->versions = ARENA_NEW(a, struct k8s_versions);
		o->versions->key = key;
		hash_index_put(a, seen, key, o->ordinal);
	}
	if (!hash_index_get(&o->versions->folders, file_of(o)->folder, &at))
		hash_index_put(a, &o->versions->folders, file_of(o)->folder,
			       (uint32_t)o->versions->count);
	*ARENA_PUSH(a, o->versions) = o;
	if (o->root)
		hash_index_put(a, &o->root->held, o->versions->key, o->ordinal);
}

void k8s_link_versions(struct arena *a, struct k8s_object **objects, size_t count)
{
	struct hash_index seen = { 0 };

	for (size_t i = 0; i < count; i++) {
		struct k8s_object *o = objects[i];
		struct k8s_file *file = o->in->state[FORMAT_K8S];

		o->ordinal = (uint32_t)i;
		if (!file->end_ordinal)
			file->first_ordinal = (uint32_t)i;
		file->end_ordinal = (uint32_t)i + 1;
		hash_index_put(a, &file->families, family_of(o->kind), 0);
		if (*o->name)
			add_version(a, &seen, objects, o);
	}
}
