/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/hpp/exec.hpp>: graphs made ready to launch.
 */
#ifndef RILL_HPP_EXEC_HPP
#define RILL_HPP_EXEC_HPP

#include <rill/exec.h>
#include <rill/hpp/graph.hpp>

namespace rill {

class exec_ref : public detail::ref<rill_exec> {
public:
    using ref::ref;

    void launch(stream_ref stream) const { check(rill_exec_launch(handle_, stream.get())); }
    void upload(stream_ref stream) const { check(rill_exec_upload(handle_, stream.get())); }

    /* Returns whether the exec took the graph over.  If the graph has another shape, or
     * differs in something that cannot be changed, the exec stays as it was, and
     * `result` and rill_last_error() tell at which node.  Throws for every other
     * failure. */
    bool update(graph_ref graph, rill_update_result *result = nullptr) const
    {
        const rill_status status = rill_exec_update(handle_, graph.get(), result);
        if (status == RILL_ERROR_GRAPH_EXEC_UPDATE_FAILURE) return false;
        check(status);
        return true;
    }

    template <class F> void set_host(rill_node node, F &&f) const
    {
        const rill_op op = detail::host_op(std::forward<F>(f));
        check(rill_exec_set_op(handle_, node, &op));
    }

    void set_op(rill_node node, const rill_op &op) const
    {
        check(rill_exec_set_op(handle_, node, &op));
    }

    void set_enabled(rill_node node, bool enabled) const
    {
        check(rill_exec_set_enabled(handle_, node, enabled ? 1 : 0));
    }

    bool is_enabled(rill_node node) const
    {
        int enabled = 0;
        check(rill_exec_get_enabled(handle_, node, &enabled));
        return enabled != 0;
    }

    std::uint32_t flags() const
    {
        std::uint32_t flags = 0;
        check(rill_exec_flags(handle_, &flags));
        return flags;
    }

    std::size_t bytes() const
    {
        std::size_t bytes = 0;
        check(rill_exec_bytes(handle_, &bytes));
        return bytes;
    }

    void set_label(const char *label) const { check(rill_exec_set_label(handle_, label)); }
    const char *label() const noexcept { return rill_exec_label(handle_); }
};

class exec : public detail::owner<exec_ref, rill_exec_destroy> {
public:
    using owner::owner;

    explicit exec(graph_ref graph, std::uint32_t flags = 0)
    {
        rill_exec_options options = {};
        options.size = sizeof options;
        options.flags = flags;
        check(rill_exec_create(graph.get(), &options, &handle_));
    }

    /* If this throws, `options` tells what was wrong with which node. */
    exec(graph_ref graph, rill_exec_options &options)
    {
        options.size = sizeof options;
        check(rill_exec_create(graph.get(), &options, &handle_));
    }
};

} // namespace rill

#endif
