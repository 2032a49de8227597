#include <catch2/catch.hpp>

#include "inferred_call.h"

TEST_CASE("matrix products broadcast the dims in front") {
  CHECK(inferred("aten.matmul.default(f32[2, 1, 3, 4], f32[5, 4, 6])") == "f32[2, 5, 3, 6]");
  CHECK(inferred("aten.matmul.default(f32[4], f32[4])") == "f32[]");
  CHECK(inferred("aten.matmul.default(f32[3, 4], f32[4])") == "f32[3]");
  CHECK(inferred("aten.matmul.default(f32[4], f32[2, 4, 5])") == "f32[2, 5]");
  CHECK(inferred("aten.mm.default(f32[s0, 4], f32[4, s1])") == "f32[s0, s1]");
  CHECK(inferred("aten.bmm.default(f32[2, 3, 4], f32[2, 4, 5])") == "f32[2, 3, 5]");
  CHECK(inferred("aten.mv.default(f32[3, 4], f32[4])") == "f32[3]");
  CHECK(inferred("aten.dot.default(f32[4], f32[4])") == "f32[]");
}

TEST_CASE("a product that is added to a tensor has the shape of the product") {
  CHECK(inferred("aten.addmm.default(f32[5], f32[3, 4], f32[4, 5])") == "f32[3, 5]");
  CHECK(inferred("aten.baddbmm.default(f32[2, 3, 5], f32[2, 3, 4], f32[2, 4, 5])") == "f32[2, 3, 5]");
  CHECK(inferred("aten.addbmm.default(f32[3, 5], f32[2, 3, 4], f32[2, 4, 5])") == "f32[3, 5]");
  CHECK(inferred("aten.addmv.default(f32[3], f32[3, 4], f32[4])") == "f32[3]");
  CHECK(inferred("aten.addr.default(f32[3, 4], f32[3], f32[4])") == "f32[3, 4]");
}

TEST_CASE("a linear layer replaces the last dim") {
  CHECK(inferred("aten.linear.default(f32[2, 3, 4], f32[5, 4], f32[5])") == "f32[2, 3, 5]");
  CHECK(inferred("aten.linear.default(f32[4], f32[5, 4])") == "f32[5]");
  CHECK(inferred("aten.linear.default(f16[s0, 4], f16[5, 4])") == "f16[s0, 5]");
  CHECK(inferred("aten.bilinear.default(f32[2, 3], f32[2, 4], f32[5, 3, 4])") == "f32[2, 5]");
}

TEST_CASE("attention has the shape of the queries, and the width of the values") {
  CHECK(inferred(
            "aten.scaled_dot_product_attention.default(f32[2, 3, 6, 4], f32[2, 3, 7, 4], f32[2, 3, 7, 4])") ==
        "f32[2, 3, 6, 4]");
  CHECK(inferred(
            "aten.scaled_dot_product_attention.default(f32[2, 3, 6, 4], f32[2, 3, 7, 4], f32[2, 3, 7, 5])") ==
        "f32[2, 3, 6, 5]");
}

TEST_CASE("outer products and distances have a dim of each") {
  CHECK(inferred("aten.outer.default(f32[3], f32[4])") == "f32[3, 4]");
  CHECK(inferred("aten.kron.default(f32[2, 3], f32[4, 5])") == "f32[8, 15]");
  CHECK(inferred("aten.cdist.default(f32[2, 3, 5], f32[2, 4, 5])") == "f32[2, 3, 4]");
  CHECK(inferred("aten.inner.default(f32[2, 5], f32[3, 5])") == "f32[2, 3]");
  CHECK(inferred("aten.linalg_vecdot.default(f32[2, 3], f32[3])") == "f32[2]");
  CHECK(inferred("aten.linalg_cross.default(f32[2, 3], f32[1, 3])") == "f32[2, 3]");
  CHECK(inferred("aten.linalg_multi_dot.default([f32[2, 3], f32[3, 4], f32[4]])") == "f32[2]");
}

TEST_CASE("8-bit integers are multiplied into 32-bit ones") {
  CHECK(inferred("aten._int_mm.default(i8[17, 8], i8[8, 16])") == "i32[17, 16]");
}

TEST_CASE("matrices that do not fit are errors") {
  CHECK(inference_error("aten.mm.default(f32[2, 3], f32[4, 5])") ==
        "cannot multiply shapes [2, 3] and [4, 5]");
  CHECK(inference_error("aten.matmul.default(f32[2, 3], f32[4])") == "cannot multiply shapes [2, 3] and [4]");
  CHECK(inference_error("aten.bmm.default(f32[2, 3, 4], f32[3, 4, 5])") ==
        "cannot multiply shapes [2, 3, 4] and [3, 4, 5]");
  CHECK(inference_error("aten.mm.default(f32[3], f32[3])") == "expected a tensor of rank 2, got shape [3]");
}

TEST_CASE("sizes that two operands share must be equal") {
  CHECK(inference_error("aten.addbmm.default(f32[2, 4], f32[2, 2, 3], f32[3, 3, 4])") ==
        "batch2: expected shape [2, 3, 4], got [3, 3, 4]");
  CHECK(inference_error("aten.addbmm.default(f32[3, 4], f32[2, 2, 3], f32[2, 3, 4])") ==
        "cannot broadcast shapes [2, 4] and [3, 4]");
  CHECK(inference_error("aten.cdist.default(f32[2, 4], f32[3, 5])") ==
        "cannot multiply shapes [2, 4] and [3, 5]");
  CHECK(inference_error("aten.bilinear.default(f32[2, 4], f32[2, 5], f32[6, 4, 4])") ==
        "weight: expected shape [6, 4, 5], got [6, 4, 4]");
}

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
