/* SPDX-License-Identifier: Apache-2.0
 *
 * The sentence about a hang, which grows while the hang is looked at.
 */
#ifndef SIM_SCHEDULE_HANG_WORDS_H
#define SIM_SCHEDULE_HANG_WORDS_H

#include <stddef.h>

#include "backend-sim/guard/call_guard.h"

struct hang_words {
    char text[SIM_FAULT_MAX];
    size_t length;
};

/* Begins the sentence: that the program hangs. */
void sim_hang_begin(struct hang_words *words);

/* Adds to the sentence.  What does not fit is cut. */
void sim_hang_add(struct hang_words *words, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
