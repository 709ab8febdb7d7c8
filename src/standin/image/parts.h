/* SPDX-License-Identifier: Apache-2.0
 *
 * What the readers of the kinds of images share.
 */
#ifndef STANDIN_IMAGE_PARTS_H
#define STANDIN_IMAGE_PARTS_H

#include "image/bytes.h"
#include "ptx/text/module.h"
#include "standin/image/image.h"

/* ---- An image while it is read ------------------------------------------------------- */

struct image_reader {
    struct image *image;
    const struct image_target *target;
    struct image_refusal *refusal;
};

/* Stores the reason, and returns `status`. */
rill_status image_refuse(struct image_reader *reader, rill_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Allocates zeroed memory that lives as long as the image; returns NULL if there is none. */
void *image_alloc(struct image *image, size_t bytes);

/* Copies a text and ends it with a zero; returns NULL if there is no memory. */
char *image_copy_text(struct image *image, const char *text, size_t bytes);

/* Add one, zeroed, at the end of its array; the others may move.  Return NULL if there is no
 * memory. */
struct image_entry *image_add_entry(struct image_reader *reader);
struct image_variable *image_add_variable(struct image_reader *reader);

/* Makes room for one more after `count` elements of `bytes`, in an array that only this
 * function grows.  Returns the array, which may have moved, or NULL if there is no memory. */
void *image_grow(struct image *image, void *array, uint32_t count, size_t bytes);

rill_status image_no_memory(struct image_reader *reader);

/* ---- The kinds ---------------------------------------------------------------------- */

/* Reads no more than `bytes` bytes. */
rill_status image_read_elf(struct image_reader *reader, const unsigned char *code, size_t bytes);

/* Returns how many bytes a cubin says it has, and reads no more than that needs. */
size_t image_elf_extent(const unsigned char *code);

/* Tells whether a cubin defines a function with a name that `is` accepts. */
bool image_elf_defines(const unsigned char *code, size_t bytes, bool (*is)(const char *name));

/* Reads a text, which becomes the image's.  It ends with a zero after `bytes`. */
rill_status image_read_ptx(struct image_reader *reader, const char *text, size_t bytes);
rill_status image_read_linked(struct image_reader *reader, const struct image_content *content);

/* Refuses a text that the device cannot run. */
rill_status image_check_ptx(const struct ptx_module *module, const struct image_target *target,
                            struct image_refusal *refusal);
/* Refuses a text that does not begin as PTX does. */
rill_status image_check_head(const char *text, size_t bytes, struct image_refusal *refusal);

#endif
