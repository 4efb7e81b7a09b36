#include "engine/cpu/cpu.h"
#include "engine/reference/reference.h"
namespace wordbreadth {
Device cpu_device() { return {"cpu","", true, {}, {"generic"}, "generic"}; }
std::unique_ptr<Backend> make_cpu(const Execution& execution) { return make_reference(execution); }
}
