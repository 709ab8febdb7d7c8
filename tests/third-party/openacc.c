/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory and queues of an offloading device through OpenACC, where each queue is a
 * stream of the driver:  gcc -fopenacc -foffload=disable openacc.c
 */
#include "guest.h"

#include <openacc.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 100000, QUEUES = 4 };

static int *numbers(void)
{
    static int seed = 1;
    int *values = malloc(COUNT * sizeof *values);
    for (int i = 0; i < COUNT; i++) values[i] = seed++;
    return values;
}

static const size_t bytes = COUNT * sizeof(int);

static bool device_has_properties(void)
{
    const char *name = acc_get_property_string(0, acc_device_nvidia, acc_property_name);
    size_t all = acc_get_property(0, acc_device_nvidia, acc_property_memory);
    size_t left = acc_get_property(0, acc_device_nvidia, acc_property_free_memory);
    return name && *name && left > 0 && left <= all;
}

static bool copy_both_ways(void)
{
    int *sent = numbers(), *back = calloc(COUNT, sizeof *back);
    void *memory = acc_malloc(bytes);
    bool good = memory != NULL;
    if (good) {
        acc_memcpy_to_device(memory, sent, bytes);
        acc_memcpy_from_device(back, memory, bytes);
        good = !memcmp(sent, back, bytes);
    }
    acc_free(memory);
    free(sent);
    free(back);
    return good;
}

static bool copy_in_and_out(void)
{
    int *values = numbers(), first = values[0];
    void *memory = acc_copyin(values, bytes);
    bool good = memory && acc_is_present(values, bytes) && acc_deviceptr(values) == memory &&
                acc_hostptr(memory) == values;
    values[0] = -1;
    acc_update_self(values, bytes);
    good = good && values[0] == first;
    values[1] = -2;
    acc_update_device(values, bytes);
    values[1] = 0;
    acc_copyout(values, bytes);
    good = good && values[1] == -2 && !acc_is_present(values, bytes);
    free(values);
    return good;
}

static bool copy_in_queues(void)
{
    int *sent[QUEUES], *back[QUEUES];
    void *memory[QUEUES];
    bool good = true;
    for (int i = 0; i < QUEUES; i++) {
        sent[i] = numbers();
        back[i] = calloc(COUNT, sizeof(int));
        memory[i] = acc_malloc(bytes);
        acc_memcpy_to_device_async(memory[i], sent[i], bytes, i);
        acc_memcpy_from_device_async(back[i], memory[i], bytes, i);
    }
    acc_wait_all();
    for (int i = 0; i < QUEUES; i++) {
        good = good && acc_async_test(i) && !memcmp(sent[i], back[i], bytes);
        acc_free(memory[i]);
        free(sent[i]);
        free(back[i]);
    }
    return good;
}

/* What one queue sends, the next one takes back once it has waited for it. */
static bool queues_wait_for_each_other(void)
{
    int *sent = numbers(), *back = calloc(COUNT, sizeof *back);
    void *memory = acc_malloc(bytes);
    acc_memcpy_to_device_async(memory, sent, bytes, 1);
    acc_wait_async(1, 2);
    acc_memcpy_from_device_async(back, memory, bytes, 2);
    acc_wait(2);
    bool good = !memcmp(sent, back, bytes) && acc_async_test(1);
    acc_free(memory);
    free(sent);
    free(back);
    return good;
}

static bool map_and_unmap(void)
{
    int *values = numbers();
    void *memory = acc_malloc(bytes);
    acc_map_data(values, memory, bytes);
    bool good = acc_is_present(values, bytes) && acc_deviceptr(values) == memory;
    acc_unmap_data(values);
    good = good && !acc_is_present(values, bytes);
    acc_free(memory);
    free(values);
    return good;
}

static bool update_in_queues(void)
{
    int *values = numbers(), *want = malloc(bytes);
    memcpy(want, values, bytes);
    acc_copyin_async(values, bytes, 3);
    acc_wait(3);
    memset(values, 0, bytes);
    acc_update_self_async(values, bytes, 3);
    acc_wait(3);
    bool good = !memcmp(values, want, bytes);
    acc_delete_async(values, bytes, 3);
    acc_wait(3);
    good = good && !acc_is_present(values, bytes);
    free(values);
    free(want);
    return good;
}

static bool the_queue_is_a_stream(void)
{
    void *context = acc_get_current_cuda_context(), *stream = acc_get_cuda_stream(1);
    return context && stream && stream != acc_get_cuda_stream(2);
}

static bool shut_down_and_start_again(void)
{
    acc_shutdown(acc_device_nvidia);
    acc_init(acc_device_nvidia);
    return copy_both_ways();
}

int main(void)
{
    static const struct guest_test tests[] = {
        { "device_has_properties", device_has_properties },
        { "copy_both_ways", copy_both_ways },
        { "copy_in_and_out", copy_in_and_out },
        { "copy_in_queues", copy_in_queues },
        { "queues_wait_for_each_other", queues_wait_for_each_other },
        { "map_and_unmap", map_and_unmap },
        { "update_in_queues", update_in_queues },
        { "the_queue_is_a_stream", the_queue_is_a_stream },
        { "shut_down_and_start_again", shut_down_and_start_again },
    };
    if (acc_get_num_devices(acc_device_nvidia) < 1) {
        puts("fail there_is_a_device");
        return 1;
    }
    acc_set_device_num(0, acc_device_nvidia);
    return GUEST_RUN(tests);
}
