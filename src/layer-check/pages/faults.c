/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/pages/faults.h"

#include <errno.h>
#include <pthread.h>
#include <unistd.h>

#include "base/thread.h"
#include "layer-check/pages/access.h"
#include "layer-check/pages/chain.h"
#include "layer-check/pages/table.h"

/* ---- Forks --------------------------------------------------------------------------------- */

static atomic_bool in_child;
static atomic_int owner; /* the process that is checked */

/* Runs in a child, which has one thread.  Others may have held the lock. */
static void open_all_in_child(void)
{
    const struct ck_table *table = ck_table_get();
    atomic_store(&in_child, true);
    for (size_t i = 0; i < table->count; i++) ck_area_open_in_child(table->areas[i]);
}

bool ck_faults_in_child(void)
{
    return atomic_load_explicit(&in_child, memory_order_relaxed);
}

/* ---- Faults -------------------------------------------------------------------------------- */

/* The fault of this thread that was last tried again for no reason that is known.  Remains when
 * the program gets it, since the program's handler may pass it on to another one of ours. */
static RL_THREAD_WORD _Thread_local struct {
    const void *address;
    unsigned long changes;
} retried;

/* Tells whether a fault may be over that happened where nothing is protected now: another thread
 * may have opened the page, or removed it, since.  If the same comes again, and nothing was
 * changed in between, the page is protected by somebody else. */
static bool may_be_over(const void *address)
{
    unsigned long changes = ck_area_changes();
    if (retried.address == address && retried.changes == changes) return false;
    retried.address = address;
    retried.changes = changes;
    return true;
}

static bool ease_area(struct ck_area *area, const struct ck_touch *touch)
{
    enum ck_level level = touch->how == RILL_TOUCH_READ ? CK_READABLE : CK_OPEN;
    size_t page = ck_area_page(area, (uintptr_t)touch->address);
    switch (ck_area_ease(area, page, level)) {
    case CK_EASED: return true;
    case CK_ALLOWED: return may_be_over(touch->address);
    case CK_STUCK: break;
    }
    return false;
}

/* Takes a fault that may be ours.  Returns false if the program shall have it.  Also runs in a
 * child that was made without fork(), such as by _Fork() or vfork(), where nothing is told. */
static bool take_fault(const siginfo_t *info, const void *context)
{
    if (info->si_code != SEGV_ACCERR) return false;
    struct ck_touch touch = ck_access_read(info, context);
    struct ck_listener *listener = NULL;
    struct ck_area *area = ck_table_find(ck_table_enter(), (uintptr_t)touch.address);
    bool taken = area ? ease_area(area, &touch) : may_be_over(touch.address);
    if (area && taken && getpid() == atomic_load(&owner)) {
        listener = area->listener;
        atomic_fetch_add(&listener->telling, 1);
    }
    ck_table_leave();
    if (listener) {
        listener->touched(listener->data, &touch);
        atomic_fetch_sub(&listener->telling, 1);
    }
    return taken;
}

/* ---- Handlers ------------------------------------------------------------------------------ */

/* How often the program may put a handler of its own in front. */
#define HANDLERS 8

/* The system puts what a handler is given next to its frame. */
#define NEAR 65536

static struct ck_before befores[HANDLERS];

/* Tells whether a handler was given what the system gives.  A handler of the program that knows
 * ours from signal() calls ours with the number alone. */
static bool is_given(int signal, const siginfo_t *info, const void *context)
{
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    return (uintptr_t)info - here < NEAR && (uintptr_t)context - here < NEAR &&
           info->si_signo == signal;
}

static void handle(struct ck_before *before, int signal, siginfo_t *info, void *context)
{
    int error = errno;
    if (!is_given(signal, info, context)) ck_chain_call(before, signal, NULL, NULL);
    else if (!take_fault(info, context)) ck_chain_call(before, signal, info, context);
    errno = error;
}

/* One handler for each that was before: if the program's calls ours, or puts ours back in the
 * place of its own, then it is the one that the program knew. */
#define HANDLER(n)                                                             \
    static void handle_##n(int signal, siginfo_t *info, void *context)         \
    {                                                                          \
        handle(&befores[n], signal, info, context);                            \
    }
HANDLER(0)
HANDLER(1)
HANDLER(2)
HANDLER(3)
HANDLER(4)
HANDLER(5)
HANDLER(6)
HANDLER(7)

static void (*const handlers[HANDLERS])(int, siginfo_t *, void *) = {
    handle_0, handle_1, handle_2, handle_3, handle_4, handle_5, handle_6, handle_7,
};
static int handler_count; /* that were ever installed; the lock */

static bool is_ours(const struct sigaction *action)
{
    for (int i = 0; i < HANDLERS; i++)
        if ((action->sa_flags & SA_SIGINFO) && action->sa_sigaction == handlers[i]) return true;
    return false;
}

static bool is_same(const struct sigaction *a, const struct sigaction *b)
{
    if (a->sa_flags != b->sa_flags) return false;
    return a->sa_flags & SA_SIGINFO ? a->sa_sigaction == b->sa_sigaction
                                    : a->sa_handler == b->sa_handler;
}

/* Returns the number of a handler of ours that stands before the action, or -1 if there are too
 * many. */
static int handler_before(const struct sigaction *action)
{
    for (int i = 0; i < handler_count; i++)
        if (is_same(&befores[i].action, action) && !atomic_load(&befores[i].spent)) return i;
    if (handler_count == HANDLERS) return -1;
    befores[handler_count].action = *action;
    return handler_count++;
}

/* Puts ours in front of the action that SIGSEGV has. */
static bool put_in_front(const struct sigaction *action)
{
    int number = handler_before(action);
    if (number < 0) return false;
    struct sigaction ours = { .sa_sigaction = handlers[number] };
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK | (action->sa_flags & SA_RESTART);
    sigfillset(&ours.sa_mask);
    return !sigaction(SIGSEGV, &ours, NULL);
}

static void begin_process(void)
{
    atomic_store(&owner, getpid());
    pthread_atfork(NULL, NULL, open_all_in_child);
}

static void unblock_faults(void)
{
    sigset_t faults;
    sigemptyset(&faults);
    sigaddset(&faults, SIGSEGV);
    pthread_sigmask(SIG_UNBLOCK, &faults, NULL);
}

bool ck_faults_come_first(void)
{
    struct sigaction action;
    if (sigaction(SIGSEGV, NULL, &action)) return false;
    return is_ours(&action) || put_in_front(&action);
}

bool ck_faults_catch(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, begin_process);
    unblock_faults();
    return ck_faults_come_first();
}

void ck_faults_unblock(void)
{
    static RL_THREAD_WORD _Thread_local bool unblocked;
    if (unblocked) return;
    unblock_faults();
    unblocked = true;
}
