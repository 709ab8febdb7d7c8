/* SPDX-License-Identifier: Apache-2.0
 *
 * All groups of the suite, in the order in which they run.
 */
#ifndef CONFORMANCE_GROUPS_H
#define CONFORMANCE_GROUPS_H

#include "conformance/suite.h"

extern const struct suite_group *const suite_groups[];
extern const size_t suite_group_count;

#endif
