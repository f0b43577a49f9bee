/* Entry point: parse the command line, run the command.
 * SPDX-License-Identifier: MIT */
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

int main(int argc, char **argv)
{
	struct options o;
	struct buf why = { 0 };
	int code;

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
