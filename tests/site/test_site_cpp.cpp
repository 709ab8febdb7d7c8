/* SPDX-License-Identifier: Apache-2.0
 *
 * A call through <rill/rill.hpp> is told as the line of the program that the header's functions
 * were inlined into.
 */
#include <rill/rill.hpp>

#include <cstdlib>
#include <cstring>

#include "cpp/tap.hpp"

extern "C" {
#include "site/site.h"
#include "site/site_layer.h"
}

/* All that it calls is inlined into it, if the compiler inlines anything. */
[[gnu::flatten, gnu::noinline]] static int submit(rill::stream_ref stream)
{
    stream.launch_host([] {}); int line = __LINE__;
    return line;
}

[[maybe_unused]] static void a_wrapper_is_told_as_its_call()
{
    rill::platform platform = rill::open("sim");
    rill::context context{ platform };
    rill::stream stream{ context };
    int line = submit(stream);
    cs_source source;
    EXPECT(cs_find_source(site_layer_last(), &source));
    if (cs_source_hint()) return; /* no libdw */
    EXPECT(source.file);
    EXPECT(std::strstr(source.file, "test_site_cpp.cpp"));
    EXPECT(source.line == line);
    EXPECT(!std::strcmp(source.function, "submit"));
}

/* The debug information has no name for what a lambda is called by, the linker has one. */
[[maybe_unused]] static void a_lambda_is_told_by_a_plain_name()
{
    rill::platform platform = rill::open("sim");
    rill::context context{ platform };
    rill::stream stream{ context };
    const auto call = [&](int times) __attribute__((noinline)) {
        for (int i = 0; i < times; i++) stream.launch_host([] {});
    };
    call(1);
    cs_source source;
    EXPECT(cs_find_source(site_layer_last(), &source));
    if (cs_source_hint()) return; /* no libdw */
    EXPECT(source.function);
    EXPECT(std::strncmp(source.function, "_Z", 2) != 0);
    EXPECT(std::strstr(source.function, "operator()"));
}

int main()
{
    site_layer_register();
    setenv("RILL_LAYERS", SITE_LAYER, 1);
#ifdef __OPTIMIZE__
    tap::test("a wrapper is told as its call", a_wrapper_is_told_as_its_call);
    tap::test("a lambda is told by a plain name", a_lambda_is_told_by_a_plain_name);
    return tap::done();
#else
    std::puts("1..0 # SKIP nothing is inlined without optimization");
#endif
}
