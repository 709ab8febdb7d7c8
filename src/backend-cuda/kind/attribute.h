/* SPDX-License-Identifier: Apache-2.0
 *
 * Attributes of launches, nodes and streams, in the driver's form.
 */
#ifndef CUDA_KIND_ATTRIBUTE_H
#define CUDA_KIND_ATTRIBUTE_H

#include "backend-cuda/context/context.h"

#define CUDA_ATTRIBUTES_MAX 32 /* of a launch or a node, kind_kernel.c */

/* Returns whether the value of an attribute has an event in it. */
bool cuda_has_event(rill_attribute_id id);

void cuda_write_attribute(const rill_attribute *attribute, CUlaunchAttribute *raw);

/* attribute->id is set by the caller. */
void cuda_read_attribute(const CUlaunchAttributeValue *raw, rill_attribute *attribute);

/* The part of an attribute that the driver will have refused: "attribute->domain";
 * "attribute->id" when it is none of the object's. */
const char *cuda_blame_attribute(const rill_attribute *attribute);

#endif
