/* SPDX-License-Identifier: Apache-2.0
 *
 * Stacks: sites that stand for a call together with its callers, once somebody asks for callers.
 *
 * Each stack is kept once and for ever, so that equal stacks are one site.
 */
#ifndef CS_STACK_H
#define CS_STACK_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "site/site.h"

enum { CS_FRAMES_MAX = CS_CALLERS_MAX + 1 };

struct cs_stack {
    struct cs_stack *next;             /* of its list; fixed, as is the rest */
    uint32_t count;
    const void *frames[CS_FRAMES_MAX]; /* sites, the innermost first         */
};

/* How many callers sites are to have: cs_keep_callers(). */
extern atomic_uint cs_kept_callers;

/* Returns the site of so many frames, which is that of the first if it is alone, if memory is
 * short, or if there are very many stacks. */
const void *cs_stack_site(const void *const *frames, size_t count);

/* Returns the stack that a site stands for, or NULL if it is the site of a call alone. */
const struct cs_stack *cs_stack_of(const void *site);

#endif
