/* SPDX-License-Identifier: Apache-2.0
 *
 * The backends that there are, and which one a program gets.
 */
#ifndef RL_REGISTRY_H
#define RL_REGISTRY_H

#include <rill/backend.h>

/* The backend of that name, else the one that $RILL_BACKEND names, else the
 * usable one of the highest rank. */
rill_status rl_choose_backend(const rill_open_options *options,
                              const struct rill_backend **backend);

/* The first whose probe succeeds, of a list that ends in NULL. */
rill_status rl_first_usable(const struct rill_backend *const *backends,
                            const rill_open_options *options,
                            const struct rill_backend **backend);

#endif
