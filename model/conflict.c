/* Comparison of the declared and the observed layer of a row.
 * SPDX-License-Identifier: MIT */
#include "model/conflict.h"

#include <string.h>
#include <strings.h>

typedef bool differ_fn(const struct row *r, enum fact_kind kind, const struct fact **declared,
		       const struct fact **observed);

static bool both_known(const struct row *r, enum fact_kind kind, const struct fact **declared,
		       const struct fact **observed)
{
	*declared = row_first(r, kind, LAYER_DECLARED);
	*observed = row_first(r, kind, LAYER_OBSERVED);
	return fact_is_known(*declared) && fact_is_known(*observed);
}

static bool differ_truth(const struct row *r, enum fact_kind kind, const struct fact **declared,
			 const struct fact **observed)
{
	if (!both_known(r, kind, declared, observed))
		return false;
	return fact_truth(*declared) != TRI_UNKNOWN && fact_truth(*observed) != TRI_UNKNOWN &&
	       fact_truth(*declared) != fact_truth(*observed);
}

static bool is_host(const struct fact *f)
{
	return fact_is_nocase(f, "host");
}

/* Namespace modes have many names for "its own"; only the host's is another thing. */
static bool differ_host(const struct row *r, enum fact_kind kind, const struct fact **declared,
			const struct fact **observed)
{
	return both_known(r, kind, declared, observed) && is_host(*declared) != is_host(*observed);
}

static const char *user_of(const struct fact *f)
{
	const char *uid = fact_attribute(f, "uid");
	const char *user = uid ? uid : f->value;

	return strcmp(user, "root") == 0 || strcmp(user, "0:0") == 0 ? "0" : user;
}

/* An empty user in an export means the image's, which the files need not tell. */
static bool differ_user(const struct row *r, enum fact_kind kind, const struct fact **declared,
			const struct fact **observed)
{
	if (!both_known(r, kind, declared, observed))
		return false;
	if (!*user_of(*declared) || !*user_of(*observed))
		return false;
	return strcmp(user_of(*declared), user_of(*observed)) != 0;
}

static const char *profile_of(const struct fact *f)
{
	static const char *const defaults[] = { "", "default", "RuntimeDefault", "runtime/default",
						"docker-default", "docker/default", "builtin" };

	for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++)
		if (fact_is_nocase(f, defaults[i]))
			return "default";
	return f->value;
}

static bool differ_profile(const struct row *r, enum fact_kind kind, const struct fact **declared,
			   const struct fact **observed)
{
	return both_known(r, kind, declared, observed) &&
	       strcasecmp(profile_of(*declared), profile_of(*observed)) != 0;
}

static bool differ_value(const struct row *r, enum fact_kind kind, const struct fact **declared,
			 const struct fact **observed)
{
	return both_known(r, kind, declared, observed) && *(*declared)->value &&
	       *(*observed)->value && strcasecmp((*declared)->value, (*observed)->value) != 0;
}

static const char *part(const struct fact *f, const char *name)
{
	const char *value = fact_attribute(f, name);

	return value ? value : "";
}

/* Digests decide where both are known; a bare id says nothing of a name. */
static bool differ_image(const struct row *r, enum fact_kind kind, const struct fact **declared,
			 const struct fact **observed)
{
	if (!both_known(r, kind, declared, observed))
		return false;
	if (*part(*declared, "digest") && *part(*observed, "digest"))
		return strcmp(part(*declared, "digest"), part(*observed, "digest")) != 0;
	if (!*part(*declared, "repository") || !*part(*observed, "repository"))
		return false;
	return strcmp(part(*declared, "repository"), part(*observed, "repository")) != 0 ||
	       (*part(*declared, "tag") && *part(*observed, "tag") &&
		strcmp(part(*declared, "tag"), part(*observed, "tag")) != 0);
}

static const char *item_of(const struct fact *f)
{
	const char *target = fact_attribute(f, "target");

	return f->kind == FACT_MOUNT && target ? target : f->value;
}

static bool same_item(const struct fact *a, const struct fact *b)
{
	const char *mode = fact_attribute(a, "read_only"), *other = fact_attribute(b, "read_only");

	if (strcasecmp(item_of(a), item_of(b)) != 0)
		return false;
	return a->kind != FACT_MOUNT || (mode && !strcmp(mode, "true")) ==
						(other && !strcmp(other, "true"));
}

/* Volumes that an image or the engine adds by itself contradict nothing. */
static bool counts(const struct fact *f)
{
	return fact_is_written(f) && *f->value &&
	       (f->kind != FACT_MOUNT || fact_attribute_is(f, "type", "bind"));
}

static bool has_twin(const struct row *r, const struct fact *f, enum layer layer)
{
	for (const struct fact *g = row_first(r, f->kind, layer); g; g = row_next(r, g))
		if (same_item(f, g) || !fact_is_known(g))
			return true;
	return false;
}

static const struct fact *without_twin(const struct row *r, enum fact_kind kind, enum layer in,
				       enum layer other)
{
	for (const struct fact *f = row_first(r, kind, in); f; f = row_next(r, f))
		if (counts(f) && !has_twin(r, f, other))
			return f;
	return NULL;
}

static bool differ_set(const struct row *r, enum fact_kind kind, const struct fact **declared,
		       const struct fact **observed)
{
	*declared = *observed = NULL;
	if (!row_has_layer(r, LAYER_DECLARED))
		return false;
	*observed = without_twin(r, kind, LAYER_OBSERVED, LAYER_DECLARED);
	if (row_first(r, kind, LAYER_OBSERVED))
		*declared = without_twin(r, kind, LAYER_DECLARED, LAYER_OBSERVED);
	return *declared || *observed;
}

static differ_fn *const comparisons[FACT_KIND_COUNT] = {
	[FACT_PRIVILEGED] = differ_truth,
	[FACT_NO_NEW_PRIVILEGES] = differ_truth,
	[FACT_ESCALATION] = differ_truth,
	[FACT_READ_ONLY_ROOT] = differ_truth,
	[FACT_RUN_AS_NON_ROOT] = differ_truth,
	[FACT_API_SOCKET] = differ_truth,
	[FACT_SHARE_PROCESS] = differ_truth,
	[FACT_HOST_PROCESS] = differ_truth,
	[FACT_TOKEN_MOUNT] = differ_truth,
	[FACT_PID] = differ_host,
	[FACT_IPC] = differ_host,
	[FACT_UTS] = differ_host,
	[FACT_CGROUP_NAMESPACE] = differ_host,
	[FACT_NETWORK_MODE] = differ_host,
	[FACT_USERNS] = differ_host,
	[FACT_USER] = differ_user,
	[FACT_SECCOMP] = differ_profile,
	[FACT_APPARMOR] = differ_profile,
	[FACT_IMAGE] = differ_image,
	[FACT_RUNTIME] = differ_value,
	[FACT_PROC_MASK] = differ_value,
	[FACT_SERVICE_ACCOUNT] = differ_value,
	[FACT_CAP_ADD] = differ_set,
	[FACT_CAP_DROP] = differ_set,
	[FACT_MOUNT] = differ_set,
	[FACT_DEVICE] = differ_set,
};

bool conflict_of_kind(const struct row *r, enum fact_kind kind, const struct fact **declared,
		      const struct fact **observed)
{
	*declared = *observed = NULL;
	if (!comparisons[kind] || !(r->present[kind / 64] >> (kind % 64) & 1))
		return false;
	return comparisons[kind](r, kind, declared, observed);
}

bool conflict_of_field(const struct row *r, enum field field, const struct fact **declared,
		       const struct fact **observed)
{
	if (!row_has_layer(r, LAYER_OBSERVED))
		return false;
	for (unsigned kind = 1; kind < FACT_KIND_COUNT; kind++)
		if (fact_kind_table[kind].field == field &&
		    conflict_of_kind(r, (enum fact_kind)kind, declared, observed))
			return true;
	return false;
}
