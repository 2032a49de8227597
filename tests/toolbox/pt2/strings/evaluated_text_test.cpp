#include "pt2/strings/evaluated_text.h"

#include <catch2/catch.hpp>

#include "schemagen/base/error.h"

using pt2::check_evaluated_expression;
using pt2::check_executed_guard;
using schemagen::DataError;

TEST_CASE("accepts expressions that sympy and torch write, in both forms") {
  for (const char* const text : {
           "Integer(4)",
           "s0",
           "-u0 <= -2",
           "2*s0 + 1",
           "zuf0",
           "int_oo",
           "Symbol('s0', integer=True, positive=True)",
           "Symbol(\"batch\", nonnegative=True)",
           "Add(Mul(Integer(-1), Symbol('s0')), Rational(1, 2))",
           "Float('1.5', precision=53)",
           "Float('-1e-10', precision=53)",
           "FloorDiv(s0, 2)",
           "Max(1, u0, u1)",
           "Piecewise(ExprCondPair(Symbol('s0'), StrictGreaterThan(Symbol('s0'), Integer(1))), "
           "ExprCondPair(Integer(2), true))",
           "Piecewise((s0, s0 > 1), (2, True))",
           "OpaqueUnaryFn_sqrt(ToFloat(Symbol('s0')))",
           "Eq(u0, 2) & Ne(u1, 3)",
       }) {
    INFO(text);
    CHECK_NOTHROW(check_evaluated_expression(text));
  }
}

TEST_CASE("rejects expressions that reach Python objects") {
  for (const char* const text : {
           "",
           "open(file='x', mode='w')",
           "open('x', 'w')",
           "exit()",
           "__import__('os')",
           "Integer.__init_subclass__.__self__",
           "Integer(4).__class__",
           "Symbol('s0').name",
           "s0.name",
           "s0[0]",
           "(lambda: 1)()",
           "lambda: s0",
           "[s0 for s0 in s1]",
           "s0 if s0 else print",
           "Add",
           "Q",
           "erf2",
           "batch",
           "_",
           "Symbol('__class__')",
           "Symbol('s0 + 1')",
           "Symbol('Integer')",
           "Symbol('s\\x30')",
           "Symbol('s0', cls='x')",
           "Symbol('s0', integer='True')",
           "Symbol('s0', integer=None)",
           "Symbol(s0)",
           "Float('1.5', dps=15)",
           "Float('exit()')",
           "Float('1_0')",
           "Integer('4')",
           "Integer(4, 5)",
           "Rational(1, 2, gcd=1)",
           "Add(s0, 1, evaluate=False)",
           "Mod(s0)",
           "Function('f')(s0)",
           "Lambda(s0, s0)",
           "sympify('exit()')",
           "parse_expr('exit()')",
           "S('exit()')",
           "math.sqrt(s0)",
           "torch.sym_max(s0, s1)",
           "f'{s0}'",
           "s0; s1",
           "s0 # 1",
           "s0!",
           "@s0",
           "s0 := 1",
           "\xc5\xbf"
           "0",  // Python takes this letter for an s
       }) {
    INFO(text);
    CHECK_THROWS_AS(check_evaluated_expression(text), DataError);
  }
}

TEST_CASE("accepts guards that compare properties of inputs") {
  for (const char* const text : {
           "L['x'].size()[0] != 1",
           "((4*L['x'].size()[0]) % (2*(L['x'].size()[0] // 2))) == 0",
           "(-6) + 3*L['x'].size()[0] >= 2",
           "L['flat_args'][0].size()[1] <= 16 and not L['y'] == 3",
           "L['d']['user-id'].stride()[0] == 1 or L['x'].storage_offset() == 0",
           "L['state'].hidden.size()[0] < 7",
           "math.floor(L['x'].size()[0] / 2) == max(1, abs(L['n']))",
           "torch._sym_sqrt(L['x'].size()[0]) > 1.5",
           "L['f'] == math.inf",
           "math.isnan(L['f'])",
           "len(L['xs']) == 2",
           "L['gr\xc3\xb6\xc3\x9f"
           "e'].size()[0] == 2",
       }) {
    INFO(text);
    CHECK_NOTHROW(check_executed_guard(text));
  }
}

TEST_CASE("rejects guards that call Python or end torch's strings") {
  for (const char* const text : {
           "",
           "open('x','w')",
           "open(L['x'])",
           "L['x'].__class__ == 1",
           "L['x']._base == 1",
           "L['x'].tolist() == 1",
           "L['x'].size(0) == 1",
           "L['x'].size().count(1)",
           "L[open('x','w')] == 1",
           "L['x'][L['y']] == 1",
           "L['x'][-1:] == 1",
           "L['a\"b'].size()[0] == 1",
           "L[\"a'b\"].size()[0] == 1",
           "L['a\\'b'].size()[0] == 1",
           "L['x'] == 'exit()'",
           "L == 1",
           "args[0] == 1",
           "torch == 1",
           "torch.os.abort()",
           "math.__loader__ == 1",
           "x == 1",
           "s0 == 1",
           "max(L['x'], key=1) == 1",
           "L['x'] == 1\nexit()",
           "L['x'] == 1; exit()",
           "L['x'] == 1, exit()",
           "(lambda: 1)() == 1",
           "Symbol('s0') == 1",
       }) {
    INFO(text);
    CHECK_THROWS_AS(check_executed_guard(text), DataError);
  }
}
