/* SPDX-License-Identifier: Apache-2.0
 *
 * What happens with a signal that is not ours: what would have happened without us.
 */
#ifndef CK_CHAIN_H
#define CK_CHAIN_H

#include <signal.h>
#include <stdatomic.h>

/* An action that a signal had before ours was put in front of it.  `action` is written before a
 * handler can read it, and not again. */
struct ck_before {
    struct sigaction action;
    atomic_bool spent; /* SA_RESETHAND: it was called, and is the default from then on */
};

/* Does with a signal what the action would, from within a handler that was called with all
 * signals blocked.  `info` and `context` are NULL if they are not known. */
void ck_chain_call(struct ck_before *before, int signal, siginfo_t *info, void *context);

#endif
