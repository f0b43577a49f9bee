/* What services of one stack share: namespaces, named volumes, the mounts of another service.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "model/limits.h"
#include "src/formats/compose/stack.h"

static void share(struct workspace *w, struct row *a, struct row *b)
{
	const struct row *few = a->shares_with.count < b->shares_with.count ? a : b;

	for (size_t i = 0; i < few->shares_with.count; i++)
		if (few->shares_with.items[i] == (few == a ? b : a)->index)
			return;
	*ARENA_PUSH(&w->snapshot->arena, &a->shares_with) = b->index;
	*ARENA_PUSH(&w->snapshot->arena, &b->shares_with) = a->index;
}

/* Namespaces taken from another service. */
static void share_namespaces(struct workspace *w, const struct stack *s)
{
	static const char *const keys[] = { "network_mode", "ipc", "pid" };
	const struct cvalue *services = cvalue_get(s->project.model, "services");

	for (size_t i = 0; cvalue_is_map(services) && i < services->count; i++)
		for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
			const char *text =
			    cvalue_text(cvalue_get(services->items[i].value, keys[k]));
			struct row *from = stack_row(s, services->items[i].key), *to;

			if (!from || !text || strncmp(text, "service:", 8) != 0)
				continue;
			to = stack_row(s, text + 8);
			if (to && to != from)
				share(w, from, to);
		}
}

/* The rows that mount one named volume. */
struct volume_users {
	struct row *items[LIMIT_SHARERS];
	size_t count, left_out;
};

struct volume_table {
	struct hash_index names; /* name → index in items */
	struct volume_users **items;
	size_t count, capacity;
};

static struct volume_users *users_of(struct arena *a, struct volume_table *table, const char *name)
{
	struct volume_users *users;
	uint32_t at;

	if (hash_index_get(&table->names, name, &at))
		return table->items[at];
	users = ARENA_NEW(a, struct volume_users);
	hash_index_put(a, &table->names, name, (uint32_t)table->count);
	*ARENA_PUSH(a, table) = users;
	return users;
}

/* Rows past the limit are linked with the first one only. */
static void share_volume(struct workspace *w, struct volume_users *users, struct row *r)
{
	const bool full = users->count == LIMIT_SHARERS;

	if (users->count && users->items[users->count - 1] == r)
		return;
	for (size_t i = 0; i < (full ? 1 : users->count); i++)
		share(w, users->items[i], r);
	if (full)
		users->left_out++;
	else
		users->items[users->count++] = r;
}

static void report_left_out(struct workspace *w, const struct stack *s,
                            const struct volume_table *table)
{
	struct input *in = workspace_input(w, s->paths[0]);

	for (size_t i = 0; in && i < table->count; i++)
		if (table->items[i]->left_out)
			input_problem(w, in, table->items[i]->items[0]->span,
			              "a volume is mounted by more than %u services; the other %zu are "
			              "not linked with each other",
			              LIMIT_SHARERS, table->items[i]->left_out);
}

/* Named volumes that two services mount. */
static void share_volumes(struct workspace *w, const struct stack *s)
{
	struct volume_table table = { 0 };

	for (size_t i = 0; i < s->rows.count; i++) {
		struct row *r = s->rows.items[i];

		for (const struct fact *f = row_first(r, FACT_MOUNT, LAYER_DECLARED); f;
		     f = row_next(r, f)) {
			const char *name = fact_attribute(f, "source");

			if (fact_attribute_is(f, "type", "volume") && name && name[0])
				share_volume(w, users_of(&w->snapshot->arena, &table, name), r);
		}
	}
	report_left_out(w, s, &table);
}

/* Mounts that services take from others. */
struct taking {
	struct workspace *w;
	const struct stack *s;
	struct hash_index *targets; /* of each row of S: where it mounts something */
	size_t count;
};

static void list_targets(const struct taking *t)
{
	for (size_t i = 0; i < t->s->rows.count; i++) {
		const struct row *r = t->s->rows.items[i];

		for (const struct fact *f = row_first(r, FACT_MOUNT, LAYER_DECLARED); f;
		     f = row_next(r, f))
			if (fact_attribute(f, "target"))
				hash_index_put(&t->w->snapshot->arena, &t->targets[i],
				               fact_attribute(f, "target"), 0);
	}
}

/* False when the services have taken as many mounts as they may; said at the first one too many. */
static bool may_take(struct taking *t, const struct cvalue *entry)
{
	struct input *in = workspace_input(t->w, t->s->paths[0]);

	if (t->count++ == LIMIT_TAKEN && in)
		input_problem(t->w, in, entry->span,
		              "services take more than %u mounts from others; the rest is not assessed",
		              LIMIT_TAKEN);
	return t->count <= LIMIT_TAKEN;
}

/* Gives row number TO the mounts of FROM where it has none of its own; true when there was one. */
static bool take_mounts(struct taking *t, uint32_t to, const struct row *from,
                        const struct cvalue *entry)
{
	struct snapshot *snapshot = t->w->snapshot;
	const char *mode = strchr(entry->text, ':');
	size_t count = from->facts.count;
	bool taken = false;
	uint32_t at;

	for (size_t i = 0; i < count; i++) {
		const struct fact *f = from->facts.items[i];
		const char *target = fact_attribute(f, "target");
		struct fact *copy;

		if (f->kind != FACT_MOUNT || f->layer != LAYER_DECLARED ||
		    (target && hash_index_get(&t->targets[to], target, &at)))
			continue;
		if (!may_take(t, entry))
			return false;
		copy = snapshot_copy_fact(snapshot, t->s->rows.items[to], f);
		if (mode && strncmp(mode, ":ro", 3) == 0)
			snapshot_set_attribute(snapshot, copy, "read_only", "true");
		snapshot_add_hop(snapshot, copy, entry->span, entry->text, "volumes_from");
		if (target)
			hash_index_put(&snapshot->arena, &t->targets[to], target, 0);
		taken = true;
	}
	return taken;
}

static bool take_from(struct taking *t, uint32_t to, const struct cvalue *list)
{
	struct arena *a = &t->w->snapshot->arena;
	struct row *row = t->s->rows.items[to];
	bool changed = false;

	for (size_t i = 0; i < cvalue_count(list); i++) {
		const struct cvalue *v = list->items[i].value;
		const char *text = cvalue_text(v);
		struct row *from =
		    text ? stack_row(t->s, arena_copy(a, text, strcspn(text, ":"))) : NULL;

		if (!from || from == row)
			continue;
		share(t->w, row, from);
		changed |= take_mounts(t, to, from, v);
	}
	return changed;
}

/* volumes_from: a service may take what another one took itself, so this is done until nothing comes in. */
static void take_volumes_from(struct workspace *w, const struct stack *s)
{
	const struct cvalue *services = cvalue_get(s->project.model, "services");
	struct taking t = {
		.w = w,
		.s = s,
		.targets = arena_array(&w->snapshot->arena, s->rows.count + 1, sizeof *t.targets),
	};
	bool changed = true;
	uint32_t to;

	list_targets(&t);
	for (unsigned round = 0; changed && round < LIMIT_INCLUDE_DEPTH; round++) {
		changed = false;
		for (size_t i = 0; cvalue_is_map(services) && i < services->count; i++)
			if (hash_index_get(&s->services, services->items[i].key, &to))
				changed |= take_from(&t, to, cvalue_get(services->items[i].value,
				                                        "volumes_from"));
	}
}

void stack_share(struct workspace *w, const struct stack *s)
{
	take_volumes_from(w, s);
	share_namespaces(w, s);
	share_volumes(w, s);
}
