/* SPDX-License-Identifier: Apache-2.0
 *
 * Images: the bytes that a program loads as a module or a library.  They are PTX
 * text, a cubin (an ELF file), a fatbin (a container of both, for several kinds of
 * GPU, often compressed), the small struct that a compiler leaves in a program to
 * point at a fatbin, or the output of a linker: several texts of PTX that are one module.
 *
 * A reader takes from an image what it holds for one kind of GPU: text, machine code, or
 * both.  Nothing is read outside the bytes that are given.  If their number is not known,
 * as in most calls of the driver, the size that the image itself states counts.
 */
#ifndef IMAGE_CONTENT_H
#define IMAGE_CONTENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rill/status.h>

/* What an image is opened for. */
struct image_target {
    uint32_t architecture; /* of the device: 90 is sm_90                         */
    uint32_t ptx_version;  /* the newest that is understood: 90 is 9.0           */
};

/* Why an image is refused. */
struct image_refusal {
    rill_status status;
    char message[240];
};

/* What an image holds for a target. */
struct image_content {
    const char *text;            /* PTX, with a zero after it; NULL if there is none */
    size_t text_bytes;           /* without that zero                                */
    bool linked;                 /* several texts, each with a zero after it, that are
                                    one module                                       */
    const unsigned char *binary; /* a cubin; NULL if there is none                   */
    size_t binary_bytes;         /* 0 if the cubin states its own size               */
    char *text_memory;           /* the text, if it is a copy; else NULL             */
    unsigned char *binary_memory; /* the cubin, if it is a copy; else NULL          */
};

/* Tells whether an image can have so many bytes: no array is larger, or extends beyond the
 * last address. */
static inline bool image_can_be(const void *code, size_t bytes)
{
    return bytes <= PTRDIFF_MAX && bytes <= UINTPTR_MAX - (uintptr_t)code;
}

/* Reads an image.  If `bytes` is 0, the image states its own size and text ends with a zero;
 * only then may `code` be the struct that points at a fatbin.  The content may point into
 * `code`.  Returns the status that it also writes to `refusal`. */
rill_status image_open(const void *code, size_t bytes, const struct image_target *target,
                       struct image_content *content, struct image_refusal *refusal);

/* Frees the copies that a content holds. */
void image_close(struct image_content *content);

/* ---- What a linker makes -------------------------------------------------------------- */

/* Returns the size of an image for texts of so many bytes, including their zeros. */
size_t image_linked_bytes(size_t text_bytes);

/* Writes the head of a linked image.  Returns the place of the texts. */
char *image_linked_begin(void *image, size_t text_bytes);

#endif
