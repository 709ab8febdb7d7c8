/* SPDX-License-Identifier: Apache-2.0
 *
 * What the system knows of the program's own memory.
 */
#ifndef SIM_HOST_PAGES_H
#define SIM_HOST_PAGES_H

#include <stdbool.h>
#include <stdint.h>

/* Whether there is memory behind all of the addresses, to read or also to write, as far
 * as the system tells: where it tells nothing, the answer is yes. */
bool sim_host_is_there(uint64_t base, uint64_t bytes, bool write);

#endif
