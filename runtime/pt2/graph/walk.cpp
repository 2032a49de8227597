#include "pt2/graph/walk.h"

#include "pt2/visit.h"
#include "schemagen/base/visit.h"

namespace pt2 {
namespace {

using Table = ValueName::Table;

class SlotVisitor {
 public:
  SlotVisitor(const void* visit, detail::VisitSlot call) : visit_(visit), call_(call) {}

  void in(const Argument& argument) const {
    if (argument.kind() == Argument::unset) return slot(nullptr);
    schemagen::visit(argument, [this](auto, const auto& member) { this->in(member); });
  }

 private:
  void slot(const std::string* name, Table table = Table::tensors) const { call_(visit_, name, table); }

  void in(const TensorArgument& value) const { slot(&value.name); }
  void in(const CustomObjArgument& value) const { slot(&value.name, Table::custom_objects); }
  void in(const OptionalTensorArgument& value) const {
    const auto* const tensor = value.get_if<OptionalTensorArgument::as_tensor>();
    slot(tensor == nullptr ? nullptr : &tensor->name);
  }
  void in(const SymIntArgument& value) const {
    slot(value.get_if<SymIntArgument::as_name>(), Table::sym_ints);
  }
  void in(const SymFloatArgument& value) const {
    slot(value.get_if<SymFloatArgument::as_name>(), Table::sym_floats);
  }
  void in(const SymBoolArgument& value) const {
    slot(value.get_if<SymBoolArgument::as_name>(), Table::sym_bools);
  }
  void in(const schemagen::Map<Argument>& dict) const {
    for (const auto& entry : dict) in(entry.value);
  }
  template <class T>
  void in(const T& value) const {
    if constexpr (detail::form_as(static_cast<const T*>(nullptr)) == ArgumentForm::values) {
      for (const auto& item : value) in(item);
    } else {
      slot(nullptr);
    }
  }

  const void* visit_;
  detail::VisitSlot call_;
};

}  // namespace

void detail::visit_slots(const Argument& argument, const void* visit, VisitSlot call) {
  SlotVisitor(visit, call).in(argument);
}

}  // namespace pt2
