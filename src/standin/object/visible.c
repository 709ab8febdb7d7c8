/* SPDX-License-Identifier: Apache-2.0 */
#include "standin/object/visible.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char prefix[] = "GPU-";

enum { UUID_TEXT = sizeof "GPU-72696c6c-2d73-696d-756c-61746f720000" };

static void write_uuid(const rill_device_info *device, char text[UUID_TEXT])
{
    char *at = text + sprintf(text, "%s", prefix);
    for (int i = 0; i < 16; i++)
        at += sprintf(at, i == 4 || i == 6 || i == 8 || i == 10 ? "-%02x" : "%02x",
                      device->uuid[i]);
}

/* Returns the one device whose UUID begins so, or -1. */
static int find_uuid(const char *entry, size_t length, const rill_device_info *devices, int count)
{
    char text[UUID_TEXT];
    int found = -1;
    for (int i = 0; i < count; i++) {
        write_uuid(&devices[i], text);
        if (length >= sizeof text || memcmp(text, entry, length) != 0) continue;
        if (found >= 0) return -1;
        found = i;
    }
    return found;
}

/* Returns the number at the beginning, if there is such a device, or -1. */
static int read_number(const char *entry, int count)
{
    char *end;
    long number = strtol(entry, &end, 10);
    return end != entry && number >= 0 && number < count ? (int)number : -1;
}

static int is_among(int device, const int *chosen, int count)
{
    for (int i = 0; i < count; i++)
        if (chosen[i] == device) return 1;
    return 0;
}

int si_visible_choose(const char *list, const rill_device_info *devices, int count, int *chosen)
{
    int by_uuid = !strncmp(list, prefix, strlen(prefix)), visible = 0;
    for (;; list++) {
        size_t length = strcspn(list, ",");
        int device = by_uuid ? find_uuid(list, length, devices, count) : read_number(list, count);
        if (device < 0) return visible;
        if (is_among(device, chosen, visible)) return 0;
        chosen[visible++] = device;
        list += length;
        if (!*list) return visible;
    }
}
