/* The terminal: the only file that knows curses.
 *
 * One terminal a process. Whatever way the program ends (return, signal, crash), the terminal is
 * given back: main screen, cursor shown, original modes. SPDX-License-Identifier: MIT */
#ifndef UI_TERM_H
#define UI_TERM_H

#include "ui/grid.h"
#include "ui/state.h"

enum term_color { TERM_COLOR_AUTO, TERM_COLOR_ALWAYS, TERM_COLOR_NEVER };

/* Takes the terminal over. False with a message that says what to do instead; then nothing changed.
 */
bool term_start(enum term_color color, struct buf *why);
/* Gives it back; harmless when it was not taken. */
void term_stop(void);

/* True when the locale and so the terminal take UTF-8. */
bool term_is_utf8(void);
/* True when there are colours to use. */
bool term_has_color(void);
void term_size(int *width, int *height);
void term_draw(const struct grid *g, enum theme theme);
/* The next drawing starts from nothing. */
void term_clear(void);

enum term_result {
	TERM_EVENT,
	TERM_TIMEOUT,
	TERM_SIGNAL, /* a signal asks to end: term_signal() */
	TERM_GONE,   /* the terminal is no more */
};
/* Waits at most TIMEOUT_MS (-1: for ever) for a key or a new size. */
enum term_result term_wait(struct ui_event *event, int timeout_ms);
/* The signal that asks to end, or 0. */
int term_signal(void);

/* Stops the program until the shell continues it. */
void term_suspend(void);
/* Gives the terminal to another program and takes it back. */
void term_lend(void);
void term_take_back(void);
/* Puts text into the terminal's clipboard (OSC 52); false when it is too long. */
bool term_copy(const char *bytes, size_t length);

#endif
