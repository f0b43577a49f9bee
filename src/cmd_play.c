/* play: the reviewer driven by a script of keys, without a terminal.
 * SPDX-License-Identifier: MIT */
#include "src/cmd.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "model/limits.h"
#include "src/reviewer.h"
#include "ui/script.h"

static bool perform(void *context, struct ui_state *s, unsigned effects)
{
	struct reviewer *r = context;

	effects = reviewer_perform(r, effects);
	while (reviewer_step(r, 1000))
		continue;
	if (effects & UI_COPY)
		ui_say(s, MESSAGE_INFO, "%zu bytes copied", s->clip.length);
	if (effects & UI_EDIT)
		ui_say(s, MESSAGE_INFO, "a script opens no editor");
	return !(effects & UI_QUIT);
}

static bool keep(void *context, const char *name, const struct buf *screen, struct buf *why)
{
	(void)context;
	if (strcmp(name, "-") == 0)
		return cmd_print(screen);
	return cmd_write_file(name, screen, why);
}

static int play(const struct options *o, const struct config *c, const char *script, int width,
                int height)
{
	struct reviewer r;
	struct script_host host = { .context = &r, .perform = perform, .keep = keep };
	struct buf why = { 0 };
	int code = EXIT_DONE;

	reviewer_init(&r, o, o->arguments.count > 1 ? o->arguments.items[1] : ".");
	reviewer_configure(&r, c, true);
	ui_step(&r.ui,
	        &(struct ui_event){ .kind = UI_EVENT_RESIZE, .width = width, .height = height });
	reviewer_load(&r);
	while (reviewer_step(&r, 1000))
		continue;
	if (r.failed)
		code = cmd_error("%s", buf_text(&r.why));
	else if (!script_run(&r.ui, script, &host, &why))
		code = cmd_error("%s: %s", o->arguments.items[0], buf_text(&why));
	buf_free(&why);
	reviewer_free(&r);
	return code;
}

int cmd_play(const struct options *o)
{
	struct buf script = { 0 }, why = { 0 };
	int width = 80, height = 24, code;
	struct config c;

	if (o->size && !script_size(o->size, &width, &height))
		return cmd_error("--size %s: not a size such as 120x40", o->size);
	if (!config_load(&c, o, &why))
		code = cmd_error("%s", buf_text(&why));
	else if (!cmd_read_file(o->arguments.items[0], LIMIT_FILE_BYTES, &script))
		code = cmd_error("%s: %s", o->arguments.items[0], strerror(errno));
	else
		code = play(o, &c, buf_text(&script), width, height);
	buf_free(&script);
	buf_free(&why);
	config_free(&c);
	return code;
}
