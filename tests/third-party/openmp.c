/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory of an offloading device through OpenMP: the library and its plugin for
 * NVIDIA's devices do the work. No region runs on the device, so no compiler for it is
 * needed:  gcc -fopenmp -foffload=disable openmp.c
 */
#include "guest.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 100000 };

static int host, device;

/* Numbers that differ from one call to the next. */
static int *numbers(int count)
{
    static int seed = 1;
    int *values = malloc((size_t)count * sizeof *values);
    for (int i = 0; i < count; i++) values[i] = seed++;
    return values;
}

static bool there_is_a_device(void)
{
    return omp_get_num_devices() >= 1 && omp_get_initial_device() == omp_get_num_devices();
}

static bool devices_as_many_as_asked_for(void)
{
    const char *asked = getenv("RILL_SIM_DEVICES");
    return omp_get_num_devices() == (asked ? atoi(asked) : 1);
}

static bool allocate_and_free(void)
{
    void *first = omp_target_alloc(1000, device), *second = omp_target_alloc(1, device);
    bool good = first && second && first != second;
    omp_target_free(first, device);
    omp_target_free(second, device);
    omp_target_free(NULL, device);
    return good;
}

static bool allocate_too_much(void)
{
    return !omp_target_alloc((size_t)1 << 50, device);
}

/* There and back, at offsets. */
static bool copy_both_ways(void)
{
    size_t bytes = COUNT * sizeof(int);
    int *sent = numbers(COUNT), *back = calloc(COUNT, sizeof *back);
    void *memory = omp_target_alloc(bytes + 64, device);
    bool good = memory && !omp_target_memcpy(memory, sent, bytes, 64, 0, device, host) &&
                !omp_target_memcpy(back, memory, bytes - 4, 0, 68, host, device) &&
                !memcmp(sent + 1, back, bytes - 4) && back[COUNT - 1] == 0;
    omp_target_free(memory, device);
    free(sent);
    free(back);
    return good;
}

static bool copy_on_the_device(void)
{
    size_t bytes = COUNT * sizeof(int);
    int *sent = numbers(COUNT), *back = calloc(COUNT, sizeof *back);
    void *from = omp_target_alloc(bytes, device), *to = omp_target_alloc(bytes, device);
    bool good = from && to && !omp_target_memcpy(from, sent, bytes, 0, 0, device, host) &&
                !omp_target_memcpy(to, from, bytes, 0, 0, device, device) &&
                !omp_target_memcpy(back, to, bytes, 0, 0, host, device) &&
                !memcmp(sent, back, bytes);
    omp_target_free(from, device);
    omp_target_free(to, device);
    free(sent);
    free(back);
    return good;
}

/* The middle of a square of 16 by 16. */
static bool copy_a_rectangle(void)
{
    enum { SIDE = 16, PART = 5, AT = 3 };
    size_t whole[] = { SIDE, SIDE }, volume[] = { PART, PART }, at[] = { AT, AT };
    size_t bytes = SIDE * SIDE * sizeof(int), part[] = { PART, PART }, zero[] = { 0, 0 };
    int *sent = numbers(SIDE * SIDE), back[PART * PART];
    void *memory = omp_target_alloc(bytes, device);
    bool good = memory &&
                !omp_target_memcpy_rect(memory, sent, sizeof(int), 2, volume, at, at, whole, whole,
                                        device, host) &&
                !omp_target_memcpy_rect(back, memory, sizeof(int), 2, volume, zero, at, part, whole,
                                        host, device);
    for (int row = 0; good && row < PART; row++)
        good = !memcmp(&back[row * PART], &sent[(row + AT) * SIDE + AT], PART * sizeof(int));
    omp_target_free(memory, device);
    free(sent);
    return good;
}

static bool map_and_update(void)
{
    int *values = numbers(COUNT);
    int first = values[0];
#pragma omp target enter data map(to : values[0 : COUNT])
    bool good = omp_target_is_present(values, device);
    values[0] = -1;
#pragma omp target update from(values[0 : COUNT])
    good = good && values[0] == first;
    values[1] = -2;
#pragma omp target update to(values[1 : 1])
    values[1] = 0;
#pragma omp target exit data map(from : values[0 : COUNT])
    good = good && values[1] == -2 && !omp_target_is_present(values, device);
    free(values);
    return good;
}

/* Tasks that the program does not wait for, in the order of their dependences. */
static bool update_without_waiting(void)
{
    int *values = numbers(COUNT), *want = malloc(COUNT * sizeof *want);
    memcpy(want, values, COUNT * sizeof *want);
#pragma omp target enter data map(to : values[0 : COUNT]) nowait depend(out : values)
#pragma omp task depend(inout : values) shared(values)
    memset(values, 0, COUNT * sizeof *values);
#pragma omp target update from(values[0 : COUNT]) nowait depend(inout : values)
#pragma omp taskwait
    bool good = !memcmp(values, want, COUNT * sizeof *want);
#pragma omp target exit data map(delete : values[0 : COUNT]) nowait depend(in : values)
#pragma omp taskwait
    good = good && !omp_target_is_present(values, device);
    free(values);
    free(want);
    return good;
}

static bool associate_memory(void)
{
    int value = 7, back = 0;
    void *memory = omp_target_alloc(sizeof value, device);
    bool good = memory &&
                !omp_target_associate_ptr(&value, memory, sizeof value, 0, device) &&
                omp_target_is_present(&value, device);
#pragma omp target update to(value)
    good = good && !omp_target_memcpy(&back, memory, sizeof back, 0, 0, host, device) &&
           back == 7 && !omp_target_disassociate_ptr(&value, device);
    omp_target_free(memory, device);
    return good;
}

/* Every thread has its own memory and its own numbers. */
static bool many_threads(void)
{
    int bad = 0;
#pragma omp parallel num_threads(8) reduction(+ : bad)
    for (int round = 0; round < 20; round++) {
        int sent[256], back[256];
        for (int i = 0; i < 256; i++) sent[i] = omp_get_thread_num() * 1000 + round + i;
        void *memory = omp_target_alloc(sizeof sent, device);
        bad += !memory || omp_target_memcpy(memory, sent, sizeof sent, 0, 0, device, host) ||
               omp_target_memcpy(back, memory, sizeof back, 0, 0, host, device) ||
               memcmp(sent, back, sizeof sent) != 0;
        omp_target_free(memory, device);
    }
    return !bad;
}

int main(void)
{
    static const struct guest_test tests[] = {
        { "there_is_a_device", there_is_a_device },
        { "devices_as_many_as_asked_for", devices_as_many_as_asked_for },
        { "allocate_and_free", allocate_and_free },
        { "allocate_too_much", allocate_too_much },
        { "copy_both_ways", copy_both_ways },
        { "copy_on_the_device", copy_on_the_device },
        { "copy_a_rectangle", copy_a_rectangle },
        { "map_and_update", map_and_update },
        { "update_without_waiting", update_without_waiting },
        { "associate_memory", associate_memory },
        { "many_threads", many_threads },
    };
    host = omp_get_initial_device();
    device = omp_get_default_device();
    if (!there_is_a_device()) {
        puts("fail there_is_a_device");
        return 1;
    }
    return GUEST_RUN(tests);
}
