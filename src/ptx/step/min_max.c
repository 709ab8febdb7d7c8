/* SPDX-License-Identifier: Apache-2.0
 *
 * min and max of f32 and f64.  A number wins over a NaN unless the instruction has .NaN, and
 * -0 is less than +0.
 */
#include "ptx/step/ieee.h"
#include "ptx/step/lanes.h"

enum how { MAX = 1, FTZ = 2, NAN_WINS = 4, XORSIGN = 8, MAGNITUDES = 16 };

/* `nan` is the result for two NaNs, or for one that wins. */
#define PICK(name, real, word, kind, nan)                                            \
    static inline real name(real x, real y, unsigned how)                            \
    {                                                                                \
        const word u = kind##_bits(x), v = kind##_bits(y);                           \
        const word equal = how & MAX ? u & v : u | v; /* where they differ: zeros */ \
        const word lesser = x < y ? u : v, greater = x > y ? u : v;                  \
        word bits = how & MAX ? greater : lesser;     /* y where one is a NaN */     \
        bits = x == y ? equal : bits;                                                \
        bits = y != y ? u : bits;                                                    \
        const real r = kind##_of(bits);                                              \
        const bool unordered = how & NAN_WINS ? x != x || y != y : r != r;           \
        return kind##_of(unordered ? nan : bits);                                    \
    }

PICK(pick_single, float, uint32_t, single, SINGLE_NAN)
PICK(pick_double, double, uint64_t, double, v | DOUBLE_QUIET)

static inline float magnitude_of(float x)
{
    return single_of(single_bits(x) & ~SINGLE_SIGN);
}

static inline float prepared(float x, unsigned how)
{
    const float flushed = how & FTZ ? single_flushed(x) : x;
    return how & (XORSIGN | MAGNITUDES) ? magnitude_of(flushed) : flushed;
}

static inline float least_of(float x, float y, unsigned how)
{
    const float r = pick_single(prepared(x, how), prepared(y, how), how);
    const uint32_t sign = (single_bits(x) ^ single_bits(y)) & SINGLE_SIGN;
    if (!(how & XORSIGN)) return r;
    return r != r ? r : single_of(single_bits(r) | sign);
}

static inline float least_of_three(float x, float y, float z, unsigned how)
{
    return pick_single(pick_single(prepared(x, how), prepared(y, how), how), prepared(z, how),
                       how);
}

/* ---- Steps and forms ----------------------------------------------------------------- */

#define TWO(name, how) PTX_LANES_2(name, float, float, float, least_of(x, y, how))
#define THREE(name, how) \
    PTX_LANES_3(name, float, float, float, float, least_of_three(x, y, z, how))

/* min_NAME and max_NAME, of two and of three. */
#define BOTH(shape, name, how) shape(min##name, how) shape(max##name, (how) | MAX)

BOTH(TWO, , 0)
BOTH(TWO, _ftz, FTZ)
BOTH(TWO, _nan, NAN_WINS)
BOTH(TWO, _ftz_nan, FTZ | NAN_WINS)
BOTH(TWO, _sign, XORSIGN)
BOTH(TWO, _ftz_sign, FTZ | XORSIGN)
BOTH(TWO, _nan_sign, NAN_WINS | XORSIGN)
BOTH(TWO, _ftz_nan_sign, FTZ | NAN_WINS | XORSIGN)

BOTH(THREE, 3, 0)
BOTH(THREE, 3_ftz, FTZ)
BOTH(THREE, 3_nan, NAN_WINS)
BOTH(THREE, 3_ftz_nan, FTZ | NAN_WINS)
BOTH(THREE, 3_abs, MAGNITUDES)
BOTH(THREE, 3_ftz_abs, FTZ | MAGNITUDES)
BOTH(THREE, 3_nan_abs, NAN_WINS | MAGNITUDES)
BOTH(THREE, 3_ftz_nan_abs, FTZ | NAN_WINS | MAGNITUDES)

PTX_LANES_2(min_double, double, double, double, pick_double(x, y, 0))
PTX_LANES_2(max_double, double, double, double, pick_double(x, y, MAX))

#define ROW(word, operands, function, ...)                                        \
    { .opcode = PTX_OP_##word, .types = { PTX_F32 }, .needs = PTX_SET(__VA_ARGS__), \
      .signature = operands, .run = function }
#define ROWS(operands, name, ...)                                                 \
    ROW(MIN, operands, min##name, __VA_ARGS__), ROW(MAX, operands, max##name, __VA_ARGS__)

static const struct ptx_form rows[] = {
    ROWS("=000", , NOTHING),
    ROWS("=000", _ftz, FTZ),
    ROWS("=000", _nan, NAN_WINS),
    ROWS("=000", _ftz_nan, FTZ, NAN_WINS),
    ROWS("=000", _sign, XORSIGN, MAGNITUDE),
    ROWS("=000", _ftz_sign, FTZ, XORSIGN, MAGNITUDE),
    ROWS("=000", _nan_sign, NAN_WINS, XORSIGN, MAGNITUDE),
    ROWS("=000", _ftz_nan_sign, FTZ, NAN_WINS, XORSIGN, MAGNITUDE),
    ROWS("=0000", 3, NOTHING),
    ROWS("=0000", 3_ftz, FTZ),
    ROWS("=0000", 3_nan, NAN_WINS),
    ROWS("=0000", 3_ftz_nan, FTZ, NAN_WINS),
    ROWS("=0000", 3_abs, MAGNITUDE),
    ROWS("=0000", 3_ftz_abs, FTZ, MAGNITUDE),
    ROWS("=0000", 3_nan_abs, NAN_WINS, MAGNITUDE),
    ROWS("=0000", 3_ftz_nan_abs, FTZ, NAN_WINS, MAGNITUDE),
    { .opcode = PTX_OP_MIN, .types = { PTX_F64 }, .signature = "=000", .run = min_double },
    { .opcode = PTX_OP_MAX, .types = { PTX_F64 }, .signature = "=000", .run = max_double },
};

const struct ptx_forms ptx_min_max_forms = { rows, sizeof rows / sizeof *rows };
