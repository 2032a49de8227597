#include <pt2/weights.h>

#include <iostream>

int main(int, char** argv) {
  for (const pt2::Weight& weight : pt2::load_weights(pt2::open_program_file(argv[1])))
    std::cout << weight.name << "\n";
}
