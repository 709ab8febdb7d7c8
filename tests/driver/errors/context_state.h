/* SPDX-License-Identifier: Apache-2.0
 *
 * What is said of contexts: the current one, and the primary one of the device.
 */
#ifndef ORACLE_ERRORS_CONTEXT_STATE_H
#define ORACLE_ERRORS_CONTEXT_STATE_H

#include "../streams.h"

/* Says which context is current: a, b, none or another. */
void say_current(T *t, const char *label, CUcontext a, CUcontext b);

/* Says whether the primary context is active, and its flags. */
void say_primary_state(T *t, const char *label);

#endif
