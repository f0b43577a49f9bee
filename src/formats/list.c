/* Every format, in the order in which they are asked and joined.
 * SPDX-License-Identifier: MIT */
#include "src/formats/format.h"

extern const struct format format_compose;
extern const struct format format_compose_commands;
extern const struct format format_helm;
extern const struct format format_k8s;
extern const struct format format_kustomize;
extern const struct format format_mcp;
extern const struct format format_dockerfile;
extern const struct format format_settings;
extern const struct format format_instructions;
extern const struct format format_devcontainer;
extern const struct format format_nsjail;
extern const struct format format_daemon;
extern const struct format format_ci_builds;
extern const struct format format_workflow;
extern const struct format format_script;
extern const struct format format_inspect;
extern const struct format format_image_inspect;
extern const struct format format_engine_info_json;
extern const struct format format_engine_info;

/* Exports come last: they look for the rows that the others declare. */
const struct format *const format_list[] = {
	&format_compose,
	&format_compose_commands,
	&format_k8s,
	&format_helm,
	&format_kustomize,
	&format_settings,
	&format_instructions,
	&format_devcontainer,
	&format_nsjail,
	&format_daemon,
	&format_workflow,
	&format_ci_builds,
	&format_mcp,
	&format_dockerfile,
	&format_script,
	&format_inspect,
	&format_image_inspect,
	&format_engine_info_json,
	&format_engine_info,
	NULL,
};
