/* SPDX-License-Identifier: Apache-2.0
 *
 * What the system knows of the program's own memory.
 */
#ifndef SIM_HOST_PAGES_H
#define SIM_HOST_PAGES_H

#include <stdbool.h>
#include <stdint.h>

/* Tells whether all of the addresses have memory that can be read, or also written.  Returns
 * true where the system does not say. */
bool sim_host_is_there(uint64_t base, uint64_t bytes, bool write);

#endif
