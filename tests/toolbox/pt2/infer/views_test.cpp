#include <catch2/catch.hpp>

#include "inferred_call.h"

TEST_CASE("transpositions and permutations reorder strides") {
  CHECK(inferred("aten.transpose.int(f32[2, 3, 4], 0, -1)") == "f32[4, 3, 2][1, 4, 12]");
  CHECK(inferred("aten.permute.default(f32[2, 3, 4], [2, 0, 1])") == "f32[4, 2, 3][1, 12, 4]");
  CHECK(inferred("aten.t.default(f32[2, 3])") == "f32[3, 2][1, 3]");
  CHECK(inferred("aten.t.default(f32[3])") == "f32[3]");
  CHECK(inferred("aten.mT.default(f32[2, 3, 4])") == "f32[2, 4, 3][12, 1, 4]");
  CHECK(inferred("aten.movedim.int(f32[2, 3, 4], 0, 2)") == "f32[3, 4, 2][4, 1, 12]");
  CHECK(inferred("aten.numpy_T.default(f32[2, 3, 4])") == "f32[4, 3, 2][1, 4, 12]");
}

TEST_CASE("a slice starts at an offset and has the strides of its steps") {
  CHECK(inferred("aten.slice.Tensor(f32[4, 6], 1, 1, 6, 2)") == "f32[4, 3][6, 2]+1");
  CHECK(inferred("aten.slice.Tensor(f32[4, 6], 0, -3, 100)") == "f32[3, 6]+6");
  CHECK(inferred("aten.slice.Tensor(f32[4, 6]+5, 0, 3, 1)") == "f32[0, 6]+23");
  CHECK(inferred("aten.select.int(f32[4, 6], 0, -1)") == "f32[6]+18");
  CHECK(inferred("aten.narrow.default(f32[4, 6], 1, 2, 3)") == "f32[4, 3][6, 1]+2");
  CHECK(inferred("aten.slice.Tensor(f32[s0, 3], 0, 1, 9223372036854775807)") == "f32[-1 + s0, 3]+3");
}

TEST_CASE("a view has -1 for the size that is left") {
  CHECK(inferred("aten.view.default(f32[4, 6], [2, -1])") == "f32[2, 12]");
  CHECK(inferred("aten.view.default(f32[s0, 6], [s0, -1, 2])") == "f32[s0, 3, 2]");
  CHECK(inferred("aten.reshape.default(f32[4, 6], [-1])") == "f32[24]");
  CHECK(inferred("aten.view.default(f32[4, 6][1, 4], [2, 2, 6])") == "f32[2, 2, 6][2, 1, 4]");
}

TEST_CASE("reshape copies where strides do not allow a view") {
  CHECK(inferred("aten.reshape.default(f32[4, 6][1, 4], [24])") == "f32[24]");
  CHECK(inferred("aten.reshape.default(f32[4, 6]+2, [3, 8])") == "f32[3, 8]+2");
  CHECK(inferred("aten.flatten.using_ints(f32[2, 3, 4][12, 1, 3], 1)") == "f32[2, 12]");
  CHECK(inferred("aten.flatten.using_ints(f32[2, 3, 4])") == "f32[24]");
  CHECK(inferred("aten.unflatten.int(f32[2, 6], 1, [2, -1])") == "f32[2, 2, 3]");
  CHECK(inferred("aten.ravel.default(f32[2, 3][1, 2])") == "f32[6]");
}

TEST_CASE("dims of size 1 come and go") {
  CHECK(inferred("aten.unsqueeze.default(f32[2, 3], 1)") == "f32[2, 1, 3]");
  CHECK(inferred("aten.unsqueeze.default(f32[2, 3], -1)") == "f32[2, 3, 1]");
  CHECK(inferred("aten.squeeze.default(f32[1, 3, 1])") == "f32[3]");
  CHECK(inferred("aten.squeeze.dim(f32[1, 3, 1], 1)") == "f32[1, 3, 1]");
  CHECK(inferred("aten.squeeze.dims(f32[1, 3, 1], [0, 2])") == "f32[3]");
  CHECK(inferred("aten.atleast_2d.default(f32[3])") == "f32[1, 3]");
}

TEST_CASE("expanded dims have the stride 0") {
  CHECK(inferred("aten.expand.default(f32[3, 1], [-1, 4])") == "f32[3, 4][1, 0]");
  CHECK(inferred("aten.expand.default(f32[3], [s0, 3])") == "f32[s0, 3][0, 1]");
  CHECK(inferred("aten.broadcast_tensors.default([f32[3, 1], f32[4]])") ==
        "f32[3, 4][1, 0], f32[3, 4][0, 1]");
  CHECK(inferred("aten.expand_as.default(f32[1, 3], f32[2, 3])") == "f32[2, 3][0, 1]");
}

TEST_CASE("splits and chunks are views with offsets; the last one may be smaller") {
  CHECK(inferred("aten.split.Tensor(f32[5, 2], 2)") == "f32[2, 2], f32[2, 2]+4, f32[1, 2]+8");
  CHECK(inferred("aten.split_with_sizes.default(f32[2, 5], [1, 4], 1)") ==
        "f32[2, 1][5, 0], f32[2, 4][5, 1]+1");
  CHECK(inferred("aten.chunk.default(f32[7, 2], 3)") == "f32[3, 2], f32[3, 2]+6, f32[1, 2]+12");
  CHECK(inferred("aten.tensor_split.sections(f32[5], 3)") == "f32[2], f32[2]+2, f32[1]+4");
  CHECK(inferred("aten.unbind.int(f32[2, 3], 1)") == "f32[2][3], f32[2][3]+1, f32[2][3]+2");
  CHECK(inferred("aten.hsplit.int(f32[2, 4], 2)") == "f32[2, 2][4, 1], f32[2, 2][4, 1]+2");
}

TEST_CASE("windows, diagonals and strides of one's own are views of the same storage") {
  CHECK(inferred("aten.unfold.default(f32[8], 0, 3, 2)") == "f32[3, 3][2, 1]");
  CHECK(inferred("aten.diagonal.default(f32[3, 4], 1)") == "f32[3][5]+1");
  CHECK(inferred("aten.as_strided.default(f32[12], [2, 3], [6, 2], 1)") == "f32[2, 3][6, 2]+1");
  CHECK(inferred("aten.diag_embed.default(f32[2, 3])") == "f32[2, 3, 3]");
}

TEST_CASE("the parts of complex numbers are floats with strides of pairs") {
  CHECK(inferred("aten.view_as_real.default(c64[2, 3])") == "f32[2, 3, 2]");
  CHECK(inferred("aten.view_as_complex.default(f32[3, 2])") == "c64[3]");
  CHECK(inferred("aten.real.default(c64[3])") == "f32[3][2]");
  CHECK(inferred("aten.imag.default(c64[3])") == "f32[3][2]+1");
}

TEST_CASE("copies are contiguous or keep the order of dims") {
  CHECK(inferred("aten.contiguous.default(f32[2, 3][1, 2])") == "f32[2, 3]");
  CHECK(inferred("aten.clone.default(f32[2, 3][1, 2])") == "f32[2, 3][1, 2]");
  CHECK(inferred("aten.clone.default(f32[2, 3][1, 2], memory_format=contiguous_format)") == "f32[2, 3]");
  CHECK(inferred("aten.repeat.default(f32[2, 3], [2, 1, 2])") == "f32[2, 2, 6]");
  CHECK(inferred("aten.meshgrid.indexing([f32[2], f32[3]], indexing='xy')") ==
        "f32[3, 2][0, 1], f32[3, 2][1, 0]");
}

TEST_CASE("a view of other elements, and dims and indices out of range, are errors") {
  CHECK(inference_error("aten.view.default(f32[4, 6], [5, -1])") ==
        "cannot view shape [4, 6] as shape [5, -1]");
  CHECK(inference_error("aten.transpose.int(f32[2, 3], 0, 2)") == "dim 2 is out of range for rank 2");
  CHECK(inference_error("aten.select.int(f32[2, 3], 0, 2)") == "index 2 is out of range for size 2");
  CHECK(inference_error("aten.expand.default(f32[3, 2], [3, 4])") == "cannot expand shape [3, 2] to [3, 4]");
  CHECK(inference_error("aten.squeeze.dim(f32[2], 1)") == "dim 1 is out of range for rank 1");
  CHECK(inference_error("aten.split_with_sizes.default(f32[5], [1, 3])") ==
        "expected split sizes that sum to [5], got [1, 3]");
}

TEST_CASE("a part cannot be larger than the dim") {
  CHECK(inference_error("aten.unfold.default(f32[9], 0, 10, 1)") == "size: expected 9 or less, got 10");
  CHECK(inference_error("aten.narrow.default(f32[9], 0, 5, 5)") ==
        "start + length: expected 9 or less, got 10");
  CHECK(inference_error("aten.narrow_copy.default(f32[9], 0, -1, 2)") ==
        "start + length: expected 9 or less, got 10");
}

TEST_CASE("an empty list of dims squeezes none") {
  CHECK(inferred("aten.squeeze.dims(f32[1, 2, 1], [])") == "f32[1, 2, 1]");
  CHECK(inferred("aten.squeeze.dims(f32[1, 2, 1], [0, 1])") == "f32[2, 1]");
}

TEST_CASE("a dim is not the place of two others") {
  CHECK(inference_error("aten.movedim.intlist(f32[2, 3], [0, 1], [1, 1])") == "dim 1 is given twice");
  CHECK(inference_error("aten.diag_embed.default(f32[2, 3], 0, -1, -1)") ==
        "expected two different dims, got 2 twice");
}
