/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/pages/area.h"

#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"

int (*ck_pages_protect)(void *address, size_t bytes, int protection) = mprotect;

/* Changes of any page, for handlers that wonder why a page faulted that is open.  A change is
 * begun before a byte is written, and done when the system knows. */
static atomic_ulong changes_begun, changes_done;

static void begin_change(void)
{
    atomic_fetch_add(&changes_begun, 1);
}

static void end_change(void)
{
    atomic_fetch_add(&changes_done, 1);
}

static bool something_changes(void)
{
    unsigned long done = atomic_load(&changes_done);
    return done != atomic_load(&changes_begun);
}

unsigned long ck_area_changes(void)
{
    return atomic_load(&changes_begun);
}

/* ---- Areas --------------------------------------------------------------------------------- */

size_t ck_page_bytes(void)
{
    static atomic_size_t known;
    size_t bytes = atomic_load_explicit(&known, memory_order_relaxed);
    if (bytes) return bytes;
    bytes = (size_t)sysconf(_SC_PAGESIZE);
    atomic_store_explicit(&known, bytes, memory_order_relaxed);
    return bytes;
}

static size_t count_pages(const struct ck_area *area)
{
    return (area->end - area->begin) / ck_page_bytes();
}

struct ck_area *ck_area_create(uintptr_t begin, size_t bytes, struct ck_listener *listener)
{
    size_t pages = bytes / ck_page_bytes();
    struct ck_area *area = rl_zalloc(sizeof *area);
    if (!area) return NULL;
    *area = (struct ck_area){ .begin = begin, .end = begin + bytes, .listener = listener };
    area->now = rl_zalloc(pages * sizeof *area->now);
    area->wanted = rl_zalloc(pages);
    if (area->now && area->wanted) return area;
    ck_area_destroy(area);
    return NULL;
}

void ck_area_destroy(struct ck_area *area)
{
    rl_free(area->wanted);
    rl_free(area->now);
    rl_free(area);
}

bool ck_area_is_below(const struct ck_area *area, size_t first, size_t stop, enum ck_level level)
{
    for (size_t page = first; page < stop; page++)
        if (atomic_load_explicit(&area->now[page], memory_order_relaxed) < level) return true;
    return false;
}

/* ---- Protection ---------------------------------------------------------------------------- */

static bool protect_pages(struct ck_area *area, size_t first, size_t stop, unsigned char level)
{
    static const int protections[] = { PROT_READ | PROT_WRITE, PROT_READ, PROT_NONE };
    uintptr_t begin = area->begin + first * ck_page_bytes();
    return !ck_pages_protect((void *)begin, (stop - first) * ck_page_bytes(), protections[level]);
}

/* Has the system protect pages as their bytes say, with a call for each stretch of equal ones.
 * Begins again where another thread changed a byte since. */
static bool settle_pages(struct ck_area *area, size_t first, size_t stop)
{
    for (size_t page = first; page < stop;) {
        unsigned char level = atomic_load(&area->now[page]);
        size_t next = page + 1;
        while (next < stop && atomic_load(&area->now[next]) == level) next++;
        if (!protect_pages(area, page, next, level)) return false;
        while (page < next && atomic_load(&area->now[page]) == level) page++;
    }
    return true;
}

static bool raise_page(atomic_uchar *now, unsigned char level)
{
    unsigned char seen = atomic_load(now);
    while (seen < level)
        if (atomic_compare_exchange_weak(now, &seen, level)) return true;
    return false;
}

static bool lower_page(atomic_uchar *now, unsigned char level)
{
    unsigned char seen = atomic_load(now);
    while (seen > level)
        if (atomic_compare_exchange_weak(now, &seen, level)) return true;
    return false;
}

static bool is_open(const struct ck_area *area)
{
    for (size_t page = count_pages(area); page-- > 0;)
        if (atomic_load(&area->now[page]) != CK_OPEN) return false;
    return true;
}

/* Opens all pages in one call, whatever their bytes say. */
static bool open_anyway(struct ck_area *area)
{
    size_t pages = count_pages(area);
    begin_change();
    for (size_t page = 0; page < pages; page++) lower_page(&area->now[page], CK_OPEN);
    bool settled = settle_pages(area, 0, pages);
    /* Faults will try again. */
    for (size_t page = 0; page < pages && !settled; page++) raise_page(&area->now[page], CK_CLOSED);
    end_change();
    return settled;
}

bool ck_area_open(struct ck_area *area)
{
    return is_open(area) || open_anyway(area);
}

void ck_area_open_in_child(struct ck_area *area)
{
    size_t pages = count_pages(area);
    for (size_t page = 0; page < pages; page++) atomic_store(&area->now[page], CK_OPEN);
    protect_pages(area, 0, pages, CK_OPEN);
}

/* Pages in a row that were changed, with pages between them that are on the same level anyway:
 * one stretch for the system. */
struct stretch {
    size_t first, stop; /* stop is 0 if there is none */
    unsigned char level;
};

/* Adds a page to the stretch, or settles that and begins another one. */
static bool extend_stretch(struct ck_area *area, struct stretch *stretch, size_t page,
                           unsigned char level, bool changed)
{
    bool settled = true;
    if (stretch->stop && level != stretch->level) {
        settled = settle_pages(area, stretch->first, stretch->stop);
        stretch->stop = 0;
    }
    if (!changed) return settled;
    if (!stretch->stop) stretch->first = page;
    stretch->level = level;
    stretch->stop = page + 1;
    return settled;
}

bool ck_area_raise(struct ck_area *area, size_t first, size_t stop, enum ck_level level)
{
    struct stretch stretch = { 0, 0, 0 };
    bool settled = true;
    begin_change();
    for (size_t page = first; page < stop && settled; page++) {
        bool changed = raise_page(&area->now[page], level);
        settled = extend_stretch(area, &stretch, page, atomic_load(&area->now[page]), changed);
    }
    if (settled && stretch.stop) settled = settle_pages(area, stretch.first, stretch.stop);
    if (!settled) open_anyway(area);
    end_change();
    return settled;
}

void ck_area_lower(struct ck_area *area, size_t first, size_t stop)
{
    struct stretch stretch = { 0, 0, 0 };
    bool settled = true;
    begin_change();
    for (size_t page = first; page < stop && settled; page++) {
        bool changed = lower_page(&area->now[page], area->wanted[page]);
        settled = extend_stretch(area, &stretch, page, atomic_load(&area->now[page]), changed);
    }
    if (settled && stretch.stop) settled = settle_pages(area, stretch.first, stretch.stop);
    if (!settled) open_anyway(area);
    end_change();
}

enum ck_eased ck_area_ease(struct ck_area *area, size_t page, enum ck_level level)
{
    /* In this order: a thread that lowered the page has begun its change before. */
    bool allowed = atomic_load(&area->now[page]) <= level;
    if (allowed && !something_changes()) return CK_ALLOWED;
    begin_change();
    atomic_store(&area->listener->eased, true); /* before and after: see `eased` */
    lower_page(&area->now[page], level);
    atomic_store(&area->listener->eased, true);
    bool settled = settle_pages(area, page, page + 1) || open_anyway(area);
    end_change();
    return settled ? CK_EASED : CK_STUCK;
}
