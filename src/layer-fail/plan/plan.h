/* SPDX-License-Identifier: Apache-2.0
 *
 * Which call fails: calls that can are counted over the whole process, and $RILL_FAIL names one.
 *
 *     RILL_FAIL="call=7"             the seventh of them fails
 *     RILL_FAIL="fault=3"            the third operation that runs on a device fails it
 *     RILL_FAIL="call=7 log=FILE"    FILE gets a line when that happens, with the place in the
 *                                    program that made the call
 *     RILL_FAIL="call=7 say"         so does the standard error output, and the process says in the
 *                                    end if it made fewer calls
 */
#ifndef FA_PLAN_H
#define FA_PLAN_H

#include <rill/status.h>

#include <stdbool.h>

/* Reads the variable, once.  Says what is wrong with it. */
rill_status fa_plan_read(void);

/* Notes that this process has a platform whose calls are counted. */
void fa_plan_begin(void);

/* Counts a call that can fail, by the name of its slot.  Returns true if it is the one that
 * does. */
bool fa_plan_call(const char *name);

/* Counts an operation that can fail its device.  Returns true if it is the one that does. */
bool fa_plan_fault(const char *name);

#endif
