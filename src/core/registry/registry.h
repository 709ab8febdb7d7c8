/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of backends, and the choice of the one that a program gets.
 */
#ifndef RL_REGISTRY_H
#define RL_REGISTRY_H

#include <rill/backend.h>

/* Chooses the backend that the options name, or else the one that $RILL_BACKEND names, or
 * else the usable one of the highest rank. */
rill_status rl_choose_backend(const rill_open_options *options,
                              const struct rill_backend **backend);

/* Finds the first backend whose probe succeeds, in a list that ends in NULL. */
rill_status rl_first_usable(const struct rill_backend *const *backends,
                            const rill_open_options *options,
                            const struct rill_backend **backend);

#endif
