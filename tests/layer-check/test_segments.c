/* SPDX-License-Identifier: Apache-2.0
 *
 * Segments find the same conflicts whether bytes are touched as rows or as parts of pages.
 */
#include "support/cmocka_all.h"

#include <string.h>

#include "layer-check/access/segments.h"
#include "layer-check/order/clock.h"

#define BASE UINT64_C(0x7f0000001000)

/* An allocation that begins and ends inside of a page. */
enum { PAGES = 4, FROM = 100, TO = PAGES * 4096 - 300, STEPS = 12, STREAMS = 3 };

static uint64_t random_state;

static uint32_t draw_below(uint32_t limit)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((random_state >> 33) % limit);
}

/* What was found of each pair of steps: between which bytes they conflict. */
struct findings {
    struct { uint64_t from, to; } pairs[STEPS][STEPS], unwritten[STEPS];
    uint32_t now;
};

static void widen(uint64_t *from, uint64_t *to, uint64_t more_from, uint64_t more_to)
{
    if (!*to || more_from < *from) *from = more_from;
    if (more_to > *to) *to = more_to;
}

static void note_conflict(void *data, const struct ck_conflict *conflict)
{
    struct findings *findings = data;
    uint64_t first = conflict->first.step.work->serial;
    widen(&findings->pairs[first][findings->now].from, &findings->pairs[first][findings->now].to,
          conflict->from, conflict->to);
}

static void note_unwritten(void *data, uint64_t from, uint64_t to)
{
    struct findings *findings = data;
    widen(&findings->unwritten[findings->now].from, &findings->unwritten[findings->now].to, from,
          to);
}

static struct ck_work *make_work(uint64_t serial)
{
    const struct ck_what what = { .kind = RILL_OP_KERNEL };
    const struct ck_point at = { 1 + draw_below(STREAMS), 1 + serial };
    struct ck_work *work = ck_work_create(at, ck_clock_create(), NULL, &what);
    work->serial = serial;
    work->own_before = serial;
    return work;
}

/* ---- Touches ------------------------------------------------------------------------------ */

static bool is_there(const struct ck_map *maps, uint32_t byte)
{
    return maps[byte / 4096].words[byte % 4096 / 64] >> byte % 64 & 1;
}

static void draw_bytes(struct ck_map maps[PAGES])
{
    uint32_t bytes = 1u << draw_below(4), count = 1u << draw_below(11), stride = draw_below(3000);
    uint32_t from = draw_below(PAGES * 4096), span = 1 + draw_below(PAGES * 4096);
    bool dense = draw_below(3) == 0;
    memset(maps, 0, PAGES * sizeof *maps);
    for (uint32_t i = 0; i < (dense ? span : count); i++) {
        uint32_t at = from + (dense ? i : stride < 1000 ? draw_below(span) : i * stride / 100);
        for (uint32_t n = 0; n < bytes; n++)
            if (at + n >= FROM && at + n < TO)
                maps[(at + n) / 4096].words[(at + n) % 4096 / 64] |= UINT64_C(1) << (at + n) % 64;
    }
}

/* Lets pages in the middle be as they were, or like each other, as after a kernel that runs again
 * and in columns, or whole. */
static void repeat_bytes(struct ck_map maps[PAGES], const struct ck_map usual[2])
{
    for (uint32_t page = 1; page < PAGES - 1; page++) {
        if (draw_below(3)) maps[page] = usual[draw_below(4) == 0];
        else if (draw_below(4) == 0) memset(maps[page].words, 0xff, sizeof maps[page].words);
    }
}

static void touch_rows(struct ck_segments *segments, const struct ck_access *touch,
                       const struct ck_map *maps, uint32_t from, uint32_t to)
{
    static rill_touched rows[PAGES * 4096];
    size_t count = 0;
    for (uint32_t at = from, end; at < to; at = end) {
        for (end = at; end < to && is_there(maps, end);) end++;
        if (end > at) rows[count++] = (rill_touched){ BASE + at, end - at, 0 };
        else end++;
    }
    assert_true(ck_segments_touch(segments, touch, rows, count));
}

/* Touches some pages as such, and what is between them as rows. */
static void touch_pages(struct ck_segments *segments, const struct ck_access *touch,
                        struct ck_map *maps)
{
    const bool alike = memcmp(&maps[1], &maps[2], sizeof *maps) == 0; /* pages share a map then */
    for (uint32_t page = 0; page < PAGES; page++) {
        uint32_t from = page ? page * 4096 : FROM, to = page < PAGES - 1 ? from / 4096 * 4096 + 4096
                                                                         : TO;
        struct ck_map part = maps[page], *map = &maps[page == 2 && alike ? 1 : page];
        uint64_t address = BASE + page * 4096;
        if (!ck_map_cut(&part, address, BASE + from, BASE + to)) continue;
        if (to - from < 4096) map = &part;
        if (draw_below(2)) touch_rows(segments, touch, maps, from, to);
        else assert_true(ck_segments_touch_page(segments, touch, address, BASE + from, BASE + to,
                                                map));
    }
}

static void pages_find_what_rows_do(void **state)
{
    (void)state;
    static const uint32_t ways[] = { RILL_TOUCH_READ, RILL_TOUCH_WRITE, RILL_TOUCH_ATOMIC,
                                     RILL_TOUCH_READ | RILL_TOUCH_WRITE, CK_TOUCH_FREE };
    static struct findings expected, found;
    struct ck_clock *host = ck_clock_create();
    for (uint64_t seed = 1; seed < 3000; seed++) {
        struct ck_segments rows = { .count = 0 }, pages = { .count = 0 };
        struct ck_work *works[STEPS];
        struct ck_map usual[PAGES];
        memset(&expected, 0, sizeof expected);
        memset(&found, 0, sizeof found);
        random_state = seed;
        draw_bytes(usual);
        for (uint32_t i = 0; i < STEPS; i++) {
            struct ck_map maps[PAGES];
            struct ck_access touch = { .host = host, .found = note_conflict, .inits = true,
                                       .unwritten = note_unwritten };
            works[i] = make_work(i);
            touch.mark = (struct ck_mark){ { .work = works[i] },
                                           ways[draw_below(draw_below(5) ? 4 : 5)] };
            expected.now = found.now = i;
            draw_bytes(maps);
            repeat_bytes(maps, &usual[1]);
            touch.data = &expected;
            touch_rows(&rows, &touch, maps, FROM, TO);
            touch.data = &found;
            touch_pages(&pages, &touch, maps);
            assert_memory_equal(&found, &expected, sizeof found);
        }
        ck_segments_clear(&rows);
        ck_segments_clear(&pages);
        for (uint32_t i = 0; i < STEPS; i++) {
            assert_int_equal(works[i]->references, 1);
            ck_work_release(works[i]);
        }
    }
    ck_clock_release(host);
}

/* Bytes that are gathered again and again take no more memory in the end than they did at first. */
static void pages_of_one_history_are_segments(void **state)
{
    (void)state;
    struct ck_clock *host = ck_clock_create();
    struct ck_work *work = make_work(0);
    struct ck_segments segments = { .count = 0 };
    struct ck_map even, odd;
    struct findings findings = { .now = 0 };
    const struct ck_access touch = { .host = host, .found = note_conflict, .data = &findings,
                                     .mark = { { .work = work }, RILL_TOUCH_WRITE } };
    memset(even.words, 0x55, sizeof even.words);
    memset(odd.words, 0xaa, sizeof odd.words);
    even.alike = odd.alike = 0;
    for (uint64_t page = BASE; page < BASE + 8192; page += 4096) {
        assert_true(ck_segments_touch_page(&segments, &touch, page, page, page + 4096, &even));
        assert_non_null(segments.items[segments.count - 1].page);
        assert_true(ck_segments_touch_page(&segments, &touch, page, page, page + 4096, &odd));
    }
    const rill_touched next = { BASE + 8192, 4, RILL_TOUCH_WRITE };
    const rill_touched all[] = { { BASE, 8192, RILL_TOUCH_WRITE }, next };
    assert_true(ck_segments_touch(&segments, &touch, all, 2));
    assert_int_equal(segments.count, 1);
    assert_null(segments.items[0].page);
    assert_int_equal(segments.items[0].to, BASE + 8196);
    ck_segments_clear(&segments);
    ck_work_release(work);
    ck_clock_release(host);
}

/* A page whose parts became one is not taken for one that was like it before. */
static void pages_that_join_parts_are_like_no_other(void **state)
{
    (void)state;
    struct ck_clock *host = ck_clock_create();
    struct ck_segments segments = { .count = 0 };
    struct findings findings = { .now = 0 };
    struct ck_map even = { .alike = 0 }, all = { .alike = 0 };
    struct ck_work *works[3];
    memset(even.words, 0x55, sizeof even.words);
    memset(all.words, 0xff, sizeof all.words);
    for (uint32_t i = 0; i < 4; i++) {
        const uint64_t pages[] = { BASE, BASE + 4096 };
        if (i < 3) works[i] = make_work(i);
        const struct ck_access touch = { .host = host, .found = note_conflict, .data = &findings,
                                         .mark = { { .work = works[i % 3] }, RILL_TOUCH_WRITE } };
        for (uint32_t n = i == 2; n < 2; n++)
            assert_true(ck_segments_touch_page(&segments, &touch, pages[n], pages[n],
                                               pages[n] + 4096, i == 2 ? &all : &even));
        even.alike = 0;
    }
    assert_int_equal(segments.items[0].page->count, 1);
    assert_int_equal(segments.items[1].page->count, 2);
    ck_segments_clear(&segments);
    for (uint32_t i = 0; i < 3; i++) ck_work_release(works[i]);
    ck_clock_release(host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages_find_what_rows_do),
        cmocka_unit_test(pages_of_one_history_are_segments),
        cmocka_unit_test(pages_that_join_parts_are_like_no_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
