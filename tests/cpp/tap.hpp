/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests in C++: a failed expectation is an exception, so that what a test owns is
 * given back as it is in a program.
 */
#ifndef TESTS_CPP_TAP_HPP
#define TESTS_CPP_TAP_HPP

#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>

#define EXPECT(condition) tap::expect(static_cast<bool>(condition), #condition, __FILE__, __LINE__)

namespace tap {

inline int tests = 0, failures = 0;

inline void expect(bool holds, const char *text, const char *file, int line)
{
    if (!holds)
        throw std::logic_error(std::string(file) + ":" + std::to_string(line) +
                               ": not so: " + text);
}

template <class F> void test(const char *name, F f)
{
    std::string what;
    try {
        f();
    } catch (const std::exception &failure) {
        what = failure.what();
    } catch (...) {
        what = "something was thrown that is no std::exception";
    }
    tests++;
    failures += !what.empty();
    std::printf("%sok %d - %s\n", what.empty() ? "" : "not ", tests, name);
    if (!what.empty()) std::printf("# %s\n", what.c_str());
    std::fflush(stdout);
}

/* What f() throws, which has to be an E. */
template <class E, class F> E thrown_by(F f)
{
    try {
        f();
    } catch (const E &thrown) {
        return thrown;
    }
    throw std::logic_error("nothing was thrown");
}

inline int done()
{
    std::printf("1..%d\n", tests);
    return failures != 0;
}

} // namespace tap

#endif
