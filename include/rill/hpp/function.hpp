/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/hpp/function.hpp>: C++ functions that C calls.
 *
 * No exception enters the library, which is C and could not pass it on.  There are two
 * cases.
 *
 * A function that runs within a call of this thread, such as that of rill::capture() or
 * the step of a replay: the exception is kept while C ends what it began, and then
 * leaves the call.
 *
 * A function that runs later, on some thread, such as a host function, a callback or a
 * simulated kernel: nothing could catch the exception, so the process ends with
 * std::terminate(), as it does for the function of a std::thread.  The same is true of
 * destructors of what such a function captured.  A function that may fail keeps the
 * failure itself; a std::packaged_task does just that.
 */
#ifndef RILL_HPP_FUNCTION_HPP
#define RILL_HPP_FUNCTION_HPP

#include <rill/op.h>

#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

namespace rill {
namespace detail {

template <class F> void call_boxed(void *data) noexcept
{
    static_cast<void>((*static_cast<F *>(data))());
}

template <class F> void destroy_boxed(void *data) noexcept
{
    delete static_cast<F *>(data);
}

/* What is as small and as plain as a pointer needs no memory of its own: a lambda
 * without captures, or with one reference.  It must not change when it is called, since
 * a copy of it is called. */
template <class F>
inline constexpr bool is_plain_v = sizeof(F) <= sizeof(void *) &&
                                   std::is_trivially_copyable_v<F> &&
                                   std::is_trivially_destructible_v<F> &&
                                   std::is_invocable_v<const F &>;

template <class F> void call_plain(void *data) noexcept
{
    alignas(F) unsigned char bytes[sizeof(F)];
    std::memcpy(bytes, &data, sizeof bytes);
    static_cast<void>((*std::launder(reinterpret_cast<const F *>(bytes)))());
}

/* Moves, or copies, the function out of `f`.  The result must be given to a call that
 * runs `destroy` exactly once, whatever becomes of the operation. */
template <class F> rill_host_op hold(F &&f)
{
    using function = std::decay_t<F>;
    static_assert(std::is_invocable_v<function &>, "a host function takes no arguments");
    if constexpr (is_plain_v<function>) {
        const function plain(std::forward<F>(f));
        void *data = nullptr;
        std::memcpy(&data, static_cast<const void *>(&plain), sizeof plain);
        return { call_plain<function>, data, nullptr };
    } else {
        void *data = new function(std::forward<F>(f));
        return { call_boxed<function>, data, destroy_boxed<function> };
    }
}

/* Makes an operation of a host function. */
template <class F> rill_op host_op(F &&f)
{
    rill_op op = {};
    op.kind = RILL_OP_HOST;
    op.host = hold(std::forward<F>(f));
    return op;
}

} // namespace detail
} // namespace rill

#endif
