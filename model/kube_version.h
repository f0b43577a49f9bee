/* Kubernetes versions as people write them: "1.34", "v1.34.2", "1.34-gke.1", "latest".
 * SPDX-License-Identifier: MIT */
#ifndef MODEL_KUBE_VERSION_H
#define MODEL_KUBE_VERSION_H

#include <stdbool.h>

/* The newest minor version that the program knows: its policy is also that of newer ones. */
#define KUBE_LATEST 37u

/* The minor version that TEXT names, which may be newer than KUBE_LATEST; "latest" is KUBE_LATEST. False,
 * with KUBE_LATEST, for NULL, "" and what is no version. */
bool kube_version_minor(const char *text, unsigned *minor);
/* True for what kube_version_minor() takes. */
bool kube_version_is_valid(const char *text);

#endif
