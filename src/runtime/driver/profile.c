/* SPDX-License-Identifier: Apache-2.0
 *
 * The version of the runtime that a library is.  This file is compiled once for each library;
 * everything else is the same in all of them.
 */
#include "runtime/driver/version.h"

const int rt_version = RT_PROFILE;
