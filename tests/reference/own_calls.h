/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls that the list of all calls (support/calls.h) lacks, since they give their object back, or
 * are the simulator's own; and those that it makes with arguments that only a fake takes.
 */
#ifndef OWN_CALLS_H
#define OWN_CALLS_H

#include "support/calls.h"

/* Without roles: these are made to succeed. */
extern const struct call own_calls[];
extern const size_t own_call_count;

/* Those that return no status, likewise. */
extern const struct call asking_calls[];
extern const size_t asking_call_count;

/* How the `before` of one of them went. */
extern rill_status preparation;

#endif
