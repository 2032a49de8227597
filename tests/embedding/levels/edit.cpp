#include <pt2/edit/passes.h>
#include <pt2/program.h>

int main(int, char** argv) {
  const pt2::ProgramFile file = pt2::open_program_file(argv[1]);
  pt2::ExportedProgram program = pt2::load_program(file).program;
  pt2::drop_dead_nodes(program);
  pt2::save_program(program, argv[2], {&file});
}
