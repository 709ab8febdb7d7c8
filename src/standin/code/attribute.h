/* SPDX-License-Identifier: Apache-2.0
 *
 * Attributes of launches, kernel nodes and streams: the driver's union of values and
 * rill's, one into the other.
 */
#ifndef SI_ATTRIBUTE_H
#define SI_ATTRIBUTE_H

#include "standin/abi/abi.h"

/* Numbers that neither knows go through: refusing them is rill's. */
/* Whether its value names an event, which launches may have and streams not. */
int si_attribute_has_event(int id);

CUresult si_attribute_read(int id, const CUlaunchAttributeValue *value, rill_attribute *attribute);

/* Writes what the kind of value has, and nothing beyond it. */
void si_attribute_write(const rill_attribute *attribute, CUlaunchAttributeValue *value);

#endif
