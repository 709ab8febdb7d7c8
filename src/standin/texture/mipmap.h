/* SPDX-License-Identifier: Apache-2.0
 *
 * Mipmaps: an array for each level, half as large as the one before.
 */
#ifndef SI_MIPMAP_H
#define SI_MIPMAP_H

#include "standin/texture/array.h"

enum { SI_LEVELS_MOST = 18 }; /* of 131,072 elements */

/* Nothing of it changes. */
struct si_mipmap {
    unsigned count;
    CUarray levels[SI_LEVELS_MOST];
};

/* Finds a mipmap, which stays until the call returns. */
static inline CUresult si_mipmap(CUmipmappedArray handle, const struct si_mipmap **mipmap)
{
    *mipmap = si_object(SI_MIPMAP, handle);
    return *mipmap ? RILL_SUCCESS : si_wrong(SI_MIPMAP, handle);
}

/* Takes the mipmaps of a context (context.h); the levels are taken as arrays. */
si_take_fn si_mipmaps_take;

#endif
