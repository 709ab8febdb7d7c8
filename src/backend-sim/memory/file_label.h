/* SPDX-License-Identifier: Apache-2.0
 *
 * Files of device memory that processes share: the memory and, behind it, a label that tells
 * another process what it is.  Their size is fixed for good, so that no process can take the
 * memory away from another.
 */
#ifndef SIM_MEMORY_FILE_LABEL_H
#define SIM_MEMORY_FILE_LABEL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct file_label {
    char what[24];
    uint64_t bytes; /* of the memory */
    int32_t device, reserved;
};

/* Makes the file of so many bytes of a device's memory.  Returns -1 if the system refuses. */
int sim_labelled_file(const char *what, uint64_t bytes, int device);

/* Reads the label of a file.  Returns false if it is no file of that kind; else `id` tells which
 * of all such files on the machine it is. */
bool sim_label_read(int file, const char *what, struct file_label *label, uint64_t *id);

#endif
