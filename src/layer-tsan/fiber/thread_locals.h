/* SPDX-License-Identifier: Apache-2.0
 *
 * Thread-local variables of the program that functions of streams use.
 *
 * Functions that run in one thread are in no order for ThreadSanitizer, each in its fiber, and yet
 * share these variables, which is right: the thread runs one after the other.
 */
#ifndef TS_THREAD_LOCALS_H
#define TS_THREAD_LOCALS_H

/* Has races in thread-local variables of the calling thread not reported.  Called before a function
 * runs, since TSan has the thread write them when it starts, and after it, since some come to be
 * when they are used. */
void ts_excuse_thread_locals(void);

#endif
