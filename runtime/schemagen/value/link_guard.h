// How a generated header makes sure that it is linked with the objects of its own schema. All functions may
// be called from several threads at once.
//
// types.h declares a function whose name holds the schema's name, major version and id, and keeps its
// address; types.cpp defines it. Objects of another schema define another one, so that the linker names what
// is missing, where otherwise functions would be called on types that they were not compiled for.
#pragma once

namespace schemagen {

using LinkGuard = void (*)() noexcept;

// The address must stay although nobody reads it. `used` is for the compiler, `retain` for the linker, with
// --gc-sections; both cost eight bytes of data and no instruction. Elsewhere the address is computed at the
// start of the program in a way that no compiler may leave out.
#if defined(__has_cpp_attribute)
#if __has_cpp_attribute(gnu::retain)
#define SCHEMAGEN_LINK_GUARD [[gnu::used, gnu::retain]] inline constexpr schemagen::LinkGuard
#elif __has_cpp_attribute(gnu::used)
#define SCHEMAGEN_LINK_GUARD [[gnu::used]] inline constexpr schemagen::LinkGuard
#endif
#endif

#if defined(SCHEMAGEN_LINK_GUARD) && !defined(SCHEMAGEN_PLAIN_LINK_GUARD)
constexpr LinkGuard kept(LinkGuard guard) {
  return guard;
}
#else
#undef SCHEMAGEN_LINK_GUARD
#define SCHEMAGEN_LINK_GUARD inline const schemagen::LinkGuard
inline LinkGuard kept(LinkGuard guard) {
  const volatile LinkGuard address = guard;
  return address;
}
#endif

}  // namespace schemagen
