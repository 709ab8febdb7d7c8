/* SPDX-License-Identifier: Apache-2.0
 *
 * What is said of contexts: the current one, and the primary one of the device.
 */
#ifndef ORACLE_ERRORS_CONTEXT_STATE_H
#define ORACLE_ERRORS_CONTEXT_STATE_H

#include "../streams.h"

void say_current(T *t, const char *label, CUcontext a, CUcontext b);
void say_primary_state(T *t, const char *label);

#endif
