/* The program on a pseudo terminal, read back through libvterm: drawing, keys, sizes, and the
 * terminal given back on every way out. SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <vterm.h>
#include <cmocka.h>

#include "model/buf.h"
#include "model/text.h"

enum { DEADLINE_MS = 20000 };

struct terminal {
	int fd;
	pid_t pid;
	int rows, columns;
	VTerm *vt;
	VTermScreen *screen;
	bool alternate;
	struct buf log;  /* every byte the program wrote */
	struct buf text; /* of the screen, filled by shown() */
};

struct setting {
	const char *name, *value;
};

static char state_home[] = "/tmp/boundwalk-test-XXXXXX";

static const char *program(void)
{
	const char *path = getenv("BOUNDWALK");

	return path ? path : "./boundwalk";
}

static int on_property(VTermProp property, VTermValue *value, void *user)
{
	struct terminal *t = user;

	if (property == VTERM_PROP_ALTSCREEN)
		t->alternate = value->boolean;
	return 1;
}

static const VTermScreenCallbacks callbacks = { .settermprop = on_property };

/* With SHELL the program is the job of a shell, as it must be to be stopped. */
static void run_child(const char *tree, const struct setting *settings, bool shell)
{
	setenv("TERM", "xterm-256color", 1);
	setenv("LC_ALL", "C.UTF-8", 1);
	setenv("XDG_STATE_HOME", state_home, 1);
	unsetenv("NO_COLOR");
	for (; settings && settings->name; settings++)
		setenv(settings->name, settings->value, 1);
	if (shell)
		execl("/bin/sh", "sh", "-c",
		      "set -m; \"$0\" --reviewer ana \"$1\"; echo in the shell; read line; fg",
		      program(), tree, (char *)NULL);
	execl(program(), "boundwalk", "--reviewer", "ana", tree, (char *)NULL);
	_exit(126);
}

static void start_in(struct terminal *t, int rows, int columns, const char *tree,
                     const struct setting *settings, bool shell)
{
	struct winsize size = { .ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns };

	*t = (struct terminal){ .rows = rows, .columns = columns };
	t->pid = forkpty(&t->fd, NULL, NULL, &size);
	assert_true(t->pid >= 0);
	if (t->pid == 0)
		run_child(tree, settings, shell);
	t->vt = vterm_new(rows, columns);
	vterm_set_utf8(t->vt, 1);
	t->screen = vterm_obtain_screen(t->vt);
	vterm_screen_enable_altscreen(t->screen, 1);
	vterm_screen_set_callbacks(t->screen, &callbacks, t);
	vterm_screen_reset(t->screen, 1);
}

static void start(struct terminal *t, int rows, int columns, const char *tree,
                  const struct setting *settings)
{
	start_in(t, rows, columns, tree, settings, false);
}

static void finish(struct terminal *t)
{
	vterm_free(t->vt);
	close(t->fd);
	buf_free(&t->log);
	buf_free(&t->text);
}

/* Takes what the program wrote within TIMEOUT_MS; false at the end of it. */
static bool take(struct terminal *t, int timeout_ms)
{
	struct pollfd source = { .fd = t->fd, .events = POLLIN };
	char bytes[8192];
	ssize_t got;

	if (poll(&source, 1, timeout_ms) <= 0)
		return true;
	got = read(t->fd, bytes, sizeof bytes);
	if (got <= 0)
		return false;
	vterm_input_write(t->vt, bytes, (size_t)got);
	buf_add(&t->log, bytes, (size_t)got);
	return true;
}

static const char *shown(struct terminal *t)
{
	buf_clear(&t->text);
	for (int y = 0; y < t->rows; y++) {
		for (int x = 0; x < t->columns; x++) {
			VTermScreenCell cell;

			if (!vterm_screen_get_cell(t->screen, (VTermPos){ .row = y, .col = x },
			                           &cell))
				continue;
			text_encode_point(&t->text, cell.chars[0] && cell.chars[0] != (uint32_t)-1
			                                ? cell.chars[0]
			                                : ' ');
		}
		buf_putc(&t->text, '\n');
	}
	return buf_text(&t->text);
}

static long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Waits until the screen shows TEXT, or does so no more. */
static void await(struct terminal *t, const char *text, bool present)
{
	long end = now_ms() + DEADLINE_MS;

	while ((strstr(shown(t), text) != NULL) != present) {
		if (now_ms() > end || !take(t, 50)) {
			print_message("waited for \"%s\" (%d) on\n%s\n", text, present, shown(t));
			fail();
		}
	}
}

static void type(struct terminal *t, const char *keys)
{
	assert_int_equal(write(t->fd, keys, strlen(keys)), strlen(keys));
}

/* Waits for the end; returns the wait status. */
static int end_of(struct terminal *t)
{
	long end = now_ms() + DEADLINE_MS;
	int status = 0;

	while (now_ms() < end && take(t, 20)) {
		if (waitpid(t->pid, &status, WNOHANG) == t->pid) {
			while (take(t, 20) && now_ms() < end && t->alternate)
				continue;
			return status;
		}
	}
	if (waitpid(t->pid, &status, now_ms() < end ? 0 : WNOHANG) == t->pid)
		return status;
	kill(t->pid, SIGKILL);
	waitpid(t->pid, &status, 0);
	fail_msg("the program did not end");
	return status;
}

static void assert_given_back(struct terminal *t)
{
	struct termios modes;

	assert_false(t->alternate);
	assert_non_null(strstr(buf_text(&t->log), "\033[?2004l"));
	if (tcgetattr(t->fd, &modes) == 0) {
		assert_true(modes.c_lflag & ICANON);
		assert_true(modes.c_lflag & ECHO);
	}
}

/* To the panes, past the scope form of a new review. */
static void open_panes(struct terminal *t)
{
	await(t, "Scope of the review", true);
	type(t, "\033");
	await(t, "Scope of the review", false);
	await(t, "Findings", true);
}

/* The text may be there before the cursor is. */
static void await_cursor_on_selection(struct terminal *t)
{
	long end = now_ms() + DEADLINE_MS;
	VTermScreenCell cell;
	VTermPos at;

	do {
		assert_true(take(t, 50));
		vterm_state_get_cursorpos(vterm_obtain_state(t->vt), &at);
		assert_true(vterm_screen_get_cell(t->screen, at, &cell));
	} while ((cell.chars[0] != '>' || !cell.attrs.reverse) && now_ms() < end);
	assert_int_equal(cell.chars[0], '>');
	assert_true(cell.attrs.reverse);
}

static void resize(struct terminal *t, int rows, int columns)
{
	struct winsize size = { .ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns };

	t->rows = rows;
	t->columns = columns;
	vterm_set_size(t->vt, rows, columns);
	assert_int_equal(ioctl(t->fd, TIOCSWINSZ, &size), 0);
}

static void clean_state(void)
{
	char command[128];

	snprintf(command, sizeof command, "rm -rf '%s/boundwalk'", state_home);
	assert_int_equal(system(command), 0);
}

static bool review_holds(const char *text)
{
	char command[256];

	snprintf(command, sizeof command, "grep -rq '%s' '%s/boundwalk'", text, state_home);
	return system(command) == 0;
}

static void test_move_mark_resize_and_quit(void **state)
{
	struct terminal t;
	int status;

	(void)state;
	clean_state();
	start(&t, 24, 80, "fixtures/demo", NULL);
	open_panes(&t);
	type(&t, "2");
	await(&t, "Declared", true);
	await_cursor_on_selection(&t);
	type(&t, "gjd");
	await(&t, "marked declared", true);
	type(&t, "z");
	await(&t, "undone", true);
	resize(&t, 3, 12);
	await(&t, "too small", true);
	resize(&t, 44, 160);
	await(&t, "5 Detail", true);
	await_cursor_on_selection(&t);
	type(&t, "Q");
	status = end_of(&t);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	assert_given_back(&t);
	finish(&t);
}

static void test_a_paste_runs_no_actions(void **state)
{
	struct terminal t;

	(void)state;
	clean_state();
	start(&t, 24, 80, "fixtures/demo", NULL);
	open_panes(&t);
	type(&t, "\033[200~d!q\033[201~");
	await(&t, "pasted text is left out", true);
	assert_false(review_holds("mark"));
	type(&t, "c");
	await(&t, "comment on", true);
	type(&t, "\033[200~first\rsecond\033[201~");
	await(&t, "first second", true);
	type(&t, "\r");
	await(&t, "comment kept", true);
	assert_true(review_holds("first second"));
	type(&t, "Q");
	assert_true(WIFEXITED(end_of(&t)));
	assert_given_back(&t);
	finish(&t);
}

static void end_by(int number, int want)
{
	struct terminal t;
	int status;

	clean_state();
	start(&t, 30, 100, "fixtures/demo", NULL);
	open_panes(&t);
	type(&t, "2gjd");
	await(&t, "marked declared", true);
	kill(t.pid, number);
	status = end_of(&t);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), want);
	assert_given_back(&t);
	assert_true(review_holds("declared"));
	finish(&t);
}

static void test_sigterm_keeps_marks(void **state)
{
	(void)state;
	end_by(SIGTERM, 143);
}

static void test_sighup_keeps_marks(void **state)
{
	(void)state;
	end_by(SIGHUP, 129);
}

static void test_a_crash_gives_the_terminal_back(void **state)
{
	struct terminal t;
	int status;

	(void)state;
	clean_state();
	start(&t, 24, 80, "fixtures/demo", NULL);
	open_panes(&t);
	kill(t.pid, SIGSEGV);
	status = end_of(&t);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGSEGV);
	assert_given_back(&t);
	finish(&t);
}

static void test_suspend_and_continue(void **state)
{
	struct terminal t;
	int status;

	(void)state;
	clean_state();
	start_in(&t, 24, 80, "fixtures/demo", NULL, true);
	open_panes(&t);
	type(&t, "\032");
	await(&t, "in the shell", true);
	assert_given_back(&t);
	resize(&t, 30, 100);
	type(&t, "\n");
	await(&t, "2 Boundary map", true);
	assert_true(t.alternate);
	await_cursor_on_selection(&t);
	type(&t, "q");
	status = end_of(&t);
	assert_true(WIFEXITED(status));
	assert_given_back(&t);
	finish(&t);
}

static void test_no_color_writes_no_colour(void **state)
{
	static const struct setting settings[] = { { "NO_COLOR", "1" }, { NULL, NULL } };
	struct terminal t;

	(void)state;
	clean_state();
	start(&t, 30, 100, "fixtures/demo", settings);
	open_panes(&t);
	for (char digit = '1'; digit <= '7'; digit++) {
		char sequence[8] = { '\033', '[', '3', digit, 'm', '\0' };

		assert_null(strstr(buf_text(&t.log), sequence));
	}
	type(&t, "q");
	end_of(&t);
	finish(&t);
}

static void test_ascii_locale_writes_only_ascii(void **state)
{
	static const struct setting settings[] = { { "LC_ALL", "C" }, { NULL, NULL } };
	struct terminal t;

	(void)state;
	clean_state();
	start(&t, 44, 160, "fixtures/demo", settings);
	open_panes(&t);
	await(&t, "+1 Workloads", true);
	for (size_t i = 0; i < t.log.length; i++)
		assert_true((unsigned char)t.log.bytes[i] < 0x80);
	type(&t, "q");
	end_of(&t);
	finish(&t);
}

static void test_a_hostile_file_writes_no_control_bytes(void **state)
{
	static const char dockerfile[] = "FROM alpine:\033]0;pwned\007\n"
	                                 "USER root\033[2J\n"
	                                 "LABEL x=\"\xe2\x80\xaetxt\"\n";
	struct buf path = { 0 };
	struct terminal t;
	FILE *f;

	(void)state;
	clean_state();
	buf_printf(&path, "%s/tree", state_home);
	mkdir(buf_text(&path), 0700);
	buf_puts(&path, "/Dockerfile");
	f = fopen(buf_text(&path), "we");
	assert_non_null(f);
	fwrite(dockerfile, 1, sizeof dockerfile - 1, f);
	fclose(f);
	buf_clear(&path);
	buf_printf(&path, "%s/tree", state_home);
	start(&t, 44, 160, buf_text(&path), NULL);
	open_panes(&t);
	assert_null(strstr(buf_text(&t.log), "\033]0;"));
	assert_null(strstr(buf_text(&t.log), "\xe2\x80\xae"));
	type(&t, "q");
	end_of(&t);
	finish(&t);
	buf_free(&path);
}

/* Exit code and message of the program where there is no terminal to draw on. */
static int run_plain(const char *command, struct buf *out)
{
	struct buf line = { 0 };
	char block[512];
	FILE *pipe;
	int status;

	buf_printf(&line, "exec 2>&1; XDG_STATE_HOME='%s'; export XDG_STATE_HOME; %s", state_home,
	           command);
	pipe = popen(buf_text(&line), "re");
	assert_non_null(pipe);
	while (fgets(block, sizeof block, pipe))
		buf_puts(out, block);
	status = pclose(pipe);
	buf_free(&line);
	return WEXITSTATUS(status);
}

static void test_without_a_terminal_it_names_the_report(void **state)
{
	struct buf command = { 0 }, out = { 0 };

	(void)state;
	buf_printf(&command, "TERM=xterm '%s' fixtures/demo", program());
	assert_int_equal(run_plain(buf_text(&command), &out), 2);
	assert_non_null(strstr(buf_text(&out), "report"));
	assert_null(strchr(buf_text(&out), '\033'));
	buf_free(&command);
	buf_free(&out);
}

static void test_a_terminal_that_will_not_do_is_refused(void **state)
{
	static const char *const names[] = { "dumb", "bogus", "" };

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		/* The library loses some memory of a terminal type that it does not find. */
		const struct setting settings[] = { { "TERM", names[i] },
						    { "ASAN_OPTIONS", "detect_leaks=0" },
						    { NULL, NULL } };
		struct terminal t;
		int status;

		start(&t, 24, 80, "fixtures/demo", settings);
		status = end_of(&t);
		assert_true(WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), 2);
		assert_non_null(strstr(buf_text(&t.log), names[i]));
		assert_non_null(strstr(buf_text(&t.log), "report"));
		finish(&t);
	}
}

static int make_home(void **state)
{
	(void)state;
	return mkdtemp(state_home) && access(program(), X_OK) == 0 ? 0 : -1;
}

static int remove_home(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof command, "rm -rf '%s'", state_home);
	return system(command);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_move_mark_resize_and_quit),
		cmocka_unit_test(test_a_paste_runs_no_actions),
		cmocka_unit_test(test_sigterm_keeps_marks),
		cmocka_unit_test(test_sighup_keeps_marks),
		cmocka_unit_test(test_a_crash_gives_the_terminal_back),
		cmocka_unit_test(test_suspend_and_continue),
		cmocka_unit_test(test_no_color_writes_no_colour),
		cmocka_unit_test(test_ascii_locale_writes_only_ascii),
		cmocka_unit_test(test_a_hostile_file_writes_no_control_bytes),
		cmocka_unit_test(test_without_a_terminal_it_names_the_report),
		cmocka_unit_test(test_a_terminal_that_will_not_do_is_refused),
	};

	return cmocka_run_group_tests(tests, make_home, remove_home);
}
