/* SPDX-License-Identifier: Apache-2.0
 *
 * The public calls, each once; read several times by calls.c, which says what CALL
 * makes of it:
 *
 *     CALL(the call, the slot that answers, before, after,
 *          ROLES(arguments that must be right, the object that the call is on first),
 *          all arguments)
 *
 * CALL_AS: the same of a call whose function is written by hand there.
 */

#include "support/calls/devices.h"
#include "support/calls/streams.h"
#include "support/calls/graphs.h"
