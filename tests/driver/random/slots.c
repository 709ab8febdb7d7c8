/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory that operations write to.
 */
#include "random.h"

enum { BYTES = SLOTS * SLOT_WORDS * 4 };

void slots_open(struct world *w)
{
    void *host = NULL, *source = NULL;
    w->slots = dalloc(&w->t, BYTES);
    w->source = dalloc(&w->t, 4096);
    CUresult r = cuMemHostAlloc(&host, BYTES, CU_MEMHOSTALLOC_PORTABLE);
    if (!r) r = cuMemHostAlloc(&source, 4096, CU_MEMHOSTALLOC_PORTABLE);
    if (r) die(&w->t, "cuMemHostAlloc", r);
    w->host_slots = host;
    w->host_source = source;
    for (uint32_t i = 0; i < 1024; i++) w->host_source[i] = 0x01020304u * (1 + i % 16);
    r = cuMemcpyHtoD(w->source, source, 4096);
    if (r) die(&w->t, "cuMemcpyHtoD", r);
}

void slots_clear(struct world *w)
{
    CUresult r = cuMemsetD8(w->slots, 0, BYTES);
    if (!r) r = cuCtxSynchronize();
    if (r) line_see(w, "clear=%s", ename(r)), w->over = true;
    memset(w->host_slots, 0, BYTES);
    memset(w->calls, 0, sizeof w->calls);
}

static void show(struct world *w, const char *where, int slot, const uint32_t *words)
{
    bool any = false;
    for (int i = 0; i < SLOT_WORDS; i++) any = any || words[i];
    if (!any) return;
    line_out(w, " %s%d=", where, slot);
    for (int i = 0; i < SLOT_WORDS; i++) line_out(w, "%s%x", i ? "," : "", words[i]);
}

void slots_show(struct world *w)
{
    static uint32_t words[SLOTS * SLOT_WORDS];
    CUresult r = cuMemcpyDtoH(words, w->slots, BYTES);
    if (r) line_see(w, "read=%s", ename(r)), w->over = true;
    for (int i = 0; !r && i < SLOTS; i++) {
        show(w, "D", i, words + i * SLOT_WORDS);
        show(w, "H", i, w->host_slots + i * SLOT_WORDS);
        if (w->calls[i]) line_out(w, " C%d=%u", i, w->calls[i]);
    }
}
