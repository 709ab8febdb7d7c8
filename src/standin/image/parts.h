/* SPDX-License-Identifier: Apache-2.0
 *
 * What the readers of the kinds of images share.  Private to image*.c.
 */
#ifndef STANDIN_IMAGE_PARTS_H
#define STANDIN_IMAGE_PARTS_H

#include "image/bytes.h"
#include "ptx/module.h"
#include "standin/image/image.h"

/* ---- An image in the making (image.c) ----------------------------------------------- */

struct image_reader {
    struct image *image;
    const struct image_target *target;
    struct image_refusal *refusal;
};

/* Notes why, and returns `status`. */
rill_status image_refuse(struct image_reader *reader, rill_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Zeroed memory that lives as long as the image, or NULL. */
void *image_alloc(struct image *image, size_t bytes);

/* A copy that ends with a zero, or NULL. */
char *image_copy_text(struct image *image, const char *text, size_t bytes);

/* One more, zeroed, at the end of its array; the others may move.  NULL: no memory. */
struct image_entry *image_add_entry(struct image_reader *reader);
struct image_variable *image_add_variable(struct image_reader *reader);

/* Room for one more behind `count` things of `bytes`, in an array that was grown by this
 * alone: returns the array, moved or not, or NULL. */
void *image_grow(struct image *image, void *array, uint32_t count, size_t bytes);

rill_status image_no_memory(struct image_reader *reader);

/* ---- The kinds ---------------------------------------------------------------------- */

/* Finds `bytes` bytes that may be read, and no more. */
rill_status image_read_elf(struct image_reader *reader, const unsigned char *code, size_t bytes);

/* How many bytes a cubin says it has.  Reads what it must to learn that. */
size_t image_elf_extent(const unsigned char *code);

/* The text becomes the image's.  It ends with a zero behind `bytes`. */
rill_status image_read_ptx(struct image_reader *reader, const char *text, size_t bytes);
rill_status image_read_linked(struct image_reader *reader, const struct image_content *content);

/* Of a text that is read: whether the device can run it. */
rill_status image_check_ptx(const struct ptx_module *module, const struct image_target *target,
                            struct image_refusal *refusal);
/* Whatever else it is, text that begins otherwise was not meant to be PTX. */
rill_status image_check_head(const char *text, size_t bytes, struct image_refusal *refusal);

#endif
