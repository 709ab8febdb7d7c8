/* SPDX-License-Identifier: Apache-2.0
 *
 * What the readers of images share.
 */
#ifndef IMAGE_BYTES_H
#define IMAGE_BYTES_H

#include "image/content.h"

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

/* ---- Decompression (lz4.c, zstd.c) --------------------------------------------------- */

/* `in` must unfold into just `out_bytes`, else it is an INVALID_IMAGE. */
rill_status image_unfold_lz4(const unsigned char *in, size_t in_bytes, unsigned char *out,
                             size_t out_bytes);
rill_status image_unfold_zstd(const unsigned char *in, size_t in_bytes, unsigned char *out,
                              size_t out_bytes);

/* ---- Fatbins (fatbin.c) --------------------------------------------------------------- */

/* What a fatbin has for the target.  Finds `bytes` bytes that may be read, and no more. */
rill_status image_open_fatbin(const unsigned char *code, size_t bytes,
                              const struct image_target *target, struct image_content *content,
                              struct image_refusal *refusal);

/* How many bytes it says it has. */
size_t image_fatbin_extent(const unsigned char *code);

/* ---- Images of a linker (linked.c) ----------------------------------------------------- */

extern const unsigned char image_linked_mark[4];

/* The texts, where they lie.  `bytes` of 0: the image says its own size. */
rill_status image_open_linked(const unsigned char *code, size_t bytes,
                              struct image_content *content, struct image_refusal *refusal);

/* A copy of text up to its first zero, as the content's. */
rill_status image_keep_text(struct image_content *content, const char *text, size_t bytes,
                            struct image_refusal *refusal);

/* Notes why, and returns `status`. */
rill_status image_refuse_for(struct image_refusal *refusal, rill_status status,
                             const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
