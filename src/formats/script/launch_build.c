/* Images that the commands of a script build: which Dockerfile, which stage, which context.
 * SPDX-License-Identifier: MIT */
#include "src/formats/script/launch.h"

#include <string.h>

#include "src/formats/script/call.h"

static bool takes_value(const char *option)
{
	return word_in("-t --tag -f --file --target --build-arg --label --platform --network --secret "
		       "--ssh --cache-from --cache-to --output -o --progress --build-context --add-host "
		       "--iidfile --metadata-file --builder --memory -m --shm-size --ulimit --isolation "
		       "--allow --annotation --attest --sbom --provenance --security-opt --cgroup-parent "
		       "--cpu-shares -c --cpuset-cpus --cpuset-mems --format --layers --squash --volume "
		       "-v --runtime --userns --arch --os",
		       option);
}

/* "$ROOT/a/b", "${{ github.workspace }}/a/b": a variable in front stands for the folder. */
static const char *behind_variable(const char *name)
{
	const char *end = strrchr(name, '}'), *slash;

	if (!end)
		end = strrchr(name, ')');
	slash = strchr(end ? end : name, '/');
	if (!slash || strchr(slash, '$'))
		return ".";
	return slash + strspn(slash, "/");
}

/* The folder or file NAME as the command sees it: below FOLDER, or from the root. */
static const char *find_path(struct workspace *w, const char *folder, const char *name)
{
	return workspace_find(w, folder, name[0] == '$' ? behind_variable(name) : name);
}

const char *launch_option_value(const struct launch_args *args, size_t i, const char *name)
{
	const char *word = args->items[i].text;
	size_t n = strlen(name);

	if (strncmp(word, name, n) != 0)
		return NULL;
	if (word[n] == '=')
		return word + n + 1;
	return !word[n] && i + 1 < args->count ? args->items[i + 1].text : NULL;
}

static struct launch_words read_build(const struct launch_args *args, size_t at)
{
	struct launch_words b = { 0 };
	static const char *const names[] = { "-t", "--tag", "-f", "--file", "--target" };
	const char **const values[] = { &b.tag, &b.tag, &b.file, &b.file, &b.target };

	for (size_t i = at; i < args->count; i++) {
		const char *word = args->items[i].text;

		if (word[0] != '-' || !word[1]) {
			b.context = word;
			continue;
		}
		for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
			const char *value = launch_option_value(args, i, names[k]);

			if (value && !*values[k])
				*values[k] = value;
		}
		i += takes_value(word);
	}
	return b;
}

static bool is_known(const char *target)
{
	return !strchr(target, '$') && !strstr(target, "{{");
}

void launch_keep_build(struct workspace *w, struct input *in, const struct launch_place *place,
		       const struct launch_words *b)
{
	struct arena *a = &w->snapshot->arena;
	struct launch_file *file = in->state[FORMAT_SCRIPT];
	const char *context = b->context && !strstr(b->context, "://")
				      ? find_path(w, place->folder, b->context)
				      : NULL;
	const char *path = NULL;

	if (b->file)
		path = find_path(w, place->folder, b->file);
	/* An action's file may be named from its context. */
	if (!path && context && b->file)
		path = path_join(a, context, b->file);
	if (!path && context && !b->file)
		path = path_join(a, context, "Dockerfile");
	if (!path || !w->exists(w, path))
		return;
	if (!file)
		file = in->state[FORMAT_SCRIPT] = ARENA_NEW(a, struct launch_file);
	*ARENA_PUSH(a, &file->builds) = (struct launch_build){
		.name = b->tag,
		.dockerfile = path,
		.context = context ? context : path_folder(a, path),
		.target = b->target && *b->target && is_known(b->target) ? b->target : NULL,
		.unknown = b->target && !is_known(b->target),
		.span = place->span,
	};
}

void launch_add_build(struct workspace *w, struct input *in, const struct launch_place *place,
		      const struct launch_args *args)
{
	struct launch_words b = read_build(args, launch_build_at(args));

	launch_keep_build(w, in, place, &b);
}

size_t launch_build_at(const struct launch_args *args)
{
	size_t i = 1;

	while (i < args->count && args->items[i].text[0] == '-')
		i++;
	if (i < args->count && word_in("buildx image builder", args->items[i].text))
		i++;
	return i < args->count && word_in("build bud", args->items[i].text) ? i + 1 : 0;
}
