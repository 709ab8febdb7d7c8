/* SPDX-License-Identifier: Apache-2.0
 *
 * Texture and surface objects: a description that kernels find by a number.
 */
#ifndef SI_TEXTURE_OBJECT_H
#define SI_TEXTURE_OBJECT_H

#include "standin/context/current.h"

/* Has kernels read nothing through the objects of an array or a mipmap whose memory has been freed.
 * The objects stay. */
void si_objects_of_gone(const void *gone);

/* Takes the objects of a context (context.h): none has a slot. */
si_take_fn si_objects_take;

#endif
