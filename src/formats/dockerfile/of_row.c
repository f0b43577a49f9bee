/* Which stage of which Dockerfile a row starts.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "src/formats/dockerfile/image.h"
#include "src/formats/script/launch.h"
#include "src/syntax/image_ref.h"

/* --- names of images built in the tree --------------------------------------------------------- */

/* The name without tag and digest, as an engine compares it. */
static const char *plain_name(struct arena *a, const char *reference)
{
	struct image_ref ref;

	if (!reference || !*reference || *reference == '$')
		return NULL;
	ref = image_ref_normalize(a, reference);
	if (ref.error == IMAGE_REF_OK)
		return arena_printf(a, "%s/%s", ref.domain, ref.path);
	/* "%ImageName%", "${IMAGE}:x": the same spelling is the same name. */
	return strchr(reference, '%') ? arena_strdup(a, reference) : NULL;
}

static void add_name(struct arena *a, struct image_names *names, const char *reference,
		     const char *dockerfile, const char *target)
{
	const char *name = plain_name(a, reference);
	uint32_t known;

	if (!name || hash_index_get(&names->index, name, &known))
		return;
	hash_index_put(a, &names->index, name, (uint32_t)names->count);
	*ARENA_PUSH(a, names) = (struct image_name){ dockerfile, target };
}

struct image_names image_names(struct workspace *w)
{
	struct arena *a = &w->snapshot->arena;
	struct image_names names = { 0 };

	for (size_t i = 0; i < w->snapshot->rows.count; i++) {
		const struct row *r = w->snapshot->rows.items[i];
		const struct fact *build = row_first(r, FACT_BUILD, LAYER_DECLARED);
		const struct fact *image = row_first(r, FACT_IMAGE, LAYER_DECLARED);

		if (build && image && fact_attribute(build, "dockerfile"))
			add_name(a, &names, image->value, fact_attribute(build, "dockerfile"),
				 fact_attribute(build, "target"));
	}
	for (size_t i = 0; i < w->inputs.count; i++) {
		const struct launch_file *f = launch_file_of(w->inputs.items[i]);

		for (size_t k = 0; f && k < f->builds.count; k++)
			add_name(a, &names, f->builds.items[k].name, f->builds.items[k].dockerfile,
				 f->builds.items[k].target);
	}
	return names;
}

/* --- rows -------------------------------------------------------------------------------------- */

/* The stage of a Dockerfile's own row. */
static struct image_stage *of_stage_row(struct workspace *w, const struct row *r,
					struct image_file **file)
{
	const char *path = w->snapshot->artifacts.items[r->artifact]->path;
	struct image_file *f;

	if (*r->namespace)
		path = image_inline_key(&w->snapshot->arena, path, r->namespace);
	f = image_file_of(workspace_input(w, path));
	for (size_t i = 0; f && i < f->stage_count; i++)
		if (f->stages[i].row == r) {
			*file = f;
			return &f->stages[i];
		}
	return NULL;
}

static struct image_stage *built_from(struct workspace *w, const char *path, const char *target,
				      struct image_file **file)
{
	*file = path ? image_file_of(workspace_input(w, path)) : NULL;
	return *file && (*file)->stages ? image_stage_find(*file, target) : NULL;
}

static struct image_stage *by_name(struct workspace *w, const struct image_names *names,
				   const char *reference, struct image_file **file)
{
	const char *name = plain_name(&w->snapshot->arena, reference);
	uint32_t index;

	if (!name || !hash_index_get(&names->index, name, &index))
		return NULL;
	return built_from(w, names->items[index].dockerfile, names->items[index].target, file);
}

struct image_stage *image_base_of_row(struct workspace *w, const struct row *r,
				      const struct image_names *names, struct fact **base)
{
	struct image_file *file;
	struct image_stage *stage;

	for (size_t i = 0; i < r->facts.count; i++) {
		*base = r->facts.items[i];
		if ((*base)->kind != FACT_BASE_IMAGE || !fact_is_written(*base) ||
		    fact_attribute(*base, "stage_reference"))
			continue;
		stage = by_name(w, names, (*base)->value, &file);
		return stage && stage->row != r ? stage : NULL;
	}
	return NULL;
}

struct image_stage *image_of_row(struct workspace *w, const struct row *r,
				 const struct image_names *names, struct image_file **file)
{
	const struct fact *build = row_first(r, FACT_BUILD, LAYER_DECLARED);
	const struct fact *image = row_first(r, FACT_IMAGE, LAYER_DECLARED);

	*file = NULL;
	if (r->format == FORMAT_DOCKERFILE)
		return of_stage_row(w, r, file);
	if (build && fact_attribute(build, "dockerfile"))
		return built_from(w, fact_attribute(build, "dockerfile"),
				  fact_attribute(build, "target"), file);
	return image ? by_name(w, names, image->value, file) : NULL;
}
