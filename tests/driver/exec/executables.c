/* SPDX-License-Identifier: Apache-2.0 */
#include "executables.h"

int await_word(volatile uint32_t *p, uint32_t v, int ms)
{
    for (int i = 0; i <= ms; i++) {
        if (__atomic_load_n(p, __ATOMIC_SEQ_CST) >= v) return 1;
        msleep(1);
    }
    return 0;
}

int await_idle(CUstream s, int ms)
{
    for (int i = 0; i <= ms; i++) {
        if (cuStreamQuery(s) == CUDA_SUCCESS) return 1;
        msleep(1);
    }
    return 0;
}

CUresult add_hold(CUgraphNode *n, CUgraph g, const CUgraphNode *deps, size_t nd, Hold *h)
{
    return add_host(n, g, deps, nd, hold, h);
}

int note_count, notes[NOTES_MAX];

static void CUDA_CB note(void *p)
{
    int i = __atomic_fetch_add(&note_count, 1, __ATOMIC_SEQ_CST);
    if (i < NOTES_MAX) STORE(notes[i], (int)(intptr_t)p);
}

CUresult add_note(CUgraphNode *n, CUgraph g, const CUgraphNode *deps, size_t nd, int id)
{
    return add_host(n, g, deps, nd, note, (void *)(intptr_t)id);
}
