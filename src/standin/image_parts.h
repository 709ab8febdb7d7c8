/* SPDX-License-Identifier: Apache-2.0
 *
 * What the readers of the kinds of images share.  Private to image*.c.
 */
#ifndef STANDIN_IMAGE_PARTS_H
#define STANDIN_IMAGE_PARTS_H

#include "standin/image.h"

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

/* Each of these finds `bytes` bytes that may be read, and no more. */
rill_status image_read_elf(struct image_reader *reader, const unsigned char *code, size_t bytes);
rill_status image_read_fatbin(struct image_reader *reader, const unsigned char *code,
                              size_t bytes);

/* The text becomes the image's.  It ends with a zero behind `bytes`. */
rill_status image_read_ptx(struct image_reader *reader, const char *text, size_t bytes);

/* How many bytes an image says it has.  Reads what it must to learn that. */
size_t image_elf_extent(const unsigned char *code);
size_t image_fatbin_extent(const unsigned char *code);

#define IMAGE_FATBIN_HEAD 16

/* ---- Decompression (image_lz4.c, image_zstd.c) -------------------------------------- */

/* `in` must unfold into just `out_bytes`, else it is an INVALID_IMAGE. */
rill_status image_unfold_lz4(const unsigned char *in, size_t in_bytes, unsigned char *out,
                             size_t out_bytes);
rill_status image_unfold_zstd(const unsigned char *in, size_t in_bytes, unsigned char *out,
                              size_t out_bytes);

/* ---- Numbers, the least byte first, at any address ---------------------------------- */

static inline uint16_t image_u16(const unsigned char *at)
{
    return (uint16_t)(at[0] | at[1] << 8);
}

static inline uint32_t image_u32(const unsigned char *at)
{
    return (uint32_t)image_u16(at) | (uint32_t)image_u16(at + 2) << 16;
}

static inline uint64_t image_u64(const unsigned char *at)
{
    return (uint64_t)image_u32(at) | (uint64_t)image_u32(at + 4) << 32;
}

#endif
