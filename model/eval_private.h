/* State of one evaluation, shared by eval.c (what predicates see) and judge.c (the loop).
 * SPDX-License-Identifier: MIT */
#ifndef MODEL_EVAL_PRIVATE_H
#define MODEL_EVAL_PRIVATE_H

#include "model/eval.h"

#define MAX_READS 64
#define MAX_PARTS 8

struct eval {
	struct snapshot *snapshot;
	digest_fn *digest;
	const struct rule *rule;
	const struct row *row;
	enum layer layer;
	struct hash_index ids; /* ids given so far, by layer: how often */
	size_t first_of_row; /* findings of this row and layer begin here */
	/* state of the current judgement */
	const struct fact *reads[MAX_READS];
	size_t read_count;
	const char *parts[MAX_PARTS];
	size_t part_count;
	const struct fact *subject;
	const char *message, *reason, *concepts;
	enum severity severity;
	enum confidence confidence;
};

#endif
