#include <catch2/catch.hpp>

#include "inferred_call.h"

TEST_CASE("letters of the output are its dims") {
  CHECK(inferred("aten.einsum.default('ij,jk->ik', [f32[2, 3], f32[3, 4]])") == "f32[2, 4]");
  CHECK(inferred("aten.einsum.default('bij,bjk->bik', [f32[s0, 2, 3], f32[s0, 3, 4]])") == "f32[s0, 2, 4]");
  CHECK(inferred("aten.einsum.default('i,j->ij', [f32[2], f32[3]])") == "f32[2, 3]");
  CHECK(inferred("aten.einsum.default('ii->i', [f32[3, 3]])") == "f32[3][4]");
  CHECK(inferred("aten.einsum.default('ij->', [f32[2, 3]])") == "f32[]");
}

TEST_CASE("without an output, the letters that occur once are its dims in their order") {
  CHECK(inferred("aten.einsum.default('ba,ac', [f32[2, 3], f32[3, 4]])") == "f32[2, 4]");
  CHECK(inferred("aten.einsum.default('ii', [f32[3, 3]])") == "f32[]");
  CHECK(inferred("aten.einsum.default('ij,jk', [f32[2, 3], f32[3, 4]])") == "f32[2, 4]");
}

TEST_CASE("an ellipsis is any dims, which are broadcast") {
  CHECK(inferred("aten.einsum.default('...ij,...jk->...ik', [f32[5, 1, 2, 3], f32[4, 3, 6]])") ==
        "f32[5, 4, 2, 6][48, 6, 24, 1]");
  CHECK(inferred("aten.einsum.default('i...->...', [f32[2, 3, 4]])") == "f32[3, 4]");
}

TEST_CASE("letters of different sizes, operands of another rank and wrong letters of the output are errors") {
  CHECK(inference_error("aten.einsum.default('ij,jk->ik', [f32[2, 3], f32[4, 5]])") ==
        "cannot broadcast shapes [2, 1, 3] and [1, 5, 4]");
  CHECK(inference_error("aten.einsum.default('ij->i', [f32[2]])") ==
        "equation 'ij->i': 2 labels for operand 0 of rank 1");
  CHECK(inference_error("aten.einsum.default('ij->k', [f32[2, 3]])") ==
        "equation 'ij->k': 'k' is in the result but in no operand");
  CHECK(inference_error("aten.einsum.default('ij->ii', [f32[2, 3]])") ==
        "equation 'ij->ii': 'i' occurs twice in the result");
}

TEST_CASE(
    "operands are multiplied in the order of a path, and swapped if the result starts with dims of the right "
    "one") {
  CHECK(inferred("aten.einsum.default('bde,bnd,bn->bne', [f32[2, 3, 4], f32[2, 5, 3], f32[2, 5]], path=[1, "
                 "2, 0, 1])") == "f32[2, 5, 4]");
  CHECK(inferred("aten.einsum.default('ij,jk->ki', [f32[2, 3], f32[3, 4]])") == "f32[4, 2]");
}
