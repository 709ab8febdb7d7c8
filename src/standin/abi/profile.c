/* SPDX-License-Identifier: Apache-2.0
 *
 * The version of the driver that a library plays.  This file is compiled once for each
 * version; everything else is the same in all of them.
 */
#include "standin/abi/version.h"

const int si_profile = SI_PROFILE;
