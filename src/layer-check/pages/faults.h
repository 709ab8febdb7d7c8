/* SPDX-License-Identifier: Apache-2.0
 *
 * The handler of SIGSEGV.
 */
#ifndef CK_FAULTS_H
#define CK_FAULTS_H

#include <stdbool.h>

/* Sees to it that the process's faults come to us first, and the calling thread's at all.
 * Returns false if that is not possible.  Requires the module's lock. */
bool ck_faults_catch(void);

/* Does only the former. */
bool ck_faults_come_first(void);

/* Lets the calling thread take SIGSEGV, once; takes no system call afterwards. */
void ck_faults_unblock(void);

/* Tells whether this is a child of fork() that has no checker. */
bool ck_faults_in_child(void);

#endif
