/* What BuildKit demands of each instruction: number of arguments, flags, place.
 * SPDX-License-Identifier: MIT */
#include "src/syntax/dockerfile_internal.h"

#include <string.h>
#include <strings.h>

struct demand {
	size_t least, most; /* arguments; most 0: no upper limit */
	const char *message;
	const char *flags; /* names with blanks around them */
};

static const struct demand demands[DOCKERFILE_KINDS] = {
	[DOCKERFILE_ADD] = { 2, 0, "ADD requires at least two arguments",
			     " chown chmod link keep-git-dir checksum exclude unpack parents " },
	[DOCKERFILE_ARG] = { 1, 0, "ARG requires at least one argument", " " },
	[DOCKERFILE_CMD] = { 0, 0, NULL, " " },
	[DOCKERFILE_COPY] = { 2, 0, "COPY requires at least two arguments",
			      " chown chmod from link parents exclude " },
	[DOCKERFILE_ENTRYPOINT] = { 0, 0, NULL, " " },
	[DOCKERFILE_ENV] = { 1, 0, "ENV requires at least one argument", " " },
	[DOCKERFILE_EXPOSE] = { 1, 0, "EXPOSE requires at least one argument", " " },
	[DOCKERFILE_FROM] = { 1, 3, "FROM requires either one or three arguments", " platform " },
	[DOCKERFILE_HEALTHCHECK] = { 0, 0, NULL,
				     " interval timeout start-period start-interval retries " },
	[DOCKERFILE_LABEL] = { 1, 0, "LABEL requires at least one argument", " " },
	[DOCKERFILE_MAINTAINER] = { 1, 1, "MAINTAINER requires exactly one argument", " " },
	[DOCKERFILE_ONBUILD] = { 0, 0, NULL, " " },
	[DOCKERFILE_RUN] = { 0, 0, NULL, " mount network security device " },
	[DOCKERFILE_SHELL] = { 1, 0, "SHELL requires at least one argument", " " },
	[DOCKERFILE_STOPSIGNAL] = { 1, 1, "STOPSIGNAL requires exactly one argument", " " },
	[DOCKERFILE_USER] = { 1, 1, "USER requires exactly one argument", " " },
	[DOCKERFILE_VOLUME] = { 1, 0, "VOLUME requires at least one argument", " " },
	[DOCKERFILE_WORKDIR] = { 1, 1, "WORKDIR requires exactly one argument", " " },
};

static bool known_flag(const struct demand *d, const char *name)
{
	size_t length = strlen(name);

	for (const char *p = d->flags; length && (p = strstr(p, name)); p++)
		if (p > d->flags && p[-1] == ' ' && p[length] == ' ')
			return true;
	return false;
}

static void check_flags(struct dockerfile_reader *r, const struct dockerfile_instruction *in,
			const struct demand *d)
{
	for (size_t i = 0; i < in->flag_count; i++)
		if (!in->flags[i].templated && !known_flag(d, in->flags[i].name))
			dockerfile_refuse(r, in->flags[i].span, "unknown flag \"--%s\" of %s",
					  in->flags[i].name, in->name);
}

static void check_from(struct dockerfile_reader *r, const struct dockerfile_instruction *in)
{
	const char *name = in->word;
	bool good = name && name[0] >= 'a' && name[0] <= 'z';

	if (in->arg_count == 1 || in->templated)
		return;
	if (in->arg_count != 3 || strcasecmp(in->args[1].text, "as") != 0) {
		if (in->arg_count)
			dockerfile_refuse(r, in->span, "%s", demands[DOCKERFILE_FROM].message);
		return;
	}
	for (const char *p = name; good && *p; p++)
		good = (*p >= 'a' && *p <= 'z') || (*p >= '0' && *p <= '9') || strchr("-_.", *p);
	if (!good)
		dockerfile_refuse(r, in->word_span, "build stage name \"%s\" is not valid", name);
}

static void check_healthcheck(struct dockerfile_reader *r, const struct dockerfile_instruction *in)
{
	if (!in->word)
		dockerfile_refuse(r, in->span, "HEALTHCHECK requires at least one argument");
	else if (strcmp(in->word, "NONE") == 0 && in->arg_count)
		dockerfile_refuse(r, in->span, "HEALTHCHECK NONE takes no arguments");
	else if (strcmp(in->word, "CMD") == 0 && !in->arg_count)
		dockerfile_refuse(r, in->span, "HEALTHCHECK CMD has no command");
	else if (strcmp(in->word, "CMD") != 0 && strcmp(in->word, "NONE") != 0 && !in->templated)
		dockerfile_refuse(r, in->word_span, "HEALTHCHECK type \"%s\" is not known; use CMD",
				  in->word);
}

static void check_destination(struct dockerfile_reader *r, const struct dockerfile_instruction *in)
{
	struct dockerfile_heredoc h;
	const struct dockerfile_word *last = in->arg_count ? &in->args[in->arg_count - 1] : NULL;

	if (last && in->form != DOCKERFILE_EXEC &&
	    dockerfile_heredoc_word(r->arena, last->text, &h) == 1)
		dockerfile_refuse(r, last->span, "%s cannot take a heredoc as its destination",
				  in->name);
}

static void check_onbuild(struct dockerfile_reader *r, const struct dockerfile_instruction *in)
{
	const struct dockerfile_instruction *t = in->trigger;

	if (!t)
		dockerfile_refuse(r, in->span, "ONBUILD requires at least one argument");
	else if (t->kind == DOCKERFILE_ONBUILD)
		dockerfile_refuse(r, in->span, "ONBUILD cannot be the trigger of ONBUILD");
	else if (t->kind == DOCKERFILE_FROM || t->kind == DOCKERFILE_MAINTAINER)
		dockerfile_refuse(r, in->span, "%s cannot be the trigger of ONBUILD", t->name);
}

static void check_special(struct dockerfile_reader *r, const struct dockerfile_instruction *in)
{
	switch (in->kind) {
	case DOCKERFILE_FROM:
		check_from(r, in);
		break;
	case DOCKERFILE_HEALTHCHECK:
		check_healthcheck(r, in);
		break;
	case DOCKERFILE_ADD:
	case DOCKERFILE_COPY:
		check_destination(r, in);
		break;
	case DOCKERFILE_ONBUILD:
		check_onbuild(r, in);
		break;
	case DOCKERFILE_SHELL:
		if (in->arg_count && in->form != DOCKERFILE_EXEC && !in->templated)
			dockerfile_refuse(r, in->span, "SHELL requires the JSON form");
		break;
	case DOCKERFILE_RUN:
		if (!in->body.length)
			dockerfile_refuse(r, in->span, "RUN has no command");
		break;
	case DOCKERFILE_UNKNOWN:
	case DOCKERFILE_TEMPLATE:
	case DOCKERFILE_ARG:
	case DOCKERFILE_CMD:
	case DOCKERFILE_ENTRYPOINT:
	case DOCKERFILE_ENV:
	case DOCKERFILE_EXPOSE:
	case DOCKERFILE_LABEL:
	case DOCKERFILE_MAINTAINER:
	case DOCKERFILE_STOPSIGNAL:
	case DOCKERFILE_USER:
	case DOCKERFILE_VOLUME:
	case DOCKERFILE_WORKDIR:
	case DOCKERFILE_KINDS:
		break;
	}
}

void dockerfile_check(struct dockerfile_reader *r, struct dockerfile_instruction *in)
{
	const struct demand *d = &demands[in->kind];

	if (in->kind == DOCKERFILE_TEMPLATE)
		return;
	if (in->kind == DOCKERFILE_UNKNOWN) {
		if (!r->out->templated)
			dockerfile_refuse(r, in->name_span, "unknown instruction \"%s\"", in->name);
		return;
	}
	check_flags(r, in, d);
	if (in->arg_count < d->least || (d->most && in->arg_count > d->most)) {
		if (!in->templated)
			dockerfile_refuse(r, in->span, "%s", d->message);
		return;
	}
	check_special(r, in);
}

void dockerfile_check_order(struct dockerfile_reader *r)
{
	const struct dockerfile *d = r->out;
	size_t first = d->stage_count ? d->stages[0].from : 0;

	for (size_t i = 0; i < first && !d->templated; i++)
		if (d->items[i].kind != DOCKERFILE_ARG && d->items[i].kind != DOCKERFILE_UNKNOWN)
			dockerfile_refuse(r, d->items[i].span, "%s stands before the first FROM",
					  d->items[i].name);
	if (!d->count)
		dockerfile_refuse(r, (struct span){ .source = r->source->id }, "no instructions");
	else if (!d->stage_count)
		dockerfile_refuse(r, (struct span){ .source = r->source->id },
				  "no FROM instruction");
}
