/* Classes of artifacts by path words and generator marks.
 * SPDX-License-Identifier: MIT */
#include "src/classify.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* A path component equal to one of these decides. Fixtures come first: a test's example is a test. */
static const struct {
	const char *word;
	enum artifact_class class;
} components[] = {
	{ "testdata", CLASS_TEST },	{ "test-data", CLASS_TEST }, { "test", CLASS_TEST },
	{ "tests", CLASS_TEST },	{ "__tests__", CLASS_TEST }, { "e2e", CLASS_TEST },
	{ "fixtures", CLASS_TEST },	{ "fixture", CLASS_TEST },   { "golden", CLASS_TEST },
	{ "examples", CLASS_EXAMPLE },	{ "example", CLASS_EXAMPLE },
	{ "samples", CLASS_EXAMPLE },	{ "sample", CLASS_EXAMPLE },
	{ "docs", CLASS_EXAMPLE },	{ "website", CLASS_EXAMPLE },
	{ "contrib", CLASS_EXAMPLE },	{ "_archived", CLASS_EXAMPLE },
};

/* A dot-separated word of the file name. */
static const char *const example_words[] = { "example", "sample", "template", "dist", "tmpl" };

static const char *const generated_marks[] = { "# Source: ", "Code generated", "DO NOT EDIT",
					       "kompose.cmd", "kompose.version",
					       "helm.sh/chart:" };

static bool component_is(const char *path, const char *word)
{
	size_t length = strlen(word);
	const char *part = path, *slash;

	for (; (slash = strchr(part, '/')); part = slash + 1)
		if ((size_t)(slash - part) == length && strncasecmp(part, word, length) == 0)
			return true;
	return false;
}

static bool name_has_word(const char *name, const char *word)
{
	size_t length = strlen(word);

	while ((name = strpbrk(name, ".-_"))) {
		name++;
		if (strncasecmp(name, word, length) == 0 &&
		    !isalnum((unsigned char)name[length]))
			return true;
	}
	return false;
}

static bool holds(const char *bytes, size_t length, const char *needle)
{
	return memmem(bytes, length, needle, strlen(needle)) != NULL;
}

enum artifact_class classify(const char *path, const char *bytes, size_t length)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	size_t head = length < 4096 ? length : 4096;

	for (size_t i = 0; i < sizeof components / sizeof *components; i++)
		if (component_is(path, components[i].word))
			return components[i].class;
	for (size_t i = 0; i < sizeof example_words / sizeof *example_words; i++)
		if (name_has_word(name, example_words[i]))
			return CLASS_EXAMPLE;
	for (size_t i = 0; i < sizeof generated_marks / sizeof *generated_marks; i++)
		if (holds(bytes, head, generated_marks[i]))
			return CLASS_GENERATED;
	return CLASS_PROPOSED;
}
