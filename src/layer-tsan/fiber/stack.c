/* SPDX-License-Identifier: Apache-2.0 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* mincore() */
#endif
#include "layer-tsan/fiber/stack.h"

#include <sys/mman.h>

#include "base/stack.h"

#define PAGE ((size_t)4096)

/* TSan puts functions of its own in front of these, by which it knows that memory is new. */
static void *map_memory(void *at, size_t bytes)
{
    const int fixed = at ? MAP_FIXED : 0;
    return mmap(at, bytes, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | fixed, -1, 0);
}

void *ts_stack_open(void)
{
    void *memory = map_memory(NULL, TS_STACK_BYTES);
    return memory == MAP_FAILED ? NULL : memory;
}

void ts_stack_close(void *stack)
{
    if (stack) munmap(stack, TS_STACK_BYTES);
}

/* Maps anew what has pages, from the lowest one on: that is what it takes time for. */
void ts_stack_forget(void *stack)
{
    unsigned char pages[TS_STACK_BYTES / PAGE];
    size_t first = RL_STACK_HEAD / PAGE;
    if (!mincore(stack, TS_STACK_BYTES, pages))
        while (first < sizeof pages && !(pages[first] & 1)) first++;
    if (first < sizeof pages)
        map_memory((unsigned char *)stack + first * PAGE, (sizeof pages - first) * PAGE);
}
