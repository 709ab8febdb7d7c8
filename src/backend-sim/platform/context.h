/* SPDX-License-Identifier: Apache-2.0
 *
 * The calls on contexts.
 */
#ifndef SIM_PLATFORM_CONTEXT_H
#define SIM_PLATFORM_CONTEXT_H

#include <rill/backend.h>

extern const struct rill_context_ops sim_context_ops;

#endif
