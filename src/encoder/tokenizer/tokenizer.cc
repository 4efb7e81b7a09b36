#include "encoder/tokenizer/tokenizer.h"

#include "encoder/tokenizer/encoding_run.h"
#include "encoder/tokenizer/parts.h"
#include "wordbreadth/error.h"

namespace wordbreadth::encoder::tokenizer {

Tokenizer::Tokenizer(Parts parts) : parts_(std::make_unique<const Parts>(std::move(parts))) {}
Tokenizer::Tokenizer(Tokenizer&&) noexcept = default;
Tokenizer& Tokenizer::operator=(Tokenizer&&) noexcept = default;
Tokenizer::~Tokenizer() = default;

Encoding Tokenizer::encode(std::string_view text, const EncodeOptions& options) const {
    EncodingRun run(*parts_, options);
    run.append(text, std::nullopt);
    return run.finish();
}

Encoding Tokenizer::encode(std::span<const std::string_view> words, const EncodeOptions& options) const {
    EncodingRun run(*parts_, options);
    for (std::size_t i = 0; i < words.size() && !run.full(); ++i) {
        try {
            run.append(words[i], static_cast<std::int32_t>(i));
        } catch (const InputError& error) {
            throw InputError("word " + std::to_string(i) + ": " + error.what());
        }
    }
    return run.finish();
}

std::int32_t Tokenizer::vocabulary_end() const {
    return parts_->vocabulary.end();
}

std::string_view Tokenizer::spelling(std::int32_t id) const {
    return parts_->vocabulary.text(id);
}

std::optional<std::int32_t> Tokenizer::id_of(std::string_view spelling) const {
    return parts_->vocabulary.find(spelling);
}

}  // namespace wordbreadth::encoder::tokenizer
