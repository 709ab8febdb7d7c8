/* SPDX-License-Identifier: Apache-2.0
 *
 * A machine that runs PTX over memory of the test: no device, no streams.
 *
 *     struct machine *m = machine_open();
 *     machine_load(m, text);
 *     uint32_t *out = machine_memory(m, 64 * sizeof *out);
 *     struct { uint32_t *out; uint32_t n; } params = { out, 64 };
 *     machine_run(m, "kernel", &(struct machine_shape){ .block = { 64 } }, &params,
 *                 sizeof params);
 *     machine_close(m);
 *
 * What fails without being asked for fails the test.
 */
#ifndef PTX_MACHINE_H
#define PTX_MACHINE_H

#include "support/cmocka_all.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "ptx/text/module.h"
#include "ptx/ptx.h"

struct machine;

struct machine *machine_open(void);

/* Also says whether a kernel wrote in front of or behind an allocation, and whether all
 * memory that the module took was given back. */
void machine_close(struct machine *machine);

/* ---- Modules ---------------------------------------------------------------------- */

/* Compiles a text, in place of what was loaded before, and fills its variables. */
void machine_load(struct machine *machine, const char *text);

/* The same with limits (NULL: none), and what comes of it; a module that is refused takes
 * the old one's place, too: there is none then. */
rill_status machine_try_load(struct machine *machine, const char *text, size_t bytes,
                             const struct ptx_limits *limits, struct ptx_refusal *refusal);

/* The same of a module, which is the machine's from then on. */
rill_status machine_try_take(struct machine *machine, struct ptx_module *module,
                             const struct ptx_limits *limits, struct ptx_refusal *refusal);

/* The text is refused so, and the sentence says all of these words. */
void machine_refuses(struct machine *machine, const char *text, rill_status status,
                     const char *words, const char *more);

const struct ptx_module *machine_module(struct machine *machine);
const struct ptx_code *machine_code(struct machine *machine);

/* Where a variable of the module lies, and its size. */
void *machine_variable(struct machine *machine, const char *name, size_t *bytes);

/* ---- Memory ----------------------------------------------------------------------- */

/* Zeroed memory that kernels reach, on a boundary of 256 bytes. */
void *machine_memory(struct machine *machine, size_t bytes);

/* It is no kernel's any more; the address stays taken. */
void machine_forget(struct machine *machine, const void *memory);

/* Kernels may only read it. */
void machine_protect(struct machine *machine, const void *memory);

/* Allocations of kernels (malloc) that were not freed, and how many bytes of malloc there
 * are in all (default: 1 MiB). */
size_t machine_heap_live(struct machine *machine);
void machine_heap_limit(struct machine *machine, size_t bytes);

/* ---- Launches --------------------------------------------------------------------- */

struct machine_shape {
    uint32_t grid[3], block[3]; /* 0 is 1                                           */
    uint32_t cluster[3];        /* as it is                                         */
    uint32_t shared;            /* dynamic shared memory, in bytes                  */
    unsigned threads;           /* that run blocks at the same time; 0 is 1         */
    bool cooperative;
    uint32_t checks;            /* PTX_CHECK_*                                      */
    struct ptx_findings *findings; /* receives what they find, or NULL                 */
    uint64_t steps;             /* 0: as the module's limits say                    */
    struct rl_footprint *footprint; /* receives what is touched, or NULL            */
};

/* All kernels are checked for all that is known from now on, whatever their shapes say. */
void machine_check_all(struct machine *machine);

/* Runs a kernel, which ends well. */
void machine_run(struct machine *machine, const char *kernel, const struct machine_shape *shape,
                 const void *params, size_t bytes);

/* Runs a kernel; the answer is that of the launch, or the fault's. */
rill_status machine_launch(struct machine *machine, const char *kernel,
                           const struct machine_shape *shape, const void *params, size_t bytes);

/* Of the last launch. */
const struct ptx_fault *machine_fault(struct machine *machine);

/* The launch fails so, and its message says all of these words. */
void machine_fails(struct machine *machine, const char *kernel, const struct machine_shape *shape,
                   const void *params, size_t bytes, rill_status status, const char *words,
                   const char *more);

/* What kernels printed since the last machine_run or machine_launch began, ended by a
 * zero. */
const char *machine_printed(struct machine *machine);

/* The last cudaGraphSetConditional. */
uint64_t machine_conditional(struct machine *machine, uint32_t *value);

/* ---- Single instructions (apply.c) -------------------------------------------------- */

/* Runs instructions over `count` rows of operands, one thread for each, and puts what
 * they leave in %d into `d`.
 *
 *     machine_apply("add.s32 %d, %a, %b;", "s32 s32 s32", n, d, a, b, NULL);
 *
 * `types` are those of %d, %a, %b and %c, as many as there are: b8 to b64, u, s and f
 * (f16, bf16 and f16x2 are b16 and b32), or pred, which is a byte in memory.  Narrow ones are in
 * registers of 16 bits.  There are scratch registers %p0 to %p9, %h0 to 9 (b16),
 * %r0 to 9 (b32), %l0 to 9 (b64), %f0 to 9 (f32), %e0 to 9 (f64). */
void machine_apply(const char *instructions, const char *types, size_t count, void *d,
                   const void *a, const void *b, const void *c);

/* The text of the module that does it: "apply" takes d, a, b, c and a .u32 count.  To be
 * freed. */
char *machine_apply_text(const char *instructions, const char *types, const char *target);

#endif
