/* SPDX-License-Identifier: Apache-2.0
 *
 * The samples of images that a compiler made, and reading them.  Every image is read from
 * a copy that ends where it ends, so that what checks memory would see a reader that looks
 * further.
 */
#ifndef STANDIN_SAMPLES_H
#define STANDIN_SAMPLES_H

#include <stdlib.h>
#include <string.h>

#include "standin/image/image.h"
#include "standin/image/images.h"
#include "support/cmocka_all.h"

static const struct image_target target = { 90, 90 };

static inline rill_status read_bytes(const void *bytes, size_t count, struct image **image,
                                     struct image_refusal *refusal)
{
    void *copy = malloc(count ? count : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, count);
    *image = NULL;
    rill_status status = image_read(copy, count, &target, image, refusal);
    free(copy);
    assert_int_equal(status, refusal->status);
    if (status) assert_null(*image);
    if (status) assert_true(*refusal->message != 0);
    return status;
}

static inline struct image *read_sound(const void *bytes, size_t count)
{
    struct image_refusal refusal;
    struct image *image;
    if (read_bytes(bytes, count, &image, &refusal)) fail_msg("%s", refusal.message);
    return image;
}

static const struct sample {
    const unsigned char *bytes;
    size_t count;
    bool binary, text;
} samples[] = {
    { sample_cubin, sizeof sample_cubin, true, false },
    { sample_both_zstd, sizeof sample_both_zstd, true, true },
    { sample_text_lz4, sizeof sample_text_lz4, false, true },
    { sample_text_plain, sizeof sample_text_plain, false, true },
};

enum { SAMPLES = sizeof samples / sizeof *samples };

#endif
