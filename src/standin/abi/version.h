/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver's version.
 */
#ifndef SI_VERSION_H
#define SI_VERSION_H

/* The version that this library plays: the newest, unless the library of an older driver has loaded
 * it.  Written before any call. */
extern int si_profile;

/* Returns the version that this process is told: 13000 for 13.0. */
int si_version(void);

#endif
