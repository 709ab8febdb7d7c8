/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/pages/chain.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <ucontext.h>

/* Has the signal end the process.  An instruction that faulted does so when it is tried again,
 * which leaves a core that shows the true place; a signal that was sent is sent again, and waits
 * until the handler returns. */
static void end_process(int signal, bool is_fault)
{
    struct sigaction action = { .sa_handler = SIG_DFL };
    sigaction(signal, &action, NULL);
    if (!is_fault) pthread_kill(pthread_self(), signal);
}

/* Returns the signals that the system would block while the action's handler runs. */
static sigset_t blocked_signals(const struct sigaction *action, int signal, const void *context)
{
    /* What the system passes is as long as its own set of signals, and not as libc's. */
    const size_t bytes = (size_t)(_NSIG - 1) / 8;
    sigset_t blocked;
    sigemptyset(&blocked);
    memcpy(&blocked, &((const ucontext_t *)context)->uc_sigmask, bytes);
    sigorset(&blocked, &blocked, &action->sa_mask);
    if (!(action->sa_flags & SA_NODEFER)) sigaddset(&blocked, signal);
    return blocked;
}

static void call_handler(const struct sigaction *action, int signal, siginfo_t *info,
                         void *context)
{
    if (action->sa_flags & SA_SIGINFO) action->sa_sigaction(signal, info, context);
    else action->sa_handler(signal);
}

void ck_chain_call(struct ck_before *before, int signal, siginfo_t *info, void *context)
{
    const struct sigaction *action = &before->action;
    bool is_fault = !info || info->si_code > 0;
    bool is_handler = (action->sa_flags & SA_SIGINFO) ||
                      (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN);
    if (is_handler && (action->sa_flags & (int)SA_RESETHAND))
        is_handler = !atomic_exchange(&before->spent, true);
    if (!is_handler) {
        /* The system does not ignore a fault. */
        if (is_fault || action->sa_handler != SIG_IGN) end_process(signal, is_fault);
        return;
    }
    if (!info) {
        call_handler(action, signal, info, context);
        return;
    }
    sigset_t ours, blocked = blocked_signals(action, signal, context);
    pthread_sigmask(SIG_SETMASK, &blocked, &ours);
    call_handler(action, signal, info, context);
    pthread_sigmask(SIG_SETMASK, &ours, NULL);
}
