/* SPDX-License-Identifier: Apache-2.0
 *
 * Names and words for statuses.
 */
#ifndef SI_STATUS_H
#define SI_STATUS_H

#include "standin/abi/abi.h"

/* Both return NULL if the driver has no such status. */
const char *si_status_name(CUresult status);
const char *si_status_words(CUresult status);

#endif
