/* Curses, signals, and giving the terminal back on every way out.
 *
 * This file alone has mutable file-scope variables: signal handlers and curses leave no choice.
 * SPDX-License-Identifier: MIT */
#include "ui/term.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

enum {
	UNDO_BYTES = 256,
	ESCAPE_DELAY_MS = 25,
	CLIPBOARD_BYTES = 64 * 1024,
	PASTE_GAP_MS = 500, /* a paste whose end got lost is over after that */
	/* Beyond the codes that curses gives to keys of the terminal description. */
	CODE_PASTE_BEGIN = 4000,
	CODE_PASTE_END,
};

/* Bracketed paste: terminals without it ignore these. */
static const char paste_on[] = "\033[?2004h", paste_off[] = "\033[?2004l";

static SCREEN *screen;
static FILE *input;
static int input_fd = -1;
static bool use_color;
static bool pasting;
static struct termios original;
static volatile sig_atomic_t ending_signal;
static volatile sig_atomic_t taken;
static char undo[UNDO_BYTES];
static volatile sig_atomic_t undo_length;
static sigset_t waiting_mask; /* what is let through while waiting */
static char alternate_stack[64 * 1024];

/* --- signals ---------------------------------------------------------------------------------- */

static void on_ending(int number)
{
	ending_signal = number;
}

/* Only async-signal-safe calls: the state of curses cannot be trusted here. */
static void on_crash(int number)
{
	if (taken) {
		ssize_t ignored = write(STDOUT_FILENO, undo, (size_t)undo_length);

		(void)ignored;
		tcsetattr(input_fd, TCSANOW, &original);
	}
	raise(number);
}

static int collect_undo(int c)
{
	if (undo_length < UNDO_BYTES - 1)
		undo[undo_length++] = (char)c;
	return c;
}

static void collect_capability(const char *name)
{
	char capability[8];
	const char *text;

	/* tigetstr() of older libraries takes no const. */
	strncpy(capability, name, sizeof capability - 1);
	capability[sizeof capability - 1] = '\0';
	text = tigetstr(capability);
	if (text && text != (const char *)-1)
		tputs(text, 1, collect_undo);
}

static void prepare_undo(void)
{
	undo_length = 0;
	for (const char *c = paste_off; *c; c++)
		collect_undo(*c);
	collect_capability("rmkx");
	collect_capability("sgr0");
	collect_capability("cnorm");
	collect_capability("rmcup");
}

static void handle(int number, void (*handler)(int), int flags)
{
	struct sigaction action;

	memset(&action, 0, sizeof action);
	sigemptyset(&action.sa_mask);
	action.sa_handler = handler;
	action.sa_flags = flags;
	sigaction(number, &action, NULL);
}

static void install_handlers(void)
{
	static const int endings[] = { SIGTERM, SIGHUP, SIGINT };
	static const int crashes[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
	stack_t stack = { .ss_sp = alternate_stack, .ss_size = sizeof alternate_stack };
	sigset_t blocked;

	sigaltstack(&stack, NULL);
	sigemptyset(&blocked);
	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
		handle(endings[i], on_ending, 0);
		sigaddset(&blocked, endings[i]);
	}
	for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
		handle(crashes[i], on_crash, (int)SA_RESETHAND | SA_ONSTACK | SA_NODEFER);
	handle(SIGPIPE, SIG_IGN, 0);
	/* Ending signals and size changes are let in only while waiting, so that none is missed
	 * between looking and waiting. */
	sigaddset(&blocked, SIGWINCH);
	sigprocmask(SIG_BLOCK, &blocked, &waiting_mask);
	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
		sigdelset(&waiting_mask, endings[i]);
	sigdelset(&waiting_mask, SIGWINCH);
}

int term_signal(void)
{
	return ending_signal;
}

/* --- start and stop --------------------------------------------------------------------------- */

/* Past curses, whose output is complete at this point. */
static void tell_terminal(const char *sequence)
{
	putp(sequence);
	fflush(stdout);
}

static void mark_pastes(void)
{
	/* define_key() of older libraries takes no const. */
	char begin[] = "\033[200~", end[] = "\033[201~";

	define_key(begin, CODE_PASTE_BEGIN);
	define_key(end, CODE_PASTE_END);
	tell_terminal(paste_on);
}

static bool check_terminal(struct buf *why)
{
	const char *name = getenv("TERM");

	if (!isatty(STDOUT_FILENO)) {
		buf_puts(why, "standard output is no terminal; \"boundwalk report\" writes a "
		              "document");
		return false;
	}
	if (!name || !*name || strcmp(name, "dumb") == 0) {
		buf_printf(why,
		           "the terminal type (TERM) is %s; set it, or use \"boundwalk "
		           "report\"",
		           name && *name ? name : "not set");
		return false;
	}
	return true;
}

static bool open_input(struct buf *why)
{
	if (isatty(STDIN_FILENO))
		input_fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
	else
		input_fd = open("/dev/tty", O_RDWR | O_CLOEXEC);
	input = input_fd >= 0 ? fdopen(input_fd, "r") : NULL;
	if (input && tcgetattr(input_fd, &original) == 0)
		return true;
	buf_puts(why, "standard input is no terminal and there is no /dev/tty; use \"boundwalk "
	              "report\"");
	return false;
}

static void start_colors(enum term_color color)
{
	use_color = color != TERM_COLOR_NEVER && has_colors();
	if (!use_color || start_color() != OK || COLORS < 8) {
		use_color = false;
		return;
	}
	use_default_colors();
	for (int c = COLOUR_RED; c <= COLOUR_CYAN; c++)
		init_pair((short)c, (short)c, -1);
}

bool term_start(enum term_color color, struct buf *why)
{
	if (!check_terminal(why) || !open_input(why))
		return false;
	install_handlers();
	screen = newterm(NULL, stdout, input);
	if (!screen) {
		buf_printf(why,
			   "terminal type \"%s\" is not known; set TERM, or use \"boundwalk report\"",
			   getenv("TERM"));
		return false;
	}
	set_term(screen);
	prepare_undo();
	taken = 1;
	atexit(term_stop);
	if (!getenv("ESCDELAY"))
		set_escdelay(ESCAPE_DELAY_MS);
	/* Raw: C-s, C-q, C-z and C-c are keys of ours; C-z suspends by its action. */
	raw();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	scrollok(stdscr, FALSE);
	curs_set(0);
	start_colors(color);
	mark_pastes();
	return true;
}

void term_stop(void)
{
	if (!taken)
		return;
	taken = 0;
	tell_terminal(paste_off);
	endwin();
	tcsetattr(input_fd, TCSANOW, &original);
}

bool term_is_utf8(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

bool term_has_color(void)
{
	return use_color;
}

void term_size(int *width, int *height)
{
	getmaxyx(stdscr, *height, *width);
}

/* --- drawing ---------------------------------------------------------------------------------- */

static attr_t attributes_of(struct style style, bool selected)
{
	attr_t attributes = A_NORMAL;

	if (style.attributes & STYLE_BOLD)
		attributes |= A_BOLD;
	if (style.attributes & STYLE_UNDERLINE)
		attributes |= A_UNDERLINE;
	if (style.attributes & STYLE_DIM)
		attributes |= A_DIM;
	if (((style.attributes & STYLE_REVERSE) != 0) != selected)
		attributes |= A_REVERSE;
	return attributes;
}

/* What the library's own table calls another width would shift the rest of the line. */
static bool library_agrees(const struct grid_cell *cell)
{
	return wcwidth((wchar_t)cell->points[0]) == cell->width;
}

static void put_cell(int x, int y, const struct grid_cell *cell, attr_t attributes, short pair)
{
	wchar_t points[GRID_POINTS + 1] = { 0 };
	cchar_t out;
	size_t count = 0;

	if (cell->points[0] < 0x80 && cell->points[1] == 0) {
		attr_set(attributes, pair, NULL);
		mvaddch(y, x, (chtype)cell->points[0]);
		return;
	}
	if (!library_agrees(cell)) {
		attr_set(attributes, pair, NULL);
		mvaddstr(y, x, cell->width == 2 ? "? " : "?");
		return;
	}
	while (count < GRID_POINTS && cell->points[count]) {
		points[count] = (wchar_t)cell->points[count];
		count++;
	}
	if (setcchar(&out, points, attributes, pair, NULL) == OK)
		mvadd_wch(y, x, &out);
}

void term_draw(const struct grid *g, enum theme theme)
{
	int width, height;

	term_size(&width, &height);
	erase();
	for (int y = 0; y < g->height && y < height; y++) {
		for (int x = 0; x < g->width && x < width; x++) {
			const struct grid_cell *cell =
			    &g->cells[(size_t)y * (size_t)g->width + (size_t)x];
			struct style style;

			if (cell->width == 0)
				continue;
			style = theme_style(use_color ? theme : THEME_MONO,
			                    (enum element)cell->element);
			if (theme == THEME_CONTRAST && !use_color)
				style.attributes =
				    theme_style(theme, (enum element)cell->element).attributes;
			put_cell(x, y, cell, attributes_of(style, cell->selected),
			         style.foreground > 0 ? style.foreground : 0);
		}
	}
	attr_set(A_NORMAL, 0, NULL);
	curs_set(g->cursor_shown ? 1 : 0);
	/* The cursor stays on the selected line, where readers for the blind look for it. */
	move(g->cursor_y < height ? g->cursor_y : 0, g->cursor_x < width ? g->cursor_x : 0);
	refresh();
}

void term_clear(void)
{
	clearok(curscr, TRUE);
}

/* --- keys ------------------------------------------------------------------------------------- */

/* Numbers of curses against ours: both call theirs KEY_…, so these are by curses' value. */
static ui_key named_key(wint_t code)
{
	static const struct {
		wint_t code;
		ui_key key;
	} keys[] = {
		{ KEY_UP, KEY_CODE_UP },
		{ KEY_DOWN, KEY_CODE_DOWN },
		{ KEY_LEFT, KEY_CODE_LEFT },
		{ KEY_RIGHT, KEY_CODE_RIGHT },
		{ KEY_HOME, KEY_CODE_HOME },
		{ KEY_END, KEY_CODE_END },
		{ KEY_PPAGE, KEY_CODE_PAGE_UP },
		{ KEY_NPAGE, KEY_CODE_PAGE_DOWN },
		{ KEY_ENTER, KEY_CODE_ENTER },
		{ KEY_BTAB, KEY_CODE_BACK_TAB },
		{ KEY_BACKSPACE, KEY_CODE_BACKSPACE },
		{ KEY_DC, KEY_CODE_DELETE },
	};

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (keys[i].code == code)
			return keys[i].key;
	if (code >= KEY_F(1) && code <= KEY_F(12))
		return KEY_CODE_F1 + (ui_key)(code - KEY_F(1));
	return KEY_CODE_LAST;
}

static ui_key plain_key(wint_t c)
{
	switch (c) {
	case '\r':
	case '\n':
		return KEY_CODE_ENTER;
	case '\t':
		return KEY_CODE_TAB;
	case 27:
		return KEY_CODE_ESCAPE;
	case 8:
	case 127:
		return KEY_CODE_BACKSPACE;
	default:
		return (ui_key)c;
	}
}

/* The next character or key; begin and end of a paste are noted on the way. */
static int read_code(wint_t *c)
{
	int got = get_wch(c);

	while (got == KEY_CODE_YES && (*c == CODE_PASTE_BEGIN || *c == CODE_PASTE_END)) {
		pasting = *c == CODE_PASTE_BEGIN;
		got = get_wch(c);
	}
	return got;
}

static bool read_event(struct ui_event *event)
{
	wint_t c;
	int got = read_code(&c);

	if (got == ERR)
		return false;
	*event = (struct ui_event){ .kind = UI_EVENT_KEY, .pasted = pasting };
	if (got == KEY_CODE_YES && c == KEY_RESIZE) {
		event->kind = UI_EVENT_RESIZE;
		term_size(&event->width, &event->height);
	} else {
		event->key = got == KEY_CODE_YES ? named_key(c) : plain_key(c);
	}
	return true;
}

static bool nothing_to_read(void)
{
	int waiting = 0;

	return ioctl(input_fd, FIONREAD, &waiting) != 0 || waiting == 0;
}

enum term_result term_wait(struct ui_event *event, int timeout_ms)
{
	struct timespec timeout = { timeout_ms / 1000, (long)(timeout_ms % 1000) * 1000000 };
	struct pollfd source = { .fd = input_fd, .events = POLLIN };
	int ready;

	if (ending_signal)
		return TERM_SIGNAL;
	/* Curses may hold more keys than one read gave. */
	if (read_event(event))
		return TERM_EVENT;
	if (pasting && poll(&source, 1, PASTE_GAP_MS) == 0)
		pasting = false;
	ready = ppoll(&source, 1, timeout_ms < 0 ? NULL : &timeout, &waiting_mask);
	if (ending_signal)
		return TERM_SIGNAL;
	if (ready < 0 && errno != EINTR)
		return TERM_GONE;
	if (read_event(event))
		return TERM_EVENT;
	if (ready > 0 && nothing_to_read() && (source.revents & (POLLHUP | POLLERR | POLLIN)))
		return TERM_GONE;
	return TERM_TIMEOUT;
}

/* --- other programs --------------------------------------------------------------------------- */

void term_lend(void)
{
	def_prog_mode();
	tell_terminal(paste_off);
	endwin();
}

void term_take_back(void)
{
	struct winsize size;

	reset_prog_mode();
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0)
		resizeterm(size.ws_row, size.ws_col);
	tell_terminal(paste_on);
	clearok(curscr, TRUE);
	refresh();
}

void term_suspend(void)
{
	struct sigaction former, plain;

	memset(&plain, 0, sizeof plain);
	sigemptyset(&plain.sa_mask);
	plain.sa_handler = SIG_DFL;
	term_lend();
	sigaction(SIGTSTP, &plain, &former);
	raise(SIGTSTP);
	sigaction(SIGTSTP, &former, NULL);
	term_take_back();
}

static void put_base64(struct buf *out, const unsigned char *bytes, size_t length)
{
	static const char digits[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < length; i += 3) {
		unsigned a = bytes[i], b = i + 1 < length ? bytes[i + 1] : 0,
		         c = i + 2 < length ? bytes[i + 2] : 0;

		buf_putc(out, digits[a >> 2]);
		buf_putc(out, digits[(a & 3) << 4 | b >> 4]);
		buf_putc(out, i + 1 < length ? digits[(b & 15) << 2 | c >> 6] : '=');
		buf_putc(out, i + 2 < length ? digits[c & 63] : '=');
	}
}

bool term_copy(const char *bytes, size_t length)
{
	struct buf out = { 0 };
	size_t done = 0;

	if (length > CLIPBOARD_BYTES)
		return false;
	buf_puts(&out, "\033]52;c;");
	put_base64(&out, (const unsigned char *)bytes, length);
	buf_putc(&out, '\a');
	fflush(stdout);
	while (done < out.length) {
		ssize_t put = write(STDOUT_FILENO, out.bytes + done, out.length - done);

		if (put <= 0 && errno != EINTR)
			break;
		done += put > 0 ? (size_t)put : 0;
	}
	buf_free(&out);
	return done > 0;
}
