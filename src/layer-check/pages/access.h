/* SPDX-License-Identifier: Apache-2.0
 *
 * What the processor says of a fault.
 */
#ifndef CK_ACCESS_H
#define CK_ACCESS_H

#include <signal.h>

#include "layer-check/pages/pages.h"

/* Reads the access from what a handler of SIGSEGV was given.  Safe in signal handlers. */
struct ck_touch ck_access_read(const siginfo_t *info, const void *context);

#endif
