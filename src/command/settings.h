/* SPDX-License-Identifier: Apache-2.0
 *
 * The variables that the program's libraries read, looked at before the program begins: what
 * is wrong with them would only be a call that fails, and a word that nobody knows would be
 * passed over.
 */
#ifndef COMMAND_SETTINGS_H
#define COMMAND_SETTINGS_H

/* Checks what the environment holds, after options have been put there.  Returns COMMAND_DONE, or
 * COMMAND_NOT_READY after saying what is wrong. */
int command_check_settings(void);

#endif
