/* SPDX-License-Identifier: Apache-2.0
 *
 * The calls on contexts.
 */
#ifndef CUDA_PLATFORM_CONTEXT_H
#define CUDA_PLATFORM_CONTEXT_H

#include <rill/backend.h>

extern const struct rill_context_ops cuda_context_ops;

#endif
