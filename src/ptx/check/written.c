/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/check/written.h"

#include <string.h>

#define PAGE 1024u /* bytes that have their bits in one page */

static uint64_t *word_of(struct ptx_page *page, uint64_t address)
{
    return (uint64_t *)(void *)page->content + address % PAGE / 64;
}

static uint64_t bit_of(uint64_t address)
{
    return UINT64_C(1) << address % 64;
}

void ptx_written_add(struct ptx_written *written, uint64_t address, uint64_t bytes,
                     struct ptx_allowance *allowance)
{
    for (uint64_t at = address; at < address + bytes; at++) {
        struct ptx_page *page = ptx_pages_get(&written->pages, at / PAGE, PAGE / 8, allowance);
        if (!page) return;
        *word_of(page, at) |= bit_of(at);
    }
}

void ptx_written_remove(struct ptx_written *written, uint64_t address, uint64_t bytes)
{
    for (uint64_t at = address; at < address + bytes; at++) {
        struct ptx_page *page = ptx_pages_find(&written->pages, at / PAGE);
        if (page) *word_of(page, at) &= ~bit_of(at);
    }
}

bool ptx_written_any(struct ptx_written *written, uint64_t address, uint32_t bytes,
                     const struct ptx_allowance *allowance)
{
    if (allowance->spent) return true;
    for (uint64_t at = address; at < address + bytes; at++) {
        struct ptx_page *page = ptx_pages_find(&written->pages, at / PAGE);
        if (page && *word_of(page, at) & bit_of(at)) return true;
    }
    return false;
}
