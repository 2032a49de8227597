#include "schemagen/base/union.h"

#include <everything/schema_info.h>
#include <everything/types.h>
#include <wide/types.h>

#include <catch2/catch.hpp>
#include <sstream>
#include <string>
#include <utility>

#include "schemagen/base/error.h"

using everything::Choice;
using everything::Tree;

namespace {

Choice text(const std::string& value) {
  Choice choice;
  choice.emplace<Choice::get_>(value);
  return choice;
}

}  // namespace

TEST_CASE("a union begins unset, and says so") {
  const Choice choice;
  CHECK(choice.kind() == Choice::unset);
  CHECK_FALSE(choice.is<Choice::get_>());
  CHECK(choice.get_if<Choice::get_>() == nullptr);
  CHECK(choice == Choice());
}

TEST_CASE("a union gives the member that was set, and no other") {
  Choice choice;
  choice.emplace<Choice::kind_>(3);
  CHECK(choice.kind() == Choice::kind_);
  CHECK(choice.get<Choice::kind_>() == 3);
  CHECK(choice.get_if<Choice::get_>() == nullptr);
  CHECK_THROWS_AS(choice.get<Choice::get_>(), schemagen::UsageError);
  CHECK_THROWS_WITH(choice.get<Choice::get_>(), "expected union member 'get', but 'kind' is set");
  CHECK_THROWS_WITH(Choice().get<Choice::get_>(), "expected union member 'get', but none is set");
}

TEST_CASE("two members of one type are two members") {
  Choice a;
  a.emplace<Choice::get_>("x");
  Choice b;
  b.emplace<Choice::int_>("x");
  CHECK(a != b);
  CHECK_FALSE(b.is<Choice::get_>());
}

TEST_CASE("setting another member, or the same again, drops the old one") {
  Choice choice = text(std::string(100, 'x'));
  choice.emplace<Choice::flags>(std::vector<bool>{true, false});
  CHECK(choice.get<Choice::flags>().size() == 2);
  choice.emplace<Choice::get_>("a");
  choice.emplace<Choice::get_>("b");
  CHECK(choice.get<Choice::get_>() == "b");
  choice.reset();
  CHECK(choice.kind() == Choice::unset);
}

TEST_CASE("a member can be set from a part of the member before") {
  Choice choice = text(std::string(100, 'x'));
  choice.emplace<Choice::int_>(choice.get<Choice::get_>());
  CHECK(choice.get<Choice::int_>() == std::string(100, 'x'));
}

TEST_CASE("copies are deep, and equal") {
  Choice a;
  a.emplace<Choice::tree>().name = "root";
  a.get<Choice::tree>().choice = text("inner");
  Choice b(a);
  CHECK(a == b);
  b.get<Choice::tree>().choice->get<Choice::get_>() = "changed";
  CHECK(a != b);
  CHECK(a.get<Choice::tree>().choice->get<Choice::get_>() == "inner");
  b = a;
  CHECK(a == b);
  const Choice& same = b;
  b = same;
  CHECK(a == b);
}

TEST_CASE("a moved-from union is unset") {
  Choice a = text("x");
  Choice b(std::move(a));
  CHECK(b.get<Choice::get_>() == "x");
  CHECK(a.kind() == Choice::unset);  // NOLINT: that is what is tested
  a = std::move(b);
  CHECK(a.get<Choice::get_>() == "x");
  CHECK(b.kind() == Choice::unset);  // NOLINT
}

TEST_CASE("a union can be assigned from a value that it holds") {
  Choice choice;
  choice.emplace<Choice::tree>().choice = text("inner");
  choice = Choice(*choice.get<Choice::tree>().choice);
  CHECK(choice.get<Choice::get_>() == "inner");
}

TEST_CASE("a union can take over a value that it holds") {
  Choice choice;
  choice.emplace<Choice::tree>().choice = text(std::string(100, 'x'));
  choice = std::move(*choice.get<Choice::tree>().choice);
  CHECK(choice.get<Choice::get_>() == std::string(100, 'x'));
  Choice& same = choice;
  choice = std::move(same);
  CHECK(choice.get<Choice::get_>() == std::string(100, 'x'));
}

TEST_CASE("a member can be set from itself, or from a part of itself") {
  Choice choice = text(std::string(100, 'x'));
  choice.emplace<Choice::get_>(choice.get<Choice::get_>());
  CHECK(choice.get<Choice::get_>() == std::string(100, 'x'));
  choice.emplace<Choice::tree>().children.resize(2);
  choice.get<Choice::tree>().children[1].name = std::string(100, 'y');
  choice.emplace<Choice::tree>(choice.get<Choice::tree>().children[1]);
  CHECK(choice.get<Choice::tree>().name == std::string(100, 'y'));
  CHECK(choice.get<Choice::tree>().children.empty());
}

TEST_CASE("a member that is set to nothing has the value that its type begins with") {
  Choice choice = text("x");
  CHECK(choice.emplace<Choice::kind_>() == 0);
  CHECK(choice.emplace<Choice::color>() == everything::Color::RED);
  CHECK(choice.emplace<Choice::anything>().text == "null");
  CHECK(choice.emplace<Choice::tree>().name.empty());
  CHECK(choice.emplace<Choice::flags>().empty());
}

TEST_CASE("of a union that is const only const members can be had") {
  const Choice choice = text("x");
  CHECK(choice.get<Choice::get_>() == "x");
  REQUIRE(choice.get_if<Choice::get_>() != nullptr);
  CHECK(*choice.get_if<Choice::get_>() == "x");
  CHECK(choice.get_if<Choice::int_>() == nullptr);
  STATIC_REQUIRE(std::is_same_v<decltype(choice.get<Choice::get_>()), const std::string&>);
  STATIC_REQUIRE(std::is_nothrow_move_constructible_v<Choice>);
  STATIC_REQUIRE(std::is_nothrow_move_assignable_v<Choice>);
}

TEST_CASE("a boxed member is reached like any other") {
  Choice choice;
  Tree& tree = choice.emplace<Choice::tree>();
  tree.name = "t";
  STATIC_REQUIRE(std::is_same_v<Choice::Member<Choice::tree>, Tree>);
  CHECK(choice.get_if<Choice::tree>()->name == "t");
}

TEST_CASE("a union of more than 255 members tells the last from the first") {
  wide::Either either;
  either.emplace<wide::Either::member_299>().field_2 = true;
  CHECK(either.kind() == wide::Either::member_299);
  CHECK(either.get<wide::Either::member_299>().field_2);
  either.emplace<wide::Either::member_43>("x");
  CHECK(either.is<wide::Either::member_43>());
}

TEST_CASE("a member is made from its constructor's arguments, as std::variant does") {
  Choice choice;
  CHECK(choice.emplace<Choice::get_>(std::size_t{3}, 'c') == "ccc");
  CHECK(choice.emplace<Choice::flags>(std::size_t{3}, true) == std::vector<bool>{true, true, true});
  CHECK(choice.emplace<Choice::flags>({true, false}) == std::vector<bool>{true, false});
  CHECK(Choice::of<Choice::get_>("x") == text("x"));
  CHECK(Choice::of<Choice::flags>(std::vector<bool>{true}).get<Choice::flags>().size() == 1);
}

TEST_CASE("a value of a type that only one member has sets that member") {
  Choice choice = everything::Color::GREEN;
  CHECK(choice.get<Choice::color>() == everything::Color::GREEN);
  Tree tree;
  tree.name = "t";
  choice = tree;
  CHECK(choice.get<Choice::tree>().name == "t");
  choice = std::move(tree);
  CHECK(choice.get<Choice::tree>().name == "t");
  STATIC_REQUIRE(std::is_assignable_v<Choice&, std::vector<bool>>);
  STATIC_REQUIRE_FALSE(std::is_assignable_v<Choice&, std::string>);
  STATIC_REQUIRE_FALSE(std::is_assignable_v<Choice&, int>);
  STATIC_REQUIRE_FALSE(std::is_assignable_v<Choice&, const char*>);
  choice = {};
  CHECK(choice.kind() == Choice::unset);
}

namespace {

struct SizeOf {
  template <class T>
  std::size_t operator()(const T&) const {
    return sizeof(T);
  }
  std::size_t operator()(const std::string& text) const { return text.size(); }
};

struct Clear {
  template <class T>
  void operator()(T& member) const {
    member = T{};
  }
};

}  // namespace

TEST_CASE("a visitor is given the member that is set") {
  Choice choice = text("four");
  const Choice& same = choice;
  CHECK(same.visit(SizeOf{}) == 4);
  choice.visit(Clear{});
  CHECK(choice.get<Choice::get_>().empty());
  choice.emplace<Choice::tree>().name = "t";
  CHECK(choice.visit(SizeOf{}) == sizeof(Tree));
  choice.visit(Clear{});
  CHECK(choice.get<Choice::tree>().name.empty());
  CHECK_THROWS_WITH(Choice().visit(SizeOf{}), "expected a union member, but none is set");
}

TEST_CASE("a kind is printed as the schema's name of its member") {
  std::ostringstream out;
  out << text("x").kind() << ' ' << Choice().kind() << ' ' << Choice::kind_;
  CHECK(out.str() == "get unset kind");
}

TEST_CASE("names of enum and union members give the members, others nothing") {
  CHECK(everything::from_name<everything::Color>("GREEN") == everything::Color::GREEN);
  CHECK(everything::from_name<everything::Color>(everything::name_of(everything::Color::BLUE)) ==
        everything::Color::BLUE);
  CHECK_FALSE(everything::from_name<everything::Color>("green"));
  CHECK(everything::from_name<Choice::Kind>("get") == Choice::get_);
  CHECK_FALSE(everything::from_name<Choice::Kind>("unset"));
}

TEST_CASE("ensure() preserves a member that is set, and creates others") {
  Choice choice = text("a text that is kept where it is");
  const void* const at = choice.get<Choice::get_>().data();
  CHECK(choice.ensure<Choice::get_>().data() == at);
  CHECK(choice.ensure<Choice::kind_>() == 0);
  CHECK(choice.ensure<Choice::get_>().empty());
}
