/* SPDX-License-Identifier: Apache-2.0
 *
 * Objects of the host, as a compiler leaves them, and archives of them: the fat binaries that they
 * carry for a GPU.
 */
#ifndef IMAGE_OBJECT_H
#define IMAGE_OBJECT_H

#include "image/content.h"

/* Takes one fat binary. */
typedef rill_status image_take_fatbin(void *data, const unsigned char *fatbin, size_t bytes);

/* Gives away each fat binary in an object or an archive, in their order, up to the first that is
 * not taken.  An object without any is none of a GPU's, and gives nothing.  Returns what `take`
 * did, or RILL_ERROR_INVALID_IMAGE for a file that is neither. */
rill_status image_each_fatbin(const unsigned char *file, size_t bytes, image_take_fatbin *take,
                              void *data, struct image_refusal *refusal);

#endif
