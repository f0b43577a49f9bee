/* What predicates share: comparing text, and questions about a whole row.
 * SPDX-License-Identifier: MIT */
#include "src/rules/judge.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model/kube_version.h"

/* --- text ----------------------------------------------------------------------------------- */

bool text_is_any(const char *text, const char *const *list)
{
	for (; text && *list; list++)
		if (strcasecmp(text, *list) == 0)
			return true;
	return false;
}

bool text_begins(const char *text, const char *prefix)
{
	return strncasecmp(text, prefix, strlen(prefix)) == 0;
}

static const char *find_text(const char *text, const char *needle)
{
	for (; *text; text++)
		if (text_begins(text, needle))
			return text;
	return NULL;
}

bool text_holds(const char *text, const char *needle)
{
	return find_text(text, needle) != NULL;
}

bool text_holds_any(const char *text, const char *const *needles)
{
	for (; *needles; needles++)
		if (text_holds(text, *needles))
			return true;
	return false;
}

static bool is_word_byte(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-';
}

static bool has_one_word(const char *text, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = text; (at = find_text(at, word)); at++)
		if ((at == text || !is_word_byte(at[-1])) && !is_word_byte(at[length]))
			return true;
	return false;
}

bool text_has_word(const char *text, const char *const *words)
{
	for (; *words; words++)
		if (has_one_word(text, *words))
			return true;
	return false;
}

bool list_has(const char *list, const char *item)
{
	size_t length = strlen(item);

	while (list && *list) {
		size_t part = strcspn(list, ",");
		const char *start = list;

		list += part + (list[part] == ',');
		for (; part && *start == ' '; part--)
			start++;
		for (; part && start[part - 1] == ' '; part--)
			;
		if (part == length && strncasecmp(start, item, length) == 0)
			return true;
	}
	return false;
}

bool list_has_any(const char *list, const char *const *items)
{
	for (; *items; items++)
		if (list_has(list, *items))
			return true;
	return false;
}

/* --- one fact ------------------------------------------------------------------------------- */

const char *attribute_of(const struct fact *f, const char *name)
{
	const char *value = fact_attribute(f, name);

	return value ? value : "";
}

bool attribute_true(const struct fact *f, const char *name)
{
	return fact_attribute_is(f, name, "true");
}

bool attribute_false(const struct fact *f, const char *name)
{
	return fact_attribute_is(f, name, "false");
}

bool says_true(const struct fact *f)
{
	static const char *const words[] = { "true", "yes", "on", "1", NULL };

	return f && text_is_any(f->value, words);
}

bool attribute_number(const struct fact *f, const char *name, uint64_t *out)
{
	const char *text = attribute_of(f, name);
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	*out = strtoull(text, &end, 10);
	return errno == 0 && *end == '\0';
}

enum verdict judge_bad(struct eval *e, const struct fact *f, bool bad)
{
	if (fact_is_known(f))
		return bad ? VERDICT_FIRES : VERDICT_QUIET;
	if (!bad || f->provenance != PROVENANCE_UNRESOLVED || strpbrk(f->value, "${") ||
	    eval_row(e)->operated)
		return VERDICT_UNKNOWN;
	eval_confidence(e, CONFIDENCE_MEDIUM);
	return VERDICT_FIRES;
}

enum verdict judge_written(struct eval *e, const struct fact *f)
{
	(void)e;
	if (f->provenance == PROVENANCE_ABSENT)
		return VERDICT_QUIET;
	return fact_is_known(f) ? VERDICT_FIRES : VERDICT_UNKNOWN;
}

enum verdict judge_true(struct eval *e, const struct fact *f)
{
	return judge_bad(e, f, says_true(f));
}

enum verdict judge_not_true(struct eval *e, const struct fact *f)
{
	return judge_bad(e, f, !says_true(f));
}

bool first_of_kind(const struct eval *e, const struct fact *f)
{
	return row_first(eval_row(e), f->kind, eval_layer(e)) == f;
}

bool row_says(struct eval *e, enum fact_kind kind, const char *value)
{
	return eval_value(e, kind, value) != NULL;
}

/* --- the row -------------------------------------------------------------------------------- */

static bool makes_userns(const struct fact *f)
{
	static const char *const no[] = { "host", "", "false", NULL };

	return fact_is_written(f) && !text_is_any(f->value, no);
}

bool row_has_userns(struct eval *e)
{
	return eval_find(e, FACT_USERNS, makes_userns) != NULL;
}

static bool is_known_true(const struct fact *f)
{
	return fact_truth(f) == TRI_TRUE;
}

bool row_is_privileged(struct eval *e)
{
	return eval_find(e, FACT_PRIVILEGED, is_known_true) != NULL;
}

bool row_can(struct eval *e, const char *capability)
{
	const struct fact *f = row_first(eval_row(e), FACT_CAP_ADD, eval_layer(e));

	for (; f; f = eval_next(e, f))
		if (fact_is_written(f) && !attribute_false(f, "effective") &&
		    (fact_is_nocase(f, capability) || fact_is_nocase(f, "ALL"))) {
			eval_read(e, f);
			return true;
		}
	return row_is_privileged(e);
}

static enum tri user_is_root(const struct fact *user)
{
	static const char *const names[] = { "root", "0", "containeradministrator",
					     "nt authority\\system", NULL };
	const char *uid = fact_attribute(user, "uid");

	if (uid)
		return strtoull(uid, NULL, 10) == 0 ? TRI_TRUE : TRI_FALSE;
	if (!fact_is_written(user))
		return TRI_UNKNOWN;
	if (!*user->value)
		return user->layer == LAYER_OBSERVED ? TRI_TRUE : TRI_UNKNOWN;
	return text_is_any(user->value, names) || text_begins(user->value, "root:") ||
			       text_begins(user->value, "0:")
		       ? TRI_TRUE
		       : TRI_FALSE;
}

enum tri row_is_root(struct eval *e)
{
	const struct fact *user = eval_first(e, FACT_USER);
	enum tri root = user ? user_is_root(user) : TRI_UNKNOWN;

	if (root == TRI_UNKNOWN && eval_find(e, FACT_RUN_AS_NON_ROOT, is_known_true))
		return TRI_FALSE;
	return root;
}

bool row_is_windows(struct eval *e)
{
	return row_says(e, FACT_TARGET_OS, "windows") || row_says(e, FACT_HOST_PROCESS, "true");
}

static bool is_spare_stage(const struct fact *f)
{
	return attribute_false(f, "final");
}

bool row_is_spare_stage(struct eval *e)
{
	return eval_row(e)->format == FORMAT_DOCKERFILE &&
	       row_first(eval_row(e), FACT_BASE_IMAGE, eval_layer(e)) &&
	       is_spare_stage(row_first(eval_row(e), FACT_BASE_IMAGE, eval_layer(e)));
}

static bool is_secret(const struct fact *f)
{
	return attribute_true(f, "secret") && !fact_attribute_is(f, "class", "empty") &&
	       !fact_attribute_is(f, "class", "placeholder");
}

/* What a file of variables holds is known when it is supplied: then its variables count. */
static bool is_secret_object(const struct fact *f)
{
	return fact_is_written(f) && fact_attribute_is(f, "kind", "secret");
}

bool row_holds_secret(struct eval *e)
{
	return eval_find(e, FACT_ENV, is_secret) || eval_find(e, FACT_SECRET, fact_is_written) ||
	       eval_find(e, FACT_SECRET_ARGUMENT, fact_is_written) ||
	       eval_find(e, FACT_HEADER, is_secret) ||
	       eval_find(e, FACT_ENV_FILE, is_secret_object);
}

bool row_runtime_is(struct eval *e, const char *const *list)
{
	const struct fact *f = eval_first(e, FACT_RUNTIME);

	return (fact_is_written(f) && text_is_any(f->value, list)) ||
	       text_is_any(eval_scope(e)->runtime, list);
}

bool kubernetes_at_least(const struct eval *e, unsigned minor)
{
	unsigned known;

	return kube_version_minor(eval_scope(e)->kubernetes, &known) && known >= minor;
}

bool kubernetes_below(const struct eval *e, unsigned minor)
{
	unsigned known;

	return kube_version_minor(eval_scope(e)->kubernetes, &known) && known < minor;
}

bool level_is_enforced(const struct fact *f)
{
	static const char *const levels[] = { "baseline", "restricted", NULL };

	return fact_is_written(f) && fact_attribute_is(f, "mode", "enforce") &&
	       text_is_any(f->value, levels);
}
