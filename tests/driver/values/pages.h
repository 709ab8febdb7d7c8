/* SPDX-License-Identifier: Apache-2.0
 *
 * Words of pinned memory that streams write and wait for.
 */
#ifndef ORACLE_VALUES_PAGES_H
#define ORACLE_VALUES_PAGES_H

#include "../streams.h"

/* A zeroed page of pinned host memory and its device address. */
typedef struct {
    volatile uint32_t *h;
    CUdeviceptr d;
} Page;
CUresult make_page(Page *g);

/* Atomically, as streams do. */
void store_word(volatile uint32_t *p, uint32_t v);
uint32_t load_word(volatile uint32_t *p);

#endif
