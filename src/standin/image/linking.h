/* SPDX-License-Identifier: Apache-2.0
 *
 * Making one image out of several (ptx/link.h has the rules).
 *
 * What is PTX is linked, wherever it comes from: as text, in a fatbin, or out of another
 * linking.  Machine code cannot be; an image that has it comes out as it went in if it is
 * the only one, and where it has PTX as well, that is linked with the others.
 */
#ifndef STANDIN_IMAGE_LINKING_H
#define STANDIN_IMAGE_LINKING_H

#include "standin/image/image.h"

struct image_linking;

/* NULL: there is no memory. */
struct image_linking *image_linking_open(void);
void image_linking_close(struct image_linking *linking);

/* `name` is what messages call it; it may be NULL.  An input that cannot be read is as if it
 * were never added, but that of another linking's texts those before the one at fault stay.
 * One that can be read and does not fit the others breaks the linking: it ends with the same
 * refusal.
 * RILL_ERROR_INVALID_SOURCE, RILL_ERROR_UNKNOWN: it does not fit (ptx/link.h).
 * RILL_ERROR_NOT_SUPPORTED: it is machine code, and not alone. */
rill_status image_linking_add(struct image_linking *linking, const void *code, size_t bytes,
                           const char *name, const struct image_target *target,
                           struct image_refusal *refusal);

/* The image lies in `linking`; of no inputs it is an empty one.  RILL_ERROR_INVALID_SOURCE:
 * something is nowhere defined, or an input did not fit, which may also be
 * RILL_ERROR_UNKNOWN. */
rill_status image_linking_finish(struct image_linking *linking, const void **image, size_t *bytes,
                              struct image_refusal *refusal);

#endif
