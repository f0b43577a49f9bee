/* Questions about a FACT_MOUNT.
 * SPDX-License-Identifier: MIT */
#include "src/rules/mount_facts.h"

#include <string.h>

#include "src/rules/judge.h"

bool mount_is_host(const struct fact *f)
{
	static const char *const types[] = { "bind", "hostPath", "npipe", "local", NULL };

	return text_is_any(attribute_of(f, "type"), types) || fact_attribute(f, "pv");
}

unsigned mount_classes(const struct fact *f)
{
	return mount_is_host(f) ? host_path_classes(fact_attribute(f, "source")) : 0;
}

bool mount_is_writable(const struct fact *f)
{
	return !attribute_true(f, "read_only");
}

const char *mount_mode(const struct fact *f)
{
	return mount_is_writable(f) ? "read-write" : "read-only";
}

bool mount_has(const struct fact *f, unsigned classes)
{
	return (mount_classes(f) & classes) != 0;
}

const struct fact *mount_find(struct eval *e, unsigned classes)
{
	const struct fact *f = row_first(eval_row(e), FACT_MOUNT, eval_layer(e));

	while (f && !mount_has(f, classes))
		f = eval_next(e, f);
	eval_read(e, f);
	return f;
}

void mount_say(struct eval *e, const struct fact *f, const char *consequence)
{
	const char *target = attribute_of(f, "target");

	/* Admission judges it all the same, and the next container may mount it. */
	if (attribute_false(f, "mounted")) {
		eval_severity(e, SEVERITY_INFO);
		eval_say(e, "host path %s is a volume of the pod that no container mounts",
			 attribute_of(f, "source"));
		return;
	}
	eval_say(e, "host path %s is mounted %s%s%s%s%s", attribute_of(f, "source"), mount_mode(f),
		 *target ? " at " : "", target, consequence ? ": " : "",
		 consequence ? consequence : "");
}

enum verdict mount_judge(struct eval *e, const struct fact *f, unsigned classes,
			 const char *consequence, bool ask)
{
	if (mount_has(f, classes)) {
		if (!fact_is_known(f))
			eval_confidence(e, CONFIDENCE_MEDIUM);
		mount_say(e, f, consequence);
		return VERDICT_FIRES;
	}
	if (ask && mount_is_host(f) && !fact_is_known(f) &&
	    host_path_is_opaque(fact_attribute(f, "source"))) {
		eval_why(e, "the mounted path %s is not known", attribute_of(f, "source"));
		return VERDICT_UNKNOWN;
	}
	return VERDICT_QUIET;
}
