/* SPDX-License-Identifier: Apache-2.0
 *
 * Code that is linked where it is loaded: of programs compiled with -rdc=true that bring PTX.
 */
#ifndef RT_LINK_H
#define RT_LINK_H

#include <stdbool.h>

#include "runtime/thread/thread.h"

/* Tells whether an image is PTX, or has PTX in it. */
bool rt_has_ptx(const void *image);

/* Links parts of a program's code, up to a NULL, for the current context, and loads the
 * result. */
cudaError_t rt_link(void *const *parts, CUlibrary *library);

#endif
