/* Running a script of keys.
 * SPDX-License-Identifier: MIT */
#include "ui/script.h"

#include <string.h>

#include "model/text.h"

struct runner {
	struct ui_state *s;
	const struct script_host *host;
	struct buf *why;
	bool quit;
};

static bool read_number(const char **text, int *out)
{
	int value = 0;

	if (**text < '0' || **text > '9')
		return false;
	for (; **text >= '0' && **text <= '9' && value <= 1000; (*text)++)
		value = value * 10 + (**text - '0');
	*out = value;
	return value >= 1 && value <= 1000;
}

bool script_size(const char *text, int *width, int *height)
{
	return read_number(&text, width) && *text++ == 'x' && read_number(&text, height) &&
	       *text == '\0';
}

static void step(struct runner *r, const struct ui_event *event)
{
	unsigned effects = ui_step(r->s, event);

	if (!r->host->perform(r->host->context, r->s, effects))
		r->quit = true;
}

static void press(struct runner *r, ui_key key)
{
	if (!r->quit)
		step(r, &(struct ui_event){ .kind = UI_EVENT_KEY, .key = key });
}

static bool run_size(struct runner *r, const char *rest)
{
	struct ui_event event = { .kind = UI_EVENT_RESIZE };

	if (!script_size(rest, &event.width, &event.height)) {
		buf_printf(r->why, "\"%s\" is no size such as 80x24", rest);
		return false;
	}
	step(r, &event);
	return true;
}

static bool run_ascii(struct runner *r, const char *rest)
{
	r->s->ascii = strcmp(rest, "on") == 0;
	/* Documents are made for one character set. */
	step(r, &(struct ui_event){
	            .kind = UI_EVENT_RESIZE, .width = r->s->width, .height = r->s->height });
	return true;
}

static bool run_type(struct runner *r, const char *rest)
{
	size_t used, length = strlen(rest);

	for (size_t i = 0; i < length; i += used)
		press(r, text_decode_point(rest + i, length - i, &used));
	return true;
}

static bool run_snapshot(struct runner *r, const char *rest)
{
	struct grid grid = { 0 };
	struct buf screen = { 0 };
	bool ok;

	ui_draw(r->s, &grid);
	grid_dump(&grid, &screen);
	ok = r->host->keep(r->host->context, rest, &screen, r->why);
	grid_free(&grid);
	buf_free(&screen);
	return ok;
}

static const struct {
	const char *name;
	bool (*run)(struct runner *r, const char *rest);
} commands[] = {
	{ "size", run_size },
	{ "ascii", run_ascii },
	{ "type", run_type },
	{ "snapshot", run_snapshot },
};

static bool run_keys(struct runner *r, const char *line)
{
	ui_key key;

	while (*line) {
		size_t length = strcspn(line, " \t");

		if (length > 0 && !key_parse(line, length, &key)) {
			buf_printf(r->why, "\"%.*s\" is no key and no command", (int)length, line);
			return false;
		}
		if (length > 0)
			press(r, key);
		line += length + (line[length] != '\0');
	}
	return true;
}

static bool run_line(struct runner *r, const char *line)
{
	size_t word = strcspn(line, " \t");

	if (line[0] == '#')
		return true;
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
		if (strlen(commands[i].name) == word && strncmp(commands[i].name, line, word) == 0)
			return commands[i].run(r, line + word + (line[word] != '\0'));
	return run_keys(r, line);
}

bool script_run(struct ui_state *s, const char *text, const struct script_host *host,
                struct buf *why)
{
	struct runner r = { .s = s, .host = host, .why = why };
	struct buf line = { 0 }, reason = { 0 };
	size_t number = 0;
	bool ok = true;

	r.why = &reason;
	while (*text && ok && !r.quit) {
		size_t length = strcspn(text, "\n");

		number++;
		buf_clear(&line);
		buf_add(&line, text, length);
		ok = run_line(&r, buf_text(&line));
		text += length + (text[length] == '\n');
	}
	if (!ok)
		buf_printf(why, "line %zu: %s", number, buf_text(&reason));
	buf_free(&line);
	buf_free(&reason);
	return ok;
}
