#include "command.h"

int main(int argc, char** argv) {
  return pt2::tool::run_pt2(argc, argv);
}
