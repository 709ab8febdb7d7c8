/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions of CUDA's libdevice that are no instructions, by the host's library of mathematics.
 * nvcc puts libdevice's own code into a text; what `rill cc` compiles calls these.
 */
#include <math.h>
#include <string.h>

#include "ptx/builtin/bessel.h"
#include "ptx/builtin/builtin.h"
#include "ptx/builtin/error_function.h"
#include "ptx/run/memory.h"

/* ---- Functions that hosts need not have ---------------------------------------------------- */

#define PI 3.14159265358979323846

/* Multiples of a half are exact. */
static double sine_of_turns(double x)
{
    double rest = remainder(x, 2);
    if (fabs(rest) > 0.5) rest = copysign(1, rest) - rest;
    return sin(PI * rest);
}

static double cosine_of_turns(double x)
{
    return sin(PI * (0.5 - fabs(remainder(x, 2))));
}

static double normal_share(double x)
{
    return erfc(-x / sqrt(2)) / 2;
}

/* lgamma() itself leaves the sign where a program could notice. */
static double log_gamma(double x)
{
    int sign;
    return lgamma_r(x, &sign);
}

static float log_gamma_single(float x)
{
    int sign;
    return lgammaf_r(x, &sign);
}

/* ---- Over lanes ---------------------------------------------------------------------------- */

/* A function of each lane's x, or x and y. */
#define OF_1(name, to, from, value)                                                             \
    static void name(struct ptx_group *group, const struct ptx_step *step)                      \
    {                                                                                           \
        const from *a = PTX_ARGUMENT(group, step, 0, const from);                               \
        to *d = step->d == PTX_NO_COLUMN ? NULL : PTX_COLUMN(group, step->d, to);               \
        PTX_IN_TURN(group, i) {                                                                 \
            const from x = a[i];                                                                \
            if (d) d[i] = (to)(value);                                                          \
        }                                                                                       \
    }
#define OF_2(name, to, first, second, value)                                                    \
    static void name(struct ptx_group *group, const struct ptx_step *step)                      \
    {                                                                                           \
        const first *a = PTX_ARGUMENT(group, step, 0, const first);                             \
        const second *b = PTX_ARGUMENT(group, step, 1, const second);                           \
        to *d = step->d == PTX_NO_COLUMN ? NULL : PTX_COLUMN(group, step->d, to);               \
        PTX_IN_TURN(group, i) {                                                                 \
            const first x = a[i];                                                               \
            const second y = b[i];                                                              \
            if (d) d[i] = (to)(value);                                                          \
        }                                                                                       \
    }

/* Those that C names as libdevice does, with an f for float. */
#define BOTH_1(name)                                                                            \
    OF_1(run_##name##f, float, float, name##f(x))                                               \
    OF_1(run_##name, double, double, name(x))
#define BOTH_2(name, single, wide)                                                              \
    OF_2(run_##name##f, float, float, single, name##f(x, y))                                    \
    OF_2(run_##name, double, double, wide, name(x, y))

BOTH_1(acos)
BOTH_1(acosh)
BOTH_1(asin)
BOTH_1(asinh)
BOTH_1(atan)
BOTH_1(atanh)
BOTH_1(cbrt)
BOTH_1(cos)
BOTH_1(cosh)
BOTH_1(erf)
BOTH_1(erfc)
BOTH_1(exp)
BOTH_1(exp2)
BOTH_1(expm1)
BOTH_1(log)
BOTH_1(log10)
BOTH_1(log1p)
BOTH_1(log2)
BOTH_1(logb)
BOTH_1(sin)
BOTH_1(sinh)
BOTH_1(tan)
BOTH_1(tanh)
BOTH_1(tgamma)
OF_1(run_exp10f, float, float, pow(10, x))
OF_1(run_exp10, double, double, pow(10, x))
OF_1(run_sinpif, float, float, sine_of_turns(x))
OF_1(run_sinpi, double, double, sine_of_turns(x))
OF_1(run_cospif, float, float, cosine_of_turns(x))
OF_1(run_cospi, double, double, cosine_of_turns(x))
OF_1(run_normcdff, float, float, normal_share(x))
OF_1(run_normcdf, double, double, normal_share(x))
OF_1(run_lgammaf, float, float, log_gamma_single(x))
OF_1(run_lgamma, double, double, log_gamma(x))
OF_1(run_normcdfinvf, float, float, -sqrt(2) * ptx_inverse_erfc(2 * (double)x))
OF_1(run_normcdfinv, double, double, -sqrt(2) * ptx_inverse_erfc(2 * x))
OF_1(run_erfinvf, float, float, ptx_inverse_erf(x))
OF_1(run_erfinv, double, double, ptx_inverse_erf(x))
OF_1(run_erfcinvf, float, float, ptx_inverse_erfc(x))
OF_1(run_erfcinv, double, double, ptx_inverse_erfc(x))
OF_1(run_erfcxf, float, float, ptx_scaled_erfc(x))
OF_1(run_erfcx, double, double, ptx_scaled_erfc(x))
OF_1(run_cyl_bessel_i0f, float, float, ptx_bessel_i(0, x))
OF_1(run_cyl_bessel_i0, double, double, ptx_bessel_i(0, x))
OF_1(run_cyl_bessel_i1f, float, float, ptx_bessel_i(1, x))
OF_1(run_cyl_bessel_i1, double, double, ptx_bessel_i(1, x))
OF_1(run_j0f, float, float, j0(x))
OF_1(run_j0, double, double, j0(x))
OF_1(run_j1f, float, float, j1(x))
OF_1(run_j1, double, double, j1(x))
OF_1(run_y0f, float, float, y0(x))
OF_1(run_y0, double, double, y0(x))
OF_1(run_y1f, float, float, y1(x))
OF_1(run_y1, double, double, y1(x))
OF_1(run_ilogbf, int32_t, float, ilogbf(x))
OF_1(run_ilogb, int32_t, double, ilogb(x))
BOTH_2(atan2, float, double)
BOTH_2(fmod, float, double)
BOTH_2(hypot, float, double)
BOTH_2(nextafter, float, double)
BOTH_2(pow, float, double)
BOTH_2(remainder, float, double)
BOTH_2(ldexp, int32_t, int32_t)
OF_2(run_jnf, float, int32_t, float, jn(x, y))
OF_2(run_jn, double, int32_t, double, jn(x, y))
OF_2(run_ynf, float, int32_t, float, yn(x, y))
OF_2(run_yn, double, int32_t, double, yn(x, y))

/* ---- The table ----------------------------------------------------------------------------- */

#define ROWS_1(name)                                                                            \
    { "__nv_" #name "f", 4, 1, { 4 }, run_##name##f }, { "__nv_" #name, 8, 1, { 8 }, run_##name }
#define ROWS_2(name)                                                                            \
    { "__nv_" #name "f", 4, 2, { 4, 4 }, run_##name##f },                                       \
    { "__nv_" #name, 8, 2, { 8, 8 }, run_##name }

static const struct ptx_builtin functions[] = {
    ROWS_1(acos), ROWS_1(acosh), ROWS_1(asin), ROWS_1(asinh), ROWS_1(atan), ROWS_1(atanh),
    ROWS_1(cbrt), ROWS_1(cos), ROWS_1(cosh), ROWS_1(cospi), ROWS_1(cyl_bessel_i0),
    ROWS_1(cyl_bessel_i1), ROWS_1(erf), ROWS_1(erfc), ROWS_1(erfcinv), ROWS_1(erfcx),
    ROWS_1(erfinv), ROWS_1(exp), ROWS_1(exp10), ROWS_1(exp2), ROWS_1(expm1), ROWS_1(j0),
    ROWS_1(j1), ROWS_1(lgamma), ROWS_1(log), ROWS_1(log10), ROWS_1(log1p), ROWS_1(log2),
    ROWS_1(logb), ROWS_1(normcdf), ROWS_1(normcdfinv), ROWS_1(sin), ROWS_1(sinh), ROWS_1(sinpi),
    ROWS_1(tan), ROWS_1(tanh), ROWS_1(tgamma), ROWS_1(y0), ROWS_1(y1),
    ROWS_2(atan2), ROWS_2(fmod), ROWS_2(hypot), ROWS_2(nextafter), ROWS_2(pow), ROWS_2(remainder),
    { "__nv_ldexpf", 4, 2, { 4, 4 }, run_ldexpf }, { "__nv_ldexp", 8, 2, { 8, 4 }, run_ldexp },
    { "__nv_jnf", 4, 2, { 4, 4 }, run_jnf }, { "__nv_jn", 8, 2, { 4, 8 }, run_jn },
    { "__nv_ynf", 4, 2, { 4, 4 }, run_ynf }, { "__nv_yn", 8, 2, { 4, 8 }, run_yn },
    { "__nv_ilogbf", 4, 1, { 4 }, run_ilogbf }, { "__nv_ilogb", 4, 1, { 8 }, run_ilogb },
};

const struct ptx_builtin *ptx_find_libdevice_function(const char *name)
{
    if (strncmp(name, "__nv_", 5) != 0) return NULL;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(functions[i].name, name) == 0) return &functions[i];
    return NULL;
}
