/* SPDX-License-Identifier: Apache-2.0
 *
 * Making one image of several (ptx/link.h has the rules).
 *
 * PTX is linked, wherever it comes from: as text, in a fatbin, or from another linking.
 * Machine code cannot be linked.  An image with machine code comes out as it went in if it
 * is the only one; if it has PTX as well, that is linked with the others.
 * CUDA's device runtime is left out, in whatever form it comes: kernels have it anyway.
 */
#ifndef STANDIN_IMAGE_LINKING_H
#define STANDIN_IMAGE_LINKING_H

#include "standin/image/image.h"

struct image_linking;

/* Returns NULL if there is no memory. */
struct image_linking *image_linking_open(void);
void image_linking_close(struct image_linking *linking);

/* Adds an input; `name` is what messages call it, and may be NULL.  An input that cannot be
 * read is as if it were never added, except that the texts of another linking that come
 * before the one at fault stay.  An input that can be read and does not fit the others breaks
 * the linking, which ends with the same refusal.
 * Returns RILL_ERROR_INVALID_SOURCE or RILL_ERROR_UNKNOWN if it does not fit (ptx/link.h),
 * RILL_ERROR_NOT_SUPPORTED if it is machine code, and not alone. */
rill_status image_linking_add(struct image_linking *linking, const void *code, size_t bytes,
                              const char *name, const struct image_target *target,
                              struct image_refusal *refusal);

/* Adds all that an object of the host, or an archive of objects, has for the device. */
rill_status image_linking_add_object(struct image_linking *linking, const void *file, size_t bytes,
                                     const char *name, const struct image_target *target,
                                     struct image_refusal *refusal);

/* Makes the image, which lies in `linking`; without inputs it is an empty one.  Returns
 * RILL_ERROR_INVALID_SOURCE if something is nowhere defined, and the refusal of an input that
 * did not fit. */
rill_status image_linking_finish(struct image_linking *linking, const void **image, size_t *bytes,
                                 struct image_refusal *refusal);

#endif
