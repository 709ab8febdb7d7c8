/* SPDX-License-Identifier: Apache-2.0
 *
 * The runtime's version.
 */
#ifndef RT_VERSION_H
#define RT_VERSION_H

/* The version that this library was linked to be: 13000 for 13.0. */
extern const int rt_version;

#endif
