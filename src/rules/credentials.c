/* Rules of the field credentials.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rules.h"

const struct rule rules_credentials[] = {
	{
		.slug = "secret-literal",
		.field = FIELD_CREDENTIALS,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"secret-like key with a literal value in compose, manifest, unit, MCP "
			"or devcontainer file (value never shown)",
		.consequence =
			"Anyone with the repository has the credential.",
		.fix =
			"Move to a secret store, then rotate.",
		.compatibility =
			"Deploy must supply the secret.",
		.owner =
			"service owner",
		.restore =
			"Revert the commit and redeploy; the finding stores the former lines "
			"and their sha256.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(K8S) | FORMAT_BIT(SYSTEMD) |
			   FORMAT_BIT(MCP) | FORMAT_BIT(DEVCONTAINER) | FORMAT_BIT(RUN) |
			   FORMAT_BIT(INSPECT),
		.concepts = "secret-in-env-literal mcp-secret-literal secret-in-configmap",
	},
	{
		.slug = "secret-in-args",
		.field = FIELD_CREDENTIALS,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"token or password in command, args or ExecStart, or in a URL",
		.consequence =
			"Visible to every process listing and in logs.",
		.fix =
			"Pass by file or descriptor.",
		.compatibility =
			"The program must support it.",
		.owner =
			"service owner",
		.restore =
			"Revert the commit and redeploy; the finding stores the former lines "
			"and their sha256.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(K8S) | FORMAT_BIT(SYSTEMD) |
			   FORMAT_BIT(MCP) | FORMAT_BIT(RUN) | FORMAT_BIT(INSPECT),
		.concepts = "mcp-secret-literal",
	},
	{
		.slug = "env-file-broad",
		.field = FIELD_CREDENTIALS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"env_file or envFrom loads a whole file or Secret into the agent",
		.consequence =
			"The agent and all its tools inherit values the task does not use.",
		.fix =
			"List the single variables.",
		.compatibility =
			"Missing variables show at start.",
		.owner =
			"service owner",
		.restore =
			"Put the former key back in the file from the finding's stored excerpt, "
			"then recreate the container.",
		.formats = FORMAT_BIT(COMPOSE) | FORMAT_BIT(K8S) | FORMAT_BIT(MCP) |
			   FORMAT_BIT(INSPECT),
		.concepts = "",
	},
	{
		.slug = "secret-env",
		.field = FIELD_CREDENTIALS,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"secretKeyRef or envFrom for a value that could be a file",
		.consequence =
			"Environment leaks through /proc, crash dumps and child tools.",
		.fix =
			"Mount as a file with narrow mode.",
		.compatibility =
			"The program must read a file.",
		.owner =
			"service owner",
		.restore =
			"Re-apply the previous manifest revision (kubectl rollout undo needs "
			"the cluster owner's go-ahead).",
		.formats = FORMAT_BIT(K8S) | FORMAT_BIT(COMPOSE) | FORMAT_BIT(INSPECT),
		.concepts = "secret-as-env-var",
	},
	{
		.slug = "sa-token-mounted",
		.field = FIELD_CREDENTIALS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"automountServiceAccountToken not false on pod and service account, or "
			"a projected serviceAccountToken volume",
		.consequence =
			"Every process in the pod holds a cluster credential.",
		.fix =
			"Set it to false, or project a token with an audience only where needed.",
		.compatibility =
			"In-cluster clients stop.",
		.owner =
			"service owner",
		.restore =
			"Re-apply the previous manifest revision (kubectl rollout undo needs "
			"the cluster owner's go-ahead).",
		.formats = FORMAT_BIT(K8S),
		.concepts = "service-account-token-mounted",
	},
	{
		.slug = "mcp-env-inherited",
		.field = FIELD_CREDENTIALS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"stdio MCP server launched with no env filter by a client that passes "
			"its environment",
		.consequence =
			"Each tool package sees the agent's API keys.",
		.fix =
			"Use the client's allow list (env include) or a wrapper that clears the "
			"environment.",
		.compatibility =
			"Servers needing a variable must list it.",
		.owner =
			"agent operator",
		.restore =
			"Restore the settings file from version control and restart the agent "
			"session.",
		.formats = FORMAT_BIT(MCP) | FORMAT_BIT(AGENT_SETTINGS),
		.concepts = "",
	},
	{
		.slug = "token-passthrough",
		.field = FIELD_CREDENTIALS,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_LOW,
		.trigger =
			"MCP server forwards the client's bearer token to another API, or "
			"accepts tokens without an audience check",
		.consequence =
			"The server becomes a confused deputy, and one stolen token works "
			"elsewhere.",
		.fix =
			"Exchange for a token issued to the server.",
		.compatibility =
			"Needs an OAuth change.",
		.owner =
			"service owner",
		.restore =
			"Revert the commit and redeploy; the finding stores the former lines "
			"and their sha256.",
		.formats = FORMAT_BIT(MCP),
		.concepts = "",
	},
	{
		.slug = "cloud-identity-bound",
		.field = FIELD_CREDENTIALS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"service account annotations or task roles bind a cloud role (role-arn, "
			"gcp-service-account, azure client-id), role policy not supplied",
		.consequence =
			"Code in the row acts with that role.",
		.fix =
			"Supply and narrow the role policy.",
		.compatibility =
			"Cloud calls may be refused.",
		.owner =
			"platform team",
		.restore =
			"Re-apply the previous manifest revision (kubectl rollout undo needs "
			"the cluster owner's go-ahead).",
		.formats = FORMAT_BIT(K8S),
		.task_context = true,
		.concepts = "",
	},
	{
		.slug = "x-unpinned-with-secrets",
		.field = FIELD_CREDENTIALS,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"mcp-unpinned or image-mutable AND secrets in that process's environment",
		.consequence =
			"A poisoned release gets the key at next start.",
		.fix =
			"Pin, then move the key to a broker.",
		.compatibility =
			"As mcp-unpinned.",
		.owner =
			"agent operator",
		.restore =
			"Restore the settings file from version control and restart the agent "
			"session.",
		.formats = FORMAT_BIT(MCP) | FORMAT_BIT(COMPOSE) | FORMAT_BIT(INSPECT),
		.combination = true,
		.concepts = "",
	},
	{
		.slug = "build-password-set",
		.field = FIELD_CREDENTIALS,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"a build step sets an account password (chpasswd, passwd, usermod -p)",
		.consequence =
			"The password is in the image history for everyone who can pull.",
		.fix =
			"Remove the step; use keys or no login.",
		.compatibility =
			"Interactive log-in stops.",
		.owner =
			"image owner",
		.restore =
			"Put the former lines back from the finding's stored excerpt and "
			"re-apply the manifest.",
		.formats = FORMAT_BIT(DOCKERFILE),
		.concepts = "password-set-in-build",
	},
	{
		.slug = "mcp-auth-absent",
		.field = FIELD_CREDENTIALS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"a remote MCP server entry without headers, oauth or another credential",
		.consequence =
			"Either the server accepts anyone, or the credential lives where this "
			"review does not see it.",
		.fix =
			"State the authentication in the entry, or record it as unavailable.",
		.compatibility =
			"None.",
		.owner =
			"agent operator",
		.restore =
			"Put the former lines back from the finding's stored excerpt and "
			"re-apply the manifest.",
		.formats = FORMAT_BIT(MCP),
		.concepts = "mcp-missing-auth",
	},
	{
		.slug = "build-ssh",
		.field = FIELD_CREDENTIALS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"RUN --mount=type=ssh, compose build.ssh",
		.consequence =
			"Each command of that step, dependency hooks included, may sign with "
			"the person's agent.",
		.fix =
			"Use a deploy key for one repository, or fetch before the build.",
		.compatibility =
			"Private fetches need the key.",
		.owner =
			"image maintainer",
		.restore =
			"Revert the commit and redeploy; the finding stores the former lines "
			"and their sha256.",
		.formats = FORMAT_BIT(DOCKERFILE) | FORMAT_BIT(COMPOSE) | FORMAT_BIT(INSPECT),
		.concepts = "",
	},
	{
		.slug = "sa-token-longlived",
		.field = FIELD_CREDENTIALS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"Secret of type kubernetes.io/service-account-token",
		.consequence =
			"The token does not expire and is bound to no pod: a copy works until "
			"the Secret is deleted.",
		.fix =
			"Use TokenRequest or a projected token.",
		.compatibility =
			"Outside clients must renew.",
		.owner =
			"platform team",
		.restore =
			"Re-apply the previous manifest revision (kubectl rollout undo needs "
			"the cluster owner's go-ahead).",
		.formats = FORMAT_BIT(K8S),
		.concepts = "",
	},
};

const size_t rules_credentials_count = sizeof rules_credentials / sizeof *rules_credentials;
