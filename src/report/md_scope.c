/* Sections 2 and 3: artifacts and workloads; annex A: hashes.
 * SPDX-License-Identifier: MIT */
#include "src/report/md.h"

#include <string.h>

#include "model/text.h"

#define MOST_ARTIFACTS 60 /* with a line each */

static const char *class_words(enum artifact_class class)
{
	static const char *const words[CLASS_COUNT] = {
		[CLASS_PROPOSED] = "proposed configuration",
		[CLASS_EXAMPLE] = "example",
		[CLASS_GENERATED] = "generated manifest",
		[CLASS_TEST] = "test",
		[CLASS_EXPORT] = "runtime export",
	};

	return words[class];
}

static void add_state(struct md *m, const struct artifact *a)
{
	buf_puts(m->out, a->state == ARTIFACT_ASSESSED ? "read" : artifact_state_names[a->state]);
	if (a->problems.count) {
		buf_puts(m->out, ", ");
		md_count(m, a->problems.count + a->problems.dropped, "problem", "problems");
	} else if (a->reason) {
		buf_puts(m->out, ": ");
		md_text(m, a->reason);
	}
}

static unsigned artifact_number(const struct md *m, const struct artifact *a)
{
	return m->report->match->artifact_numbers[a->index];
}

static void add_kind(struct md *m, const struct artifact *a)
{
	md_printf(m, "%s | %s", format_table[a->format].title,
		  a->format == FORMAT_SCRIPT && a->class == CLASS_PROPOSED
			  ? "read as text"
			  : class_words(a->class));
	if (a->captured_at) {
		buf_putc(m->out, ' ');
		md_text(m, a->captured_at);
	}
}

static void add_artifact(struct md *m, const struct artifact *a)
{
	char hex[DIGEST_HEX];

	md_printf(m, "| A%u | ", artifact_number(m, a));
	md_code(m, shared_path(a->path));
	buf_puts(m->out, " | ");
	add_kind(m, a);
	if (a->has_digest) {
		digest_hex(a->sha256, hex);
		md_printf(m, " | `%.8s\xE2\x80\xA6%s` | ", hex, hex + DIGEST_HEX - 5);
	} else {
		buf_puts(m->out, " | " MD_DASH " | ");
	}
	add_state(m, a);
	buf_puts(m->out, " |\n");
}

static void add_list(struct md *m, const char *head, const struct string_list *list)
{
	if (!list->count)
		return;
	md_printf(m, "%s", head);
	for (size_t i = 0; i < list->count; i++) {
		buf_puts(m->out, i ? ", " : " ");
		md_code(m, shared_path(list->items[i]));
	}
	buf_puts(m->out, ".\n\n");
}

/* What else could be deployed, and what it would change. */
static void add_stacks(struct md *m)
{
	const struct snapshot *s = m->report->snapshot;

	for (size_t i = 0; i < s->stacks.count; i++) {
		const struct possible_stack *stack = &s->stacks.items[i];

		if (!stack->files.count)
			continue;
		for (size_t k = 0; k < stack->files.count; k++) {
			buf_puts(m->out, k ? " + " : "- ");
			md_code(m, shared_path(stack->files.items[k]));
		}
		if (*stack->changes) {
			buf_puts(m->out, ": ");
			md_text(m, stack->changes);
		}
		if (stack->source) {
			buf_puts(m->out, ", named at ");
			md_place(m, (struct span){ .source = stack->source, .offset = stack->offset });
		}
		buf_putc(m->out, '\n');
	}
	buf_putc(m->out, '\n');
}

static bool has_stacks(const struct snapshot *s)
{
	for (size_t i = 0; i < s->stacks.count; i++)
		if (s->stacks.items[i].files.count)
			return true;
	return false;
}

/* Files that others name and that were not there, each once for a row. */
static void add_missing(struct md *m)
{
	const struct snapshot *s = m->report->snapshot;
	size_t listed = 0;

	for (size_t i = 0; i < s->rows.count; i++) {
		const struct fact *f = row_first(s->rows.items[i], FACT_MISSING_FILE,
						 LAYER_DECLARED);

		for (; f; f = row_next(s->rows.items[i], f)) {
			buf_puts(m->out, listed++ ? "" : "Named but not supplied:\n\n");
			buf_puts(m->out, "- ");
			md_code(m, f->value);
			buf_puts(m->out, ", named at ");
			md_place(m, f->span);
			buf_putc(m->out, '\n');
		}
	}
	if (listed)
		buf_putc(m->out, '\n');
}

static void add_artifacts(struct md *m)
{
	const struct snapshot *s = m->report->snapshot;

	buf_puts(m->out, "| Id | Artifact | Format | Class | sha256 | Read |\n"
			 "|---|---|---|---|---|---|\n");
	for (size_t i = 0; i < s->artifacts.count; i++)
		if (s->artifacts.items[i]->state != ARTIFACT_IGNORED)
			add_artifact(m, s->artifacts.items[i]);
	buf_putc(m->out, '\n');
}

/* --- many artifacts, by folder -------------------------------------------------------------------- */

/* Files of one folder that are alike in all that is told of them. */
struct folder {
	const char *body; /* the columns but the last */
	struct {
		const struct artifact **items;
		size_t count, capacity;
	} files;
};

struct folders {
	struct arena arena;
	struct hash_index index;
	struct {
		struct folder *items;
		size_t count, capacity;
	} list;
};

static const char *file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static const char *folder_body(struct md *m, struct arena *arena, const struct artifact *a)
{
	const char *path = shared_path(a->path), *copy;
	struct buf body = { 0 }, *out = m->out;

	m->out = &body;
	if (file_name(path) > path)
		md_code(m, arena_copy(arena, path, (size_t)(file_name(path) - path)));
	else
		buf_puts(m->out, MD_DASH);
	buf_puts(m->out, " | ");
	add_kind(m, a);
	buf_puts(m->out, " | ");
	add_state(m, a);
	copy = arena_strdup(arena, buf_text(&body));
	m->out = out;
	buf_free(&body);
	return copy;
}

static void gather_folder(struct md *m, struct folders *f, const struct artifact *a)
{
	const char *body = folder_body(m, &f->arena, a);
	uint32_t at;

	if (!hash_index_get(&f->index, body, &at)) {
		at = (uint32_t)f->list.count;
		hash_index_put(&f->arena, &f->index, body, at);
		*ARENA_PUSH(&f->arena, &f->list) = (struct folder){ .body = body };
	}
	*ARENA_PUSH(&f->arena, &f->list.items[at].files) = a;
}

static void add_folders(struct md *m)
{
	const struct snapshot *s = m->report->snapshot;
	struct folders f = { 0 };

	for (size_t i = 0; i < s->artifacts.count; i++)
		if (s->artifacts.items[i]->state != ARTIFACT_IGNORED)
			gather_folder(m, &f, s->artifacts.items[i]);
	buf_puts(m->out, "Files by folder; their sha256 digests are in annex A.\n\n"
			 "| Folder | Format | Class | Read | Files |\n|---|---|---|---|---|\n");
	for (size_t i = 0; i < f.list.count; i++) {
		const struct folder *folder = &f.list.items[i];

		md_printf(m, "| %s | ", folder->body);
		for (size_t k = 0; k < folder->files.count; k++) {
			const struct artifact *a = folder->files.items[k];

			md_printf(m, "%sA%u ", k ? ", " : "", artifact_number(m, a));
			md_code(m, file_name(shared_path(a->path)));
		}
		buf_puts(m->out, " |\n");
	}
	buf_putc(m->out, '\n');
	arena_free(&f.arena);
}

void md_scope(struct md *m)
{
	const struct snapshot *s = m->report->snapshot;
	const size_t known = s->artifacts.count - m->report->match->counts.ignored;

	buf_puts(m->out, "## 2. Scope\n\n");
	if (!known)
		buf_puts(m->out, "No file of a known format was found.\n\n");
	else if (known <= MOST_ARTIFACTS)
		add_artifacts(m);
	else
		add_folders(m);
	if (m->report->match->counts.ignored) {
		md_count(m, m->report->match->counts.ignored, "file", "files");
		buf_puts(m->out, " of no known format or in folders that are not read: section 7.\n\n");
	}
	add_list(m, "Compose files chosen for the deployment:", &s->scope.compose_files);
	if (s->scope.project_directory) {
		buf_puts(m->out, "Project directory of these files: ");
		md_code(m, shared_path(s->scope.project_directory));
		buf_puts(m->out, ".\n\n");
	}
	if (has_stacks(s)) {
		buf_puts(m->out, "Other possible stacks of Compose files, with what the last file "
				 "changes:\n\n");
		add_stacks(m);
	}
	add_list(m, "Active profiles:", &s->scope.profiles);
	add_list(m, "Variables supplied from:", &s->scope.env_files);
	add_list(m, "Changed since the revision:", &s->scope.changed);
	add_missing(m);
	buf_puts(m->out, "Out of scope: contents of dependencies, binaries and images, the engine host, "
			 "the kernel, the cloud account.\n\n");
}

/* --- workloads ---------------------------------------------------------------------------------- */

static void add_tally(struct md *m, const struct row_tally *t)
{
	size_t listed = 0;

	for (unsigned i = 0; i < SEVERITY_COUNT; i++)
		if (t->findings[i])
			md_printf(m, "%s%c%zu", listed++ ? " " : "", severity_letters[i],
				  t->findings[i]);
	if (!listed)
		buf_puts(m->out, MD_DASH);
}

/* What an overlay makes of a shared object has the place of that object: the overlay tells them apart. */
static void add_overlay(struct md *m, const struct row *row)
{
	const struct snapshot *s = m->report->snapshot;
	const char *path = snapshot_path(s, row->span);
	const char *own = s->artifacts.items[row->artifact]->path;

	if (!path || !own || strcmp(path, own) == 0 || row->format != FORMAT_K8S)
		return;
	buf_puts(m->out, " by ");
	md_code(m, shared_path(own));
}

static void add_name(struct md *m, const struct row *row)
{
	enum artifact_class class = m->report->snapshot->artifacts.items[row->artifact]->class;

	if (*row->object_kind) {
		md_text(m, row->object_kind);
		buf_putc(m->out, ' ');
	}
	if (*row->namespace) {
		md_text(m, row->namespace);
		buf_putc(m->out, '/');
	}
	if (*row->unit && strcmp(row->unit, row->name) != 0) {
		md_code(m, row->unit);
		buf_puts(m->out, " container ");
	}
	md_code(m, row->name);
	if (class == CLASS_EXPORT) /* the other classes stand beside the place */
		md_printf(m, ", %s", class_words(class));
	add_overlay(m, row);
	if (row->variant)
		buf_puts(m->out, ", variant of its parent");
	if (row->activity != ROW_ACTIVE) {
		buf_puts(m->out, ", ");
		md_text(m, row->activity_reason ? row->activity_reason
			   : row->activity == ROW_DISABLED ? "disabled"
							   : "conditional");
	}
}

static void add_role(struct md *m, const struct row *row)
{
	md_text(m, shared_role(m->report, row));
	match_judged_role(m->report->match, row, m->out);
	if (row->role == ROLE_UNKNOWN || review_role(m->report->review, row->key))
		return;
	buf_puts(m->out, ", proposed");
	if (row->role_reason) {
		buf_puts(m->out, ": ");
		md_text(m, row->role_reason);
	}
}

static bool has_task(const struct md *m)
{
	const struct match *match = m->report->match;

	for (size_t i = 0; i < match->workload_count; i++)
		if (review_task(m->report->review, match->workloads[i]->key))
			return true;
	return false;
}

static void add_workload(struct md *m, size_t workload, bool tasks)
{
	const struct match *match = m->report->match;
	const struct row *row = match->workloads[workload];
	const char *task = review_task(m->report->review, row->key);

	md_printf(m, "| R-%02zu | ", workload + 1);
	add_name(m, row);
	md_printf(m, " | %s | ", row_kind_names[row->kind]);
	add_role(m, row);
	buf_puts(m->out, " | ");
	md_row_id(m, row->parent ? m->report->snapshot->rows.items[row->parent - 1] : NULL);
	buf_puts(m->out, " | ");
	md_place(m, row->span);
	buf_puts(m->out, " | ");
	if (tasks) {
		md_short(m, task ? task : "", 80);
		buf_puts(m->out, " | ");
	}
	add_tally(m, &match->tallies[workload]);
	buf_puts(m->out, " |\n");
}

void md_workloads(struct md *m)
{
	const struct match *match = m->report->match;
	const bool tasks = has_task(m);

	buf_puts(m->out, "## 3. Workloads\n\n");
	if (!match->workload_count) {
		buf_puts(m->out, "No workload was found in the files that were read.\n\n");
		return;
	}
	md_printf(m, "Open findings by severity: C critical, H high, M medium, i info. %s\n\n"
		     "| Row | Name | Kind | Role | Parent | Place | %sFindings |\n"
		     "|---|---|---|---|---|---|---|%s\n",
		  tasks ? "A task is what a person wrote that the row needs to do."
			: "No task is written: nobody has said yet what a row needs to do.",
		  tasks ? "Task | " : "", tasks ? "---|" : "");
	for (size_t i = 0; i < match->workload_count; i++)
		add_workload(m, i, tasks);
	buf_putc(m->out, '\n');
	md_pods(m);
}

/* --- annex A ------------------------------------------------------------------------------------ */

void md_annex_hashes(struct md *m)
{
	const struct snapshot *s = m->report->snapshot;
	char hex[DIGEST_HEX];

	buf_puts(m->out, "## Annex A. Hashes\n\nOf the original bytes, for `sha256sum -c` in the "
			 "root.\n\n``````text\n");
	for (size_t i = 0; i < s->artifacts.count; i++) {
		const struct artifact *a = s->artifacts.items[i];
		const char *path = shared_path(a->path);

		if (!a->has_digest)
			continue;
		digest_hex(a->sha256, hex);
		md_printf(m, "%s  ", hex);
		text_visible(m->out, path, strlen(path), TEXT_ONE_LINE);
		buf_putc(m->out, '\n');
	}
	buf_puts(m->out, "``````\n\n");
}
