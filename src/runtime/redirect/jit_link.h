/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA's linker for running programs, nvJitLink.  Its output is machine code, which cannot run
 * here.  So its functions are replaced by rill's, over the linker of rill's driver: the PTX that
 * they link comes out as an image that every call for machine code accepts.
 */
#ifndef REDIRECT_JIT_LINK_H
#define REDIRECT_JIT_LINK_H

#include "object.h"

/* Tells whether a file with this name is nvJitLink, which has no symbols but those of its
 * interface. */
int jit_link_is_named(const char *file);

/* Replaces the functions of an object that has nvJitLink inside, which may be nvJitLink itself. */
void jit_link_replace(const struct object *object);

#endif
