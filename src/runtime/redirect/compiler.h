/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA's compiler for running programs, NVRTC.  A program that has it compile for sm_90 takes
 * machine code out of it, which cannot run here; NVRTC also has the PTX that this was made of.
 */
#ifndef REDIRECT_COMPILER_H
#define REDIRECT_COMPILER_H

#include "object.h"

/* Tells whether a file with this name is NVRTC, which has no symbols but those of its interface. */
int compiler_is_named(const char *file);

/* Lets an object that has NVRTC inside, which may be NVRTC itself, answer with PTX where it is
 * asked for machine code. */
void compiler_give_text(const struct object *object);

#endif
