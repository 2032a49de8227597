// Compiles as it is. With BAD it must not: a union has no members of another union.
#include <everything/types.h>
#include <wide/types.h>

void read_member(const everything::Choice& choice) {
#ifdef BAD
  static_cast<void>(choice.get<wide::Either::member_0>());
#else
  static_cast<void>(choice.get<everything::Choice::kind_>());
#endif
}
