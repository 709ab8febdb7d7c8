/* SPDX-License-Identifier: Apache-2.0
 *
 * The calls on contexts.
 */
#ifndef CUDA_CONTEXT_CALLS_H
#define CUDA_CONTEXT_CALLS_H

#include <rill/backend.h>

extern const struct rill_context_ops cuda_context_ops;

#endif
