/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/rill.hpp>: rill for C++17: owners, exceptions, lambdas and typed memory.
 *
 *     rill::platform platform = rill::open();
 *     rill::context context(platform);
 *     rill::stream stream(context);
 *
 *     rill::buffer<float> x(context, numbers.size());
 *     stream.copy(x, numbers);
 *     rill::graph graph = rill::capture(stream, [&] {
 *         stream.launch_kernel(scale, rill::grid_over(x.size(), 256), 2, x, x.size());
 *     });
 *     rill::exec exec(graph);
 *     exec.launch(stream);
 *     stream.copy(numbers, x);
 *     stream.synchronize();
 *
 * All of it is inline, over the calls of <rill/rill.h>, which has the reference;
 * nothing is added to the library.  Every object returns its handle with get() and
 * gives it away with release(), and an object that was made in C can be adopted, so
 * that both interfaces go together. check() turns what C returns into exceptions.
 *
 * Objects end in the opposite order of their declaration, which is the right one: first
 * a platform, then a context, then what is in the context.  Exceptions must be enabled;
 * run-time type information need not be.
 */
#ifndef RILL_RILL_HPP
#define RILL_RILL_HPP

#include <rill/rill.h>

#include <rill/hpp/error.hpp>    /* rill::error, check()                            */
#include <rill/hpp/handle.hpp>   /* what references and owners have in common       */
#include <rill/hpp/span.hpp>
#include <rill/hpp/function.hpp> /* what becomes of exceptions in functions         */
#include <rill/hpp/platform.hpp>
#include <rill/hpp/memory.hpp>   /* device_ptr, device_span                         */
#include <rill/hpp/pool.hpp>
#include <rill/hpp/module.hpp>   /* modules, kernels, C++ functions as kernels      */
#include <rill/hpp/event.hpp>
#include <rill/hpp/stream.hpp>
#include <rill/hpp/buffer.hpp>   /* buffer, host_buffer                             */
#include <rill/hpp/user_object.hpp>
#include <rill/hpp/graph.hpp>
#include <rill/hpp/capture.hpp>  /* capture(), the guard                            */
#include <rill/hpp/exec.hpp>
#include <rill/hpp/replay.hpp>

#endif
