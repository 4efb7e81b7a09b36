// Keyword arguments of Python as the options of the library. What is None, or not there, keeps the option's default, so
// that defaults stand in one place: the library's structs.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "wordbreadth/layers.h"
#include "wordbreadth/names.h"
#include "wordbreadth/test.h"

namespace wordbreadth::python {

// Messages name the argument, the value found and what was expected. Wrong values raise ValueError, wrong types
// TypeError.
class Arguments {
  public:
    explicit Arguments(nanobind::dict given) : given_(std::move(given)) {}

    void read(const char* name, bool& value) const;
    void read(const char* name, double& value) const;
    void read(const char* name, std::string& value) const;
    void read(const char* name, std::vector<std::string>& value) const;  // one, or several in anything iterable
    void read(const char* name, std::vector<double>& value) const;
    void read(const char* name, std::vector<std::size_t>& value) const;

    template <class Whole>
    requires(std::is_unsigned_v<Whole> && !std::is_same_v<Whole, bool>) void read(const char* name,
                                                                                  Whole& value) const {
        if (const auto found = whole(name, std::numeric_limits<Whole>::max())) value = static_cast<Whole>(*found);
    }

    template <class Choice>
    requires std::is_enum_v<Choice>
    void read(const char* name, Choice& value) const {
        std::string text;
        read(name, text);
        if (text.empty()) return;
        std::vector<std::string> known;
        for (const auto& entry : names_of(value)) {
            known.emplace_back(entry.name);
            if (entry.name == text) {
                value = entry.value;
                return;
            }
        }
        reject_name(name, text, known);
    }

    template <class Value>
    void read(const char* name, std::optional<Value>& value) const {
        if (!has(name)) return;
        Value given{};
        read(name, given);
        value = std::move(given);
    }

    // One of two names.
    void read_either(const char* name, const char* if_true, const char* if_false, bool& value) const;

    // blocks="document" or "none".
    void read_blocks(const char* name, bool& documents) const { read_either(name, "document", "none", documents); }

    // device, threads and, where there is one, instruction_set.
    void read(Execution& execution) const;

    [[nodiscard]] bool has(const char* name) const;

  private:
    [[nodiscard]] std::optional<std::uint64_t> whole(const char* name, std::uint64_t most) const;
    [[noreturn]] static void reject_name(const char* name, const std::string& text,
                                         const std::vector<std::string>& known);

    nanobind::dict given_;
};

// layers="2,4,6", as wordbreadth._layers writes them; empty where there are none.
[[nodiscard]] std::vector<LayerRange> read_layers(const Arguments& arguments);

// The options of a test of many words, as compare and triage take them.
void read(const Arguments& arguments, TestOptions& options);

}  // namespace wordbreadth::python
