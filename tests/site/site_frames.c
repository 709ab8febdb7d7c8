/* SPDX-License-Identifier: Apache-2.0
 *
 * SITE_LEVEL is the number of the level that this is compiled for.
 */
#include "site/site_frames.h"

#include <alloca.h>

#include "site/site.h"

#define JOIN(a, b) a##b
#define SHAPES_OF(level) JOIN(site_shapes_, level) /* with its value */

#if SITE_LEVEL == 0
static site_shape_fn *const *const levels[SITE_LEVELS] = {
    site_shapes_0, site_shapes_1, site_shapes_2, site_shapes_3,
};

void site_go(struct site_way *way)
{
    if (!way->left--) {
        way->site = cs_site_here();
        way->end(way);
        return;
    }
    unsigned step = *way->steps++;
    levels[step / SITE_SHAPES % SITE_LEVELS][step % SITE_SHAPES](way);
    way->seen++;
}

const void *site_from_library(void)
{
    const void *volatile site = cs_site_here();
    return site;
}
#endif

static void plain(struct site_way *way)
{
    site_go(way);
    way->seen++;
}

/* With optimization, a jump without a frame. */
static void tail(struct site_way *way)
{
    site_go(way);
}

static void large(struct site_way *way)
{
    volatile char room[5000];
    room[0] = 1;
    site_go(way);
    way->seen += (unsigned)room[0];
}

static void variable(struct site_way *way)
{
    volatile char *room = alloca(way->left * 37 + 1);
    room[0] = 1;
    site_go(way);
    way->seen += (unsigned)room[0];
}

static void aligned(struct site_way *way)
{
    _Alignas(64) volatile char room[64];
    room[0] = 1;
    site_go(way);
    way->seen += (unsigned)room[0];
}

/* Needs all registers that a call preserves, the frame pointer among them. */
static void busy(struct site_way *way)
{
    unsigned char bytes[6] = { 1, 2, 3, 4, 5, 6 };
    uint64_t a = way->seen, b = a * 3, c = b ^ 77, d = c * 5, e = d + a, f = e * b;
    __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e));
    site_go(way);
    __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e));
    way->seen += (unsigned)(a ^ b ^ c ^ d ^ e ^ f) + bytes[way->seen % 6];
}

__attribute__((noinline)) static void take_many(long a, long b, long c, long d, long e, long f,
                                                long g, long h, long i, struct site_way *way)
{
    site_go(way);
    way->seen += (unsigned)(a + b + c + d + e + f + g + h + i);
}

/* Arguments on the stack. */
static void many(struct site_way *way)
{
    long n = way->seen;
    take_many(n, 2, 3, 4, 5, n + 6, 7, 8, n, way);
    way->seen++;
}

__attribute__((noinline)) static void take_many_aligned(long a, long b, long c, long d, long e,
                                                        long f, long g, long h,
                                                        struct site_way *way)
{
    _Alignas(128) volatile char room[128];
    volatile char *more = alloca(way->left + 1);
    room[0] = 1;
    more[0] = 1;
    site_go(way);
    way->seen += (unsigned)(a + b + c + d + e + f + g + h + room[0] + more[0]);
}

/* Arguments on the stack, and it is aligned anew: the unwinder needs a formula. */
static void many_aligned(struct site_way *way)
{
    long n = way->seen;
    take_many_aligned(n, 2, 3, 4, 5, n + 6, 7, n, way);
    way->seen++;
}

static void call_program(struct site_way *way)
{
    way->program(way);
    way->seen++;
}

site_shape_fn *const SHAPES_OF(SITE_LEVEL)[SITE_SHAPES] = {
    plain, tail, large, variable, aligned, busy, many, many_aligned, call_program,
};
