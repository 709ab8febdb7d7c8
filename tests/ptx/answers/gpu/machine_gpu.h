/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MACHINE_GPU_H
#define MACHINE_GPU_H

#include "ptx/machine.h"

/* The first GPU: its name and driver in words; false: there is none. */
bool gpu_open(char *words, size_t room);

/* Nothing can run any more: something that ran before has taken the context with it. */
bool gpu_lost(void);

/* False: it is refused, and `words` say why. */
bool gpu_try_load(struct machine *machine, const char *text, char *words, size_t room);

#endif
