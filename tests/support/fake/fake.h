/* SPDX-License-Identifier: Apache-2.0
 *
 * The smallest backend that behaves: two devices, on which everything has
 * happened when the call returns.  It is also the template for a new backend;
 * doc/internals/core.md says how to start from it.
 */
#ifndef FAKE_H
#define FAKE_H

#include <rill/backend.h>

/* The one symbol that a backend exports. */
extern const struct rill_backend fake_backend;

#endif
