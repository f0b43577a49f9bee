/* The reviewer on the terminal: the event loop and the effects that need one.
 * SPDX-License-Identifier: MIT */
#include "src/cmd.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "src/reviewer.h"
#include "ui/term.h"

enum {
	READ_SLICE_MS = 20,
	DRAW_EVERY_MS = 100, /* while reading */
	QUICK_MS = 600,      /* too soon after a key for having read what it did */
};

struct screen {
	struct reviewer *r;
	struct grid grid;
	int code;       /* exit code once it ends */
	long last_key;  /* when it came */
};

/* --- other programs -----------------------------------------------------------------------------
 */

/* Child side: the editor gets the signals as the shell would give them. */
static void run_editor(const char *line, const char *path)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	execl("/bin/sh", "sh", "-c", "exec ${VISUAL:-${EDITOR:-vi}} \"$@\"", "sh", line, path,
	      (char *)NULL);
	_exit(127);
}

static int wait_for(pid_t child)
{
	int status = 0;

	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void edit(struct reviewer *r)
{
	struct buf path = { 0 }, line = { 0 };
	struct stat about;
	pid_t child;
	int status = -1;

	buf_puts(&path, r->path);
	if (stat(r->path, &about) == 0 && S_ISDIR(about.st_mode))
		buf_printf(&path, "/%s", buf_text(&r->ui.edit_path));
	buf_printf(&line, "+%u", r->ui.edit_line ? r->ui.edit_line : 1);
	term_lend();
	fflush(NULL);
	child = fork();
	if (child == 0)
		run_editor(buf_text(&line), buf_text(&path));
	if (child > 0)
		status = wait_for(child);
	term_take_back();
	if (status == 127)
		ui_say(&r->ui, MESSAGE_ERROR, "no editor: set VISUAL or EDITOR");
	else if (status != 0)
		ui_say(&r->ui, MESSAGE_WARNING, "the editor did not end well");
	else
		ui_say(&r->ui, MESSAGE_INFO, "back from the editor; R reads the tree again");
	buf_free(&path);
	buf_free(&line);
}

static void edit_or_explain(struct reviewer *r)
{
	if (r->o->revision)
		ui_say(&r->ui, MESSAGE_WARNING, "files of a revision cannot be edited");
	else if (strncmp(buf_text(&r->ui.edit_path), "observed:", 9) == 0)
		ui_say(&r->ui, MESSAGE_WARNING, "exports are evidence and are not edited");
	else
		edit(r);
}

static void copy(struct reviewer *r)
{
	if (term_copy(buf_text(&r->ui.clip), r->ui.clip.length))
		ui_say(&r->ui, MESSAGE_INFO, "%zu bytes copied through the terminal (OSC 52)",
		       r->ui.clip.length);
	else
		ui_say(&r->ui, MESSAGE_WARNING, "too long for the terminal's clipboard");
}

/* --- the loop -----------------------------------------------------------------------------------
 */

static void draw(struct screen *s)
{
	ui_draw(&s->r->ui, &s->grid);
	term_draw(&s->grid, s->r->ui.theme);
}

static void send_size(struct screen *s)
{
	struct ui_event event = { .kind = UI_EVENT_RESIZE };

	term_size(&event.width, &event.height);
	ui_step(&s->r->ui, &event);
}

/* False when the reviewer is to end. */
static bool perform(struct screen *s, unsigned effects)
{
	effects = reviewer_perform(s->r, effects);
	if (effects & UI_QUIT)
		return false;
	if (effects & UI_COPY)
		copy(s->r);
	if (effects & UI_EDIT)
		edit_or_explain(s->r);
	if (effects & UI_SUSPEND)
		term_suspend();
	if (effects & (UI_EDIT | UI_SUSPEND))
		send_size(s);
	if (effects & (UI_CLEAR | UI_EDIT | UI_SUSPEND))
		term_clear();
	return true;
}

static long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* The short form about runtime, system and versions, the first time on a tree. */
static void offer_scope(struct reviewer *r)
{
	if (r->asked_scope || !r->now)
		return;
	r->asked_scope = true;
	if (r->now->review.events.count > 0 || r->ui.read_only || r->ui.mode != MODE_MAIN)
		return;
	ui_step(&r->ui, &(struct ui_event){ .kind = UI_EVENT_KEY, .key = 'S' });
}

static bool has_ended(struct screen *s, enum term_result result)
{
	if (result == TERM_SIGNAL)
		s->code = 128 + term_signal();
	return result == TERM_SIGNAL || result == TERM_GONE;
}

/* Reads on while no key is waiting; draws at most every DRAW_EVERY_MS. */
static void read_on(struct screen *s, long *drawn)
{
	bool more = reviewer_step(s->r, READ_SLICE_MS);

	if (!more)
		offer_scope(s->r);
	if (!more || now_ms() - *drawn >= DRAW_EVERY_MS) {
		draw(s);
		*drawn = now_ms();
	}
}

static void time_key(struct screen *s, struct ui_event *event)
{
	long now = now_ms();

	event->quick = now - s->last_key < QUICK_MS;
	s->last_key = now;
}

static void loop(struct screen *s)
{
	struct ui_event event;
	long drawn = now_ms();

	for (;;) {
		bool reading = s->r->loader != NULL;
		enum term_result result = term_wait(&event, reading ? 0 : -1);

		if (has_ended(s, result) || s->r->failed)
			return;
		if (result == TERM_EVENT) {
			time_key(s, &event);
			if (!perform(s, ui_step(&s->r->ui, &event)))
				return;
			draw(s);
		} else if (reading) {
			read_on(s, &drawn);
		}
	}
}

/* The option, then NO_COLOR, then the settings, then the terminal. */
static enum term_color color_of(const struct options *o, const struct config *c)
{
	const char *no_color = getenv("NO_COLOR"), *word = c->color;

	if (o->color && strcmp(o->color, "auto") != 0)
		word = o->color;
	else if (no_color && no_color[0])
		word = "never";
	if (strcmp(word, "never") == 0)
		return TERM_COLOR_NEVER;
	return strcmp(word, "always") == 0 ? TERM_COLOR_ALWAYS : TERM_COLOR_AUTO;
}

static void say_goodbye(const struct reviewer *r)
{
	if (r->now && r->now->review.events.count > 0 && r->ui.review_path.length > 0)
		fprintf(stderr, "review: %s\n", buf_text(&r->ui.review_path));
}

static int run(const struct options *o, const struct config *c)
{
	struct reviewer r;
	struct screen s = { .r = &r };

	reviewer_init(&r, o, o->arguments.count ? o->arguments.items[0] : ".");
	reviewer_configure(&r, c, term_is_utf8());
	send_size(&s);
	ui_step(&r.ui, &(struct ui_event){ .kind = UI_EVENT_PROGRESS, .stage = "opening" });
	/* The first frame comes before the first file. */
	draw(&s);
	reviewer_load(&r);
	loop(&s);
	term_stop();
	if (r.failed)
		s.code = cmd_error("%s", buf_text(&r.why));
	else
		say_goodbye(&r);
	grid_free(&s.grid);
	reviewer_free(&r);
	return s.code;
}

static int list_keys(const struct config *c)
{
	struct buf out = { 0 };
	int code;

	keymap_list(&c->keymap, &out);
	code = cmd_print(&out) ? EXIT_DONE : EXIT_USAGE;
	buf_free(&out);
	return code;
}

int cmd_tui(const struct options *o)
{
	struct buf why = { 0 };
	struct config c;
	int code;

	if (!config_load(&c, o, &why))
		code = cmd_error("%s", buf_text(&why));
	else if (o->list_keys)
		code = list_keys(&c);
	else if (!term_start(color_of(o, &c), &why))
		code = cmd_error("%s", buf_text(&why));
	else
		code = run(o, &c);
	buf_free(&why);
	config_free(&c);
	return code;
}
