/* SPDX-License-Identifier: Apache-2.0
 *
 * Models of devices: what a GPU that there is reports of itself, so that a simulated one can
 * be taken for it.  models.c has the tables; nothing else in the tree knows a model.
 */
#ifndef DEVICE_MODEL_H
#define DEVICE_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What all devices of one compute capability have. */
struct device_generation {
    uint16_t capability;       /* 90 is 9.0                                              */
    uint16_t threads;          /* of a multiprocessor                                    */
    uint16_t blocks;           /* of a multiprocessor                                    */
    uint32_t shared;           /* bytes of shared memory of a multiprocessor             */
    uint32_t opt_in;           /* that a block may have of it                            */
    uint16_t reserved;         /* that a block takes besides                             */
    uint8_t single_to_double;  /* how much faster floats are than doubles                */
    uint8_t persisting;        /* sixteenths of the level 2 cache that may be set aside  */
    uint32_t window;           /* bytes of an access policy window, or 0                 */
    uint32_t linear_texture;   /* elements of a texture of linear memory                 */
    uint8_t domains;           /* of memory synchronization                              */
    bool clusters;             /* of blocks; there are                                   */
};

struct device_model {
    const char *key;           /* as a user calls it: "a100"                             */
    const char *name;          /* as a driver does                                       */
    uint16_t capability;
    uint16_t multiprocessors;
    uint32_t memory_mib;
    uint32_t l2_kib;           /* level 2 cache                                          */
    uint32_t clock;            /* MHz, the highest                                       */
    uint32_t memory_clock;     /* MHz                                                    */
    uint16_t bus;              /* bits                                                   */
    uint8_t engines;           /* that copy                                              */
    bool ecc;                  /* memory is checked                                      */
    bool integrated;           /* a Jetson: its memory is the host's, and managed memory is
                                  not for both of them at a time                         */
};

/* The model of devices of which nothing is said; the others follow it. */
extern const struct device_model device_models[];
extern const size_t device_model_count;

/* One row for each, and one of zeros. */
extern const struct device_generation device_generations[];

/* Returns what all devices of the model's compute capability have. */
const struct device_generation *device_generation_of(const struct device_model *model);

/* Reads keys with commas between them: the models of devices 0, 1, ..., of which the last one
 * is that of all that follow.  Writes `count` models.  Returns NULL, or the word that is no
 * key, and its length. */
const char *device_models_read(const char *text, const struct device_model **models,
                               size_t count, size_t *length);

/* Counts the words of such a text. */
size_t device_models_count(const char *text);

/* Writes all keys with blanks between them, cut to `room` bytes. */
void device_models_list(char *text, size_t room);

/* Returns the model of that name, as a driver calls it, or NULL. */
const struct device_model *device_model_named(const char *name);

/* Tells whether the device runs code that was made for a compute capability: with suffix 'a'
 * for that alone, with 'f' for it and later ones of the same family, else for it and all later
 * ones. */
bool device_runs(uint32_t capability, uint32_t wanted, char suffix);

#endif
