/* SPDX-License-Identifier: Apache-2.0
 *
 * The version of the driver that a library plays: compiled once for each, everything
 * else is the same.
 */
#include "standin/standin.h"

const int si_profile = SI_PROFILE;
