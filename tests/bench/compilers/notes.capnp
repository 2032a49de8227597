@0xd1a2b3c4e5f60718;
using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("notes_cp");

enum Stage { draft @0; published @1; archived @2; }
struct Position { latitude @0 :Float64; longitude @1 :Float64; }
struct Tag { key @0 :Text; value @1 :Text; }
struct Person { name @0 :Text; email @1 :Text; age @2 :Int64; }
struct Prose { body @0 :Text; language @1 :Text; }
struct Photo { width @0 :Int64; height @1 :Int64; data @2 :Data; }
struct Series { sensor @0 :Text; times @1 :List(Int64); values @2 :List(Float64); }
struct Entry {
  id @0 :Int64;
  title @1 :Text;
  stage @2 :Stage;
  isPublic @3 :Bool;
  author @4 :Person;
  position @5 :Position;
  tags @6 :List(Tag);
  related @7 :List(Int64);
  content :union { text @8 :Prose; photo @9 :Photo; series @10 :Series; }
}
struct Notebook { title @0 :Text; entries @1 :List(Entry); }
