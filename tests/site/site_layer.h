/* SPDX-License-Identifier: Apache-2.0
 *
 * A layer that takes the site of each call, compiled as a part of the library.
 */
#ifndef SITE_LAYER_H
#define SITE_LAYER_H

#define SITE_LAYER "sites"

/* Registers the layer, the first time. */
void site_layer_register(void);

/* Returns the site of the last call that any of the layer's slots saw. */
const void *site_layer_last(void);

#endif
