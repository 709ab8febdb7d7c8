/* SPDX-License-Identifier: Apache-2.0
 *
 * The settings of a simulated machine: what the program asks for, else what the environment
 * says, else a default.
 */
#ifndef SIM_SETTINGS_H
#define SIM_SETTINGS_H

#include <rill/sim.h>

#include "backend-sim/clock/costs.h"
#include "backend-sim/machine/machine.h"
#include "backend-sim/schedule/spec.h"
#include "device/model.h"

/* Who calls host functions. */
enum host_thread_setting {
    HOST_THREAD_ANY,     /* who comes to them; under a schedule, a thread of the simulator */
    HOST_THREAD_ONE,     /* one thread                                                    */
    HOST_THREAD_IN_CALLS /* under a schedule also the thread in whose call they come      */
};

/* Each is within its limits. */
struct sim_settings {
    int64_t devices, workers, priority, host_thread, watchdog, whims, steps, kernel_heap;
    int64_t memory;                /* 0 for what the model has        */
    uint32_t checks;
    struct schedule_spec schedule; /* without a policy: none is given */
    const char *trail;             /* a path, or NULL                 */
    struct costs *costs;           /* NULL unless time is virtual     */
    void (*print)(void *data, const char *text, size_t bytes);
    void *print_data;
    void (*fault)(void *data, const rill_error_cause *cause, const char *message);
    void *fault_data;
    void (*beyond)(void *data, const char *message);
    void *beyond_data;
    int (*attribute)(void *data, int device, int attribute, int *value);
    void *attribute_data;
    const struct device_model *models[SIM_DEVICES_MAX]; /* of the devices */
};

/* Reads and checks the settings.  With options of NULL the program asks for nothing. */
rill_status sim_settings_read(const rill_sim_options *given, struct sim_settings *out);

/* Frees what of the settings nobody took over. */
void sim_settings_free(struct sim_settings *settings);

/* Tells whether the program or the environment gives a schedule, or has time be virtual. */
bool sim_settings_have_schedule(const rill_sim_options *options);

#endif
