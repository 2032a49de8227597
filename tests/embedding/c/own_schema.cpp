// A library of functions in C for a schema of your own: each root type gets one.
#include <notes/binary.h>
#include <notes/json.h>
#include <notes/visit.h>
#include <schemagen/c/type.h>

extern "C" const schemagen_type* notes_note(void) {
  return schemagen::c::type_of<notes::Note>();
}
