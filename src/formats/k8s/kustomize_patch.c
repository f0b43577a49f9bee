/* Strategic merge and JSON 6902 patches on node trees, without recursion.
 *
 * A scalar that replaces another one keeps it as `target`, so that a fact can show the former place.
 * SPDX-License-Identifier: MIT */
#include "src/formats/k8s/kustomize.h"

#include <stdlib.h>
#include <string.h>

#include "model/limits.h"

/* Lists that are merged item by item, and the key that tells items apart; the rest is replaced. */
static const char *merge_key(const char *list, const struct node *item)
{
	static const char by_name[] = "containers initContainers ephemeralContainers volumes env "
				      "imagePullSecrets secrets resourceClaims webhooks";

	if (k8s_word_in(list, by_name))
		return "name";
	if (strcmp(list, "volumeMounts") == 0)
		return "mountPath";
	if (strcmp(list, "volumeDevices") == 0)
		return "devicePath";
	if (strcmp(list, "hostAliases") == 0)
		return "ip";
	if (strcmp(list, "topologySpreadConstraints") == 0)
		return "topologyKey";
	if (strcmp(list, "ports") == 0)
		return k8s_get(item, "containerPort") ? "containerPort" : "port";
	return NULL;
}

/* Kustomize knows how lists merge from the API's schema; it has none of custom resources. */
static bool has_schema(const struct node *object)
{
	static const char groups[] =
		"apps batch autoscaling policy extensions rbac.authorization.k8s.io networking.k8s.io "
		"storage.k8s.io scheduling.k8s.io node.k8s.io admissionregistration.k8s.io "
		"apiextensions.k8s.io coordination.k8s.io discovery.k8s.io certificates.k8s.io "
		"resource.k8s.io";
	const char *version = k8s_text(object, "apiVersion");
	size_t length = version ? strcspn(version, "/") : 0;
	char group[64];

	if (!version || !version[length])
		return true;
	if (length >= sizeof group)
		return false;
	memcpy(group, version, length);
	group[length] = '\0';
	return k8s_word_in(group, groups);
}

struct task {
	struct node *out;
	const struct node *base, *patch;
	const char *list; /* key under which they stand */
};

struct merge {
	struct arena *arena;
	struct {
		struct task *items;
		size_t count, capacity;
	} tasks;
	bool by_key; /* lists are merged item by item */
	unsigned long *left;
};

static const struct node nothing = { .kind = NODE_NULL };

static struct node *later(struct merge *m, const struct node *base, const struct node *patch,
			  const char *list, const struct node *parent)
{
	struct node *out = ARENA_NEW(m->arena, struct node);

	*out = *patch;
	out->parent = parent;
	*ARENA_PUSH(m->arena, &m->tasks) = (struct task){ out, base, patch, list };
	return out;
}

static struct node_item *copy_items(struct arena *a, const struct node *n, uint32_t room)
{
	struct node_item *items = arena_array(a, n->count + room + 1u, sizeof *items);

	if (n->count)
		memcpy(items, n->items, n->count * sizeof *items);
	return items;
}

static uint32_t index_of_key(const struct node *map, const char *key)
{
	for (uint32_t i = 0; i < map->count; i++)
		if (node_is(map->items[i].key, key))
			return i;
	return map->count;
}

static void drop(struct node *n, uint32_t i)
{
	memmove(&n->items[i], &n->items[i + 1], (n->count - i - 1) * sizeof *n->items);
	n->count--;
}

/* --- what was taken out --------------------------------------------------------------------------- */

static const char gone[] = "!gone"; /* tag of an absent value whose place is what took it out */

/* Settings whose absence is cited: the place must then be the patch, for the base still has them. */
static bool is_cited_when_absent(const char *key)
{
	return k8s_word_in(key, "securityContext allowPrivilegeEscalation runAsNonRoot runAsUser "
				"runAsGroup readOnlyRootFilesystem capabilities drop seccompProfile "
				"appArmorProfile resources limits automountServiceAccountToken "
				"serviceAccountName imagePullPolicy");
}

static bool is_gone(const struct node_item *item)
{
	return item->value && item->value->tag == gone;
}

/* Takes out item I of N by what stands at PLACE. */
static void take_item(struct arena *a, struct node *n, uint32_t i, struct span place)
{
	const char *key = n->kind == NODE_MAP ? node_text(n->items[i].key) : NULL;
	struct node *value;

	if (!key || !is_cited_when_absent(key)) {
		drop(n, i);
		return;
	}
	value = ARENA_NEW(a, struct node);
	*value = (struct node){ .kind = NODE_NULL, .tag = gone, .span = place, .parent = n };
	n->items[i].key = patch_scalar(a, NULL, key, place);
	n->items[i].value = value;
}

/* Takes COST steps; false when there are none left. */
static bool step(unsigned long *left, size_t cost)
{
	*left -= cost < *left ? cost : *left;
	return *left > 0;
}

static bool is_directive(const struct node *item, const char *what)
{
	return node_is(k8s_get(item, "$patch"), what);
}

/* OUT begins as a copy of BASE, when that is of PATCH's kind, with room for all of PATCH. */
static void begin(struct merge *m, const struct task *t)
{
	const struct node *base = t->base && t->base->kind == t->patch->kind ? t->base : &nothing;

	t->out->items = copy_items(m->arena, base, t->patch->count);
	t->out->count = base->count;
	if (base->kind != NODE_NULL)
		t->out->span = base->span;
}

static void merge_item(struct merge *m, struct node *out, const struct node_item *item, const char *key,
		       const struct node *value)
{
	const uint32_t at = index_of_key(out, key);
	const struct node *former = at < out->count ? node_resolve(out->items[at].value) : NULL;

	if (value->kind == NODE_NULL || is_directive(value, "delete")) {
		if (at < out->count)
			take_item(m->arena, out, at, item->key->span);
		return;
	}
	if (at == out->count)
		out->items[out->count++] = *item;
	else if (value->kind == NODE_SCALAR || is_gone(&out->items[at]))
		out->items[at].key = item->key;
	out->items[at].value = later(m, former, value, key, out);
}

static void merge_maps(struct merge *m, struct task *t)
{
	struct node *out = t->out;

	begin(m, t);
	if (is_directive(t->patch, "replace"))
		out->count = 0;
	for (uint32_t i = 0; i < t->patch->count && step(m->left, 1 + out->count); i++) {
		const struct node_item *item = &t->patch->items[i];
		const struct node *value = node_resolve(item->value);
		const char *key = node_text(item->key);

		if (key && key[0] != '$' && value)
			merge_item(m, out, item, key, value);
	}
}

static uint32_t index_of_item(const struct node *list, const char *key, const char *value)
{
	for (uint32_t i = 0; value && i < list->count; i++)
		if (node_is(k8s_get(node_resolve(list->items[i].value), key), value))
			return i;
	return list->count;
}

/* An item that only says what to do with its list. */
static bool is_bare(const struct node *item, const char *what)
{
	return node_is_map(item) && node_count(item) == 1 && is_directive(item, what);
}

static bool replaces(const struct merge *m, const struct task *t)
{
	for (uint32_t i = 0; i < t->patch->count; i++) {
		const struct node *item = node_at(t->patch, i);

		if (is_bare(item, "replace") || is_bare(item, "delete"))
			return true;
	}
	return !m->by_key || !t->patch->count || !merge_key(t->list, node_at(t->patch, 0));
}

static void merge_lists(struct merge *m, struct task *t)
{
	const bool replace = replaces(m, t);
	struct node *out = t->out;

	begin(m, t);
	if (replace)
		out->count = 0;
	for (uint32_t i = 0; i < t->patch->count && step(m->left, 1 + out->count); i++) {
		const struct node *item = node_at(t->patch, i);
		const char *key = node_is_map(item) && !replace ? merge_key(t->list, item) : NULL;
		const uint32_t at = key ? index_of_item(out, key, k8s_text(item, key)) : out->count;
		const struct node *former = at < out->count ? node_resolve(out->items[at].value) : NULL;

		if (is_directive(item, "delete")) {
			if (at < out->count)
				drop(out, at);
		} else if (!is_bare(item, "replace")) {
			if (at == out->count)
				out->items[out->count++] = t->patch->items[i];
			if (item)
				out->items[at].value = later(m, former, item, "", out);
		}
	}
}

/* A scalar keeps the place of its former value; the same value once more changes nothing. */
static void merge_scalars(struct merge *m, struct task *t)
{
	const struct node *parent = t->out->parent;

	if (!t->base || t->base->kind != NODE_SCALAR) {
		t->out->target = NULL;
	} else if (node_is(t->base, t->patch->text)) {
		*t->out = *t->base;
		t->out->parent = parent;
	} else {
		t->out->target = ARENA_NEW(m->arena, struct node);
		*t->out->target = *t->base;
	}
}

static void merge_one(struct merge *m, struct task *t)
{
	if (t->patch->kind == NODE_SCALAR)
		merge_scalars(m, t);
	else if (t->patch->kind == NODE_MAP)
		merge_maps(m, t);
	else if (t->patch->kind == NODE_SEQ)
		merge_lists(m, t);
}

const struct node *patch_merge(struct arena *a, const struct node *base, const struct node *patch,
			       unsigned long *left)
{
	struct merge m = { .arena = a, .by_key = has_schema(base), .left = left };
	struct node *out = later(&m, node_resolve(base), node_resolve(patch), "", NULL);

	for (size_t i = 0; i < m.tasks.count && m.tasks.count < LIMIT_ALIAS_VISITS; i++) {
		struct task t = m.tasks.items[i];

		merge_one(&m, &t);
	}
	return *left ? out : base;
}

struct node *patch_scalar(struct arena *a, const struct node *former, const char *text,
			  struct span span)
{
	struct node *out = ARENA_NEW(a, struct node);

	*out = (struct node){ .kind = NODE_SCALAR,
			      .style = NODE_PLAIN,
			      .text = text,
			      .text_length = (uint32_t)strlen(text),
			      .span = span,
			      .parent = former ? former->parent : NULL };
	if (former) {
		out->target = ARENA_NEW(a, struct node);
		*out->target = *former;
	}
	return out;
}

/* --- JSON 6902 ---------------------------------------------------------------------------------- */

/* The next part of a JSON pointer, "~1" and "~0" decoded; false at the end. */
static bool next_part(struct arena *a, const char **pointer, const char **part)
{
	const char *end;
	char *copy, *to;

	if (**pointer != '/')
		return false;
	end = *pointer + 1 + strcspn(*pointer + 1, "/");
	copy = arena_copy(a, *pointer + 1, (size_t)(end - *pointer - 1));
	to = copy;
	for (const char *from = copy; *from; from++, to++) {
		*to = *from;
		if (from[0] == '~' && (from[1] == '0' || from[1] == '1'))
			*to = *++from == '0' ? '~' : '/';
	}
	*to = '\0';
	*part = copy;
	*pointer = end;
	return true;
}

static uint32_t index_of_part(const struct node *n, const char *part)
{
	char *end;
	unsigned long i;

	if (n->kind == NODE_MAP)
		return index_of_key(n, part);
	if (strcmp(part, "-") == 0)
		return n->count;
	i = strtoul(part, &end, 10);
	return *end || end == part || i > n->count ? UINT32_MAX : (uint32_t)i;
}

static struct node *copy_node(struct arena *a, const struct node *n, const struct node *parent)
{
	struct node *out = ARENA_NEW(a, struct node);

	*out = *n;
	out->items = copy_items(a, n, 1);
	out->parent = parent;
	return out;
}

/* One operation under way. */
struct operation {
	struct arena *arena;
	unsigned long *left;
	const struct node *node;
	struct node *root; /* a copy of the object along the paths used */
	const char *why;   /* it does not apply, NULL while all is well */
};

static bool refuse(struct operation *o, const char *why)
{
	o->why = why;
	return false;
}

/* A place that a pointer leads to: item AT of PARENT, which may be one behind the last. */
struct spot {
	struct node *parent;
	uint32_t at;
	const char *part;
};

static bool is_there(const struct spot *spot)
{
	return spot->at < spot->parent->count && !is_gone(&spot->parent->items[spot->at]);
}

/* Copies the collections on the way. */
static bool follow(struct operation *o, const char *pointer, struct spot *spot)
{
	struct node *at = o->root;

	if (!pointer || *pointer != '/')
		return refuse(o, "its path leads nowhere");
	while (next_part(o->arena, &pointer, &spot->part)) {
		const struct node *child;
		struct node *copy;

		spot->parent = at;
		spot->at = index_of_part(at, spot->part);
		if (spot->at == UINT32_MAX || !step(o->left, 1 + at->count))
			return refuse(o, "its path is not there");
		if (!*pointer)
			return true;
		child = is_there(spot) ? node_resolve(at->items[spot->at].value) : NULL;
		if (!child || (child->kind != NODE_MAP && child->kind != NODE_SEQ))
			return refuse(o, "its path is not there");
		copy = copy_node(o->arena, child, at);
		at->items[spot->at].value = copy;
		at = copy;
	}
	return refuse(o, "its path leads nowhere");
}

/* VALUE in place of what stands at SPOT, a former scalar remembered. */
static void put_over(struct operation *o, const struct spot *spot, struct node *value)
{
	const struct node *former = node_resolve(spot->parent->items[spot->at].value);

	if (former && former->kind == NODE_SCALAR && value->kind == NODE_SCALAR) {
		value->target = ARENA_NEW(o->arena, struct node);
		*value->target = *former;
	}
	spot->parent->items[spot->at].value = value;
}

static void put_beside(struct operation *o, const struct spot *spot, struct node *value)
{
	struct node *n = spot->parent;
	const bool new = spot->at == n->count || is_there(spot);

	if (is_there(spot))
		memmove(&n->items[spot->at + 1], &n->items[spot->at],
			(n->count - spot->at) * sizeof *n->items);
	n->items[spot->at].key =
		n->kind == NODE_MAP ? patch_scalar(o->arena, NULL, spot->part, value->span) : NULL;
	n->items[spot->at].value = value;
	n->count += new;
}

static bool put(struct operation *o, const struct node *value, bool over)
{
	struct spot spot;
	struct node *copy;

	if (!value)
		return refuse(o, "it has no value");
	if (!follow(o, k8s_text(o->node, "path"), &spot))
		return false;
	if (over && !is_there(&spot))
		return refuse(o, "its path is not there");
	copy = ARENA_NEW(o->arena, struct node);
	*copy = *value;
	copy->parent = spot.parent;
	if (is_there(&spot) && (over || spot.parent->kind == NODE_MAP))
		put_over(o, &spot, copy);
	else
		put_beside(o, &spot, copy);
	return true;
}

static bool add(struct operation *o)
{
	return put(o, node_get(o->node, "value"), false);
}

static bool replace(struct operation *o)
{
	return put(o, node_get(o->node, "value"), true);
}

static bool take_out(struct operation *o, const char *pointer, const struct node **value)
{
	struct spot spot;

	if (!follow(o, pointer, &spot))
		return false;
	if (!is_there(&spot))
		return refuse(o, "its path is not there");
	*value = node_resolve(spot.parent->items[spot.at].value);
	take_item(o->arena, spot.parent, spot.at, k8s_place(o->node, "path"));
	return true;
}

static bool take_away(struct operation *o)
{
	const struct node *value;

	return take_out(o, k8s_text(o->node, "path"), &value);
}

static bool move(struct operation *o)
{
	const struct node *value;

	return take_out(o, k8s_text(o->node, "from"), &value) && put(o, value, false);
}

/* Nodes of a value that is copied: copies of copies grow by themselves. */
#define COPY_NODES 5000u

/* True when N with all that it holds has no more nodes than that. */
static bool is_small(struct arena *a, const struct node *n)
{
	struct {
		const struct node **items;
		size_t count, capacity;
	} open = { 0 };

	*ARENA_PUSH(a, &open) = n;
	for (size_t i = 0; i < open.count && open.count <= COPY_NODES; i++) {
		const struct node *at = open.items[i];

		for (uint32_t k = 0; at && k < at->count && open.count <= COPY_NODES; k++)
			*ARENA_PUSH(a, &open) = node_resolve(at->items[k].value);
	}
	return open.count <= COPY_NODES;
}

static bool copy(struct operation *o)
{
	const struct node *value;
	struct spot spot;

	if (!follow(o, k8s_text(o->node, "from"), &spot))
		return false;
	if (!is_there(&spot))
		return refuse(o, "its path is not there");
	value = node_resolve(spot.parent->items[spot.at].value);
	if (!is_small(o->arena, value) || !step(o->left, COPY_NODES))
		return refuse(o, "what it copies is too large");
	return put(o, value, false);
}

/* A test of a collection is not judged: it changes nothing itself. */
static bool test(struct operation *o)
{
	const struct node *want = node_get(o->node, "value");
	const struct node *have;
	struct spot spot;

	if (!follow(o, k8s_text(o->node, "path"), &spot))
		return false;
	have = is_there(&spot) ? node_resolve(spot.parent->items[spot.at].value) : &nothing;
	if (node_text(want) && have && !node_is(have, node_text(want)))
		return refuse(o, "the value that it tests for is not there");
	return true;
}

const struct node *patch_operate(struct arena *a, const struct node *base, const struct node *operation,
				 unsigned long *left, const char **why)
{
	static const struct {
		const char *name;
		bool (*run)(struct operation *o);
	} operations[] = { { "add", add },   { "replace", replace }, { "remove", take_away },
			   { "test", test }, { "move", move },	     { "copy", copy } };
	struct operation o = { .arena = a, .left = left, .node = operation };
	const char *name = k8s_text(operation, "op");

	*why = "it is no operation of JSON Patch";
	if (!node_is_map(base))
		return NULL;
	o.root = copy_node(a, node_resolve(base), NULL);
	for (size_t i = 0; name && i < sizeof operations / sizeof *operations; i++)
		if (strcmp(operations[i].name, name) == 0) {
			const bool done = operations[i].run(&o);

			*why = o.why;
			return done ? o.root : NULL;
		}
	return NULL;
}

/* --- patches as text ------------------------------------------------------------------------------ */

/* Line K of a literal block is line K of its text, further right by the block's indentation. */
static void remap(const struct source *file, const struct source *text, const struct node *scalar,
		  struct node *n)
{
	uint32_t line = source_line(text, n->span.offset), column, first, indent = 0, start;

	if (scalar->style != NODE_LITERAL) {
		n->span = scalar->span;
		return;
	}
	column = n->span.offset - text->line_starts[line - 1];
	first = source_line(file, scalar->span.offset) + 1;
	if (first + line - 1 > file->line_count) {
		n->span = scalar->span;
		return;
	}
	start = file->line_starts[first - 1];
	while (start + indent < file->length && file->bytes[start + indent] == ' ')
		indent++;
	n->span.source = file->id;
	n->span.offset = file->line_starts[first + line - 2] + indent + column;
	if (n->span.offset > file->length)
		n->span = scalar->span;
	else if (n->span.length > file->length - n->span.offset)
		n->span.length = file->length - n->span.offset;
}

static void remap_tree(struct arena *a, const struct source *file, const struct source *text,
		       const struct node *scalar, struct node *top)
{
	struct {
		struct node **items;
		size_t count, capacity;
	} open = { 0 };

	*ARENA_PUSH(a, &open) = top;
	for (size_t i = 0; i < open.count && open.count < LIMIT_NODES; i++) {
		struct node *n = open.items[i];

		for (uint32_t k = 0; n->kind != NODE_ALIAS && k < n->count; k++) {
			if (n->items[k].key)
				*ARENA_PUSH(a, &open) = n->items[k].key;
			*ARENA_PUSH(a, &open) = n->items[k].value;
		}
		remap(file, text, scalar, n);
	}
}

void patch_parse(struct workspace *w, const struct input *in, const struct node *scalar,
		 struct documents *out)
{
	struct arena *a = &w->snapshot->arena;
	struct source text;
	struct problems problems = { 0 };

	source_init(&text, a, in->source->id, in->source->path, scalar->text, scalar->text_length);
	yaml_read(a, &text, out, &problems);
	if (problems.count)
		out->count = 0;
	for (size_t i = 0; i < out->count; i++)
		remap_tree(a, in->source, &text, scalar, out->items[i]);
}
