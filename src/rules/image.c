/* Rules of the field image: references, packages and what is launched.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rules.h"

#include <string.h>

#include "src/rules/judge.h"

/* Also for the base images of what a service builds. */
static enum verdict image_mutable(struct eval *e, const struct fact *f)
{
	const char *tag = attribute_of(f, "tag");

	if (!*f->value || attribute_true(f, "scratch") || attribute_true(f, "local") ||
	    attribute_true(f, "stage_reference") || *attribute_of(f, "digest"))
		return fact_is_known(f) ? VERDICT_QUIET : VERDICT_UNKNOWN;
	if (f->provenance == PROVENANCE_ABSENT)
		return VERDICT_QUIET;
	/* No runtime pulls anything for it: image-reference-invalid says so. A build's base may have lost
	 * a part to an argument without a value. */
	if (attribute_true(f, "invalid") && (f->kind != FACT_BASE_IMAGE || strchr(f->value, '@')))
		return VERDICT_QUIET;
	if (!*tag || text_is_any(tag, (const char *const[]){ "latest", NULL })) {
		eval_concepts(e, "image-tag-latest image-not-digest-pinned");
		eval_say(e, *tag ? "%s is used by tag latest" : "%s names no tag, so latest is used",
			 f->value);
	} else {
		eval_concepts(e, "image-not-digest-pinned");
		eval_say(e, "%s is used by a tag that can be moved", f->value);
	}
	return judge_bad(e, f, true);
}

/* A digest of an algorithm that nobody registered is well formed, though no runtime knows it. */
static bool has_broken_digest(const struct fact *f)
{
	const char *at = strrchr(f->value, '@');

	return at && (!strchr(at, ':') || text_begins(at, "@sha256:") ||
		      text_begins(at, "@sha384:") || text_begins(at, "@sha512:"));
}

static enum verdict image_reference_invalid(struct eval *e, const struct fact *f)
{
	if (!attribute_true(f, "invalid"))
		return VERDICT_QUIET;
	if (has_broken_digest(f))
		eval_concepts(e, "image-not-digest-pinned");
	else
		eval_concepts(e, "");
	eval_say(e, "%s is no image reference%s%s", f->value, f->note ? ": " : "",
		 f->note ? f->note : "");
	return judge_written(e, f);
}

static enum verdict image_publisher_unknown(struct eval *e, const struct fact *f)
{
	if (!*f->value || attribute_true(f, "scratch") || attribute_true(f, "local") ||
	    attribute_true(f, "stage_reference") || f->provenance == PROVENANCE_ABSENT)
		return VERDICT_QUIET;
	if (eval_find(e, FACT_PUBLISHER, fact_is_written))
		return VERDICT_QUIET;
	eval_say(e, "nothing supplied shows who made %s", f->value);
	return judge_bad(e, f, true);
}

static enum verdict install_hooks_run(struct eval *e, const struct fact *f)
{
	if (!attribute_true(f, "hooks") && !attribute_true(f, "vcs"))
		return VERDICT_QUIET;
	if (row_is_spare_stage(e))
		eval_severity(e, SEVERITY_INFO);
	eval_concepts(e, attribute_false(f, "pinned") ? "package-unpinned" : "");
	eval_say(e, attribute_true(f, "vcs")
			    ? "%s is built from a repository while installing"
			    : "install hooks of %s run", f->value);
	return VERDICT_FIRES;
}

static enum verdict package_version_free(struct eval *e, const struct fact *f)
{
	if (!attribute_false(f, "pinned"))
		return VERDICT_QUIET;
	eval_say(e, "%s installs %s without %s version", attribute_of(f, "manager"), f->value,
		 *attribute_of(f, "version") ? "an exact" : "a");
	return VERDICT_FIRES;
}

static enum verdict mcp_unpinned(struct eval *e, const struct fact *f)
{
	const char *tag = attribute_of(f, "tag");

	if (f->kind == FACT_IMAGE) {
		if (eval_row(e)->format != FORMAT_MCP || *attribute_of(f, "digest") ||
		    attribute_true(f, "local"))
			return VERDICT_QUIET;
		if (*tag && !text_is_any(tag, (const char *const[]){ "latest", NULL }))
			return VERDICT_QUIET;
	} else if (!attribute_false(f, "pinned")) {
		return fact_is_known(f) ? VERDICT_QUIET : VERDICT_UNKNOWN;
	}
	eval_say(e, "each start runs whatever %s is that day", f->value);
	return VERDICT_FIRES;
}

static bool is_pinned_image(const struct fact *f)
{
	return *attribute_of(f, "digest") || text_holds(f->value, "@sha256:");
}

static enum verdict pull_policy_not_always(struct eval *e, const struct fact *f)
{
	if (eval_find(e, FACT_IMAGE, is_pinned_image))
		return VERDICT_QUIET;
	if (fact_is_nocase(f, "Always"))
		return fact_is_known(f) ? VERDICT_QUIET : VERDICT_UNKNOWN;
	eval_say(e, "imagePullPolicy is %s for an image that can change",
		 *f->value ? f->value : "not set");
	return judge_bad(e, f, true);
}

static enum verdict packages_unsigned(struct eval *e, const struct fact *f)
{
	if (!attribute_true(f, "unsigned"))
		return VERDICT_QUIET;
	eval_say(e, "%s installs %s without checking signatures", attribute_of(f, "manager"),
		 f->value);
	return VERDICT_FIRES;
}

static enum verdict registry_insecure(struct eval *e, const struct fact *f)
{
	if (!attribute_true(f, "insecure"))
		return VERDICT_QUIET;
	eval_say(e, "registry %s is used without TLS or without checking it", f->value);
	return VERDICT_FIRES;
}

const struct rule rules_image[] = {
	{
		.slug = "image-mutable",
		.field = FIELD_IMAGE,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"image has no @sha256 digest (tag missing, latest, or any tag); FROM "
			"or COPY --from without digest; a Kubernetes image volume (volumes[].image.reference) "
			"without digest",
		.consequence =
			"The next pull may run content nobody reviewed; the findings hold only "
			"for the revision seen.",
		.fix = "Pin the digest that was reviewed and let a bot propose bumps.",
		.compatibility = "Updates become explicit changes.",
		.owner = "image maintainer",
		.restore = RESTORE_COMMIT,
		.formats = FORMAT_BIT(DOCKERFILE) | FORMAT_BIT(IMAGE_INSPECT) |
			   FORMAT_BIT(COMPOSE) | FORMATS_K8S | FORMATS_RUN,
		.concepts = "image-tag-latest image-not-digest-pinned",
		.each = FACT_IMAGE,
		.also = { FACT_BASE_IMAGE, FACT_COPIED_IMAGE, FACT_IMAGE_VOLUME },
		.judge = image_mutable,
	},
	{
		.slug = "image-reference-invalid",
		.field = FIELD_IMAGE,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"the text is no image reference: a digest of the wrong length or "
			"spelling, a name in capitals",
		.consequence =
			"No runtime pulls it; what would run instead was not part of the review.",
		.fix = "Write the whole digest or a valid name.",
		.compatibility = "None: the workload does not start as it is.",
		.owner = "service owner",
		.restore = RESTORE_LINES,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_K8S | FORMATS_RUN,
		.concepts = "image-not-digest-pinned",
		.each = FACT_IMAGE,
		.also = { FACT_BASE_IMAGE, FACT_IMAGE_VOLUME },
		.judge = image_reference_invalid,
	},
	{
		.slug = "image-publisher-unknown",
		.field = FIELD_IMAGE,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"no signature, provenance or registry policy among the artifacts for a "
			"third-party image",
		.consequence = "A digest says which bytes, not who made them.",
		.fix =
			"Attach verification output (cosign, notation) with date and key "
			"identity, or mark unavailable.",
		.compatibility = "None, review only.",
		.owner = "security reviewer",
		.restore = RESTORE_NOTHING,
		.formats = FORMAT_BIT(DOCKERFILE) | FORMAT_BIT(IMAGE_INSPECT) |
			   FORMAT_BIT(COMPOSE) | FORMATS_K8S | FORMAT_BIT(MCP) |
			   FORMAT_BIT(INSPECT),
		.concepts = "image-registry-not-allowed image-unsigned",
		.each = FACT_IMAGE,
		.also = { FACT_BASE_IMAGE },
		.judge = image_publisher_unknown,
	},
	{
		.slug = "install-hooks-run",
		.field = FIELD_IMAGE,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"npm/pnpm/yarn install without --ignore-scripts, pip install from VCS "
			"or sdist, curl-less installers in the agent's own start command",
		.consequence = "Package hooks run with the row's identity, mounts and credentials.",
		.fix =
			"Use a lockfile install with scripts disabled, or build in a row that "
			"holds no credentials.",
		.compatibility = "Native modules need an explicit build step.",
		.owner = "image maintainer",
		.restore = RESTORE_COMMIT,
		.formats = FORMAT_BIT(DOCKERFILE) | FORMAT_BIT(IMAGE_INSPECT) |
			   FORMAT_BIT(COMPOSE) | FORMAT_BIT(MCP) | FORMAT_BIT(INSPECT),
		.concepts = "package-unpinned",
		.each = FACT_PACKAGE_INSTALL,
		.judge = install_hooks_run,
	},
	{
		.slug = "package-version-free",
		.field = FIELD_IMAGE,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"a build step installs a package without a version (apt, apk, yum, dnf, "
			"zypper, pip, npm, gem, go), or a dev container takes a feature so",
		.consequence =
			"Two builds of one file hold different code; the findings hold only for "
			"the build seen.",
		.fix = "Name versions or use a lock file.",
		.compatibility = "Versions must be raised on purpose.",
		.owner = "image maintainer",
		.restore = RESTORE_COMMIT,
		.formats = FORMAT_BIT(DOCKERFILE) | FORMAT_BIT(IMAGE_INSPECT) |
			   FORMAT_BIT(DEVCONTAINER),
		.concepts = "package-unpinned",
		.each = FACT_PACKAGE_INSTALL,
		.judge = package_version_free,
	},
	{
		.slug = "mcp-unpinned",
		.field = FIELD_IMAGE,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"MCP command npx -y, uvx, pipx run, bunx, go run or docker run without "
			"exact version or digest",
		.consequence = "Each start runs whatever the registry serves that day.",
		.fix = "Pin version and, where possible, integrity hash.",
		.compatibility = "Updates become explicit.",
		.owner = "agent operator",
		.restore = RESTORE_SETTINGS,
		.formats = FORMAT_BIT(AGENT_SETTINGS) | FORMAT_BIT(SCRIPT) | FORMAT_BIT(COMPOSE) |
			   FORMAT_BIT(DOCKERFILE) | FORMAT_BIT(IMAGE_INSPECT) | FORMATS_K8S |
			   FORMATS_RUN,
		.concepts = "mcp-unpinned-package",
		.each = FACT_PACKAGE,
		.also = { FACT_IMAGE },
		.judge = mcp_unpinned,
	},
	{
		.slug = "pull-policy-not-always",
		.field = FIELD_IMAGE,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "imagePullPolicy is not Always for a mutable tag",
		.consequence =
			"A node may run a cached image that differs from the registry's and "
			"from the reviewed one.",
		.fix = "Pin a digest, or pull always.",
		.compatibility = "More registry traffic.",
		.owner = "service owner",
		.restore = RESTORE_LINES,
		.formats = FORMATS_K8S,
		.concepts = "image-pull-policy",
		.each = FACT_PULL_POLICY,
		.judge = pull_policy_not_always,
	},
	{
		.slug = "packages-unsigned",
		.field = FIELD_IMAGE,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"package signature checks are switched off in a build step (apk, apt, "
			"yum, dnf, rpm)",
		.consequence = "A mirror or network attacker chooses what is installed.",
		.fix = "Remove the flag and add the key.",
		.compatibility = "Unsigned internal repositories need a key.",
		.owner = "image owner",
		.restore = RESTORE_LINES,
		.formats = FORMAT_BIT(DOCKERFILE) | FORMAT_BIT(IMAGE_INSPECT) |
			   FORMAT_BIT(SCRIPT),
		.concepts = "unsigned-packages",
		.each = FACT_PACKAGE_INSTALL,
		.judge = packages_unsigned,
	},
	{
		.slug = "registry-insecure",
		.field = FIELD_IMAGE,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"insecure-registries in daemon.json, insecure = true in "
			"registries.conf, skip_verify or an http server in a hosts.toml",
		.consequence =
			"Whoever is on the path to the registry chooses what is pulled by tag.",
		.fix = "Give the registry a certificate, and pin digests.",
		.compatibility = "Internal registries need a CA on the hosts.",
		.owner = "host admin",
		.restore = RESTORE_COMMIT,
		.formats = FORMATS_DAEMON | FORMAT_BIT(SCRIPT),
		.concepts = "",
		.each = FACT_REGISTRY,
		.judge = registry_insecure,
	},
};

const size_t rules_image_count = sizeof rules_image / sizeof *rules_image;
