/* SPDX-License-Identifier: Apache-2.0
 *
 * Chance: one stream of numbers for each step of each seed, so that a step that went
 * another way changes no later one.
 */
#include "random.h"

static uint64_t mixed(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

void dice_seed(struct world *w, unsigned long seed, int step)
{
    w->dice = mixed(mixed(seed) + (uint64_t)step);
}

unsigned dice(struct world *w, unsigned sides)
{
    w->dice += 0x9e3779b97f4a7c15u;
    return (unsigned)((mixed(w->dice) >> 33) % sides);
}

bool chance(struct world *w, unsigned in)
{
    return dice(w, in) == 0;
}

void choose(struct world *w, const struct choice *choices, size_t count)
{
    unsigned sum = 0;
    for (size_t i = 0; i < count; i++) sum += choices[i].weight;
    unsigned at = dice(w, sum);
    for (size_t i = 0; i < count; i++) {
        if (at < choices[i].weight) {
            choices[i].run(w);
            return;
        }
        at -= choices[i].weight;
    }
}
