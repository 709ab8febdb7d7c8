/* SPDX-License-Identifier: Apache-2.0
 *
 * The fake backend with every optional slot: pools, captures, graphs and execs
 * that keep what they are given and run nothing.  For tests of what the core
 * does around such calls.
 */
#ifndef FULL_BACKEND_H
#define FULL_BACKEND_H

#include <rill/backend.h>

const struct rill_backend *full_backend(void);

#endif
