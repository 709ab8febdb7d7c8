/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of layers, and how those that a program asks for are put over its backend.
 */
#ifndef RL_REGISTRY_LAYERS_H
#define RL_REGISTRY_LAYERS_H

#include <rill/layer.h>

/* Puts the layers that the options name, or else those that $RILL_LAYERS names, over *backend,
 * which receives what stands on top; leaves it alone if there are none.  What is made is the
 * platform's, and goes with the platform's object. */
rill_status rl_put_layers(const rill_open_options *options, const struct rill_backend **backend);

/* Checks that $RILL_LAYERS names layers that there are. */
rill_status rl_check_layer_names(void);

#endif
