#pragma once

#include <string_view>
#include <unordered_set>

#include "cpp/template_data.h"

namespace generator {

/// The class of a type in a Python module. Names that Python or the module reserves get a trailing `_`.
class PythonClass {
 public:
  PythonClass(const Model& model, const Definition& type);

  void set_type(TemplateData& data) const;
  void set_value(TemplateData& data, const Field& value) const;
  /// `python_type` is for reading, and `python_given` is for assigning. Names that annotations need also get
  /// a trailing `_`.
  void set_field(TemplateData& data, const Field& field, const std::string& doc) const;

 private:
  std::string renamed(std::string name) const;
  std::string field_name(const std::string& name) const;
  std::string builtin(const std::string& name) const;
  enum Use { given, held, read };  // assigned; an item of a list; read: a union is one of its members
  std::string spelled_type(const Type& type, Use use) const;
  std::string items(const Type& type, Use use) const;

  const Model& model_;
  const Definition& type_;
  std::unordered_set<std::string_view> members_;
  std::unordered_set<std::string> mentioned_;  // the types of fields
};

}  // namespace generator
