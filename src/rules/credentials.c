/* Rules of the field credentials.
 * SPDX-License-Identifier: MIT */
#include "src/rules/rules.h"

#include "src/rules/judge.h"

/* Where the literal stands decides which neutral concept holds. */
static const char *literal_concept(const struct eval *e, const struct fact *f)
{
	if (f->kind == FACT_SECRET_OBJECT)
		return fact_attribute_is(f, "kind", "ConfigMap") ? "secret-in-configmap" : "";
	if (eval_row(e)->format == FORMAT_MCP || eval_row(e)->format == FORMAT_AGENT_SETTINGS)
		return "mcp-secret-literal secret-in-env-literal";
	return "secret-in-env-literal";
}

static enum verdict secret_literal(struct eval *e, const struct fact *f)
{
	const char *class = attribute_of(f, "class");
	bool object = f->kind == FACT_SECRET_OBJECT;

	if (!object && !attribute_true(f, "secret"))
		return VERDICT_QUIET;
	if (object && fact_attribute(f, "secret") && !attribute_true(f, "secret"))
		return VERDICT_QUIET;
	/* The place is wrong whatever is filled in later. */
	if (object && fact_attribute_is(f, "kind", "ConfigMap") &&
	    fact_attribute_is(f, "class", "placeholder")) {
		eval_severity(e, SEVERITY_INFO);
		eval_confidence(e, CONFIDENCE_LOW);
		eval_concepts(e, literal_concept(e, f));
		eval_say(e, "%s is a place for a secret in a ConfigMap; its value looks like a "
			    "placeholder (not shown)", f->value);
		return VERDICT_FIRES;
	}
	if (!text_is_any(class, (const char *const[]){ "literal", "default", NULL }))
		return VERDICT_QUIET;
	if (fact_attribute_is(f, "class", "default"))
		eval_confidence(e, CONFIDENCE_MEDIUM);
	eval_concepts(e, literal_concept(e, f));
	eval_say(e, "%s holds a literal secret (value not shown)", f->value);
	return VERDICT_FIRES;
}

static enum verdict secret_in_args(struct eval *e, const struct fact *f)
{
	if (eval_row(e)->format != FORMAT_MCP && eval_row(e)->format != FORMAT_AGENT_SETTINGS)
		eval_concepts(e, "");
	eval_say(e, "a secret stands on the command line or in an address: %s", f->value);
	return judge_written(e, f);
}

static enum verdict env_file_broad(struct eval *e, const struct fact *f)
{
	const char *kind = attribute_of(f, "kind");

	if (text_is_any(kind, (const char *const[]){ "configMap", NULL }))
		return VERDICT_QUIET;
	eval_say(e, "everything in %s%s%s goes into the environment", kind, *kind ? " " : "",
		 f->value);
	return judge_written(e, f);
}

static enum verdict secret_env(struct eval *e, const struct fact *f)
{
	if (f->kind == FACT_ENV_FILE) {
		if (!text_is_any(attribute_of(f, "kind"), (const char *const[]){ "secret", NULL }))
			return VERDICT_QUIET;
		eval_say(e, "Secret %s is put into the environment as a whole", f->value);
		return VERDICT_FIRES;
	}
	if (!fact_attribute_is(f, "from", "secretKeyRef"))
		return VERDICT_QUIET;
	eval_say(e, "%s comes from Secret %s: every process of the row can read it", f->value,
		 attribute_of(f, "ref"));
	return VERDICT_FIRES;
}

static enum verdict sa_token_mounted(struct eval *e, const struct fact *f)
{
	const char *source = attribute_of(f, "source");

	if (fact_is_known(f) && !says_true(f))
		return VERDICT_QUIET;
	if (!row_is_workload(eval_row(e)))
		eval_say(e, "the account has its token mounted into pods that do not say no");
	else if (f->provenance == PROVENANCE_ABSENT)
		eval_say(e, "automountServiceAccountToken is not set: the token is mounted");
	else if (text_is_any(source, (const char *const[]){ "projected", NULL }))
		eval_say(e, "a service account token is projected into the container");
	else
		eval_say(e, "the service account token is mounted");
	return judge_bad(e, f, says_true(f));
}

static enum verdict mcp_env_inherited(struct eval *e, const struct fact *f)
{
	if (!fact_attribute_is(f, "env", "inherited"))
		return VERDICT_QUIET;
	eval_say(e, "the server is started with the client's whole environment");
	return VERDICT_FIRES;
}

static enum verdict token_passthrough(struct eval *e, const struct fact *f)
{
	if (!fact_attribute_is(f, "class", "passthrough"))
		return VERDICT_QUIET;
	eval_say(e, "header %s hands the client's token on to another service", f->value);
	return VERDICT_FIRES;
}

static enum verdict cloud_identity_bound(struct eval *e, const struct fact *f)
{
	eval_say(e, "a cloud role is bound (%s); what it may do was not supplied", f->value);
	return judge_written(e, f);
}

static enum verdict build_password_set(struct eval *e, const struct fact *f)
{
	eval_say(e, "the build sets or removes an account's password (%s)", f->value);
	return judge_written(e, f);
}

static enum verdict mcp_auth_absent(struct eval *e, const struct fact *f)
{
	if (attribute_true(f, "loopback"))
		return VERDICT_QUIET;
	if (!attribute_false(f, "auth"))
		return fact_attribute_is(f, "auth", "unknown") ? VERDICT_UNKNOWN : VERDICT_QUIET;
	eval_say(e, "the entry for %s names no credential", f->value);
	return VERDICT_FIRES;
}

static enum verdict build_ssh(struct eval *e, const struct fact *f)
{
	eval_say(e, "a build step may sign with the person's ssh keys");
	return judge_written(e, f);
}

static enum verdict sa_token_longlived(struct eval *e, const struct fact *f)
{
	if (!fact_attribute_is(f, "type", "kubernetes.io/service-account-token"))
		return VERDICT_QUIET;
	eval_say(e, "Secret %s is a service account token without an end", f->value);
	return VERDICT_FIRES;
}

static enum verdict x_unpinned_with_secrets(struct eval *e, const struct fact *f)
{
	(void)f;
	if (!eval_fired(e, "mcp-unpinned") && !eval_fired(e, "image-mutable"))
		return VERDICT_QUIET;
	if (!row_holds_secret(e))
		return VERDICT_QUIET;
	eval_part(e, "mcp-unpinned");
	eval_part(e, "image-mutable");
	eval_part(e, "secret-literal");
	eval_say(e, "code that can change without review runs with credentials in its environment");
	return VERDICT_FIRES;
}

const struct rule rules_credentials[] = {
	{
		.slug = "secret-literal",
		.field = FIELD_CREDENTIALS,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"secret-like key with a literal value in compose, manifest, unit, MCP "
			"or devcontainer file (value never shown); info for a placeholder under "
			"such a key of a ConfigMap",
		.consequence = "Anyone with the repository has the credential.",
		.fix = "Move to a secret store, then rotate.",
		.compatibility = "Deploy must supply the secret.",
		.owner = "service owner",
		.restore = RESTORE_COMMIT,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_K8S | FORMAT_BIT(SYSTEMD) | FORMATS_RUN |
			   FORMAT_BIT(AGENT_SETTINGS),
		.concepts = "secret-in-env-literal mcp-secret-literal secret-in-configmap",
		.each = FACT_ENV,
		.also = { FACT_HEADER, FACT_SECRET_OBJECT },
		.judge = secret_literal,
	},
	{
		.slug = "secret-in-args",
		.field = FIELD_CREDENTIALS,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "token or password in command, args or ExecStart, or in a URL",
		.consequence = "Visible to every process listing and in logs.",
		.fix = "Pass by file or descriptor.",
		.compatibility = "The program must support it.",
		.owner = "service owner",
		.restore = RESTORE_COMMIT,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_K8S | FORMAT_BIT(SYSTEMD) | FORMATS_RUN,
		.concepts = "mcp-secret-literal",
		.each = FACT_SECRET_ARGUMENT,
		.judge = secret_in_args,
	},
	{
		.slug = "env-file-broad",
		.field = FIELD_CREDENTIALS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "env_file or envFrom loads a whole file or Secret into the agent",
		.consequence = "The agent and all its tools inherit values the task does not use.",
		.fix = "List the single variables.",
		.compatibility = "Missing variables show at start.",
		.owner = "service owner",
		.restore = RESTORE_KEY,
		.formats = FORMAT_BIT(COMPOSE) | FORMATS_K8S | FORMAT_BIT(MCP) |
			   FORMAT_BIT(INSPECT),
		.concepts = "",
		.each = FACT_ENV_FILE,
		.judge = env_file_broad,
	},
	{
		.slug = "secret-env",
		.field = FIELD_CREDENTIALS,
		.severity = SEVERITY_INFO,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "secretKeyRef or envFrom for a value that could be a file",
		.consequence = "Environment leaks through /proc, crash dumps and child tools.",
		.fix = "Mount as a file with narrow mode.",
		.compatibility = "The program must read a file.",
		.owner = "service owner",
		.restore = RESTORE_MANIFEST,
		.formats = FORMATS_K8S | FORMAT_BIT(COMPOSE) | FORMAT_BIT(INSPECT),
		.concepts = "secret-as-env-var",
		.each = FACT_ENV,
		.also = { FACT_ENV_FILE },
		.judge = secret_env,
	},
	{
		.slug = "sa-token-mounted",
		.field = FIELD_CREDENTIALS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"automountServiceAccountToken not false on pod and service account, or "
			"a projected serviceAccountToken volume",
		.consequence = "Every process in the pod holds a cluster credential.",
		.fix = "Set it to false, or project a token with an audience only where needed.",
		.compatibility = "In-cluster clients stop.",
		.owner = "service owner",
		.restore = RESTORE_MANIFEST,
		.formats = FORMATS_K8S,
		.concepts = "service-account-token-mounted",
		.each = FACT_TOKEN_MOUNT,
		.judge = sa_token_mounted,
	},
	{
		.slug = "mcp-env-inherited",
		.field = FIELD_CREDENTIALS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger =
			"stdio MCP server launched with no env filter by a client that passes "
			"its environment",
		.consequence = "Each tool package sees the agent's API keys.",
		.fix =
			"Use the client's allow list (env include) or a wrapper that clears the "
			"environment.",
		.compatibility = "Servers needing a variable must list it.",
		.owner = "agent operator",
		.restore = RESTORE_SETTINGS,
		.formats = FORMAT_BIT(MCP) | FORMAT_BIT(AGENT_SETTINGS),
		.concepts = "",
		.each = FACT_COMMAND,
		.judge = mcp_env_inherited,
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
		.fix = "Exchange for a token issued to the server.",
		.compatibility = "Needs an OAuth change.",
		.owner = "service owner",
		.restore = RESTORE_COMMIT,
		.formats = FORMAT_BIT(MCP),
		.concepts = "",
		.each = FACT_HEADER,
		.judge = token_passthrough,
	},
	{
		.slug = "cloud-identity-bound",
		.field = FIELD_CREDENTIALS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"service account annotations or task roles bind a cloud role (role-arn, "
			"gcp-service-account, azure client-id), role policy not supplied",
		.consequence = "Code in the row acts with that role.",
		.fix = "Supply and narrow the role policy.",
		.compatibility = "Cloud calls may be refused.",
		.owner = "platform team",
		.restore = RESTORE_MANIFEST,
		.formats = FORMATS_K8S,
		.task_context = true,
		.concepts = "",
		.each = FACT_CLOUD_IDENTITY,
		.judge = cloud_identity_bound,
	},
	{
		.slug = "build-password-set",
		.field = FIELD_CREDENTIALS,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "a build step sets an account password (chpasswd, passwd, usermod -p)",
		.consequence = "The password is in the image history for everyone who can pull.",
		.fix = "Remove the step; use keys or no login.",
		.compatibility = "Interactive log-in stops.",
		.owner = "image owner",
		.restore = RESTORE_LINES,
		.formats = FORMAT_BIT(DOCKERFILE) | FORMAT_BIT(IMAGE_INSPECT),
		.concepts = "password-set-in-build",
		.each = FACT_PASSWORD_SET,
		.judge = build_password_set,
	},
	{
		.slug = "mcp-auth-absent",
		.field = FIELD_CREDENTIALS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_MEDIUM,
		.trigger = "a remote MCP server entry without headers, oauth or another credential",
		.consequence =
			"Either the server accepts anyone, or the credential lives where this "
			"review does not see it.",
		.fix = "State the authentication in the entry, or record it as unavailable.",
		.compatibility = "None.",
		.owner = "agent operator",
		.restore = RESTORE_LINES,
		.formats = FORMAT_BIT(MCP),
		.concepts = "mcp-missing-auth",
		.each = FACT_REMOTE,
		.judge = mcp_auth_absent,
	},
	{
		.slug = "build-ssh",
		.field = FIELD_CREDENTIALS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "RUN --mount=type=ssh, compose build.ssh",
		.consequence =
			"Each command of that step, dependency hooks included, may sign with "
			"the person's agent.",
		.fix = "Use a deploy key for one repository, or fetch before the build.",
		.compatibility = "Private fetches need the key.",
		.owner = "image maintainer",
		.restore = RESTORE_COMMIT,
		.formats = FORMAT_BIT(DOCKERFILE) | FORMAT_BIT(IMAGE_INSPECT) |
			   FORMAT_BIT(COMPOSE) | FORMAT_BIT(INSPECT),
		.concepts = "",
		.each = FACT_BUILD_SSH,
		.judge = build_ssh,
	},
	{
		.slug = "sa-token-longlived",
		.field = FIELD_CREDENTIALS,
		.severity = SEVERITY_MEDIUM,
		.confidence = CONFIDENCE_HIGH,
		.trigger = "Secret of type kubernetes.io/service-account-token",
		.consequence =
			"The token does not expire and is bound to no pod: a copy works until "
			"the Secret is deleted.",
		.fix = "Use TokenRequest or a projected token.",
		.compatibility = "Outside clients must renew.",
		.owner = "platform team",
		.restore = RESTORE_MANIFEST,
		.formats = FORMATS_K8S,
		.concepts = "",
		.each = FACT_SECRET_OBJECT,
		.judge = sa_token_longlived,
	},
	{
		.slug = "x-unpinned-with-secrets",
		.field = FIELD_CREDENTIALS,
		.severity = SEVERITY_HIGH,
		.confidence = CONFIDENCE_HIGH,
		.trigger =
			"mcp-unpinned or image-mutable AND secrets in that process's environment",
		.consequence = "A poisoned release gets the key at next start.",
		.fix = "Pin, then move the key to a broker.",
		.compatibility = "As mcp-unpinned.",
		.owner = "agent operator",
		.restore = RESTORE_SETTINGS,
		.formats = FORMAT_BIT(MCP) | FORMAT_BIT(COMPOSE) | FORMAT_BIT(INSPECT),
		.combination = true,
		.concepts = "",
		.judge = x_unpinned_with_secrets,
	},
};

const size_t rules_credentials_count = sizeof rules_credentials / sizeof *rules_credentials;
