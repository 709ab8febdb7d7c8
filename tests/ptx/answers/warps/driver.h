/* SPDX-License-Identifier: Apache-2.0
 *
 * What the programs that ask a GPU need of its driver, found when they run.
 */
#ifndef PTX_GPU_DRIVER_H
#define PTX_GPU_DRIVER_H

#include <stddef.h>
#include <stdint.h>

typedef int result;

extern struct driver {
    result (*init)(unsigned flags);
    result (*device)(int *device, int ordinal);
    result (*name)(char *name, int room, int device);
    result (*version)(int *version);
    result (*retain)(void **context, int device);
    result (*current)(void *context);
    result (*synchronize)(void);
    result (*allocate)(uint64_t *address, size_t bytes);
    result (*release)(uint64_t address);
    result (*fill)(uint64_t address, unsigned char value, size_t bytes);
    result (*copy_in)(uint64_t to, const void *from, size_t bytes);
    result (*copy_out)(void *to, uint64_t from, size_t bytes);
    result (*load)(void **module, const void *image, unsigned count, int *options, void **values);
    result (*unload)(void *module);
    result (*function)(void **function, void *module, const char *name);
    result (*launch)(void *function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                     unsigned shared, void *stream, void **params, void **extra);
} cu;

/* Opens the first GPU, and prints its name and the driver's version.  Returns 0 if there is none,
 * which it has said then. */
int driver_open(void);

/* An argument of a kernel: a copy goes to the GPU, and back after the launch if `out`. */
struct driver_buffer {
    void *bytes;
    size_t count;
    int out;
};

/* Runs a kernel of a text on its arguments; `words` receives what the driver says of the text. */
result driver_run(const char *text, const char *kernel, unsigned blocks, unsigned threads,
                  const struct driver_buffer *buffers, int count, char *words, size_t room);

#endif
