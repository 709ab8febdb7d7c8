/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/memory/window.h"

#include <sys/mman.h>
#include <unistd.h>

#include "base/asan.h"

/* How much more becomes usable at once, so that the system is asked seldom. */
#define STEP_BYTES (UINT64_C(64) << 20)

/* What is less is not worth a whole huge page at its ends. */
#define HUGE_PAGE (UINT64_C(2) << 20)
#define MUCH_BYTES (2 * HUGE_PAGE)

static bool open_window(struct window *window, uint64_t bytes, int how, int file)
{
    if (!bytes || bytes > SIZE_MAX) return false;
    void *base = mmap(NULL, (size_t)bytes, PROT_NONE, how | MAP_NORESERVE, file, 0);
    if (base == MAP_FAILED) return false;
    window->range = (struct range){ .base = (uint64_t)(uintptr_t)base, .bytes = bytes };
    atomic_store_explicit(&window->used, 0, memory_order_relaxed);
    return true;
}

bool sim_window_open(struct window *window, uint64_t bytes)
{
    return open_window(window, bytes, MAP_PRIVATE | MAP_ANONYMOUS, -1);
}

bool sim_window_open_file(struct window *window, uint64_t bytes, int file)
{
    return open_window(window, bytes, MAP_SHARED, file);
}

void sim_window_close(struct window *window)
{
    /* The addresses may be given to anybody next. */
    rl_asan_allow(window->range.base, atomic_load_explicit(&window->used, memory_order_relaxed));
    munmap((void *)(uintptr_t)window->range.base, (size_t)window->range.bytes);
    window->range.bytes = 0;
}

bool sim_window_use(struct window *window, uint64_t end)
{
    uint64_t used = atomic_load_explicit(&window->used, memory_order_relaxed);
    uint64_t needed = end - window->range.base;
    if (needed <= used) return true;
    uint64_t wanted = needed + STEP_BYTES - 1;
    wanted -= wanted % STEP_BYTES;
    if (wanted > window->range.bytes) wanted = window->range.bytes;
    if (mprotect((void *)(uintptr_t)(window->range.base + used), (size_t)(wanted - used),
                 PROT_READ | PROT_WRITE))
        return false;
    rl_asan_forbid(window->range.base + used, wanted - used);
    atomic_store_explicit(&window->used, wanted, memory_order_relaxed);
    return true;
}

void sim_window_prefer_huge(uint64_t base, uint64_t bytes)
{
#ifdef MADV_HUGEPAGE
    const uint64_t mask = HUGE_PAGE - 1, first = base & ~mask, end = (base + bytes + mask) & ~mask;
    if (bytes < MUCH_BYTES) return;
    /* If the system refuses, pages are small. */
    madvise((void *)(uintptr_t)first, (size_t)(end - first), MADV_HUGEPAGE);
#else
    (void)base;
    (void)bytes;
#endif
}

void sim_window_discard(uint64_t base, uint64_t bytes)
{
    static atomic_long page_bytes;
    long known = atomic_load_explicit(&page_bytes, memory_order_relaxed);
    if (!known) {
        known = sysconf(_SC_PAGESIZE);
        atomic_store_explicit(&page_bytes, known, memory_order_relaxed);
    }
    uint64_t mask = (uint64_t)known - 1;
    uint64_t first = (base + mask) & ~mask, end = (base + bytes) & ~mask;
    /* If the system refuses, the memory merely stays. */
    if (first < end) madvise((void *)(uintptr_t)first, (size_t)(end - first), MADV_DONTNEED);
}
