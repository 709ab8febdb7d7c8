/* SPDX-License-Identifier: Apache-2.0
 *
 * Texture and surface objects: a description that kernels find by a number.
 */
#ifndef SI_TEXTURE_OBJECT_H
#define SI_TEXTURE_OBJECT_H

#include "standin/context/current.h"

/* Lets no kernel look at an array or a mipmap any more, whose memory is free by now.  Its objects
 * stay. */
void si_objects_of_gone(const void *gone);

/* Takes the objects of a context (context.h): none has a slot. */
si_take_fn si_objects_take;

#endif
