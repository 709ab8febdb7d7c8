/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of source files as a person would write them.
 */
#ifndef CS_PATH_H
#define CS_PATH_H

/* Returns the name of a file, as debug information has it, without the folders that it shares
 * with the folder in which the compiler ran: "/home/me/frames/src/load.c" is "src/load.c" to
 * a compiler that ran in "/home/me/frames" or in "/home/me/frames/build".  What shares only
 * the root stays as it is.  `folder` may be NULL.  Returns NULL if memory is short; rl_free()
 * frees the name. */
char *cs_short_path(const char *file, const char *folder);

#endif
