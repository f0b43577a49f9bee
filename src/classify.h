/* Example, generated, test or proposed: what a path and the first bytes say about a file.
 * SPDX-License-Identifier: MIT */
#ifndef SRC_CLASSIFY_H
#define SRC_CLASSIFY_H

#include "model/artifact.h"

enum artifact_class classify(const char *path, const char *bytes, size_t length);

#endif
