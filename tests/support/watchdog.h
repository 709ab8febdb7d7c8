/* SPDX-License-Identifier: Apache-2.0
 *
 * Turns a deadlock into a failure that says where.
 */
#ifndef WATCHDOG_H
#define WATCHDOG_H

/* Unless it is patted every `seconds`, calls `bark` from a thread of its own
 * and ends the process with status 1.  Valgrind is given ten times as long. */
void watchdog_start(unsigned seconds, void (*bark)(void *data), void *data);
void watchdog_pat(void);
void watchdog_stop(void);

#endif
