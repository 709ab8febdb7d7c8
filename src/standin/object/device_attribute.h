/* SPDX-License-Identifier: Apache-2.0
 *
 * Attributes of devices, and their bus numbers.
 */
#ifndef SI_DEVICE_ATTRIBUTE_H
#define SI_DEVICE_ATTRIBUTE_H

#include "standin/object/machine.h"

struct si_bus_id {
    int domain, bus, slot;
};

/* Reads "0000:01:00.0", also without the domain or the function.  Returns 0 if the text is
 * no such number. */
int si_read_bus_id(const char *text, struct si_bus_id *id);
struct si_bus_id si_device_bus_id(const struct si_device *device);

struct device_model;

/* Returns the model that the device is of. */
const struct device_model *si_device_model(const struct si_device *device);

/* Returns 0 if there is no such attribute. */
int si_device_attribute(const struct si_device *device, int attribute, int *value);

#endif
