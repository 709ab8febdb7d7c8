/* SPDX-License-Identifier: Apache-2.0
 *
 * Images (image/content.h) as far as launches and searches by name need them: the kernels,
 * where their parameters lie, and the variables with their initial values.
 *
 * An image never changes once it was read, and holds no pointer into what it was read from:
 * any thread may read it until it is freed.
 */
#ifndef STANDIN_IMAGE_H
#define STANDIN_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "image/content.h"

struct image_param {
    uint32_t offset; /* in the packed arguments                                 */
    uint32_t bytes;
    uint32_t alignment; /* a cubin does not say: one that explains the offset */
};

/* A kernel.  What the image does not state is 0. */
struct image_entry {
    const char *name;
    struct image_param *params;
    uint32_t param_count;
    uint32_t param_bytes; /* of all arguments, packed                         */
    uint32_t max_threads; /* of a block                                       */
    uint32_t block[3];    /* the only block that it may be launched with      */
    uint32_t cluster[3];  /* the only cluster                                 */
    uint32_t static_shared;
    uint32_t local_bytes; /* of a thread                                      */
    uint32_t registers;
    bool empty;           /* it visibly does nothing                          */
};

/* An address in the initial bytes of a variable. */
struct image_link {
    uint64_t offset;   /* of the address in the variable                      */
    const char *name;  /* what is pointed at: a variable, else a function     */
    int64_t addend;
    uint32_t bytes;    /* of it that are stored: 4 or 8                       */
};

enum image_space {
    IMAGE_GLOBAL,
    IMAGE_CONSTANT,
};

struct image_variable {
    const char *name;
    uint64_t bytes;
    uint32_t alignment;
    enum image_space space;
    bool managed;
    bool external;            /* declared, and defined in another image        */
    /* Of machine code alone; PTX is compiled where it is loaded. */
    unsigned char *initial;   /* its first bytes; the others are 0             */
    uint64_t initial_bytes;
    struct image_link *links; /* addresses, written over `initial`             */
    uint32_t link_count;
};

struct image {
    struct image_entry *entries;       /* in the order of the image            */
    struct image_variable *variables;
    uint32_t entry_count;
    uint32_t variable_count;
    uint32_t architecture; /* that it was compiled for: 90 is sm_90            */
    bool binary;           /* it is machine code, not PTX                      */
    const char *text;      /* its PTX, ends with a zero, or NULL; of what was
                              linked, that image                               */
    size_t text_bytes;     /* without that zero                                */
};

/* Reads an image.  If `bytes` is 0, the image says its own size, text ends with a zero, and
 * `code` may also be the struct that points at a fatbin.  The status is also in `refusal`. */
rill_status image_read(const void *code, size_t bytes, const struct image_target *target,
                       struct image **image, struct image_refusal *refusal);

void image_free(struct image *image);

/* Both return NULL if there is none of that name. */
const struct image_entry *image_find_entry(const struct image *image, const char *name);
const struct image_variable *image_find_variable(const struct image *image, const char *name);

#endif
