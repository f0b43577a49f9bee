/* Which objects of a tree meet in one cluster, and which are other versions of the same thing.
 *
 * A tree holds many installations: bases, rendered ones, examples, tests. Objects meet when they stand
 * near each other; of several versions of one object only the nearest counts.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/objects.h"

#include <string.h>

#include "model/hash_index.h"

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

static bool may_meet(const struct k8s_object *a, const struct k8s_object *b)
{
	const bool tests = a->in->artifact->class == CLASS_TEST;

	if (a->in == b->in)
		return true;
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

static bool has_nearer_version(const struct k8s_object *o, const struct k8s_object *beside)
{
	for (const struct k8s_object *other = o->version; other && other != o;
	     other = other->version)
		if (is_nearer(other, o, beside) && may_meet(other, beside))
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
	const struct k8s_file *file = beside->in->state[FORMAT_K8S];
	const struct k8s_object *other = beside->version;

	while (other && other != beside && other->in != o->in)
		other = other->version;
	if (!file || !other || other == beside)
		return false;
	for (size_t i = 0; i < file->objects.count; i++)
		if (strcmp(family_of(file->objects.items[i]->kind), family_of(o->kind)) == 0)
			return true;
	return false;
}

bool k8s_same_namespace(const char *a, const char *b)
{
	return strcmp(*a ? a : "default", *b ? b : "default") == 0;
}

bool k8s_near(const struct k8s_object *o, const struct k8s_object *beside)
{
	if (o->in == beside->in)
		return true;
	return may_meet(o, beside) && !has_nearer_version(o, beside) &&
	       !is_other_rendering(o, beside);
}

bool k8s_related(const struct k8s_object *o, const struct k8s_object *beside)
{
	return k8s_same_namespace(o->namespace, beside->namespace) && k8s_near(o, beside);
}

struct k8s_object *k8s_find_object(const struct k8s_world *world, const char *kind,
				   const char *name, const struct k8s_object *beside)
{
	for (size_t i = 0; i < world->objects.count; i++) {
		struct k8s_object *o = world->objects.items[i];

		if (strcmp(o->kind, kind) == 0 && strcmp(o->name, name) == 0 &&
		    k8s_related(o, beside))
			return o;
	}
	return NULL;
}

void k8s_link_versions(struct arena *a, struct k8s_object **objects, size_t count)
{
	struct hash_index seen = { 0 };

	for (size_t i = 0; i < count; i++) {
		struct k8s_object *o = objects[i];
		const char *key;
		uint32_t first;

		o->ordinal = (uint32_t)i;
		o->version = o;
		if (!*o->name)
			continue;
		key = arena_printf(a, "%s\n%s\n%s", o->kind,
				   *o->namespace ? o->namespace : "default", o->name);
		if (hash_index_get(&seen, key, &first)) {
			o->version = objects[first]->version;
			objects[first]->version = o;
		} else {
			hash_index_put(a, &seen, key, (uint32_t)i);
		}
	}
}
