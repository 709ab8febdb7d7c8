/* SPDX-License-Identifier: Apache-2.0
 *
 * The end of the library.
 */
#include "runtime/library/symbols.h"

static void end_library(void) __attribute__((destructor));

static void end_library(void)
{
    rt_report_refused();
}
