/* Reading the settings.
 * SPDX-License-Identifier: MIT */
#include "src/config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 512 };

static const char *one_of(const char *value, const char *const *choices, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(choices[i], value) == 0)
			return choices[i];
	return NULL;
}

static bool set_theme(struct config *c, const char *value)
{
	enum theme theme = theme_by_name(value);

	if (theme == THEME_COUNT)
		return false;
	c->theme = theme;
	return true;
}

static bool set_color(struct config *c, const char *value)
{
	static const char *const choices[] = { "auto", "always", "never" };
	const char *choice = one_of(value, choices, 3);

	c->color = choice ? choice : c->color;
	return choice != NULL;
}

static bool set_characters(struct config *c, const char *value)
{
	static const char *const choices[] = { "auto", "ascii", "unicode" };
	const char *choice = one_of(value, choices, 3);

	c->characters = choice ? choice : c->characters;
	return choice != NULL;
}

static const struct {
	const char *name, *values;
	bool (*set)(struct config *c, const char *value);
} settings[] = {
	{ "theme", "default, light, dark, mono, contrast", set_theme },
	{ "color", "auto, always, never", set_color },
	{ "characters", "auto, ascii, unicode", set_characters },
};

static bool set_value(struct config *c, const char *name, size_t length, const char *value,
                      struct buf *why)
{
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
		if (strlen(settings[i].name) != length ||
		    strncmp(settings[i].name, name, length) != 0)
			continue;
		if (settings[i].set(c, value))
			return true;
		buf_printf(why, "%s: \"%s\" is none of %s", settings[i].name, value,
		           settings[i].values);
		return false;
	}
	buf_printf(why, "no setting \"%.*s\": theme, color or characters", (int)length, name);
	return false;
}

static bool bind_keys(struct config *c, const char *words, struct buf *why)
{
	size_t length = strcspn(words, " ");
	char name[32];
	enum action action;

	snprintf(name, sizeof name, "%.*s", (int)(length < 31 ? length : 31), words);
	action = action_by_name(name);
	if (action == ACTION_NONE) {
		buf_printf(why, "no action \"%s\"; boundwalk --list-keys lists them", name);
		return false;
	}
	if (!keymap_bind(&c->keymap, action, words + length)) {
		buf_printf(why, "%s: not keys:%s", name, words + length);
		return false;
	}
	return true;
}

static const char *skip_blanks(const char *text)
{
	return text + strspn(text, " \t");
}

bool config_line(struct config *c, const char *line, struct buf *why)
{
	const char *rest;
	size_t length;

	line = skip_blanks(line);
	length = strcspn(line, " \t");
	rest = skip_blanks(line + length);
	if (length == 0 || *line == '#')
		return true;
	if (length == 4 && strncmp(line, "bind", 4) == 0)
		return bind_keys(c, rest, why);
	if (length == 3 && strncmp(line, "set", 3) == 0) {
		length = strcspn(rest, " \t");
		return set_value(c, rest, length, skip_blanks(rest + length), why);
	}
	buf_printf(why, "\"%.*s\" is neither set nor bind", (int)length, line);
	return false;
}

static void add_problem(struct config *c, const char *where, size_t line, struct buf *why)
{
	buf_printf(&c->problems, "%s:%zu: %s\n", where, line, buf_text(why));
	buf_clear(why);
}

static void read_lines(struct config *c, FILE *f, const char *path)
{
	char line[LINE_BYTES];
	struct buf why = { 0 };

	for (size_t number = 1; fgets(line, sizeof line, f); number++) {
		line[strcspn(line, "\r\n")] = '\0';
		if (!config_line(c, line, &why))
			add_problem(c, path, number, &why);
	}
	buf_free(&why);
}

static bool user_path(struct buf *out)
{
	const char *base = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");

	if (base && base[0] == '/')
		buf_printf(out, "%s/boundwalk/config", base);
	else if (home && home[0] == '/')
		buf_printf(out, "%s/.config/boundwalk/config", home);
	return out->length > 0;
}

static bool read_file(struct config *c, const char *path, bool named, struct buf *why)
{
	FILE *f = fopen(path, "re");

	if (!f && named)
		buf_printf(why, "%s: %s", path, strerror(errno));
	if (!f)
		return !named;
	read_lines(c, f, path);
	fclose(f);
	return true;
}

bool config_load(struct config *c, const struct options *o, struct buf *why)
{
	struct buf path = { 0 };
	bool ok = true;

	*c = (struct config){ .color = "auto", .characters = "auto" };
	keymap_defaults(&c->keymap);
	if (o->config)
		ok = read_file(c, o->config, true, why);
	else if (user_path(&path))
		read_file(c, buf_text(&path), false, why);
	for (size_t i = 0; ok && i < o->settings.count; i++) {
		const char *setting = o->settings.items[i];
		size_t length = strcspn(setting, "=");

		ok =
		    set_value(c, setting, length, setting + length + (setting[length] == '='), why);
	}
	buf_free(&path);
	return ok;
}

void config_free(struct config *c)
{
	buf_free(&c->problems);
}
