/* SPDX-License-Identifier: Apache-2.0
 *
 * Two or four registers in one.
 */
#include "ptx/step/pack.h"

#include "ptx/run/vectorize.h"

#define PACK_2(element, whole, shift)                                                         \
    static void pack_2_##element(struct ptx_group *group, const struct ptx_step *step)        \
    {                                                                                         \
        whole *d = PTX_COLUMN(group, step->d, whole);                                         \
        const element *a = PTX_COLUMN(group, step->a, element);                               \
        const element *b = PTX_COLUMN(group, step->b, element);                               \
        PTX_EACH_LANE(group, i) d[i] = (whole)((whole)a[i] | (whole)b[i] << (shift));         \
    }                                                                                         \
    static void unpack_2_##element(struct ptx_group *group, const struct ptx_step *step)      \
    {                                                                                         \
        const whole *a = PTX_COLUMN(group, step->a, whole);                                   \
        element *d = PTX_COLUMN(group, step->d, element);                                     \
        element *b = PTX_COLUMN(group, step->b, element);                                     \
        PTX_EACH_LANE(group, i)                                                               \
        {                                                                                     \
            whole bits = a[i];                                                                \
            d[i] = (element)bits;                                                             \
            b[i] = (element)(bits >> (shift));                                                \
        }                                                                                     \
    }

#define PACK_4(element, whole, shift)                                                         \
    static void pack_4_##element(struct ptx_group *group, const struct ptx_step *step)        \
    {                                                                                         \
        whole *d = PTX_COLUMN(group, step->d, whole);                                         \
        const element *a = PTX_COLUMN(group, step->a, element);                               \
        const element *b = PTX_COLUMN(group, step->b, element);                               \
        const element *c = PTX_COLUMN(group, step->c, element);                               \
        const element *e = PTX_COLUMN(group, step->e, element);                               \
        PTX_EACH_LANE(group, i)                                                               \
            d[i] = (whole)a[i] | (whole)b[i] << (shift) | (whole)c[i] << 2 * (shift) |        \
                   (whole)e[i] << 3 * (shift);                                                \
    }                                                                                         \
    static void unpack_4_##element(struct ptx_group *group, const struct ptx_step *step)      \
    {                                                                                         \
        const whole *a = PTX_COLUMN(group, step->a, whole);                                   \
        element *d = PTX_COLUMN(group, step->d, element);                                     \
        element *b = PTX_COLUMN(group, step->b, element);                                     \
        element *c = PTX_COLUMN(group, step->c, element);                                     \
        element *e = PTX_COLUMN(group, step->e, element);                                     \
        PTX_EACH_LANE(group, i)                                                               \
        {                                                                                     \
            whole bits = a[i];                                                                \
            d[i] = (element)bits;                                                             \
            b[i] = (element)(bits >> (shift));                                                \
            c[i] = (element)(bits >> 2 * (shift));                                            \
            e[i] = (element)(bits >> 3 * (shift));                                            \
        }                                                                                     \
    }

/* C has no type for a whole of 128 bits: it is its elements, side by side. */
static void pack_2_uint64_t(struct ptx_group *group, const struct ptx_step *step)
{
    uint64_t *d = PTX_COLUMN(group, step->d, uint64_t);
    const uint64_t *a = PTX_COLUMN(group, step->a, uint64_t);
    const uint64_t *b = PTX_COLUMN(group, step->b, uint64_t);
    PTX_EACH_LANE(group, i)
    {
        d[2 * i] = a[i];
        d[2 * i + 1] = b[i];
    }
}

static void unpack_2_uint64_t(struct ptx_group *group, const struct ptx_step *step)
{
    const uint64_t *a = PTX_COLUMN(group, step->a, uint64_t);
    uint64_t *d = PTX_COLUMN(group, step->d, uint64_t);
    uint64_t *b = PTX_COLUMN(group, step->b, uint64_t);
    PTX_EACH_LANE(group, i)
    {
        d[i] = a[2 * i];
        b[i] = a[2 * i + 1];
    }
}

static void pack_4_uint32_t(struct ptx_group *group, const struct ptx_step *step)
{
    uint32_t *d = PTX_COLUMN(group, step->d, uint32_t);
    const uint32_t *a = PTX_COLUMN(group, step->a, uint32_t);
    const uint32_t *b = PTX_COLUMN(group, step->b, uint32_t);
    const uint32_t *c = PTX_COLUMN(group, step->c, uint32_t);
    const uint32_t *e = PTX_COLUMN(group, step->e, uint32_t);
    PTX_EACH_LANE(group, i)
    {
        d[4 * i] = a[i];
        d[4 * i + 1] = b[i];
        d[4 * i + 2] = c[i];
        d[4 * i + 3] = e[i];
    }
}

static void unpack_4_uint32_t(struct ptx_group *group, const struct ptx_step *step)
{
    const uint32_t *a = PTX_COLUMN(group, step->a, uint32_t);
    uint32_t *d = PTX_COLUMN(group, step->d, uint32_t);
    uint32_t *b = PTX_COLUMN(group, step->b, uint32_t);
    uint32_t *c = PTX_COLUMN(group, step->c, uint32_t);
    uint32_t *e = PTX_COLUMN(group, step->e, uint32_t);
    PTX_EACH_LANE(group, i)
    {
        d[i] = a[4 * i];
        b[i] = a[4 * i + 1];
        c[i] = a[4 * i + 2];
        e[i] = a[4 * i + 3];
    }
}

PACK_2(uint8_t, uint16_t, 8)
PACK_2(uint16_t, uint32_t, 16)
PACK_2(uint32_t, uint64_t, 32)
PACK_4(uint8_t, uint32_t, 8)
PACK_4(uint16_t, uint64_t, 16)

static const struct ptx_packing packings[] = {
    { PTX_B16, PTX_B8, 2, pack_2_uint8_t, unpack_2_uint8_t },
    { PTX_B32, PTX_B16, 2, pack_2_uint16_t, unpack_2_uint16_t },
    { PTX_B32, PTX_B8, 4, pack_4_uint8_t, unpack_4_uint8_t },
    { PTX_B64, PTX_B32, 2, pack_2_uint32_t, unpack_2_uint32_t },
    { PTX_B64, PTX_B16, 4, pack_4_uint16_t, unpack_4_uint16_t },
    { PTX_B128, PTX_B64, 2, pack_2_uint64_t, unpack_2_uint64_t },
    { PTX_B128, PTX_B32, 4, pack_4_uint32_t, unpack_4_uint32_t },
};

const struct ptx_packing *ptx_find_packing(enum ptx_type whole, uint32_t count)
{
    for (unsigned i = 0; i < sizeof packings / sizeof *packings; i++)
        if (packings[i].whole == whole && packings[i].count == count) return &packings[i];
    return NULL;
}
