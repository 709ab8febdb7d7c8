/* SPDX-License-Identifier: Apache-2.0
 *
 * The layer `held` of the tests: which objects calls have handed out, and nobody has destroyed.
 *
 * A test that is broken off leaves those behind that it meant to destroy.  Memory that the library
 * has still when there are none is the library's own mistake.
 */
#ifndef CONFORMANCE_HELD_H
#define CONFORMANCE_HELD_H

/* Returns the layers of a platform whose calls fail, with this one on top, which it makes known.
 * Returns NULL if $RILL_LAYERS is not `fail`. */
const char *held_layers(void);

/* Returns how many objects are held now. */
long held_objects(void);

#endif
