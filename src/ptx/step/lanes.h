/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps whose lanes are one expression: of x, or of x and y, or of x, y and z, which are
 * this lane's sources in their order.
 *
 *     PTX_LANES_2(add_32, uint32_t, uint32_t, uint32_t, x + y)
 */
#ifndef PTX_STEP_LANES_H
#define PTX_STEP_LANES_H

#include "ptx/step/form.h"

#define PTX_LANES_1(name, to, from, value) \
    static void name(struct ptx_group *group, const struct ptx_step *step) \
    { \
        to *d = PTX_COLUMN(group, step->d, to); \
        const from *a = PTX_COLUMN(group, step->a, from); \
        PTX_EACH_LANE(group, i) { \
            from x = a[i]; \
            d[i] = (to)(value); \
        } \
    }

#define PTX_LANES_2(name, to, first, second, value) \
    static void name(struct ptx_group *group, const struct ptx_step *step) \
    { \
        to *d = PTX_COLUMN(group, step->d, to); \
        const first *a = PTX_COLUMN(group, step->a, first); \
        const second *b = PTX_COLUMN(group, step->b, second); \
        PTX_EACH_LANE(group, i) { \
            first x = a[i]; \
            second y = b[i]; \
            d[i] = (to)(value); \
        } \
    }

#define PTX_LANES_3(name, to, first, second, third, value) \
    static void name(struct ptx_group *group, const struct ptx_step *step) \
    { \
        to *d = PTX_COLUMN(group, step->d, to); \
        const first *a = PTX_COLUMN(group, step->a, first); \
        const second *b = PTX_COLUMN(group, step->b, second); \
        const third *c = PTX_COLUMN(group, step->c, third); \
        PTX_EACH_LANE(group, i) { \
            first x = a[i]; \
            second y = b[i]; \
            third z = c[i]; \
            d[i] = (to)(value); \
        } \
    }

#endif
