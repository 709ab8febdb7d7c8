/* SPDX-License-Identifier: Apache-2.0
 *
 * Images: the bytes that a program loads as a module or a library.  They are PTX
 * text, a cubin (an ELF file), a fatbin (a container of both, for several kinds of
 * GPU, often compressed), the little struct that a compiler leaves in a program to
 * point at a fatbin, or what a linker made: several texts of PTX that are one module.
 *
 * What is taken out of them here is what they hold for one kind of GPU: text, machine
 * code, or both.  Nothing is read outside the bytes that are given.  Where their number
 * is not known, as in most calls of the driver, that is the size which the image itself
 * states.
 */
#ifndef IMAGE_CONTENT_H
#define IMAGE_CONTENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rill/status.h>

/* What reads it. */
struct image_target {
    uint32_t architecture; /* of the device: 90 is sm_90                       */
    uint32_t ptx_version;  /* the newest that is understood: 90 is 9.0         */
};

/* Why an image is refused. */
struct image_refusal {
    rill_status status;
    char message[240];
};

struct image_content {
    const char *text;            /* PTX, with a zero behind it; NULL: there is none */
    size_t text_bytes;           /* without that zero                               */
    bool linked;                 /* of several texts, each with a zero behind it, which
                                    all count                                       */
    const unsigned char *binary; /* a cubin; NULL: there is none                    */
    size_t binary_bytes;         /* 0: it says its own size                         */
    char *text_memory;           /* where the text is a copy; else NULL             */
    unsigned char *binary_memory; /* the same for the cubin                         */
};

/* Whether so many bytes can be there: no array is larger, or goes beyond the last address. */
static inline bool image_can_be(const void *code, size_t bytes)
{
    return bytes <= PTRDIFF_MAX && bytes <= UINTPTR_MAX - (uintptr_t)code;
}

/* `bytes` of 0: the image says its own size, and text ends with a zero.  Only then may
 * `code` be the struct that points at a fatbin.  What is found may lie in `code`.  The
 * status is also in `refusal`. */
rill_status image_open(const void *code, size_t bytes, const struct image_target *target,
                       struct image_content *content, struct image_refusal *refusal);
void image_close(struct image_content *content);

/* ---- What a linker makes (linked.c) -------------------------------------------------- */

/* The bytes of an image for texts that have so many with their zeros. */
size_t image_linked_bytes(size_t text_bytes);

/* What stands before the texts: returns where they belong. */
char *image_linked_begin(void *image, size_t text_bytes);

#endif
