/* SPDX-License-Identifier: Apache-2.0
 *
 * Attributes of launches, nodes and streams, in the driver's form.
 */
#ifndef CUDA_KIND_ATTRIBUTE_H
#define CUDA_KIND_ATTRIBUTE_H

#include "backend-cuda/context/context.h"

/* Returns whether the value of an attribute has an event in it. */
bool cuda_has_event(rill_attribute_id id);

/* Writes the driver's form of an attribute. */
void cuda_write_attribute(const rill_attribute *attribute, CUlaunchAttribute *raw);

/* Reads the value of an attribute, whose `id` is set. */
void cuda_read_attribute(const CUlaunchAttributeValue *raw, rill_attribute *attribute);

/* Returns the part of an attribute that the driver is likely to have refused,
 * "attribute->domain"; it is "attribute->id" if the object has no such attribute. */
const char *cuda_blame_attribute(const rill_attribute *attribute);

#endif
