/* SPDX-License-Identifier: Apache-2.0 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dl_iterate_phdr() */
#endif
#include "layer-tsan/fiber/thread_locals.h"

#include <link.h>
#include <stddef.h>
#include <stdint.h>

#include "base/tsan.h"
#include "layer-tsan/fiber/fiber.h"

/* Modules with thread-local variables that are told apart; of others they are marked each time. */
#define MODULES_MAX 8

/* The blocks of the calling thread that are marked.  A few only, since a library that a program
 * loads late has little room for thread-local variables; to mark a block again is no harm. */
static _Thread_local struct marked {
    unsigned count;
    const void *blocks[MODULES_MAX];
} marked;

static void mark_block(const void *block, size_t bytes)
{
    for (unsigned i = 0; i < marked.count; i++)
        if (marked.blocks[i] == block) return;
    if (marked.count < MODULES_MAX) marked.blocks[marked.count++] = block;
    AnnotateBenignRaceSized(__FILE__, __LINE__, block, bytes, "thread-local variables");
}

static int mark_module(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)data;
    if (size < offsetof(struct dl_phdr_info, dlpi_tls_data) + sizeof info->dlpi_tls_data) return 1;
    for (int i = 0; info->dlpi_tls_data && i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_TLS)
            mark_block(info->dlpi_tls_data, info->dlpi_phdr[i].p_memsz);
    return 0;
}

void ts_excuse_thread_locals(void)
{
    if (!AnnotateBenignRaceSized) return;
    ts_hide();
    dl_iterate_phdr(mark_module, NULL);
    ts_show();
}
