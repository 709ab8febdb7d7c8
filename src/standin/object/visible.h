/* SPDX-License-Identifier: Apache-2.0
 *
 * $CUDA_VISIBLE_DEVICES: which devices a program finds, and in which order.
 *
 * Between commas there are either numbers, of which what comes after the digits does not count, or
 * the beginnings of UUIDs, "GPU-72696c6c"; the first entry says which.  What comes after the first
 * entry that is wrong does not count either, and a device that is there twice leaves none.
 */
#ifndef SI_VISIBLE_H
#define SI_VISIBLE_H

#include <rill/platform.h>

/* Chooses from `count` devices, whose records are in `devices`, at most all.  Returns how many are
 * visible; their numbers are in `chosen`. */
int si_visible_choose(const char *list, const rill_device_info *devices, int count, int *chosen);

#endif
