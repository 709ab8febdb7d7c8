/* SPDX-License-Identifier: Apache-2.0
 *
 * What a random program is about.
 */
#ifndef THEME_H
#define THEME_H

#include "random/program.h"
#include "support/random.h"

/* How often each verb comes, of the total that it returns; and of 100 uses of a
 * stream, how many go to a default stream. */
int theme_choose(struct dice *dice, int weights[VERBS], int *special);

/* Whether the program has graphs; then they are used often. */
bool theme_with_graphs(struct dice *dice, int weights[VERBS], int *total);

#endif
