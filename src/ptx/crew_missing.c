/* SPDX-License-Identifier: Apache-2.0
 *
 * What steps ask of a crew, until crew.c brings it.
 */
#include "ptx/crew.h"

__attribute__((weak)) uint32_t ptx_thread_of(const struct ptx_front *front, uint32_t lane)
{
    return front->crew->first + lane;
}

__attribute__((weak)) void ptx_thread_place(const struct ptx_front *front, uint32_t lane,
                                            uint32_t place[3])
{
    place[0] = ptx_thread_of(front, lane);
    place[1] = place[2] = 0;
}

__attribute__((weak)) void ptx_fail(struct ptx_front *front, const struct ptx_step *step,
                                    uint32_t lane, rill_status status, uint64_t address,
                                    const char *format, ...)
{
    (void)step, (void)lane, (void)address, (void)format;
    int none = 0;
    __atomic_compare_exchange_n((int *)&front->block->launch->fault->status, &none, (int)status,
                                false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}
