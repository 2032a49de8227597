// compilers_bench ENTRIES ROUNDS: each library writes and reads the same notebook in turn. Prints name,
// bytes, and for writing and reading the shortest time in milliseconds and the median ratio to the first
// library.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <stdexcept>
#include <utility>

#include "../medians.h"
#include "codec.h"

namespace {

class Notes {
 public:
  notes::Notebook notebook(int entries) {
    notes::Notebook made;
    made.title = words(4);
    for (int i = 0; i < entries; ++i) made.entries.push_back(entry(i));
    return made;
  }

 private:
  std::size_t below(std::size_t count) { return random_() % count; }

  std::string words(std::size_t count) {
    static constexpr const char* kWords[] = {"a",     "note", "about", "measurements", "of",  "the",
                                             "river", "in",   "early", "spring",       "café"};
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += (i == 0 ? "" : " ") + std::string(kWords[below(11)]);
    return text;
  }

  notes::Content content() {
    const std::size_t kind = below(3);
    if (kind == 0) return notes::Text{words(30), "en"};
    if (kind == 1) {
      notes::Photo photo{640, 480, {}};
      for (int i = 0; i < 200; ++i) photo.data.push_back(static_cast<std::uint8_t>(below(256)));
      return photo;
    }
    notes::Series series{words(1), {}, {}};
    auto time = static_cast<std::int64_t>(1700000000 + below(10000000));
    for (int i = 0; i < 20; ++i) {
      series.times.push_back(time += static_cast<std::int64_t>(below(60)));
      series.values.push_back(static_cast<double>(below(10000)) / 100);
    }
    return series;
  }

  notes::Entry entry(std::int64_t id) {
    notes::Entry made;
    made.id = id;
    made.title = words(5);
    made.stage = static_cast<notes::Stage>(below(3));
    made.is_public = below(2) == 1;
    made.author = {words(2), words(1) + "@example.com", static_cast<std::int64_t>(20 + below(60))};
    if (below(2) == 1) {
      made.position = notes::Position{static_cast<double>(below(18000)) / 100 - 90,
                                      static_cast<double>(below(36000)) / 100 - 180};
    }
    for (std::size_t i = below(5); i > 0; --i) made.tags.push_back({words(1), words(2)});
    made.content = content();
    for (std::size_t i = below(6); i > 0; --i)
      made.related.push_back(static_cast<std::int64_t>(below(100000)));
    return made;
  }

  std::mt19937_64 random_{1};
};

double least(const std::vector<double>& values) {
  return *std::min_element(values.begin(), values.end());
}

struct Times {
  std::vector<double> milliseconds;
  std::vector<double> ratios;
};

template <class Work>
void take_time(Times& times, const Times& first, const Work& work) {
  const double start = processor_milliseconds();
  work();
  times.milliseconds.push_back(processor_milliseconds() - start);
  times.ratios.push_back(times.milliseconds.back() / first.milliseconds.back());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const notes::Notebook notebook = Notes().notebook(std::atoi(argv[1]));
  std::vector<Codec> codecs;
  for (auto* made : {by_schemagen, by_protobuf, by_thrift, by_flatbuffers, by_capnproto, by_nlohmann}) {
    for (Codec& codec : made(notebook)) codecs.push_back(std::move(codec));
  }
  const double sum = sum_of(notebook);
  std::vector<Times> writes(codecs.size());
  std::vector<Times> reads(codecs.size());
  for (int round = std::atoi(argv[2]); round > 0; --round) {
    for (std::size_t i = 0; i < codecs.size(); ++i) {
      double read = 0;
      std::size_t size = 0;
      take_time(writes[i], writes[0], [&] { size = codecs[i].write().size(); });
      take_time(reads[i], reads[0], [&] { read = codecs[i].read(codecs[i].bytes); });
      if (std::abs(read - sum) > 1e-9 * std::abs(sum) || size != codecs[i].bytes.size()) {
        throw std::runtime_error(codecs[i].name + " has another notebook");
      }
    }
  }
  for (std::size_t i = 0; i < codecs.size(); ++i) {
    std::printf("%s\t%zu\t%.3f\t%.3f\t%.3f\t%.3f\n", codecs[i].name.c_str(), codecs[i].bytes.size(),
                least(writes[i].milliseconds), median(writes[i].ratios), least(reads[i].milliseconds),
                median(reads[i].ratios));
  }
  return 0;
}
