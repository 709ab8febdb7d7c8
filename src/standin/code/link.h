/* SPDX-License-Identifier: Apache-2.0
 *
 * Linking.
 */
#ifndef SI_LINK_H
#define SI_LINK_H

/* Ends the linkings that the program did not destroy. */
void si_linkings_end(void);

#endif
