/* SPDX-License-Identifier: Apache-2.0
 *
 * How the addresses of lanes lie to each other.
 */
#ifndef PTX_RUN_DISTANCES_H
#define PTX_RUN_DISTANCES_H

#include <stdbool.h>
#include <stdint.h>

/* Returns true if each of the lanes `from` to `last` - 1 is at this distance from the next. */
bool ptx_are_at(const uint64_t *base, uint32_t from, uint32_t last, uint64_t distance);

/* Returns true if each of `lanes` lanes is at this distance from the one `width` lanes on. */
bool ptx_repeat_at(const uint64_t *base, uint32_t lanes, uint32_t width, uint64_t distance);

/* Returns the bits that are set in any of the lanes' addresses, `offset` further on. */
uint64_t ptx_bits_at(const uint64_t *base, uint32_t from, uint32_t to, uint64_t offset);

/* Returns the same bits, and in `beyond` those of how far below `room` they are: the top one is set
 * if one of them is not, for rooms of up to 63 bits. */
uint64_t ptx_bits_within(const uint64_t *base, uint32_t from, uint32_t to, uint64_t offset,
                         uint64_t room, uint64_t *beyond);

#endif
