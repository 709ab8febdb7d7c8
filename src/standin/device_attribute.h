/* SPDX-License-Identifier: Apache-2.0
 *
 * Attributes of devices.
 */
#ifndef SI_DEVICE_ATTRIBUTE_H
#define SI_DEVICE_ATTRIBUTE_H

#include "standin/current.h"

struct si_bus_id {
    int domain, bus, slot;
};

struct si_bus_id si_device_bus_id(const struct si_device *device);

/* 0: there is no such attribute. */
int si_device_attribute(const struct si_device *device, int attribute, int *value);

#endif
