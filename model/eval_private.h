/* State of one evaluation, shared by eval.c (what predicates see) and judge.c (the loop).
 * SPDX-License-Identifier: MIT */
#ifndef MODEL_EVAL_PRIVATE_H
#define MODEL_EVAL_PRIVATE_H

#include "model/buf.h"
#include "model/eval.h"

#define MAX_READS 64
#define MAX_PARTS 8

struct eval {
	struct snapshot *snapshot;
	digest_fn *digest;
	const struct rule *rule;
	const struct row *row;
	enum layer layer;
	struct hash_index ids[2]; /* ids given so far in each layer: how often */
	struct buf text;          /* scratch */
	struct {
		const struct rule **items; /* rules of a format: single ones, then combinations */
		size_t count, capacity;
	} plans[FORMAT_COUNT];
	size_t first_of_row; /* findings of this row and layer begin here */
	/* state of the current judgement */
	const struct fact *reads[MAX_READS];
	size_t read_count;
	const char *parts[MAX_PARTS];
	size_t part_count;
	const struct fact *subject;
	bool about_row; /* the row itself is the primary place */
	const char *message, *reason, *concepts;
	enum severity severity;
	enum confidence confidence;
};

/* Joins findings that the same line gives for several rows, and sorts by path, line and rule. */
void findings_settle(struct snapshot *s);

#endif
