/* The JSON writer, under the name that the renderers of `parse` use.
 * SPDX-License-Identifier: MIT */
#ifndef SYNTAX_JSON_PUT_H
#define SYNTAX_JSON_PUT_H

#include "model/json_put.h"

#endif
