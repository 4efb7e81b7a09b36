// Session: a device and the clouds kept there between calls.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <unistd.h>

#include <map>
#include <optional>
#include <utility>

#include "bindings/bindings.h"
#include "bindings/clouds.h"
#include "wordbreadth/adjust.h"
#include "wordbreadth/error.h"
#include "wordbreadth/names.h"
#include "wordbreadth/session.h"

namespace wordbreadth::python {

namespace nb = nanobind;

namespace {

// A process that was forked has none of the session's threads. There the session can neither be used nor ended: it is
// left as it is.
class KeptSession {
  public:
    KeptSession(const std::string& device, unsigned threads, const std::string& instruction_set) {
        run_watched(nb::none(), [&](const Watch&) {
            Execution execution;
            execution.device = device;
            execution.threads = threads;
            execution.instruction_set = instruction_set;
            session_ = std::make_unique<Session>(execution);
        });
    }
    KeptSession(const KeptSession&) = delete;
    KeptSession& operator=(const KeptSession&) = delete;
    ~KeptSession() {
        if (getpid() != process_) static_cast<void>(session_.release());
    }

    [[nodiscard]] Session& session() {
        if (getpid() != process_)
            throw std::runtime_error(
                "this session was made before the process was forked, which does not copy its threads; make a Session "
                "in the new process");
        if (!session_) throw InputError("the session is closed");
        return *session_;
    }

    std::uint64_t add(const Array& array) {
        Session& here = session();
        return watched(nb::none(), [&](const Watch&) {
            if (array.rows.on_device) return here.add(array.name, array.rows, array.origin).id;
            return here.add(cloud_of(array)).id;
        });
    }

    void close() {
        if (session_ && getpid() == process_) run_watched(nb::none(), [&](const Watch&) { session_.reset(); });
    }

  private:
    pid_t process_ = getpid();
    std::unique_ptr<Session> session_;
};

using Handles = nb::ndarray<const std::uint64_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;

TestResults results_of(Session& session, const Handles& handles, const TestOptions& options) {
    std::vector<HandlePair> pairs(handles.shape(0));
    for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = {{handles.data()[2 * i]}, {handles.data()[2 * i + 1]}};
    return session.test_many_pairs(pairs, options);
}

}  // namespace

void add_sessions(nb::module_& module) {
    nb::class_<KeptSession>(module, "Session")
        .def(nb::init<const std::string&, unsigned, const std::string&>())
        .def_prop_ro("device", [](KeptSession& kept) { return kept.session().device(); })
        .def("add", &KeptSession::add)
        .def("remove",
             [](KeptSession& kept, std::uint64_t id) {
                 Session& session = kept.session();
                 run_watched(nb::none(), [&](const Watch&) { session.remove({id}); });
             })
        .def("__len__", [](KeptSession& kept) { return kept.session().size(); })
        .def("breadth",
             [](KeptSession& kept, std::uint64_t id) {
                 Session& session = kept.session();
                 return watched(nb::none(), [&](const Watch&) { return session.breadth({id}); });
             })
        .def("test",
             [](KeptSession& kept, std::uint64_t x, std::uint64_t y, const Options& options) {
                 Session& session = kept.session();
                 return options.tested(watched(options.progress, [&](const Watch& watch) {
                     return session.test({x}, {y}, options.watched_by(watch));
                 }));
             })
        .def("pairs",
             [](KeptSession& kept, const Handles& handles, const std::string& adjustment, const Options& options) {
                 return test_many(options, adjustment, [&](const TestOptions& completed) {
                     return results_of(kept.session(), handles, completed);
                 });
             })
        .def("close", &KeptSession::close);
}

}  // namespace wordbreadth::python
