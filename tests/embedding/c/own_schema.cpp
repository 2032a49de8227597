// A C library for your own schema: each root type gets one function.
#include <notes/binary.h>
#include <notes/json.h>
#include <notes/visit.h>
#include <schemagen/c/type.h>

extern "C" const schemagen_type* notes_note(void) {
  return schemagen::c::type_of<notes::Note>();
}
