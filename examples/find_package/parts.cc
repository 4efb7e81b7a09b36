// Short uses of the library's parts, quoted in docs/library.md: parts STORE MODEL NEW_STORE
#include <cmath>
#include <iostream>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "wordbreadth/wordbreadth.h"

namespace {

void use_session(const wordbreadth::Store& store) {
    wordbreadth::Session session;  // the best device of this machine
    std::vector<wordbreadth::CloudHandle> clouds;
    for (std::size_t i = 0; i < 3; ++i) {  // the store's float32 rows are borrowed, not copied
        const wordbreadth::StoredWord word = store.word(i);
        clouds.push_back(
            session.add(word.word, {store.rows(i).data(), wordbreadth::Element::f32, word.rows, store.dimension()}));
    }
    for (const wordbreadth::CloudHandle y : {clouds[1], clouds[2]}) std::cout << session.test(clouds[0], y).p << '\n';
}

void stop_from_another_thread(const wordbreadth::Store& store) {
    std::stop_source stop;
    wordbreadth::RankOptions options;
    options.execution.stop = stop.get_token();
    options.execution.progress = [](double done) { std::cerr << std::lround(100 * done) << "%\n"; };
    std::jthread watcher([&] { stop.request_stop(); });
    try {
        std::cout << wordbreadth::rank(store, options).words.size() << " words\n";
    } catch (const wordbreadth::Cancelled&) {
        std::cout << "stopped\n";
    }
}

void time_stages(const wordbreadth::Store& store) {
    wordbreadth::Timing timing;
    wordbreadth::RankOptions options;
    options.execution.timing = &timing;
    (void)wordbreadth::rank(store, options);
    for (const wordbreadth::Timing::Spent& spent : timing.stages())
        std::cout << spent.stage << ": " << spent.seconds << " s, " << spent.cpu_seconds << " s of CPU time\n";
}

void read_store(const wordbreadth::Store& store) {
    for (const wordbreadth::StoredWord& word : store.words())
        if (word.frequency > 1000) std::cout << word.word << ": " << word.rows << " rows\n";
    const wordbreadth::Cloud cloud = store.cloud(0);
    for (const auto& line :
         wordbreadth::concordance(store, cloud.name(), {wordbreadth::ConcordanceOrder::influence, 3}))
        std::cout << line.influence << '\t' << line.occurrence.document << '\t' << line.occurrence.text << '\n';
}

void explain_word(const wordbreadth::Store& store) {
    const std::vector<std::size_t> words = {0};
    const wordbreadth::ExplainedWord word = wordbreadth::explain(store, words, 3).words.front();
    if (word.found.modes)
        for (std::size_t i = 0; i < word.lines.size(); ++i) {
            const wordbreadth::Mode& mode = word.found.modes->modes[i];
            std::cout << mode.share << " of the rows, from " << mode.documents << " documents, breadth " << mode.v
                      << '\n';
            for (const auto& line : word.lines[i]) std::cout << '\t' << line.occurrence.text << '\n';
        }
    for (const wordbreadth::BreadthAtSize& size : wordbreadth::by_size(store.cloud(0)).sizes)
        std::cout << size.n << " rows: " << size.low << " to " << size.high << '\n';
}

void encode(const std::string& model) {
    wordbreadth::EncoderOptions options;
    options.model = model;
    const wordbreadth::Encoder encoder(options);
    const std::vector<std::string> texts = {"The bank of the river.", "A bank account."};
    const std::vector<float> pooled = encoder.encode_pooled(texts);  // (texts, dimension)
    for (const wordbreadth::EncodedText& text : encoder.encode(texts))
        std::cout << text.ids.size() << " tokens of " << encoder.dimension() << " values\n";
    std::cout << pooled.size() << " values\n";
}

void write(const std::string& folder) {
    wordbreadth::WordRows bank{.word = "bank", .frequency = 2, .rows = {1, 0, 0, 1}, .occurrences = {}};
    bank.occurrences = {{.document = "a", .text = "the bank of the river", .start = 4, .end = 8},
                        {.document = "b", .text = "a bank account", .start = 2, .end = 6}};
    wordbreadth::write_store(folder, 2, {bank}, {{"model", "mine"}, {"layers", "last"}});
}

}  // namespace

int main(int count, char** arguments) try {
    if (count != 4) throw wordbreadth::InputError("usage: parts STORE MODEL NEW_STORE");
    const wordbreadth::Store store(arguments[1]);
    use_session(store);
    stop_from_another_thread(store);
    time_stages(store);
    read_store(store);
    explain_word(store);
    encode(arguments[2]);
    write(arguments[3]);
} catch (const wordbreadth::InputError& error) {
    std::cerr << "parts: " << error.what() << '\n';
    return 2;
}
