/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "bench.h"

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

struct spread spread_of(const double *values, size_t count)
{
    struct spread spread = { .count = count };
    double *sorted = count ? malloc(count * sizeof *sorted) : NULL;
    if (!sorted) return spread;
    memcpy(sorted, values, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_value);
    size_t last = count - 1;
    spread.low = sorted[(last + 5) / 10];
    spread.median = count % 2 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
    spread.high = sorted[last - (last + 5) / 10];
    free(sorted);
    return spread;
}
