/* SPDX-License-Identifier: Apache-2.0 */
#include "kernels.h"

#include <inttypes.h>
#include <math.h>

const struct extents odd_extents[] = {
    { 1, 1 }, { 1, 31 }, { 3, 33 }, { 2, 64 }, { 5, 100 }, { 7, 200 }, { 4, 256 }, { 2, 257 },
    { 3, 513 }, { 1, 1024 }, { 0, 0 },
};

const struct extents warp_extents[] = {
    { 1, 32 }, { 3, 64 }, { 9, 96 }, { 5, 256 }, { 3, 288 }, { 2, 1024 }, { 0, 0 },
};

unsigned next_threads(void)
{
    static unsigned count;
    return 1 + count++ % 3;
}

void *random_memory(struct machine *machine, size_t bytes, uint64_t seed)
{
    struct dice dice = { seed };
    unsigned char *memory = machine_memory(machine, bytes);
    for (size_t i = 0; i < bytes; i++) memory[i] = (unsigned char)dice_next(&dice);
    return memory;
}

void *copied(const void *memory, size_t bytes)
{
    void *copy = malloc(bytes + 1);
    if (!copy) abort();
    return memcpy(copy, memory, bytes);
}

void same_bytes(const char *what, const void *got, const void *wanted, size_t bytes)
{
    const unsigned char *g = got, *w = wanted;
    for (size_t i = 0; i < bytes; i++)
        if (g[i] != w[i])
            fail_msg("%s: byte %zu of %zu is 0x%02x, not 0x%02x", what, i, bytes, g[i], w[i]);
}

void same_words(const char *what, const uint32_t *got, const uint32_t *wanted, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (got[i] != wanted[i])
            fail_msg("%s: number %zu of %zu is 0x%08" PRIx32 ", not 0x%08" PRIx32, what, i, count,
                     got[i], wanted[i]);
}

void same_longs(const char *what, const uint64_t *got, const uint64_t *wanted, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (got[i] != wanted[i])
            fail_msg("%s: number %zu of %zu is 0x%016" PRIx64 ", not 0x%016" PRIx64, what, i,
                     count, got[i], wanted[i]);
}

void same_floats(const char *what, const float *got, const float *wanted, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (memcmp(&got[i], &wanted[i], sizeof *got) && !(isnan(got[i]) && isnan(wanted[i])))
            fail_msg("%s: number %zu of %zu is %a, not %a", what, i, count, (double)got[i],
                     (double)wanted[i]);
}

void same_doubles(const char *what, const double *got, const double *wanted, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (memcmp(&got[i], &wanted[i], sizeof *got) && !(isnan(got[i]) && isnan(wanted[i])))
            fail_msg("%s: number %zu of %zu is %a, not %a", what, i, count, got[i], wanted[i]);
}

void near_float(const char *what, float of, float got, double wanted, double ulps, double slack)
{
    double unit = (double)nextafterf(fabsf((float)wanted), INFINITY) - fabs((double)(float)wanted);
    if (fabs((double)got - wanted) <= fmax(ulps * unit, slack)) return;
    fail_msg("%s of %a is %a, too far from %a", what, (double)of, (double)got, wanted);
}

void near_double(const char *what, double of, double got, double wanted, double ulps)
{
    double unit = nextafter(fabs(wanted), INFINITY) - fabs(wanted);
    if (fabs(got - wanted) <= ulps * unit) return;
    fail_msg("%s of %a is %a, too far from %a", what, of, got, wanted);
}

const struct kernel_cases *const kernel_tables[] = {
    &array_kernels, &together_kernels, &language_kernels, &integer_kernels,
    &conversion_kernels, &narrow_kernels, &rounding_kernels, &function_kernels,
    &waiting_kernels, &opencl_kernels, NULL,
};
