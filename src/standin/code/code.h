/* SPDX-License-Identifier: Apache-2.0
 *
 * Modules, libraries, and the kernels in them.
 *
 *     code      an image that was read, shared by all that is loaded from it
 *     module    code in one context: kernels that can be launched, variables in memory
 *               (module.h)
 *     function  a kernel of a module, made when a program first asks for it (function.h)
 *     library   code without a context: it has a module in each context in which a program
 *               asks for one (library.h)
 *     kernel    a kernel of a library: a function in each such module
 *
 * A handle of a kernel is accepted wherever one of a function is, as with the driver.
 *
 * This header is on code: an image, and for each of its kernels a row of the table that rill
 * takes.
 */
#ifndef SI_CODE_H
#define SI_CODE_H

#include <stdatomic.h>

#include "standin/code/jit.h"
#include "standin/image/image.h"

struct si_code {
    atomic_uint references;
    struct image *image;
    rill_function *functions; /* as many as the image has entries, but at least one; those
                                 that run come first                                */
    uint32_t function_count;  /* that run                                            */
    uint8_t *runs;            /* by entry: true if it has a C function, or does nothing */
    rill_param *params;       /* of all functions                                    */
};

/* Returns what images are read for: all devices are of one kind. */
struct image_target si_target(void);

/* Reads an image; if `bytes` is 0, it says its own size.  `jit` is told what is wrong with
 * it, and nothing when all is well, since it may yet be refused. */
CUresult si_code_read(const void *image, size_t bytes, const struct si_jit *jit,
                      struct si_code **code);
CUresult si_code_read_file(const char *path, const struct si_jit *jit, struct si_code **code);
void si_code_release(struct si_code *code);

/* Reads all of a file; the caller frees `data`. */
CUresult si_read_file(const char *path, char **data, size_t *bytes);

/* Returns the number of the kernel of that name, or -1. */
int si_code_find(const struct si_code *code, const char *name);

#endif
