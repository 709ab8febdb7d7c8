/* SPDX-License-Identifier: Apache-2.0 */
#include "device/model.h"

#include <stdio.h>
#include <string.h>

/* Each model's compute capability has its row. */
const struct device_generation *device_generation_of(const struct device_model *model)
{
    const struct device_generation *row = device_generations;
    while (row->capability != model->capability) row++;
    return row;
}

const struct device_model *device_model_named(const char *name)
{
    for (size_t i = 0; i < device_model_count; i++)
        if (!strcmp(device_models[i].name, name)) return &device_models[i];
    return NULL;
}

static const struct device_model *find_model(const char *word, size_t length)
{
    for (size_t i = 0; i < device_model_count; i++) {
        const char *key = device_models[i].key;
        if (strlen(key) == length && !memcmp(key, word, length)) return &device_models[i];
    }
    return NULL;
}

const char *device_models_read(const char *text, const struct device_model **models,
                               size_t count, size_t *length)
{
    const struct device_model *last = device_models;
    size_t done = 0;
    for (bool more = *text; more; text += *length + 1) {
        *length = strcspn(text, ",");
        last = find_model(text, *length);
        if (!last) return text;
        if (done < count) models[done++] = last;
        more = text[*length];
    }
    while (done < count) models[done++] = last;
    return NULL;
}

size_t device_models_count(const char *text)
{
    size_t words = *text != 0;
    for (; *text; text++) words += *text == ',';
    return words;
}

void device_models_list(char *text, size_t room)
{
    size_t used = 0;
    *text = 0;
    for (size_t i = 0; i < device_model_count && used < room; i++)
        used += (size_t)snprintf(text + used, room - used, i ? " %s" : "%s",
                                 device_models[i].key);
}

bool device_runs(uint32_t capability, uint32_t wanted, char suffix)
{
    if (suffix == 'a') return capability == wanted;
    if (suffix == 'f') return capability >= wanted && capability / 10 == wanted / 10;
    return capability >= wanted;
}
