/* Rules of the field image.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rules.h"

const struct rule rules_image[] = {
	{
		.slug = "image-mutable",
		.field = FIELD_IMAGE,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"image has no @sha256 digest (tag missing, latest, or any tag); FROM "
			"without digest; a Kubernetes image volume (volumes[].image.reference) "
			"without digest",
		.consequence =
			"The next pull may run content nobody reviewed; the findings hold only "
			"for the revision seen.",
		.fix =
			"Pin the digest that was reviewed and let a bot propose bumps.",
		.compatibility =
			"Updates become explicit changes.",
		.owner =
			"image maintainer",
		.restore =
			"Revert the commit and redeploy; the finding stores the former lines "
			"and their sha256.",
		.formats = FORMAT_BIT(DOCKERFILE) | FORMAT_BIT(COMPOSE) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(RUN) | FORMAT_BIT(MCP) | FORMAT_BIT(INSPECT),
		.concepts = "image-tag-latest image-not-digest-pinned",
	},
	{
		.slug = "image-publisher-unknown",
		.field = FIELD_IMAGE,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"no signature, provenance or registry policy among the artifacts for a "
			"third-party image",
		.consequence =
			"A digest says which bytes, not who made them.",
		.fix =
			"Attach verification output (cosign, notation) with date and key "
			"identity, or mark unavailable.",
		.compatibility =
			"None, review only.",
		.owner =
			"security reviewer",
		.restore =
			"Nothing was changed; close the check as unavailable if the evidence "
			"cannot be had.",
		.formats = FORMAT_BIT(DOCKERFILE) | FORMAT_BIT(COMPOSE) | FORMAT_BIT(K8S) |
			   FORMAT_BIT(MCP) | FORMAT_BIT(INSPECT),
		.concepts = "image-registry-not-allowed image-unsigned",
	},
	{
		.slug = "build-remote-script",
		.field = FIELD_IMAGE,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"RUN pipes curl or wget into a shell, or ADD/RUN fetches http(s) or git "
			"content with no checksum or commit",
		.consequence =
			"Whoever controls that address at build time chooses code inside the "
			"boundary.",
		.fix =
			"Pin by checksum (ADD --checksum, sha256sum -c) or commit id.",
		.compatibility =
			"Upstream changes need a deliberate update.",
		.owner =
			"image maintainer",
		.restore =
			"Revert the commit and redeploy; the finding stores the former lines "
			"and their sha256.",
		.formats = FORMAT_BIT(DOCKERFILE),
		.concepts = "unverified-download add-remote-url",
	},
	{
		.slug = "build-secret-kept",
		.field = FIELD_IMAGE,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"ARG or ENV with a secret-like name (for ARG also without a default: "
			"the value passed at build time stays in the image history), COPY of "
			".env, id_rsa, .npmrc, kubeconfig, or RUN writing a token, in the final "
			"stage or one it is built FROM; info in a stage that is only copied from",
		.consequence =
			"The value stays in image layers or history for anyone who can pull.",
		.fix =
			"Use RUN --mount=type=secret, rotate the value, and extend "
			".dockerignore.",
		.compatibility =
			"The build command must pass the secret.",
		.owner =
			"image maintainer",
		.restore =
			"Revert the commit and redeploy; the finding stores the former lines "
			"and their sha256.",
		.formats = FORMAT_BIT(DOCKERFILE),
		.concepts = "secret-in-build-arg-or-env",
	},
	{
		.slug = "build-privileged",
		.field = FIELD_IMAGE,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"build.privileged true, entitlements security.insecure, network.host or "
			"device, RUN --security=insecure, RUN --network=host",
		.consequence =
			"A security.insecure step runs as docker run --privileged on the "
			"builder, dependency hooks included; network.host gives it the "
			"builder's own loopback and network.",
		.fix =
			"Drop the entitlement, or move that step to a disposable builder.",
		.compatibility =
			"Nested container builds may need rootless buildkit.",
		.owner =
			"image maintainer",
		.restore =
			"Revert the commit and redeploy; the finding stores the former lines "
			"and their sha256.",
		.formats = FORMAT_BIT(DOCKERFILE) | FORMAT_BIT(COMPOSE) | FORMAT_BIT(INSPECT),
		.concepts = "",
	},
	{
		.slug = "install-hooks-run",
		.field = FIELD_IMAGE,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"npm/pnpm/yarn install without --ignore-scripts, pip install from VCS "
			"or sdist, curl-less installers in the agent's own start command",
		.consequence =
			"Package hooks run with the row's identity, mounts and credentials.",
		.fix =
			"Use a lockfile install with scripts disabled, or build in a row that "
			"holds no credentials.",
		.compatibility =
			"Native modules need an explicit build step.",
		.owner =
			"image maintainer",
		.restore =
			"Revert the commit and redeploy; the finding stores the former lines "
			"and their sha256.",
		.formats = FORMAT_BIT(DOCKERFILE) | FORMAT_BIT(COMPOSE) | FORMAT_BIT(MCP) |
			   FORMAT_BIT(INSPECT),
		.concepts = "package-unpinned",
	},
	{
		.slug = "mcp-unpinned",
		.field = FIELD_IMAGE,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"MCP command npx -y, uvx, pipx run, bunx, go run or docker run without "
			"exact version or digest",
		.consequence =
			"Each start runs whatever the registry serves that day.",
		.fix =
			"Pin version and, where possible, integrity hash.",
		.compatibility =
			"Updates become explicit.",
		.owner =
			"agent operator",
		.restore =
			"Restore the settings file from version control and restart the agent "
			"session.",
		.formats = FORMAT_BIT(MCP) | FORMAT_BIT(AGENT_SETTINGS) |
			   FORMAT_BIT(DEVCONTAINER),
		.concepts = "mcp-unpinned-package",
	},
	{
		.slug = "stage-copied-whole",
		.field = FIELD_IMAGE,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"COPY --from=stage / /",
		.consequence =
			"All that the builder stage held, tools and secrets included, enters "
			"the final image.",
		.fix =
			"Copy the named files only.",
		.compatibility =
			"None when the needed files are named.",
		.owner =
			"image owner",
		.restore =
			"Put the former lines back from the finding's stored excerpt and "
			"re-apply the manifest.",
		.formats = FORMAT_BIT(DOCKERFILE),
		.concepts = "copy-whole-filesystem",
	},
	{
		.slug = "pull-policy-not-always",
		.field = FIELD_IMAGE,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"imagePullPolicy is not Always for a mutable tag",
		.consequence =
			"A node may run a cached image that differs from the registry's and "
			"from the reviewed one.",
		.fix =
			"Pin a digest, or pull always.",
		.compatibility =
			"More registry traffic.",
		.owner =
			"service owner",
		.restore =
			"Put the former lines back from the finding's stored excerpt and "
			"re-apply the manifest.",
		.formats = FORMAT_BIT(K8S),
		.concepts = "image-pull-policy",
	},
	{
		.slug = "packages-unsigned",
		.field = FIELD_IMAGE,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"package signature checks are switched off in a build step (apk, apt, "
			"yum, dnf, rpm)",
		.consequence =
			"A mirror or network attacker chooses what is installed.",
		.fix =
			"Remove the flag and add the key.",
		.compatibility =
			"Unsigned internal repositories need a key.",
		.owner =
			"image owner",
		.restore =
			"Put the former lines back from the finding's stored excerpt and "
			"re-apply the manifest.",
		.formats = FORMAT_BIT(DOCKERFILE) | FORMAT_BIT(SCRIPT),
		.concepts = "unsigned-packages",
	},
	{
		.slug = "label-runtime-reserved",
		.field = FIELD_IMAGE,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"image LABEL that begins containerd.io/restart",
		.consequence =
			"containerd before the fix of CVE-2026-53488 took such a label from the "
			"image as its own and ran the named log program as host root.",
		.fix =
			"Remove the label; record the containerd version.",
		.compatibility =
			"None.",
		.owner =
			"image maintainer",
		.restore =
			"Revert the commit and redeploy; the finding stores the former lines "
			"and their sha256.",
		.formats = FORMAT_BIT(DOCKERFILE),
		.concepts = "",
	},
	{
		.slug = "build-frontend",
		.field = FIELD_IMAGE,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"# syntax= names an image other than docker/dockerfile; info for "
			"docker/dockerfile without digest",
		.consequence =
			"That image reads the file and decides what the build does.",
		.fix =
			"Use docker/dockerfile with a digest.",
		.compatibility =
			"Extensions of another frontend stop.",
		.owner =
			"image maintainer",
		.restore =
			"Revert the commit and redeploy; the finding stores the former lines "
			"and their sha256.",
		.formats = FORMAT_BIT(DOCKERFILE),
		.concepts = "",
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
		.fix =
			"Give the registry a certificate, and pin digests.",
		.compatibility =
			"Internal registries need a CA on the hosts.",
		.owner =
			"host admin",
		.restore =
			"Revert the commit and redeploy; the finding stores the former lines "
			"and their sha256.",
		.formats = FORMAT_BIT(DAEMON_JSON) | FORMAT_BIT(SCRIPT),
		.concepts = "",
	},
};

const size_t rules_image_count = sizeof rules_image / sizeof *rules_image;
