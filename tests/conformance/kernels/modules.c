/* SPDX-License-Identifier: Apache-2.0
 *
 * Modules of C functions: what is loaded, what is refused and why, what can be
 * asked of a kernel.
 */
#include <string.h>

#include "conformance/work.h"

static rill_status load(struct fixture *f, const rill_function *functions, size_t count,
                        rill_module **module)
{
    const rill_image image = image_of(functions, count);
    return rill_module_load(f->context, &image, module);
}

/* ---- Loading --------------------------------------------------------------------- */

static void a_module_has_the_kernels_of_its_image(void **state)
{
    struct fixture *f = *state;
    const rill_function both[] = { nop_function, put_function };
    rill_module *module = NULL;
    size_t count = 0;
    ok(load(f, both, 2, &module));
    ok(rill_module_kernel_count(module, &count));
    if (suite->expects.runs_functions) assert_int_equal(count, 2);
    assert_true(count >= 2); /* the code has those of all tests */
    for (int i = 0; i < 2; i++) {
        rill_kernel *found = NULL, *again = NULL;
        ok(rill_module_kernel(module, both[i].name, &found));
        ok(rill_module_kernel(module, both[i].name, &again));
        assert_ptr_equal(found, again);
        assert_string_equal(rill_kernel_name(found), both[i].name);
    }
    ok(rill_module_unload(&module));
    assert_null(module);
}

static void the_tables_are_copied(void **state)
{
    struct fixture *f = *state;
    rill_param params[] = { RILL_PARAM(rill_devptr), RILL_PARAM(uint32_t) };
    rill_function function = put_function;
    rill_kernel *put_kernel = NULL;
    rill_module *module = NULL;
    function.params = params;
    ok(load(f, &function, 1, &module));
    memset(params, 0xff, sizeof params);
    function = nop_function;
    ok(rill_module_kernel(module, "put", &put_kernel));
    rill_devptr word = device_words(f, 1);
    ok(put(put_kernel, f->legacy, word, 77));
    assert_int_equal(peek(f, word), 77);
    ok(rill_module_unload(&module));
}

static void an_unknown_name_is_not_found(void **state)
{
    struct fixture *f = *state;
    rill_module *module = NULL;
    rill_kernel *found = NULL;
    ok(load(f, &nop_function, 1, &module));
    refuses(RILL_ERROR_NOT_FOUND, "name", rill_module_kernel(module, "no", &found));
    refuses(RILL_ERROR_INVALID_VALUE, "name", rill_module_kernel(module, "", &found));
    assert_null(found);
    ok(rill_module_unload(&module));
}

static void unloading_nothing_is_allowed(void **state)
{
    rill_module *module = NULL;
    (void)state;
    ok(rill_module_unload(&module));
    ok(rill_module_unload(NULL));
}

static void kernels_of_one_name_in_two_modules_are_two(void **state)
{
    struct fixture *f = *state;
    rill_kernel *first = kernel(f, &nop_function), *second = kernel(f, &nop_function);
    int value = 0;
    assert_ptr_not_equal(first, second);
    ok(rill_kernel_set_attribute(first, RILL_KERNEL_MAX_DYNAMIC_SHARED_BYTES, 1000));
    ok(rill_kernel_get_attribute(second, RILL_KERNEL_MAX_DYNAMIC_SHARED_BYTES, &value));
    assert_int_equal(value, 49152);
}

/* ---- What is refused ----------------------------------------------------------------- */

static void refused(struct fixture *f, rill_status status, const rill_image *image,
                    const char *argument, const char *word)
{
    rill_module *module = NULL;
    is(status, rill_module_load(f->context, image, &module));
    blames("rill_module_load", argument);
    if (!strstr(rill_last_error()->message, word))
        fail_msg("\"%s\" does not speak of \"%s\"", rill_last_error()->message, word);
    assert_null(module);
}

static void refused_function(struct fixture *f, const rill_function *function, const char *word)
{
    if (!suite->expects.runs_functions) skip_since("C functions are not looked at");
    const rill_image image = { .size = sizeof image, .functions = function, .function_count = 1 };
    refused(f, RILL_ERROR_INVALID_IMAGE, &image, "image->functions", word);
}

static void an_image_with_neither_code_nor_functions_is_refused(void **state)
{
    const rill_image image = { .size = sizeof image };
    refused(*state, RILL_ERROR_NO_BINARY_FOR_GPU, &image, "image", "C functions");
}

static void a_missing_table_is_refused(void **state)
{
    const rill_image image = { .size = sizeof image, .function_count = 1 };
    if (!suite->expects.runs_functions) skip_since("C functions are not looked at");
    refused(*state, RILL_ERROR_INVALID_VALUE, &image, "image->functions", "NULL");
}

static void an_image_without_size_is_refused(void **state)
{
    const rill_image image = { .functions = &nop_function, .function_count = 1 };
    refused(*state, RILL_ERROR_INVALID_VALUE, &image, "image->size", "size");
}

static void no_image_and_no_place_for_the_module_are_refused(void **state)
{
    struct fixture *f = *state;
    const rill_image image = { .size = sizeof image, .functions = &nop_function,
                               .function_count = 1 };
    refused(f, RILL_ERROR_INVALID_VALUE, NULL, "image", "NULL");
    refuses(RILL_ERROR_INVALID_VALUE, "module", rill_module_load(f->context, &image, NULL));
}

static void a_function_needs_exactly_one_body(void **state)
{
    rill_function function = nop_function;
    function.over_block = function.over_grid;
    refused_function(*state, &function, "nop");
    function.over_block = function.over_grid = NULL;
    refused_function(*state, &function, "over_grid");
}

static void a_function_needs_a_name(void **state)
{
    rill_function function = nop_function;
    function.name = NULL;
    refused_function(*state, &function, "name");
    function.name = "";
    refused_function(*state, &function, "name");
}

static void two_functions_of_one_name_are_refused(void **state)
{
    if (!suite->expects.runs_functions) skip_since("C functions are not looked at");
    const rill_function all[] = { nop_function, put_function, nop_function };
    const rill_image image = { .size = sizeof image, .functions = all, .function_count = 3 };
    refused(*state, RILL_ERROR_INVALID_IMAGE, &image, "image->functions", "nop");
}

static void parameters_need_a_layout(void **state)
{
    rill_function function = nop_function;
    function.param_count = 1;
    refused_function(*state, &function, "layout");
}

static void impossible_parameters_are_refused(void **state)
{
    static const rill_param impossible[] = { { 0, 4 }, { 4, 0 }, { 4, 3 }, { 4, 6 } };
    for (size_t i = 0; i < 4; i++) {
        rill_function function = nop_function;
        function.params = &impossible[i];
        function.param_count = 1;
        refused_function(*state, &function, "parameter");
    }
}

static void more_static_shared_memory_than_a_block_has_is_refused(void **state)
{
    rill_function function = nop_function;
    function.static_shared_bytes = 49153;
    refused_function(*state, &function, "shared");
}

static void more_threads_than_a_block_can_have_are_refused(void **state)
{
    rill_function function = nop_function;
    function.max_threads = 1025;
    refused_function(*state, &function, "max_threads");
}

/* ---- What a kernel says of itself -------------------------------------------------------- */

/* err.func_names */
static void a_kernel_says_where_its_parameters_lie(void **state)
{
    struct fixture *f = *state;
    static const rill_param params[] = {
        { 1, 1 }, { 8, 8 }, { 4, 4 }, { 2, 2 }, { 16, 16 }, { 3, 1 }, { 64, 16 },
    };
    static const size_t offsets[] = { 0, 8, 16, 20, 32, 48, 64 };
    rill_function function = nop_function;
    function.name = "laid";
    function.params = params;
    function.param_count = 7;
    rill_kernel *k = kernel(f, &function);
    for (size_t i = 0; i < 7; i++) {
        size_t offset = 99, bytes = 99;
        ok(rill_kernel_param(k, i, &offset, &bytes));
        assert_int_equal(offset, offsets[i]);
        assert_int_equal(bytes, params[i].bytes);
        ok(rill_kernel_param(k, i, &offset, NULL));
    }
}

/* err.func_names */
static void a_parameter_that_is_not_there_is_refused(void **state)
{
    struct fixture *f = *state;
    size_t offset = 99, bytes = 99;
    rill_kernel *k = kernel(f, &put_function);
    refuses(RILL_ERROR_INVALID_VALUE, "index", rill_kernel_param(k, 2, &offset, &bytes));
    is(RILL_ERROR_INVALID_VALUE, rill_kernel_param(k, SIZE_MAX, &offset, &bytes));
    assert_int_equal(offset, 99);
    assert_int_equal(bytes, 99);
    is(RILL_ERROR_INVALID_VALUE, rill_kernel_param(k, 0, NULL, &bytes));
}

/* err.func_attributes; registers and versions are a GPU's own. */
static void a_kernel_says_its_attributes(void **state)
{
    struct fixture *f = *state;
    static const struct { rill_kernel_attribute id; int value; } expected[] = {
        { RILL_KERNEL_MAX_THREADS_PER_BLOCK, 1024 }, { RILL_KERNEL_SHARED_BYTES, 0 },
        { RILL_KERNEL_CONST_BYTES, 0 },              { RILL_KERNEL_LOCAL_BYTES, 0 },
        { RILL_KERNEL_CACHE_MODE_CA, 0 },
        { RILL_KERNEL_MAX_DYNAMIC_SHARED_BYTES, 49152 }, { RILL_KERNEL_SHARED_CARVEOUT, -1 },
    };
    rill_kernel *k = kernel(f, &put_function);
    int value;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        ok(rill_kernel_get_attribute(k, expected[i].id, &value));
        if (value != expected[i].value)
            fail_msg("attribute %d is %d, not %d", (int)expected[i].id, value, expected[i].value);
    }
    ok(rill_kernel_get_attribute(k, RILL_KERNEL_REGISTERS, &value));
    assert_in_range(value, 1, 255);
    ok(rill_kernel_get_attribute(k, RILL_KERNEL_BINARY_VERSION, &value));
    assert_in_range(value, 50, 200);
    ok(rill_kernel_get_attribute(k, RILL_KERNEL_PTX_VERSION, &value));
    assert_in_range(value, 50, 200);
}

static void a_kernel_says_what_its_function_was_declared_with(void **state)
{
    struct fixture *f = *state;
    rill_function function = nop_function;
    function.name = "bounded";
    function.static_shared_bytes = 1000;
    function.max_threads = 96;
    rill_kernel *k = kernel(f, &function);
    int value = 0;
    ok(rill_kernel_get_attribute(k, RILL_KERNEL_SHARED_BYTES, &value));
    assert_int_equal(value, 1000);
    ok(rill_kernel_get_attribute(k, RILL_KERNEL_MAX_THREADS_PER_BLOCK, &value));
    assert_int_equal(value, 96);
    ok(rill_kernel_get_attribute(k, RILL_KERNEL_MAX_DYNAMIC_SHARED_BYTES, &value));
    assert_int_equal(value, 49152 - 1000);
}

/* err.func_attributes */
static void unknown_attributes_are_refused(void **state)
{
    struct fixture *f = *state;
    rill_kernel *k = kernel(f, &nop_function);
    int value = 5;
    refuses(RILL_ERROR_INVALID_VALUE, "attribute",
            rill_kernel_get_attribute(k, (rill_kernel_attribute)99, &value));
    is(RILL_ERROR_INVALID_VALUE, rill_kernel_get_attribute(k, (rill_kernel_attribute)-1, &value));
    is(RILL_ERROR_INVALID_VALUE, rill_kernel_set_attribute(k, (rill_kernel_attribute)99, 0));
    assert_int_equal(value, 5);
}

/* err.func_null */
static void a_missing_kernel_and_a_missing_output_are_refused(void **state)
{
    struct fixture *f = *state;
    rill_kernel *k = kernel(f, &nop_function);
    int value;
    is(RILL_ERROR_INVALID_HANDLE, rill_kernel_get_attribute(NULL, RILL_KERNEL_REGISTERS, &value));
    is(RILL_ERROR_INVALID_HANDLE,
       rill_kernel_set_attribute(NULL, RILL_KERNEL_MAX_DYNAMIC_SHARED_BYTES, 0));
    is(RILL_ERROR_INVALID_VALUE, rill_kernel_get_attribute(k, RILL_KERNEL_REGISTERS, NULL));
    assert_null(rill_kernel_name(NULL));
}

/* err.func_attributes */
static void two_attributes_can_be_set_within_their_bounds(void **state)
{
    struct fixture *f = *state;
    rill_kernel *k = kernel(f, &nop_function);
    rill_device_info info = { .size = sizeof info };
    int value = 0;
    ok(rill_device_get_info(f->platform, 0, &info));
    int most = (int)info.shared_bytes_per_block_opt_in;
    ok(rill_kernel_set_attribute(k, RILL_KERNEL_MAX_DYNAMIC_SHARED_BYTES, 65536));
    ok(rill_kernel_get_attribute(k, RILL_KERNEL_MAX_DYNAMIC_SHARED_BYTES, &value));
    assert_int_equal(value, 65536);
    ok(rill_kernel_set_attribute(k, RILL_KERNEL_MAX_DYNAMIC_SHARED_BYTES, most));
    refuses(RILL_ERROR_INVALID_VALUE, "value",
            rill_kernel_set_attribute(k, RILL_KERNEL_MAX_DYNAMIC_SHARED_BYTES, most + 1));
    is(RILL_ERROR_INVALID_VALUE,
       rill_kernel_set_attribute(k, RILL_KERNEL_MAX_DYNAMIC_SHARED_BYTES, -1));
    ok(rill_kernel_get_attribute(k, RILL_KERNEL_MAX_DYNAMIC_SHARED_BYTES, &value));
    assert_int_equal(value, most);
    ok(rill_kernel_set_attribute(k, RILL_KERNEL_SHARED_CARVEOUT, 100));
    ok(rill_kernel_set_attribute(k, RILL_KERNEL_SHARED_CARVEOUT, -1));
    is(RILL_ERROR_INVALID_VALUE, rill_kernel_set_attribute(k, RILL_KERNEL_SHARED_CARVEOUT, 200));
}

/* err.func_attributes */
static void the_other_attributes_cannot_be_set(void **state)
{
    struct fixture *f = *state;
    rill_kernel *k = kernel(f, &nop_function);
    for (int id = 0; id <= RILL_KERNEL_CACHE_MODE_CA; id++) {
        refuses(RILL_ERROR_INVALID_VALUE, "attribute",
                rill_kernel_set_attribute(k, (rill_kernel_attribute)id, 8));
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_module_has_the_kernels_of_its_image),
    cmocka_unit_test(the_tables_are_copied),
    cmocka_unit_test(an_unknown_name_is_not_found),
    cmocka_unit_test(unloading_nothing_is_allowed),
    cmocka_unit_test(kernels_of_one_name_in_two_modules_are_two),
    cmocka_unit_test(an_image_with_neither_code_nor_functions_is_refused),
    cmocka_unit_test(a_missing_table_is_refused),
    cmocka_unit_test(an_image_without_size_is_refused),
    cmocka_unit_test(no_image_and_no_place_for_the_module_are_refused),
    cmocka_unit_test(a_function_needs_exactly_one_body),
    cmocka_unit_test(a_function_needs_a_name),
    cmocka_unit_test(two_functions_of_one_name_are_refused),
    cmocka_unit_test(parameters_need_a_layout),
    cmocka_unit_test(impossible_parameters_are_refused),
    cmocka_unit_test(more_static_shared_memory_than_a_block_has_is_refused),
    cmocka_unit_test(more_threads_than_a_block_can_have_are_refused),
    cmocka_unit_test(a_kernel_says_where_its_parameters_lie),
    cmocka_unit_test(a_parameter_that_is_not_there_is_refused),
    cmocka_unit_test(a_kernel_says_its_attributes),
    cmocka_unit_test(a_kernel_says_what_its_function_was_declared_with),
    cmocka_unit_test(unknown_attributes_are_refused),
    cmocka_unit_test(a_missing_kernel_and_a_missing_output_are_refused),
    cmocka_unit_test(two_attributes_can_be_set_within_their_bounds),
    cmocka_unit_test(the_other_attributes_cannot_be_set),
};

SUITE_GROUP(modules, 1);
