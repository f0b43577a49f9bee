/* Search and filter over plain text.
 * SPDX-License-Identifier: MIT */
#include "ui/find.h"

#include <string.h>

#include "model/text.h"

static uint32_t fold(uint32_t point)
{
	return point >= 'A' && point <= 'Z' ? point - 'A' + 'a' : point;
}

static bool starts_with(const char *text, const char *needle, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (!text[i] || fold((unsigned char)text[i]) != fold((unsigned char)needle[i]))
			return false;
	}
	return true;
}

static bool holds(const char *text, const char *needle, size_t length)
{
	if (length == 0)
		return true;
	for (; *text; text++) {
		if (starts_with(text, needle, length))
			return true;
	}
	return false;
}

bool find_in(const char *text, const char *needle)
{
	return holds(text, needle, strlen(needle));
}

bool find_filter(const char *text, const char *filter)
{
	while (*filter) {
		size_t length = strcspn(filter, " ");
		bool negated = *filter == '-' || *filter == '!';

		if (length > (negated ? 1 : 0) &&
		    holds(text, filter + negated, length - negated) == negated)
			return false;
		filter += length + (filter[length] == ' ');
	}
	return true;
}

#define NEEDLE_POINTS 64

static bool cells_match(const struct grid *g, int x, int y, int right, const uint32_t *needle,
                        size_t count)
{
	for (size_t i = 0; i < count; x++) {
		const struct grid_cell *cell;

		if (x >= right)
			return false;
		cell = &g->cells[(size_t)y * (size_t)g->width + (size_t)x];
		if (cell->width == 0)
			continue;
		if (fold(cell->points[0]) != needle[i++])
			return false;
	}
	return true;
}

static size_t needle_points(const char *needle, uint32_t points[NEEDLE_POINTS])
{
	size_t used, count = 0, length = strlen(needle);

	for (size_t i = 0; i < length && count < NEEDLE_POINTS; i += used) {
		uint32_t point = text_decode_point(needle + i, length - i, &used);

		points[count++] = fold(point);
	}
	return count;
}

void find_highlight(struct grid *g, struct rect area, const char *needle)
{
	uint32_t points[NEEDLE_POINTS];
	size_t count = needle_points(needle, points);
	int right = area.x + area.w > g->width ? g->width : area.x + area.w;

	if (count == 0 || area.y < 0 || area.y >= g->height || area.x < 0)
		return;
	for (int x = area.x; x < right; x++) {
		if (!cells_match(g, x, area.y, right, points, count))
			continue;
		for (int i = x; i < right && i < x + (int)count; i++)
			g->cells[(size_t)area.y * (size_t)g->width + (size_t)i].element =
			    ELEMENT_MATCH;
	}
}
