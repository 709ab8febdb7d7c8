/* SPDX-License-Identifier: Apache-2.0
 *
 * $CUDA_LAUNCH_BLOCKING: launches of kernels that return when the kernel is done.
 */
#ifndef SI_BLOCKING_H
#define SI_BLOCKING_H

#include <stddef.h>

/* The layers that the environment names and, beneath them, one that waits after each kernel.
 * Returns NULL if launches are not to block.  Called by cuInit(), one thread at a time. */
const char *si_blocking_layers(char *room, size_t size);

#endif
