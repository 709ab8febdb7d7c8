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

/* The image as another kind of device has it: a fatbin may hold other text for it. */
struct si_other_image {
    struct si_other_image *next;
    uint32_t architecture;
    CUresult status;          /* why there is none, or 0                             */
    struct image *image;
};

struct si_code {
    atomic_uint references;
    struct image *image;      /* of the first kind of device that has one            */
    uint32_t architecture;    /* of that kind                                        */
    struct si_other_image *others; /* of the other kinds                             */
    rill_function *functions; /* as many as the image has entries, but at least one; those
                                 that run come first                                */
    uint32_t function_count;  /* that run                                            */
    uint8_t *runs;            /* by entry: true if it has a C function, or does nothing */
    rill_param *params;       /* of all functions                                    */
};

/* Returns what images are read for on a device. */
struct image_target si_target(CUdevice device);

enum { SI_ALL_DEVICES = -1 };

/* Reads an image for a device, or for all; if `bytes` is 0, it says its own size.  `jit` is
 * told what is wrong with it, and nothing when all is well, since it may yet be refused. */
CUresult si_code_read(const void *image, size_t bytes, CUdevice device, const struct si_jit *jit,
                      struct si_code **code);
CUresult si_code_read_file(const char *path, CUdevice device, const struct si_jit *jit,
                           struct si_code **code);

/* Finds the image for a device.  Fails if the code has nothing for that. */
CUresult si_code_image(const struct si_code *code, CUdevice device, const struct image **image);

void si_code_release(struct si_code *code);

/* Reads all of a file; the caller frees `data`. */
CUresult si_read_file(const char *path, char **data, size_t *bytes);

/* Returns the number of the kernel of that name, or -1. */
int si_code_find(const struct si_code *code, const char *name);

#endif
