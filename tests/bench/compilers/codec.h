#pragma once

#include <functional>
#include <string>
#include <vector>

#include "notes/types.h"

struct Codec {
  std::string name;
  std::string bytes;
  std::function<std::string()> write;
  /// Reads and verifies untrusted bytes, and returns the sum of all fields (lengths of text and bytes), which
  /// is the same for all libraries.
  std::function<double(const std::string&)> read;
};

inline double length(const std::string& text) {
  return static_cast<double>(text.size());
}

template <class Notebook, class Position, class Content>
double sum_of_structs(const Notebook& notebook, const Position& position, const Content& content) {
  double sum = length(notebook.title);
  for (const auto& entry : notebook.entries) {
    sum += static_cast<double>(entry.id) + length(entry.title);
    sum += static_cast<double>(entry.stage) + (entry.is_public ? 1 : 0);
    sum += length(entry.author.name) + length(entry.author.email) + static_cast<double>(entry.author.age);
    sum += position(entry);
    for (const auto& tag : entry.tags) sum += length(tag.key) + length(tag.value);
    sum += content(entry.content);
    for (const auto other : entry.related) sum += static_cast<double>(other);
  }
  return sum;
}

template <class Series>
double sum_of_series(const Series& series) {
  double sum = length(series.sensor);
  for (const auto time : series.times) sum += static_cast<double>(time);
  for (const double value : series.values) sum += value;
  return sum;
}

double sum_of(const notes::Notebook& notebook);

std::vector<Codec> by_schemagen(const notes::Notebook& notebook);
std::vector<Codec> by_protobuf(const notes::Notebook& notebook);
std::vector<Codec> by_thrift(const notes::Notebook& notebook);
std::vector<Codec> by_flatbuffers(const notes::Notebook& notebook);
std::vector<Codec> by_capnproto(const notes::Notebook& notebook);
std::vector<Codec> by_nlohmann(const notes::Notebook& notebook);
