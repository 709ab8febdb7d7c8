/* SPDX-License-Identifier: Apache-2.0
 *
 * Attributes of launches, kernel nodes and streams, between the driver's union of values and
 * rill's.
 */
#ifndef SI_ATTRIBUTE_H
#define SI_ATTRIBUTE_H

#include "standin/abi/abi.h"

/* Tells whether its value names an event, which launches may have and streams may not. */
int si_attribute_has_event(int id);

/* Reads an attribute.  Unknown numbers pass: rill refuses them. */
CUresult si_attribute_read(int id, const CUlaunchAttributeValue *value, rill_attribute *attribute);

/* Writes the bytes of such a value, and no more. */
void si_attribute_write(const rill_attribute *attribute, CUlaunchAttributeValue *value);

#endif
