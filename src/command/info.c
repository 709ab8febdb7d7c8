/* SPDX-License-Identifier: Apache-2.0
 *
 * `rill info`: what a program under `rill run` finds, asked of the stand-in itself, and
 * what programs that are written for rill find.
 */
#include "command/command.h"
#include "device/model.h"

#include <rill/rill.h>
#include <rill/sim.h>

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Backends ---------------------------------------------------------------- */

/* "8 GiB", "1.5 GiB". */
static void print_bytes(uint64_t bytes)
{
    static const char *const units[] = { "bytes", "KiB", "MiB", "GiB", "TiB" };
    double amount = (double)bytes;
    size_t unit = 0;
    while (amount >= 1024 && unit + 1 < sizeof units / sizeof *units) {
        amount /= 1024;
        unit++;
    }
    bool whole = amount == (double)(uint64_t)amount;
    printf("%.*f %s", whole ? 0 : 1, amount, units[unit]);
}

static void print_devices(rill_platform *platform)
{
    rill_device_info info = { .size = sizeof info };
    int count = 0;
    if (rill_device_count(platform, &count)) count = 0;
    printf("%d %s", count, count == 1 ? "device" : "devices");
    if (count && !rill_device_get_info(platform, 0, &info)) {
        printf(", %s, ", info.name);
        print_bytes(info.memory_bytes);
        if (info.workers)
            printf(", %d %s", info.workers, info.workers == 1 ? "worker" : "workers");
    }
    putchar('\n');
}

/* Why the last rill_open() failed, without saying again that it did. */
static const char *reason(void)
{
    static const char verdict[] = "cannot be used: ";
    const char *message = rill_last_error()->message, *found = strstr(message, verdict);
    return found ? found + sizeof verdict - 1 : message;
}

static void print_backend(const char *name)
{
    rill_open_options options = { .size = sizeof options, .backend = name };
    rill_platform *platform;
    printf("  %-9s", name);
    if (rill_open(&options, &platform)) {
        printf("cannot be used: %s\n", reason());
        return;
    }
    print_devices(platform);
    rill_close(&platform);
}

/* Lists what --device takes. */
static void print_models(void)
{
    char models[256];
    device_models_list(models, sizeof models);
    printf("  (--device takes %s)\n", models);
}

static void print_backends(void)
{
    const char *name;
    puts("backends");
    for (size_t i = 0; (name = rill_backend_name(i)); i++) print_backend(name);
    print_models();
}

/* ---- The stand-in ------------------------------------------------------------ */

/* The few calls that are needed here, by the driver's own names and numbers. */
enum { NO_DEVICE = 100, COMPUTE_MAJOR = 75, COMPUTE_MINOR = 76 };

struct driver {
    int (*init)(unsigned flags);
    int (*version)(int *version);
    int (*device_count)(int *count);
    int (*device_name)(char *name, int size, int device);
    int (*device_memory)(size_t *bytes, int device);
    int (*device_attribute)(int *value, int attribute, int device);
};

static bool find(void *library, const char *name, void *function)
{
    void *address = dlsym(library, name);
    memcpy(function, &address, sizeof address);
    return address;
}

static bool find_calls(void *library, struct driver *driver)
{
    return find(library, "cuInit", &driver->init) &&
           find(library, "cuDriverGetVersion", &driver->version) &&
           find(library, "cuDeviceGetCount", &driver->device_count) &&
           find(library, "cuDeviceGetName", &driver->device_name) &&
           find(library, "cuDeviceTotalMem_v2", &driver->device_memory) &&
           find(library, "cuDeviceGetAttribute", &driver->device_attribute);
}

/* Devices are numbered from 0, and their handles are their numbers. */
static void print_simulated(const struct driver *driver)
{
    char name[128];
    int count = 0, major = 0, minor = 0;
    size_t bytes = 0;
    if (driver->device_count(&count)) count = 0;
    for (int i = 0; i < count; i++) {
        snprintf(name, sizeof name, "(no name)");
        driver->device_name(name, sizeof name, i);
        driver->device_memory(&bytes, i);
        driver->device_attribute(&major, COMPUTE_MAJOR, i);
        driver->device_attribute(&minor, COMPUTE_MINOR, i);
        printf("  device %-2d%s, ", i, name);
        print_bytes(bytes);
        printf(", compute capability %d.%d\n", major, minor);
    }
}

static int print_standin(const char *folder)
{
    char path[COMMAND_PATH_MAX + 32], others[256];
    struct driver driver;
    int version = 0, status;
    snprintf(path, sizeof path, "%s/libcuda.so.1", folder);
    printf("stand-in\n  library  %s\n", path);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) return command_fail(COMMAND_FAILED, "info", "%s", dlerror());
    if (!find_calls(library, &driver))
        return command_fail(COMMAND_FAILED, "info", "%s is not a driver: %s", path, dlerror());
    if ((status = driver.init(0)) == NO_DEVICE)
        return command_fail(COMMAND_FAILED, "info", "a program finds no device: "
                            "CUDA_VISIBLE_DEVICES is \"%s\"", getenv("CUDA_VISIBLE_DEVICES"));
    if (status || (status = driver.version(&version)))
        return command_fail(COMMAND_FAILED, "info", "the stand-in does not start: error %d",
                            status);
    printf("  driver   CUDA %d.%d", version / 1000, version % 1000 / 10);
    command_list_drivers(others, sizeof others);
    printf(*others ? " (--driver takes " COMMAND_NEWEST "%s)\n" : "\n", others);
    print_simulated(&driver);
    return COMMAND_DONE;
}

/* The backends come first: afterwards a libcuda.so.1 is loaded, and that of the system
 * would not be looked for. */
int command_info(int argc, char **argv)
{
    struct command_options options;
    char folder[COMMAND_PATH_MAX];
    int status = command_read(&options, argc, argv, COMMAND_MISUSED);
    if (status) return status;
    if (options.help) return command_help(argv[0]);
    if (argv[options.words])
        return command_fail(COMMAND_MISUSED, "info", "what is \"%s\" for?", argv[options.words]);
    printf("rill %s\n", rill_version());
    print_backends();
    if (!command_find_standin("info", options.driver, folder)) return COMMAND_FAILED;
    return print_standin(folder);
}
