/* SPDX-License-Identifier: Apache-2.0 */
#include "pages.h"

CUresult make_page(Page *g)
{
    void *p = NULL;
    CUresult r = cuMemHostAlloc(&p, 4096, CU_MEMHOSTALLOC_DEVICEMAP);
    if (r) return r;
    memset(p, 0, 4096);
    g->h = p;
    return cuMemHostGetDevicePointer(&g->d, p, 0);
}

void store_word(volatile uint32_t *p, uint32_t v)
{
    __atomic_store_n(p, v, __ATOMIC_SEQ_CST);
}

uint32_t load_word(volatile uint32_t *p)
{
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);
}
