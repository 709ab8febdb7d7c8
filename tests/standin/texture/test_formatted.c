/* SPDX-License-Identifier: Apache-2.0
 *
 * Formatted surfaces: numbers that are stored as what the elements are (sust.p), and reduced into
 * them (sured.p).  They are held to the answers of a GPU (formatted.txt).
 *
 * `test_formatted --record LIBRARY` prints the answers of a driver.
 */
#include "standin/texture/asking.h"

static void ask_formatted(const char *name, int format, unsigned channels)
{
    const struct shape flat = { .extent = { WIDTH, HEIGHT, 0 },
                                .flags = CUDA_ARRAY3D_SURFACE_LDST };
    ask_surface(name, &flat, format, channels);
}

static void ask_all(void)
{
    ask_formatted("suredpadd", CU_AD_FORMAT_UNSIGNED_INT32, 1);
    ask_formatted("suredpmin", CU_AD_FORMAT_SIGNED_INT32, 1);
    ask_formatted("sustp1", CU_AD_FORMAT_UNSIGNED_INT32, 1);
    ask_formatted("sustp4", CU_AD_FORMAT_UNSIGNED_INT32, 4);
    ask_formatted("sustp1", CU_AD_FORMAT_SIGNED_INT8, 1);
    ask_formatted("sustp4", CU_AD_FORMAT_SIGNED_INT8, 4);
    ask_formatted("sustp4f", CU_AD_FORMAT_HALF, 4);
    ask_formatted("sustp4f", CU_AD_FORMAT_UNSIGNED_INT8, 4);
    ask_formatted("sustp4f", CU_AD_FORMAT_FLOAT, 4);
}

static void answers_are_those_of_hardware(void **state)
{
    (void)state;
    expect_answers("formatted.txt");
    ask_all();
    end_answers();
}

static int compare(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(answers_are_those_of_hardware, setup, teardown),
    };
    return cmocka_run_group_tests_name("standin/texture/formatted", tests, NULL, NULL);
}

int main(int count, char **arguments)
{
    return ask_or_test(count, arguments, ask_all, compare);
}
