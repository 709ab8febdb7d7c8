/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/hpp/graph.hpp>: graphs and their nodes.
 *
 * A node is a rill_node, as in C: a plain value that belongs to its graph.
 */
#ifndef RILL_HPP_GRAPH_HPP
#define RILL_HPP_GRAPH_HPP

#include <rill/graph.h>
#include <rill/hpp/stream.hpp>
#include <rill/hpp/user_object.hpp>

#include <string>
#include <vector>

namespace rill {

class graph;

class graph_ref : public detail::ref<rill_graph> {
public:
    using ref::ref;

    /* ---- Nodes ---------------------------------------------------------- */

    /* Adds a node.  The first argument lists the nodes after which the new one runs, as
     * in graph.add_empty({ a, b }); a graph is built from `{}`, the nodes that run at
     * once. */
    rill_node add_empty(node_span after) const
    {
        rill_node node = nullptr;
        check(rill_graph_add_empty(handle_, after.data(), after.size(), &node));
        return node;
    }

    /* Adds a node that calls a function once in each launch: what a call changes in the
     * function stays changed.  The function lives as long as the node, its clones, its
     * execs, and launches in flight.  See stream_ref::launch_host(). */
    template <class F> rill_node add_host(node_span after, F &&f) const
    {
        rill_node node = nullptr;
        const rill_host_op held = detail::hold(std::forward<F>(f));
        check(rill_graph_add_host(handle_, after.data(), after.size(), held.fn, held.data,
                                  held.destroy, &node));
        return node;
    }

    template <class Kernel, class... Args, class = detail::if_untyped<Kernel>>
    rill_node add_kernel(node_span after, const Kernel &kernel, const grid &grid,
                         const Args &...args) const
    {
        rill_node node = nullptr;
        const void *const params[] = { detail::place_of(args)..., nullptr };
        check(rill_graph_add_kernel(handle_, after.data(), after.size(), kernel_ref(kernel).get(),
                                    grid.blocks, grid.threads, grid.shared_bytes, params,
                                    &node));
        return node;
    }

    template <class... Params>
    rill_node add_kernel(node_span after, const kernel<Params...> &kernel, const grid &grid,
                         detail::as_is<Params>... args) const
    {
        return add_kernel(after, static_cast<const kernel_ref &>(kernel), grid, args...);
    }

    rill_node add_memcpy(node_span after, const rill_copy &copy) const
    {
        rill_node node = nullptr;
        check(rill_graph_add_memcpy(handle_, after.data(), after.size(), &copy, &node));
        return node;
    }

    /* Host memory must stay for as long as the graph is launched. */
    template <class T>
    rill_node add_copy(node_span after, device_span<T> dst, detail::as_is<span<const T>> src) const
    {
        return add_memcpy(after,
                          detail::copy_of(rill_device_place(dst.address()),
                                          rill_host_place(src.data()),
                                          detail::bytes_of_both(dst.size_bytes(),
                                                                src.size_bytes())));
    }

    template <class T>
    rill_node add_copy(node_span after, detail::as_is<span<T>> dst, device_span<T> src) const
    {
        return add_memcpy(after,
                          detail::copy_of(rill_host_place(dst.data()),
                                          rill_device_place(src.address()),
                                          detail::bytes_of_both(dst.size_bytes(),
                                                                src.size_bytes())));
    }

    template <class T>
    rill_node add_copy(node_span after, device_span<T> dst, device_span<T> src) const
    {
        return add_memcpy(after,
                          detail::copy_of(rill_device_place(dst.address()),
                                          rill_device_place(src.address()),
                                          detail::bytes_of_both(dst.size_bytes(),
                                                                src.size_bytes())));
    }

    template <class T>
    rill_node add_fill(node_span after, device_span<T> dst, detail::as_is<const T &> value) const
    {
        rill_node node = nullptr;
        const rill_fill fill = detail::fill_of(dst, value);
        check(rill_graph_add_memset(handle_, after.data(), after.size(), &fill, &node));
        return node;
    }

    /* Adds a copy of the child. */
    rill_node add_child(node_span after, graph_ref child) const
    {
        return add_child(after, child, 0);
    }

    /* Moves the child itself into the graph.  It belongs to the parent when this
     * returns, and still to the caller when this throws:
     *
     *     graph.add_child({}, std::move(child));
     */
    inline rill_node add_child(node_span after, graph &&child) const;

    rill_node add_event_wait(node_span after, event_ref event) const
    {
        rill_node node = nullptr;
        check(rill_graph_add_event_wait(handle_, after.data(), after.size(), event.get(), &node));
        return node;
    }

    rill_node add_event_record(node_span after, event_ref event) const
    {
        rill_node node = nullptr;
        check(rill_graph_add_event_record(handle_, after.data(), after.size(), event.get(),
                                          &node));
        return node;
    }

    template <class T> struct allocation {
        rill_node node;
        device_span<T> memory;
    };

    template <class T> allocation<T> add_alloc(node_span after, std::size_t count) const
    {
        rill_node node = nullptr;
        rill_devptr address = 0;
        const std::size_t bytes = detail::bytes_of<T>(count, "rill::graph_ref::add_alloc");
        check(rill_graph_add_alloc(handle_, after.data(), after.size(), bytes, &address, &node));
        return { node, { address, count } };
    }

    template <class T> rill_node add_free(node_span after, device_span<T> memory) const
    {
        rill_node node = nullptr;
        check(rill_graph_add_free(handle_, after.data(), after.size(), memory.address(), &node));
        return node;
    }

    rill_node add_values(node_span after, span<const rill_value> values,
                         std::uint32_t flags = 0) const
    {
        rill_node node = nullptr;
        check(rill_graph_add_values(handle_, after.data(), after.size(), values.data(),
                                    values.size(), flags, &node));
        return node;
    }

    struct conditional {
        rill_node node;
        std::vector<graph_ref> bodies; /* to be filled */
    };

    rill_conditional create_conditional(std::uint32_t initial, std::uint32_t flags = 0) const
    {
        rill_conditional handle = 0;
        check(rill_conditional_create(handle_, initial, flags, &handle));
        return handle;
    }

    conditional add_conditional(node_span after, rill_conditional handle,
                                rill_conditional_kind kind, std::uint32_t body_count = 1) const
    {
        rill_node node = nullptr;
        std::vector<rill_graph *> bodies(body_count);
        check(rill_graph_add_conditional(handle_, after.data(), after.size(), handle, kind,
                                         body_count, bodies.data(), &node));
        return { node, { bodies.begin(), bodies.end() } };
    }

    /* Adds any node that <rill/op.h> can express. */
    rill_node add_node(node_span after, rill_op &op) const
    {
        rill_node node = nullptr;
        check(rill_graph_add_node(handle_, after.data(), after.size(), &op, &node));
        return node;
    }

    /* ---- Changes -------------------------------------------------------- */

    void remove_node(rill_node node) const { check(rill_graph_remove_node(handle_, node)); }

    void add_edge(rill_node from, rill_node to) const
    {
        check(rill_graph_add_edges(handle_, &from, &to, nullptr, 1));
    }

    void remove_edge(rill_node from, rill_node to) const
    {
        check(rill_graph_remove_edges(handle_, &from, &to, nullptr, 1));
    }

    /* Replaces the function of a node.  The former function is destroyed. */
    template <class F> void set_host(rill_node node, F &&f) const
    {
        const rill_op op = detail::host_op(std::forward<F>(f));
        check(rill_node_set_op(handle_, node, &op));
    }

    void set_op(rill_node node, const rill_op &op) const
    {
        check(rill_node_set_op(handle_, node, &op));
    }

    /* ---- What it has ---------------------------------------------------- */

    std::vector<rill_node> nodes() const { return list(rill_graph_nodes); }
    std::vector<rill_node> roots() const { return list(rill_graph_roots); }

    struct edge {
        rill_node from, to;
        rill_edge data;
    };

    std::vector<edge> edges() const
    {
        std::size_t count = 0;
        check(rill_graph_edges(handle_, nullptr, nullptr, nullptr, &count));
        std::vector<rill_node> from(count), to(count);
        std::vector<rill_edge> data(count);
        if (count)
            check(rill_graph_edges(handle_, from.data(), to.data(), data.data(), &count));
        std::vector<edge> all;
        for (std::size_t i = 0; i < count; i++) all.push_back({ from[i], to[i], data[i] });
        return all;
    }

    rill_op_kind kind(rill_node node) const
    {
        rill_op_kind kind = RILL_OP_EMPTY;
        check(rill_node_kind(handle_, node, &kind));
        return kind;
    }

    graph_ref child(rill_node node) const
    {
        rill_graph *child = nullptr;
        check(rill_node_child_graph(handle_, node, &child));
        return child;
    }

    /* Returns the node of this graph, a clone, that is the copy of `original`. */
    rill_node find_in_clone(rill_node original) const
    {
        rill_node node = nullptr;
        check(rill_graph_find_in_clone(handle_, original, &node));
        return node;
    }

    /* Returns the graph as text for Graphviz.  `flags` are RILL_DOT_*. */
    std::string dot(std::uint32_t flags = 0) const
    {
        std::string text;
        const rill_write_fn append = [](void *data, const char *piece,
                                        std::size_t bytes) noexcept {
            try {
                static_cast<std::string *>(data)->append(piece, bytes);
                return 0;
            } catch (...) {
                return 1;
            }
        };
        check(rill_graph_write_dot(handle_, flags, append, &text));
        return text;
    }

    /* Gives the graph one more reference. */
    void retain(user_object_ref object) const
    {
        check(rill_graph_retain_user_object(handle_, object.get(), 1, 0));
    }

    void set_node_label(rill_node node, const char *label) const
    {
        check(rill_node_set_label(handle_, node, label));
    }

    void set_label(const char *label) const { check(rill_graph_set_label(handle_, label)); }
    const char *label() const noexcept { return rill_graph_label(handle_); }

private:
    rill_node add_child(node_span after, graph_ref child, std::uint32_t flags) const
    {
        rill_node node = nullptr;
        check(rill_graph_add_child(handle_, after.data(), after.size(), child.get(), flags,
                                   &node));
        return node;
    }

    using lister = rill_status (*)(rill_graph *, rill_node *, std::size_t *);

    std::vector<rill_node> list(lister call) const
    {
        std::size_t count = 0;
        check(call(handle_, nullptr, &count));
        std::vector<rill_node> all(count);
        if (count) check(call(handle_, all.data(), &count));
        return all;
    }
};

class graph : public detail::owner<graph_ref, rill_graph_destroy> {
public:
    using owner::owner;

    explicit graph(context_ref context, const char *label = nullptr)
    {
        rill_graph_options options = {};
        options.size = sizeof options;
        options.label = label;
        check(rill_graph_create(context.get(), &options, &handle_));
    }

    /* Makes a graph without a default context for work that names none. */
    explicit graph(platform_ref platform, const char *label = nullptr)
    {
        rill_graph_options options = {};
        options.size = sizeof options;
        options.label = label;
        check(rill_graph_create_in(platform.get(), &options, &handle_));
    }
};

inline rill_node graph_ref::add_child(node_span after, graph &&child) const
{
    const rill_node node = add_child(after, child, RILL_CHILD_MOVE);
    static_cast<void>(child.release());
    return node;
}

inline graph clone(graph_ref original)
{
    rill_graph *made = nullptr;
    check(rill_graph_clone(original.get(), &made));
    return graph(made);
}

} // namespace rill

#endif
