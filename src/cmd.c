/* What commands share: messages and output.
 * SPDX-License-Identifier: MIT */
#include "src/cmd.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "model/text.h"

int cmd_error(const char *format, ...)
{
	struct buf text = { 0 }, out = { 0 };
	va_list args;

	va_start(args, format);
	buf_vprintf(&text, format, args);
	va_end(args);
	text_visible(&out, buf_text(&text), text.length, TEXT_PLAIN);
	fprintf(stderr, "boundwalk: %s\n", buf_text(&out));
	buf_free(&text);
	buf_free(&out);
	return EXIT_USAGE;
}

bool cmd_print(const struct buf *text)
{
	if (text->length && fwrite(text->bytes, 1, text->length, stdout) != text->length) {
		cmd_error("standard output: %s", strerror(errno));
		return false;
	}
	if (fflush(stdout) != 0) {
		cmd_error("standard output: %s", strerror(errno));
		return false;
	}
	return true;
}
