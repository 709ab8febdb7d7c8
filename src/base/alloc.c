/* SPDX-License-Identifier: Apache-2.0 */
#include "base/alloc.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define HUGE_PAGE ((size_t)2 << 20)

static atomic_long fail_countdown = -1;
static atomic_bool fails_on; /* once the countdown has come to 0 */
static atomic_long live_count;

void rl_alloc_fail_after(long after)
{
    atomic_store(&fails_on, false);
    atomic_store(&fail_countdown, after);
}

void rl_alloc_fail_from(long after)
{
    atomic_store(&fails_on, true);
    atomic_store(&fail_countdown, after);
}

long rl_alloc_live(void)
{
    return atomic_load(&live_count);
}

static int is_refused(void)
{
    if (atomic_load_explicit(&fail_countdown, memory_order_relaxed) < 0) return 0;
    if (!atomic_load(&fails_on)) return atomic_fetch_sub(&fail_countdown, 1) == 0;
    long left = atomic_load(&fail_countdown);
    while (left > 0 && !atomic_compare_exchange_weak(&fail_countdown, &left, left - 1)) {
    }
    return left == 0;
}

static void *count_block(void *pointer)
{
    if (pointer) atomic_fetch_add_explicit(&live_count, 1, memory_order_relaxed);
    return pointer;
}

void *rl_alloc(size_t bytes)
{
    return is_refused() ? NULL : count_block(malloc(bytes ? bytes : 1));
}

void *rl_zalloc(size_t bytes)
{
    return is_refused() ? NULL : count_block(calloc(1, bytes ? bytes : 1));
}

void *rl_zalloc_lines(size_t bytes)
{
    if (is_refused() || bytes > SIZE_MAX - 63) return NULL;
    size_t lines = bytes ? (bytes + 63) & ~(size_t)63 : 64;
    void *pointer = count_block(aligned_alloc(64, lines));
    if (pointer) memset(pointer, 0, lines);
    return pointer;
}

void *rl_alloc_aligned(size_t bytes, size_t boundary)
{
    void *pointer = NULL;
    if (is_refused() || posix_memalign(&pointer, boundary, bytes ? bytes : 1)) return NULL;
    return count_block(pointer);
}

/* Filling fresh memory costs more than anything that is done with it, and two thirds of the
 * cost are its page faults. */
void *rl_alloc_large(size_t bytes)
{
    void *pointer = rl_alloc(bytes);
#ifdef MADV_HUGEPAGE
    if (pointer && bytes >= HUGE_PAGE) {
        uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin = (uintptr_t)pointer;
        uintptr_t first = (begin + page - 1) & ~(page - 1), end = (begin + bytes) & ~(page - 1);
        if (end > first) madvise((void *)first, end - first, MADV_HUGEPAGE);
    }
#endif
    return pointer;
}

void rl_free(void *pointer)
{
    if (!pointer) return;
    atomic_fetch_sub_explicit(&live_count, 1, memory_order_relaxed);
    free(pointer);
}

char *rl_strdup(const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *copy = rl_alloc(bytes);
    if (copy) memcpy(copy, text, bytes);
    return copy;
}
