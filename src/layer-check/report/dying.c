/* SPDX-License-Identifier: Apache-2.0
 *
 * What happens when the process dies by a signal: a failed assertion, a wrong address, or a
 * user who had enough.  Often the bug that was found is why.
 *
 * The handler takes the place of the default action alone: a handler of the program stays,
 * and one that comes later takes its place.  It needs no memory, and does not wait for long
 * if the thread that died holds the lock.
 */
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "layer-check/report/block.h"
#include "layer-check/report/state.h"

static const int deadly_signals[] = { SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL,
                                      SIGTERM, SIGINT,  SIGHUP, SIGQUIT };

static struct ck_session *dying_session; /* set before the handlers are */

enum { TRIES = 500, PAUSE_NS = 1000000 };

static bool lock_soon(struct rl_lock *lock)
{
    const struct timespec pause = { .tv_nsec = PAUSE_NS };
    for (int i = 0; i < TRIES; i++) {
        if (rl_trylock(lock)) return true;
        nanosleep(&pause, NULL);
    }
    return false;
}

static void write_last_words(struct ck_session *session)
{
    static const char sorry[] = CK_PREFIX " the process died while a finding was noted; what was "
                                          "found is not written\n";
    if (!lock_soon(&session->lock)) {
        const struct ck_text words = { .bytes = (char *)sorry, .size = sizeof sorry - 1 };
        const struct ck_text nothing = { .bytes = NULL };
        ck_write_both(session->text_file, &words, &nothing);
        return;
    }
    ck_session_write(session, true);
    rl_unlock(&session->lock);
}

/* Tells whether the processor raised it: it will again when the handler returns, so that a core
 * file shows where. */
static bool is_fault(int number, const siginfo_t *info)
{
    return info->si_code > 0 &&
           (number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL);
}

/* By now the action is the default again. */
static void die(int number, siginfo_t *info, void *context)
{
    (void)context;
    bool sent = !is_fault(number, info);
    dying_session->passed_on = sent && number == SIGSEGV && atomic_load(&dying_session->pinned);
    if (dying_session->process == getpid()) write_last_words(dying_session);
    if (sent) raise(number);
}

void ck_session_watch_death(struct ck_session *session)
{
    struct sigaction action = { .sa_sigaction = die,
                                .sa_flags = SA_SIGINFO | SA_RESETHAND | SA_ONSTACK };
    dying_session = session;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof deadly_signals / sizeof *deadly_signals; i++) {
        struct sigaction before;
        if (sigaction(deadly_signals[i], NULL, &before)) continue;
        if (before.sa_flags & SA_SIGINFO || before.sa_handler != SIG_DFL) continue;
        sigaction(deadly_signals[i], &action, NULL);
    }
}
