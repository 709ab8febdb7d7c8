/* SPDX-License-Identifier: Apache-2.0
 *
 * Regions that run on a device: GCC makes PTX of them, which its library links with its own
 * and launches.  gcc -O2 -fopenmp -foffload=nvptx-none offload.c -lm
 */
#include "guest.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 1000 };

static int numbers[COUNT], others[COUNT];

static void number(void)
{
    for (int i = 0; i < COUNT; i++) {
        numbers[i] = i - 300;
        others[i] = 7 * i % 101;
    }
}

static bool runs_on_the_device(void)
{
    int here = 1;
#pragma omp target map(from : here)
    here = omp_is_initial_device();
    return omp_get_num_devices() > 0 && !here;
}

static bool loop_of_teams(void)
{
    int sums[COUNT];
    number();
#pragma omp target teams distribute parallel for map(to : numbers, others) map(from : sums)
    for (int i = 0; i < COUNT; i++) sums[i] = 3 * numbers[i] + others[i];
    for (int i = 0; i < COUNT; i++)
        if (sums[i] != 3 * numbers[i] + others[i]) return false;
    return true;
}

static bool reductions(void)
{
    int sum = 5, least = 1000, most = -1000, bits = 0;
    double product = 1;
    number();
#pragma omp target teams distribute parallel for reduction(+ : sum) reduction(min : least) \
    reduction(max : most) reduction(| : bits) map(to : numbers, others)
    for (int i = 0; i < COUNT; i++) {
        sum += numbers[i];
        least = numbers[i] < least ? numbers[i] : least;
        most = numbers[i] > most ? numbers[i] : most;
        bits |= others[i];
    }
#pragma omp target parallel for reduction(* : product) map(tofrom : product)
    for (int i = 1; i <= 20; i++) product *= i;
    return sum == 5 + COUNT * (COUNT - 1) / 2 - 300 * COUNT && least == -300 &&
           most == COUNT - 301 && bits == 127 && product == 2432902008176640000.0;
}

static bool teams_and_threads(void)
{
    int teams = 0, threads = 0, seen[4 * 32] = { 0 };
#pragma omp target teams num_teams(4) thread_limit(32) map(tofrom : seen, teams, threads)
    {
        if (!omp_get_team_num()) teams = omp_get_num_teams();
#pragma omp parallel
        {
            if (!omp_get_team_num() && !omp_get_thread_num()) threads = omp_get_num_threads();
            seen[omp_get_team_num() * 32 + omp_get_thread_num()]++;
        }
    }
    bool good = teams == 4 && threads >= 1 && threads <= 32;
    for (int i = 0; i < 4 * 32; i++) good = good && seen[i] == (i % 32 < threads);
    return good;
}

static bool atomics_and_locks(void)
{
    int counted = 0, locked = 0, exchanged = 0;
#pragma omp target parallel map(tofrom : counted, locked, exchanged)
    {
        for (int i = 0; i < 10; i++) {
#pragma omp atomic
            counted++;
#pragma omp critical
            locked += 2;
        }
        int before;
#pragma omp atomic capture
        before = exchanged++;
        (void)before;
    }
    return counted > 0 && counted % 10 == 0 && locked == 2 * counted && exchanged == counted / 10;
}

static bool barriers_and_one_thread(void)
{
    int stages[3] = { 0, 0, 0 }, late = 0;
#pragma omp target parallel map(tofrom : stages, late)
    {
#pragma omp atomic
        stages[0]++;
#pragma omp barrier
#pragma omp single
        stages[1] = stages[0];
        if (stages[1] != omp_get_num_threads()) {
#pragma omp atomic
            late++;
        }
#pragma omp master
        stages[2] = omp_get_num_threads();
    }
    return stages[0] == stages[2] && stages[1] == stages[2] && !late;
}

static bool sections_and_schedules(void)
{
    int parts[3] = { 0, 0, 0 }, order[64], next = 0, sums[64];
#pragma omp target map(tofrom : parts, order, next, sums)
    {
#pragma omp parallel sections
        {
#pragma omp section
            parts[0] = 1;
#pragma omp section
            parts[1] = 2;
#pragma omp section
            parts[2] = 3;
        }
#pragma omp parallel for ordered schedule(dynamic, 3)
        for (int i = 0; i < 64; i++) {
            sums[i] = i * i;
#pragma omp ordered
            order[next++] = i;
        }
    }
    bool good = parts[0] == 1 && parts[1] == 2 && parts[2] == 3 && next == 64;
    for (int i = 0; i < 64; i++) good = good && order[i] == i && sums[i] == i * i;
    return good;
}

static bool nested_loops(void)
{
    static double a[24][36], b[36][24], c[24][24];
    for (int i = 0; i < 24; i++)
        for (int k = 0; k < 36; k++) a[i][k] = i + k, b[k][i] = i - k;
#pragma omp target teams distribute parallel for collapse(2) map(to : a, b) map(from : c)
    for (int i = 0; i < 24; i++)
        for (int j = 0; j < 24; j++) {
            double sum = 0;
#pragma omp simd reduction(+ : sum)
            for (int k = 0; k < 36; k++) sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
    for (int i = 0; i < 24; i++)
        for (int j = 0; j < 24; j++) {
            double sum = 0;
            for (int k = 0; k < 36; k++) sum += a[i][k] * b[k][j];
            if (c[i][j] != sum) return false;
        }
    return true;
}

static bool simd_within_threads(void)
{
    int squares[COUNT], last = 0;
#pragma omp target parallel for simd lastprivate(last) map(from : squares, last)
    for (int i = 0; i < COUNT; i++) squares[i] = last = i * i;
    for (int i = 0; i < COUNT; i++)
        if (squares[i] != i * i) return false;
    return last == (COUNT - 1) * (COUNT - 1);
}

#pragma omp declare target
static int kept = 11;

static int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static int twice(int n)
{
    return 2 * n;
}

static int thrice(int n)
{
    return 3 * n;
}
#pragma omp end declare target

static bool functions_and_variables(void)
{
    int results[3];
#pragma omp target map(from : results)
    {
        int (*chosen[2])(int) = { twice, thrice };
        kept += 1;
        results[0] = fibonacci(12);
        results[1] = chosen[results[0] % 2](kept);
        results[2] = kept;
    }
    kept = 0;
#pragma omp target update from(kept)
    return results[0] == 144 && results[1] == 24 && results[2] == 12 && kept == 12;
}

struct pair {
    double x;
    char letters[5];
};

static bool values_and_structs(void)
{
    struct pair pair = { 1.5, "abc" }, back = { 0, "" };
    int own = 7;
#pragma omp target firstprivate(own, pair) map(from : back)
    {
        own++;
        back = pair;
        back.x *= own;
        back.letters[0] = 'x';
    }
    return own == 7 && back.x == 12 && !strcmp(back.letters, "xbc") && pair.letters[0] == 'a';
}

static bool mathematics(void)
{
    double values[64], far = 0;
    float singles[64];
#pragma omp target parallel for map(from : values, singles)
    for (int i = 0; i < 64; i++) {
        values[i] = sin(0.1 * i) * exp(-0.01 * i) + pow(1.1, i);
        singles[i] = sqrtf(i) + fabsf(cosf(0.3f * i));
    }
    for (int i = 0; i < 64; i++) {
        far = fmax(far, fabs(values[i] - (sin(0.1 * i) * exp(-0.01 * i) + pow(1.1, i))));
        far = fmax(far, fabs(singles[i] - (sqrt(i) + fabs(cos(0.3f * i)))) * 1e-6);
    }
    return far < 1e-11;
}

static bool memory_of_the_region(void)
{
    int sum = 0;
#pragma omp target map(tofrom : sum)
    {
        int *memory = malloc(100 * sizeof *memory), *more = calloc(50, sizeof *more);
        for (int i = 0; i < 100; i++) memory[i] = i;
        memory = realloc(memory, 200 * sizeof *memory);
        memcpy(more, memory + 50, 50 * sizeof *more);
        for (int i = 0; i < 50; i++) sum += memory[i] + more[i];
        free(memory);
        free(more);
    }
    return sum == 4950;
}

static bool memory_of_the_device(void)
{
    int device = omp_get_default_device();
    int *memory = omp_target_alloc(COUNT * sizeof *memory, device);
    long sum = 0;
    if (!memory) return false;
#pragma omp target teams distribute parallel for is_device_ptr(memory)
    for (int i = 0; i < COUNT; i++) memory[i] = i;
#pragma omp target teams distribute parallel for is_device_ptr(memory) reduction(+ : sum)
    for (int i = 0; i < COUNT; i++) sum += memory[i];
    omp_target_free(memory, device);
    return sum == (long)COUNT * (COUNT - 1) / 2;
}

static bool data_stays_between_regions(void)
{
    int good = 1;
    number();
#pragma omp target data map(tofrom : numbers)
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < COUNT; i++) numbers[i] *= 2;
        good = good && numbers[1] == -299;
#pragma omp target update from(numbers[1 : 1])
        good = good && numbers[1] == -598 && numbers[2] == -298;
#pragma omp target teams distribute parallel for
        for (int i = 0; i < COUNT; i++) numbers[i] += 1;
    }
    for (int i = 0; i < COUNT; i++) good = good && numbers[i] == 2 * (i - 300) + 1;
    return good;
}

static bool regions_that_depend(void)
{
    int value = 1;
#pragma omp parallel
#pragma omp single
    {
#pragma omp target map(tofrom : value) nowait depend(out : value)
        value += 10;
#pragma omp target map(tofrom : value) nowait depend(inout : value)
        value *= 3;
#pragma omp task depend(inout : value)
        value += 1;
#pragma omp target map(tofrom : value) nowait depend(in : value)
        value *= 2;
#pragma omp taskwait
    }
    return value == 68;
}

static bool tasks_within_a_region(void)
{
    int sum = 0, results[10];
#pragma omp target map(tofrom : sum, results)
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < 10; i++) {
#pragma omp task firstprivate(i)
            results[i] = i * i;
        }
#pragma omp taskwait
        for (int i = 0; i < 10; i++) sum += results[i];
    }
    return sum == 285;
}

static bool each_device_has_its_own(void)
{
    int devices = omp_get_num_devices(), good = devices == 2, results[2] = { 0, 0 };
    for (int d = 0; d < 2; d++) {
#pragma omp target device(d) map(from : results[d : 1])
        results[d] = omp_get_device_num() + 5 * !omp_is_initial_device();
    }
    return good && results[0] == 5 && results[1] == 6;
}

static bool regions_of_many_threads(void)
{
    int failed = 0;
#pragma omp parallel num_threads(4) reduction(+ : failed)
    for (int n = 0; n < 5; n++) {
        int mine[50], me = omp_get_thread_num();
#pragma omp target parallel for map(from : mine) firstprivate(me)
        for (int i = 0; i < 50; i++) mine[i] = me * 100 + i;
        for (int i = 0; i < 50; i++) failed += mine[i] != me * 100 + i;
    }
    return !failed;
}

static const struct guest_test tests[] = {
    { "runs_on_the_device", runs_on_the_device },
    { "loop_of_teams", loop_of_teams },
    { "reductions", reductions },
    { "teams_and_threads", teams_and_threads },
    { "atomics_and_locks", atomics_and_locks },
    { "barriers_and_one_thread", barriers_and_one_thread },
    { "sections_and_schedules", sections_and_schedules },
    { "nested_loops", nested_loops },
    { "simd_within_threads", simd_within_threads },
    { "functions_and_variables", functions_and_variables },
    { "values_and_structs", values_and_structs },
    { "mathematics", mathematics },
    { "memory_of_the_region", memory_of_the_region },
    { "memory_of_the_device", memory_of_the_device },
    { "data_stays_between_regions", data_stays_between_regions },
    { "regions_that_depend", regions_that_depend },
    { "tasks_within_a_region", tasks_within_a_region },
    { "each_device_has_its_own", each_device_has_its_own },
    { "regions_of_many_threads", regions_of_many_threads },
};

int main(void)
{
    return GUEST_RUN(tests);
}
