/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels of tests/ptx/cuda, each beside what it computes, in C.
 *
 * A case runs a kernel in several shapes of grids and blocks and compares what it leaves
 * with the same computed by the host.  It knows nothing of who made the PTX, nor of what
 * runs it.  The table of all of them is in kernel_table.c.
 */
#ifndef PTX_KERNELS_H
#define PTX_KERNELS_H

#include "machine.h"
#include "support/random.h"

struct kernel_case {
    const char *name;   /* what the kernel does                                 */
    const char *source; /* of tests/ptx/cuda, without .cu                       */
    void (*run)(struct machine *machine);
    bool simulated;     /* asks what only the simulator can be asked            */
    uint32_t target;    /* that it needs: 90 for sm_90; 0: any                  */
};

struct kernel_cases {
    const struct kernel_case *rows;
    size_t count;
};

extern const struct kernel_cases *const kernel_tables[]; /* the last is NULL */
extern const struct kernel_cases array_kernels, together_kernels, language_kernels,
    waiting_kernels, opencl_kernels;
/* Of numbers. */
extern const struct kernel_cases integer_kernels, conversion_kernels, narrow_kernels,
    rounding_kernels, function_kernels;

/* The PTX of a source that a compiler made in one of the ways of tools/make-ptx ("sm_90",
 * "sm_75", "debug", "clang"), to be freed; NULL: that compiler made none. */
char *kernel_text(const char *source, const char *way);
extern const char *const kernel_ways[]; /* the last is NULL */
const char *kernel_folder(void);

/* Grids and blocks in one dimension: single threads, parts of warps, many warps. */
struct extents {
    uint32_t grid, block;
};

extern const struct extents odd_extents[];  /* the last has a grid of 0 */
extern const struct extents warp_extents[]; /* blocks are whole warps   */

/* How many threads run blocks at once: 1, 2, 3, 1, ... */
unsigned next_threads(void);

#define EACH_EXTENT(list, x) for (const struct extents *x = (list); x->grid; x++)

/* Runs with parameters as they stand in a struct. */
#define RUN(machine, kernel, x, shared_bytes, params) \
    machine_run(machine, kernel, \
                &(struct machine_shape){ .grid = { (x)->grid }, .block = { (x)->block }, \
                                         .shared = (uint32_t)(shared_bytes), \
                                         .threads = next_threads() }, \
                params, sizeof *(params))

/* Memory that kernels reach, filled with what the seed of the text says. */
void *random_memory(struct machine *machine, size_t bytes, uint64_t seed);

/* A copy of memory, to be freed. */
void *copied(const void *memory, size_t bytes);

#define BETWEEN(dice, low, high) ((low) + dice_below(dice, (high) - (low) + 1))

/* The arrays are the same, or the test fails with the first place where they are not.
 * Floats: all NaNs are the same. */
void same_bytes(const char *what, const void *got, const void *wanted, size_t bytes);
void same_words(const char *what, const uint32_t *got, const uint32_t *wanted, size_t count);
void same_longs(const char *what, const uint64_t *got, const uint64_t *wanted, size_t count);
void same_floats(const char *what, const float *got, const float *wanted, size_t count);
void same_doubles(const char *what, const double *got, const double *wanted, size_t count);

/* Apart by no more than so many units of the last place of `wanted`, or by `slack`. */
void near_float(const char *what, float of, float got, double wanted, double ulps, double slack);
void near_double(const char *what, double of, double got, double wanted, double ulps);

#endif
