/* SPDX-License-Identifier: Apache-2.0
 *
 * The ways in which a system passes memory to another process.
 */
#ifndef SI_SHARE_WAY_H
#define SI_SHARE_WAY_H

#include "standin/object/entry.h"

/* Tells what is wrong with a way of sharing memory, or a pool of it. */
static inline CUresult si_check_share_way(int way)
{
    switch (way) {
    case CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR: return RILL_SUCCESS;
    case CU_MEM_HANDLE_TYPE_WIN32:
    case CU_MEM_HANDLE_TYPE_WIN32_KMT:
    case CU_MEM_HANDLE_TYPE_FABRIC: return RILL_ERROR_NOT_SUPPORTED;
    default: return RILL_ERROR_INVALID_VALUE;
    }
}

#endif
