/* SPDX-License-Identifier: Apache-2.0
 *
 * The header of the room: what the readers of images share.
 */
#ifndef IMAGE_BYTES_H
#define IMAGE_BYTES_H

#include "image/content.h"

/* ---- Numbers, least significant byte first, at any address ---------------------------- */

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

/* ---- Decompression ------------------------------------------------------------------- */

/* Unpack `in`.  Return RILL_ERROR_INVALID_IMAGE unless it unfolds into exactly `out_bytes`. */
rill_status image_unfold_lz4(const unsigned char *in, size_t in_bytes, unsigned char *out,
                             size_t out_bytes);
rill_status image_unfold_zstd(const unsigned char *in, size_t in_bytes, unsigned char *out,
                              size_t out_bytes);

/* ---- Fatbins -------------------------------------------------------------------------- */

/* Finds what a fatbin has for the target.  Reads nothing after the first `bytes` bytes. */
rill_status image_open_fatbin(const unsigned char *code, size_t bytes,
                              const struct image_target *target, struct image_content *content,
                              struct image_refusal *refusal);

/* Returns the number of bytes that the head of a fatbin states. */
size_t image_fatbin_extent(const unsigned char *code);

/* ---- Images of a linker ---------------------------------------------------------------- */

extern const unsigned char image_linked_mark[4];

/* Finds the texts of a linked image, without copying them.  If `bytes` is 0, the image states
 * its own size. */
rill_status image_open_linked(const unsigned char *code, size_t bytes,
                              struct image_content *content, struct image_refusal *refusal);

/* ---- Contents and refusals -------------------------------------------------------------- */

/* Gives the content a copy of `bytes` bytes of text, and a zero after them. */
rill_status image_keep_text(struct image_content *content, const char *text, size_t bytes,
                            struct image_refusal *refusal);

/* Writes the status and the reason into `refusal`, and returns `status`. */
rill_status image_refuse_for(struct image_refusal *refusal, rill_status status,
                             const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
