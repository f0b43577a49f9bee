/* Entry point: parse the command line, run the command.
 * SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>

#include "src/cmd.h"

static int print_help(const struct options *o)
{
	struct buf out = { 0 };
	int code;

	options_help(o->command, &out);
	code = cmd_print(&out) ? EXIT_DONE : EXIT_USAGE;
	buf_free(&out);
	return code;
}

static int print_version(void)
{
	struct buf out = { 0 };
	int code;

	buf_puts(&out, "boundwalk " BOUNDWALK_VERSION "\n");
	code = cmd_print(&out) ? EXIT_DONE : EXIT_USAGE;
	buf_free(&out);
	return code;
}

/* A closed standard stream stays one that cannot be used: no file that is opened later takes its place, where
 * messages would be written into it. */
static void hold_standard_streams(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
		    open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0)
			return;
}

int main(int argc, char **argv)
{
	struct options o;
	struct buf why = { 0 };
	int code;

	hold_standard_streams();
	signal(SIGPIPE, SIG_IGN);
	setlocale(LC_CTYPE, "");
	if (!options_parse(&o, argc, argv, &why)) {
		code = cmd_error("%s", buf_text(&why));
	} else if (o.version) {
		code = print_version();
	} else if (o.help) {
		code = print_help(&o);
	} else {
		code = command_table[o.command].run(&o);
	}
	buf_free(&why);
	options_free(&o);
	return code;
}
