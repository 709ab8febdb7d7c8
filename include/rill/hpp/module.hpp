/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/hpp/module.hpp>: modules, kernels with typed arguments, and functions of
 * C++ as kernels of the simulator.
 */
#ifndef RILL_HPP_MODULE_HPP
#define RILL_HPP_MODULE_HPP

#include <rill/hpp/platform.hpp>
#include <rill/module.h>

#include <string_view>

namespace rill {

/* ---- Kernels ------------------------------------------------------------ */

/* Blocks, the threads of each block, and the shared memory of each block. */
struct grid {
    rill_dim3 blocks, threads;
    std::size_t shared_bytes;

    constexpr grid(std::uint32_t blocks_x, std::uint32_t threads_x, std::size_t shared = 0) noexcept
        : grid(rill_dim3{ blocks_x, 1, 1 }, rill_dim3{ threads_x, 1, 1 }, shared)
    {
    }

    constexpr grid(rill_dim3 all_blocks, rill_dim3 all_threads, std::size_t shared = 0) noexcept
        : blocks(all_blocks), threads(all_threads), shared_bytes(shared)
    {
    }
};

/* Returns as many blocks of `threads` threads as `count` needs.  If there are more than
 * a grid can express, returns so many that no device launches them. */
constexpr grid grid_over(std::size_t count, std::uint32_t threads,
                         std::size_t shared_bytes = 0) noexcept
{
    const std::size_t blocks = threads ? count / threads + (count % threads != 0) : 0;
    return grid(blocks < UINT32_MAX ? static_cast<std::uint32_t>(blocks) : UINT32_MAX, threads,
                shared_bytes);
}

/* A kernel of a module, which is borrowed from the module.  A launch passes the
 * arguments as they are: 2 is an int, 2.0f a float, and a buffer is its address.  The
 * kernel's parameters should have the same types: see rill::kernel. */
class kernel_ref : public detail::ref<rill_kernel> {
public:
    using ref::ref;

    const char *name() const noexcept { return rill_kernel_name(handle_); }

    int attribute(rill_kernel_attribute which) const
    {
        int value = 0;
        check(rill_kernel_get_attribute(handle_, which, &value));
        return value;
    }

    void set_attribute(rill_kernel_attribute which, int value) const
    {
        check(rill_kernel_set_attribute(handle_, which, value));
    }
};

/* ---- Modules ------------------------------------------------------------ */

class module_ref : public detail::ref<rill_module> {
public:
    using ref::ref;

    kernel_ref kernel(const char *name) const
    {
        rill_kernel *found = nullptr;
        check(rill_module_kernel(handle_, name, &found));
        return found;
    }

    std::size_t kernel_count() const
    {
        std::size_t count = 0;
        check(rill_module_kernel_count(handle_, &count));
        return count;
    }

    /* Returns as many elements of T as the variable has room for. */
    template <class T> device_span<T> variable(const char *name) const
    {
        rill_devptr address = 0;
        std::size_t bytes = 0;
        check(rill_module_variable(handle_, name, &address, &bytes));
        return { address, bytes / sizeof(T) };
    }
};

class module : public detail::owner<module_ref, rill_module_unload> {
public:
    using owner::owner;

    module(context_ref context, rill_image image)
    {
        image.size = sizeof image;
        check(rill_module_load(context.get(), &image, &handle_));
    }

    /* `code` is PTX, a cubin or a fatbin; `functions` are for the simulator.  One of
     * them may be empty. */
    module(context_ref context, std::string_view code, span<const rill_function> functions = {})
        : module(context, image_of(code, functions))
    {
    }

    module(context_ref context, span<const rill_function> functions)
        : module(context, image_of({}, functions))
    {
    }

private:
    static rill_image image_of(std::string_view code, span<const rill_function> functions)
    {
        rill_image image = {};
        image.code = code.empty() ? nullptr : code.data();
        image.code_bytes = code.size();
        image.functions = functions.data();
        image.function_count = functions.size();
        return image;
    }
};

/* ---- Kernels whose parameters are known --------------------------------- */

/* A kernel whose arguments are converted to these types at the launch, as for a
 * function:
 *
 *     rill::kernel<float, rill::device_ptr<const float>, std::uint32_t> scale(module, "scale");
 *     stream.launch_kernel(scale, rill::grid_over(n, 256), 2, x, n);
 *
 * The constructor checks once that number and sizes of the parameters are right, where
 * the backend can tell; the thread's error record is empty after that. */
template <class... Params> class kernel : public kernel_ref {
    static_assert((std::is_trivially_copyable_v<Params> && ...), "kernels get copies of bytes");

public:
    kernel() noexcept = default;

    explicit kernel(kernel_ref untyped) : kernel_ref(untyped) { compare(); }

    kernel(module_ref module, const char *name) : kernel(module.kernel(name)) {}

private:
    void compare() const
    {
        constexpr std::size_t count = sizeof...(Params), sizes[] = { sizeof(Params)..., 0 };
        for (std::size_t i = 0; i <= count; i++) {
            std::size_t offset = 0, bytes = 0;
            rill_status status = rill_kernel_param(handle_, i, &offset, &bytes);
            if (status == RILL_ERROR_NOT_SUPPORTED) break;
            if (status == RILL_ERROR_INVALID_VALUE) bytes = 0;
            else check(status);
            if (bytes != sizes[i]) differ(i, bytes, sizes[i]);
        }
        rill_clear_error();
    }

    [[noreturn]] void differ(std::size_t i, std::size_t has, std::size_t given) const
    {
        throw error(RILL_ERROR_INVALID_VALUE, "rill::kernel", "Params",
                    "parameter " + std::to_string(i) + " of " + name() + " has " +
                        std::to_string(has) + " bytes, and that of rill::kernel " +
                        std::to_string(given) + " (0: there is none)");
    }
};

namespace detail {

template <class... Params> std::true_type is_typed(const kernel<Params...> *);
std::false_type is_typed(const void *);

/* Selects what is launched with its arguments as they are. */
template <class Kernel>
using if_untyped = std::enable_if_t<
    std::is_convertible_v<const Kernel &, kernel_ref> &&
    !decltype(is_typed(static_cast<const Kernel *>(nullptr)))::value>;

template <class T> std::true_type is_device_span(const device_span<T> *);
std::false_type is_device_span(const void *);

/* Returns where the bytes of an argument are.  A span passes its address. */
template <class T> const void *place_of(const T &argument) noexcept
{
    if constexpr (decltype(is_device_span(&argument))::value) {
        return &argument.ptr();
    } else {
        static_assert(std::is_trivially_copyable_v<T>, "kernels get copies of bytes");
        return &argument;
    }
}

} // namespace detail

/* ---- Functions of C++ as kernels ---------------------------------------- */

namespace detail {

template <auto function, class Type = decltype(function)> struct simulated;

template <auto function, class... Params>
struct simulated<function, void (*)(const rill_launch &, Params...)> {
    static constexpr rill_param params[] = {
        rill_param{ static_cast<std::uint16_t>(sizeof(Params)),
                    static_cast<std::uint16_t>(alignof(Params)) }...,
        rill_param{ 0, 0 },
    };

    static rill_function described(const char *name) noexcept
    {
        rill_function made = {};
        made.name = name;
        made.params = params;
        made.param_count = sizeof...(Params);
        return made;
    }

    static void call(const rill_launch *launch) noexcept
    {
        call_with(launch, std::index_sequence_for<Params...>());
    }

private:
    template <std::size_t... i>
    static void call_with(const rill_launch *launch, std::index_sequence<i...>)
    {
        function(*launch, *static_cast<const Params *>(launch->params[i])...);
    }
};

} // namespace detail

/* Returns the table entry of a function void scale(const rill_launch &, float,
 * device_ptr<float>), which is called once for each launch, or once for each block:
 *
 *     const rill_function scales[] = { rill::over_grid<scale>("scale") };
 *
 * The function's parameters are the kernel's.  It must not throw
 * (<rill/hpp/function.hpp>). */
template <auto function> rill_function over_grid(const char *name) noexcept
{
    rill_function made = detail::simulated<function>::described(name);
    made.over_grid = detail::simulated<function>::call;
    return made;
}

template <auto function> rill_function over_block(const char *name) noexcept
{
    rill_function made = detail::simulated<function>::described(name);
    made.over_block = detail::simulated<function>::call;
    return made;
}

} // namespace rill

#endif
