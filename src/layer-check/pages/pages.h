/* SPDX-License-Identifier: Apache-2.0
 *
 * Pinned memory that the host touches.
 *
 * Pinned memory that a backend maps twice (watch->split_views) has a view for the program and
 * another one for the backend.  Here the program's view is protected, page by page, while
 * promised work is pending on it: guarded against writing where that work reads, against any
 * access where it writes.  A touch then faults; the handler tells of it, opens the page, and
 * lets the program go on.  A page stays open for that kind of access until it is guarded again.
 *
 * What is seen.  The first access to a page after each guard of it.  Whether the access is at
 * fault is for the listener to judge, from the address: a page is guarded as a whole, also where
 * pending work is on other bytes of it.  Not seen is an access in the instant in which another
 * thread's fault opens the page.
 *
 * System calls.  read(2) into a guarded page, or write(2) from one, fails with EFAULT, since the
 * kernel does not fault on behalf of a program.  That is so where the program is wrong, but also
 * where it uses other bytes of the page, and for each page while all are watched.  Nothing here
 * could help: a page that is opened for the call is not watched, and userfaultfd(2), which would
 * take faults of the kernel, is for the privileged.  So callers guard what a right program does
 * not hand to the system, and lift guards while it may.
 *
 * Signals.  SIGSEGV is the process's, so its handler is installed once, with the first guard,
 * runs on the thread's alternate stack if there is one, and stays: other handlers may know it.
 * A fault that is not ours goes to the handler before, or has the default action, as if there
 * were no other.  A handler that the program installs later is noticed by the next guard that
 * closes a page, or by ck_pages_come_first(), which puts ours in front again; until then the
 * program's gets all faults.  (Interposing sigaction() would close that gap, but a library does
 * not stand between its program and libc.)  A fault while the thread blocks SIGSEGV ends the
 * process.  Threads that call ck_pages_guard() or ck_pages_watch_all() have it unblocked, among
 * them the library's own, which block all signals; a thread that does not, blocks it and touches
 * guarded pages is lost.
 *
 * Locks.  One lock for the process, under which nobody touches memory of the program.  The
 * handler takes none, so that even a signal handler of the program may touch guarded memory,
 * whatever it interrupts.
 *
 * fork.  In a child all pages are open, nothing is told any more, and all calls do nothing.
 *
 * Sanitizers.  AddressSanitizer's own handler is the one before.  ThreadSanitizer passes faults
 * on at once, but runs handlers of the program with all signals blocked, so that one which touches
 * a guarded page ends the process.  valgrind repeats an access that faulted with registers of an
 * earlier moment: there this module must not be used (ck_pages_unusable()).
 */
#ifndef CK_PAGES_H
#define CK_PAGES_H

#include <rill/backend.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The pinned memory of a platform, and who is told of touches. */
struct ck_pages;
struct ck_area;

struct ck_touch {
    const void *address;     /* the first byte that faulted                              */
    uint32_t how;            /* RILL_TOUCH_READ or _WRITE; both where the processor does
                                not say                                                  */
    const void *instruction; /* that touched, itself and not the one after it; or NULL   */
    uintptr_t stack_pointer, frame_pointer; /* as they are there, if it is known         */
    uintptr_t link;          /* the register with a return address; 0: there is none     */
};

/* Told of a touch: inside the fault handler, by the thread that touches, with all signals
 * blocked and no lock of this module held.  Every fault is told once, so it may come when the
 * page was opened by another thread, or released, in the same instant.  The function keeps to
 * what is allowed in signal handlers, takes no lock, and must not call this module: the program
 * may have interrupted any thread by a signal and touched memory in its handler. */
typedef void (*ck_touched_fn)(void *data, const struct ck_touch *touch);

/* Returns a sentence that says why pages cannot be guarded in this process, or NULL if they can
 * be. */
const char *ck_pages_unusable(void);

/* Returns NULL if memory is short. */
struct ck_pages *ck_pages_create(ck_touched_fn touched, void *data);

/* Opens and forgets all pages, and waits for touches that are being told. */
void ck_pages_destroy(struct ck_pages *pages);

/* Adds an allocation: whole pages, the program's view.  Returns false if memory is short, or
 * if the range is not of whole pages or overlaps another one. */
bool ck_pages_add(struct ck_pages *pages, const void *memory, size_t bytes);

/* Opens the allocation that begins there and takes it out, as long as nobody knows whether it will
 * be freed: another one may be added at its addresses.  Returns NULL if there is none. */
struct ck_area *ck_pages_set_aside(struct ck_pages *pages, const void *memory);

/* Forgets an allocation that was set aside, or adds it again with those of its guards that are not
 * over.  The latter returns false, and has forgotten it, if that is not possible. */
void ck_pages_forget(struct ck_pages *pages, struct ck_area *area);
bool ck_pages_put_back(struct ck_pages *pages, struct ck_area *area);

/* Opens and forgets the allocation that begins there, if there is one. */
void ck_pages_remove(struct ck_pages *pages, const void *memory);

/* Sees to it that faults come to us first, if pages may be closed: for where the program may have
 * installed a handler since the last time.  Takes one system call, or none.  Returns false if that
 * is not possible: then all pages are open, and stay so. */
bool ck_pages_come_first(struct ck_pages *pages);

/* Opens all pages for good: nothing is told any more. */
void ck_pages_stop(struct ck_pages *pages);

/* Tells whether a page may be touched without a fault now. */
bool ck_pages_is_open(const void *address);

/* How long a guard lasts: until `line` has come to `number`.  Guards of one line end in the
 * order of their numbers. */
struct ck_until {
    uint64_t line, number;
    bool after_function; /* the work comes after a function of the program that has not ended:
                            lifted while any runs                                           */
    bool apart;          /* the work is a node in no order with any function of its launch  */
};

/* Guards what is pinned of the range while work is pending that does `how` (RILL_TOUCH_*) to
 * it.  Takes a system call only if the protection of a page changes.  Returns false if it
 * cannot be guarded: memory is short, or the system refuses.  Then the pages may be open, and
 * touches are no longer seen for certain. */
bool ck_pages_guard(struct ck_pages *pages, const void *address, size_t bytes, uint32_t how,
                    struct ck_until until);

/* Tells whether a guard is over.  Called with the module's lock held. */
typedef bool (*ck_over_fn)(void *data, struct ck_until until);

/* Ends the guards that are over: called when the host came to know more of what is done.  Each
 * of their pages is then guarded as the strictest guard that is left demands, or less, if it
 * was opened by a touch. */
void ck_pages_release(struct ck_pages *pages, ck_over_fn over, void *data);

/* Watches all pages, for a thread that runs a function of the program: closes each, also those
 * that a touch opened since the last call.  Calls with true and false come in pairs; the last
 * false leaves the guards that are pending, and closes their pages where a touch has opened them.
 * Returns false as ck_pages_guard() does; the call counts all the same. */
bool ck_pages_watch_all(struct ck_pages *pages, bool on);

/* Closes what touches have opened while all pages are watched, so that touches of other threads
 * are told, too.  Returns false as ck_pages_guard() does. */
bool ck_pages_watch_again(struct ck_pages *pages);

/* Lifts guards for a thread that runs a function of the program: all those for which `lifts`
 * answers true, of the first work that a guard was laid for, and those that are laid meanwhile
 * for work after a function.  Their pages are open until the last such thread has ended that;
 * other guards are as before. */
void ck_pages_lift(struct ck_pages *pages, ck_over_fn lifts, void *data);

/* Does the same if there is no guard, without a lock.  Returns false, with nothing done, if there
 * are some. */
bool ck_pages_lift_none(struct ck_pages *pages);

/* Ends either.  Returns false as ck_pages_guard() does. */
bool ck_pages_unlift(struct ck_pages *pages);

/* Changes the protection of pages; mprotect().  For tests, which count calls or refuse them. */
extern int (*ck_pages_protect)(void *address, size_t bytes, int protection);

#endif
