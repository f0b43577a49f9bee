/* Small decisions that every renderer must make alike.
 * SPDX-License-Identifier: MIT */
#include "src/report/shared.h"

#include <string.h>

const char *shared_path(const char *path)
{
	const char *slash = strrchr(path, '/');

	return path[0] == '/' && slash ? slash + 1 : path;
}

enum mark shared_mark(const struct matched_cell *c)
{
	return c->marked ? c->marked->mark : c->cell.mark;
}

static const struct artifact *basis_artifact(const struct report *r, const char *basis)
{
	const struct artifact *found = snapshot_artifact_by_path(r->snapshot, basis);
	const char *colon = strrchr(basis, ':');
	struct arena scratch = { 0 };

	if (!found && colon) {
		found = snapshot_artifact_by_path(
			r->snapshot, arena_copy(&scratch, basis, (size_t)(colon - basis)));
		arena_free(&scratch);
	}
	return found;
}

const char *shared_sub(const struct report *r, const struct matched_cell *c)
{
	const struct artifact *basis;

	if (!c->marked || c->marked->mark == c->cell.mark)
		return c->cell.sub;
	if (c->marked->mark == MARK_DECLARED)
		return "told";
	if (c->marked->mark == MARK_UNAVAILABLE)
		return "not-supplied";
	basis = basis_artifact(r, c->marked->basis);
	return basis && basis->class == CLASS_EXPORT ? "export" : "test";
}

const char *shared_role(const struct report *r, const struct row *row)
{
	const char *role = review_role(r->review, row->key);

	return role ? role : row_role_names[row->role];
}

const struct artifact *shared_export(const struct report *r, const struct row *row,
				     enum field field)
{
	const struct fact *f = cell_next(row, field, NULL);

	while (f && f->layer != LAYER_OBSERVED)
		f = cell_next(row, field, f);
	return f ? snapshot_artifact_by_path(r->snapshot, snapshot_path(r->snapshot, f->span))
		 : NULL;
}
