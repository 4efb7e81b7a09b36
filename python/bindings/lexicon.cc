// WordNet, and lists of words in files.
#include "bindings/lexicon.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings/bindings.h"
#include "bindings/tables.h"
#include "wordbreadth/lists.h"

namespace nb = nanobind;

namespace wordbreadth::python {
namespace {

void open_wordnet(WordNetHandle* handle, const std::string& given) {
    const std::string folder = given.empty() ? WordNet::debian_folder : given;
    std::shared_ptr<const WordNet> open;
    {
        const nb::gil_scoped_release released;
        open = std::make_shared<const WordNet>(folder);
    }
    new (handle) WordNetHandle{std::move(open), folder};
}

nb::tuple senses_of(const WordNetHandle& handle, const std::string& word) {
    const Senses senses = handle.open->senses(word);
    return nb::make_tuple(senses.noun, senses.verb, senses.adjective, senses.adverb);
}

}  // namespace

void add_lexicon(nb::module_& module) {
    nb::class_<WordNetHandle>(module, "WordNet")
        .def("__init__", open_wordnet)
        .def_prop_ro("folder", [](const WordNetHandle& handle) { return python_text(handle.folder); })
        .def("senses", senses_of);
    module.def("read_word_list", read_word_list);
}

}  // namespace wordbreadth::python
