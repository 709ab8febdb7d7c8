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

#include "standin/image.h"

struct image_linking;

/* NULL: there is no memory. */
struct image_linking *image_linking_open(void);
void image_linking_close(struct image_linking *linking);

/* `name` is what messages call it; it may be NULL.  Refused, all is as it was, but that of
 * another linking's texts those before the one at fault stay.
 * RILL_ERROR_INVALID_SOURCE: what it defines, others do.  RILL_ERROR_NOT_SUPPORTED: it is
 * machine code, and not alone. */
rill_status image_linking_add(struct image_linking *linking, const void *code, size_t bytes,
                           const char *name, const struct image_target *target,
                           struct image_refusal *refusal);

/* The image lies in `linking`.  RILL_ERROR_INVALID_SOURCE: something is nowhere defined;
 * RILL_ERROR_INVALID_VALUE: there is nothing to be linked. */
rill_status image_linking_finish(struct image_linking *linking, const void **image, size_t *bytes,
                              struct image_refusal *refusal);

#endif
