/* SPDX-License-Identifier: Apache-2.0
 *
 * What the kernels of cuda/numbers.cu compute with numbers of 16 bits.
 */
#include "../halves.h"
#include "edges.h"

static uint16_t edge_half(struct dice *dice)
{
    static const uint16_t edges[] = { 0, 0x8000, 1, 0x8001, 0x3ff, 0x400, 0x3c00, 0xbc00, 0x7bff,
                                      0x7c00, 0xfc00, 0x7e00, 0x7f80, 0xff80, 0x7fc0, 0x0080 };
    if (dice_chance(dice, 30)) return edges[dice_below(dice, 16)];
    return (uint16_t)dice_next(dice);
}

static void wanted_halves(uint16_t xb, uint16_t yb, uint16_t o[8])
{
    double x = narrow_value(xb, HALF), y = narrow_value(yb, HALF);
    o[0] = narrow_bits(x + y, HALF);
    o[1] = narrow_bits(x * y, HALF);
    o[2] = narrow_bits(sum_to_odd(x * y, x), HALF);
    o[3] = narrow_bits(x - y, HALF);
    o[4] = narrow_bits(x * 1.0009765625, HALF);
    o[5] = x < y ? xb : yb;
    o[6] = narrow_bits(sum_to_odd(x * y, x), HALF);
    o[7] = o[6];
}

static void wanted_brains(uint16_t xb, uint16_t yb, uint16_t o[4], bool fused)
{
    double x = narrow_value(xb, BRAIN), y = narrow_value(yb, BRAIN);
    o[0] = narrow_bits(x + y, BRAIN);
    o[1] = narrow_bits(x * y, BRAIN);
    o[2] = fused ? narrow_bits(sum_to_odd(x * y, x), BRAIN) : 0;
    o[3] = narrow_bits((double)((float)x * 1.01f), BRAIN);
}

static bool is_nan_of(uint16_t bits, int fraction)
{
    return isnan(narrow_value(bits, fraction));
}

static void run_narrow(struct machine *m, const char *kernel, int fraction, int each)
{
    struct dice dice = { (uint64_t)each };
    uint16_t *a = machine_memory(m, COUNT * 2), *b = machine_memory(m, COUNT * 2);
    uint16_t *out = machine_memory(m, (size_t)(COUNT * each) * 2);
    for (int i = 0; i < COUNT; i++) {
        a[i] = edge_half(&dice);
        b[i] = edge_half(&dice);
    }
    struct { void *out, *a, *b; uint32_t n; } params = { out, a, b, COUNT };
    RUN(m, kernel, &number_extents, 0, &params);
    for (int i = 0; i < COUNT; i++) {
        uint16_t wanted[8], *got = out + i * each;
        if (fraction == HALF) wanted_halves(a[i], b[i], wanted);
        else wanted_brains(a[i], b[i], wanted, machine_module(m)->target >= 80);
        for (int k = 0; k < each; k++)
            if (got[k] != wanted[k] &&
                !(is_nan_of(got[k], fraction) && is_nan_of(wanted[k], fraction)))
                fail_msg("%s %d of 0x%04x and 0x%04x is 0x%04x, not 0x%04x", kernel, k, a[i], b[i],
                         got[k], wanted[k]);
    }
}

static void halves(struct machine *m)
{
    run_narrow(m, "halves", HALF, 8);
}

static void brains(struct machine *m)
{
    run_narrow(m, "brains", BRAIN, 4);
}

static const struct kernel_case rows[] = {
    { "numbers of 16 bits are rounded once", "numbers", halves, false, 0 },
    { "numbers of 16 bits with a wide exponent are rounded once", "numbers", brains, false, 0 },
};

const struct kernel_cases narrow_kernels = { rows, sizeof rows / sizeof rows[0] };
