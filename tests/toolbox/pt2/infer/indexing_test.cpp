#include <catch2/catch.hpp>

#include "inferred_call.h"

TEST_CASE("concatenation adds the sizes of one dim and promotes dtypes") {
  CHECK(inferred("aten.cat.default([f32[2, 3], f32[2, 4]], 1)") == "f32[2, 7]");
  CHECK(inferred("aten.cat.default([f32[s0, 3], f32[s1, 3]])") == "f32[s0 + s1, 3]");
  CHECK(inferred("aten.cat.default([i64[2], f16[3]])") == "f16[5]");
  CHECK(inferred("aten.cat.default([f32[0], f32[2, 3]])") == "f32[2, 3]");
  CHECK(inferred("aten.stack.default([f32[2, 3], f32[2, 3]], -1)") == "f32[2, 3, 2]");
  CHECK(inferred("aten.hstack.default([f32[2, 3], f32[2, 3]])") == "f32[2, 6]");
  CHECK(inferred("aten.vstack.default([f32[2, 3], f32[1, 3]])") == "f32[3, 3]");
  CHECK(inferred("aten.column_stack.default([f32[3, 1], f32[3, 2]])") == "f32[3, 3]");
  CHECK(inferred("aten.dstack.default([f32[1, 3, 2], f32[1, 3, 2]])") == "f32[1, 3, 4]");
  CHECK(inferred("aten.block_diag.default([f32[2, 3], f32[4, 5]])") == "f32[6, 8]");
}

TEST_CASE("indices replace the dims that they index") {
  CHECK(inferred("aten.index.Tensor(f32[3, 4, 5], [i64[2]])") == "f32[2, 4, 5]");
  CHECK(inferred("aten.index.Tensor(f32[3, 4, 5], [none, i64[2, 2]])") == "f32[3, 2, 2, 5]");
  CHECK(inferred("aten.index.Tensor(f32[3, 4, 5], [i64[2], none, i64[2]])") == "f32[2, 4]");
  CHECK(inferred("aten.index.Tensor(f32[3, 4, 5], [none, i64[2, 1], i64[6]])") == "f32[3, 2, 6]");
  CHECK(inferred("aten.index_select.default(f32[3, 4], 1, i64[6])") == "f32[3, 6]");
  CHECK(inferred("aten.gather.default(f32[3, 4], 0, i64[2, 4])") == "f32[2, 4]");
  CHECK(inferred("aten.take.default(f32[3, 4], i64[5])") == "f32[5]");
  CHECK(inferred("aten.take_along_dim.default(f32[4, 6], i64[4, 2], 1)") == "f32[4, 2]");
}

TEST_CASE("an embedding adds the width of its table to the indices") {
  CHECK(inferred("aten.embedding.default(f16[10, 3], i64[2, 5])") == "f16[2, 5, 3]");
  CHECK(inferred("aten.embedding.default(f32[10, 3], i64[s0, 2])") == "f32[s0, 2, 3]");
  CHECK(inferred("aten.one_hot.default(i64[3], 5)") == "i64[3, 5]");
}

TEST_CASE("writes into a copy keep the shape") {
  CHECK(inferred("aten.scatter.src(f32[3, 4], 0, i64[2, 4], f32[2, 4])") == "f32[3, 4]");
  CHECK(inferred("aten.index_put.default(f32[3, 4], [i64[2]], f32[4])") == "f32[3, 4]");
  CHECK(inferred("aten.slice_scatter.default(f32[3, 4], f32[1, 4], 0, 0, 1)") == "f32[3, 4]");
  CHECK(inferred("aten.select_scatter.default(f32[3, 4], f32[4], 0, 1)") == "f32[3, 4]");
  CHECK(inferred("aten.flip.default(f32[3, 4][1, 3], [0])") == "f32[3, 4][1, 3]");
  CHECK(inferred("aten.roll.default(f32[3, 4], [1], [0])") == "f32[3, 4]");
  CHECK(inferred("aten.tril.default(f32[3, 4])") == "f32[3, 4]");
}

TEST_CASE("padding adds to the last dims first, and may be negative") {
  CHECK(inferred("aten.constant_pad_nd.default(f32[3, 4], [1, 2])") == "f32[3, 7]");
  CHECK(inferred("aten.constant_pad_nd.default(f32[3, s0], [1, 2, -1, 0])") == "f32[2, 3 + s0]");
  CHECK(inferred("aten.reflection_pad1d.default(f32[2, 5], [1, 2])") == "f32[2, 8]");
  CHECK(inferred("aten.replication_pad2d.default(f32[2, 5, 6], [1, 2, 3, 4])") == "f32[2, 12, 9]");
  CHECK(inferred("aten.pad.default(f32[2, 5], [1, 1], 'reflect')") == "f32[2, 7]");
}

TEST_CASE("differences shorten a dim once each") {
  CHECK(inferred("aten.diff.default(f32[5, 3], 2, 0)") == "f32[3, 3]");
  CHECK(inferred("aten.diff.default(f32[5, 3], 1, 1, f32[5, 2])") == "f32[5, 4]");
  CHECK(inferred("aten.diff.default(f32[2], 9)") == "f32[0]");
}

TEST_CASE("repetition multiplies sizes") {
  CHECK(inferred("aten.repeat_interleave.self_int(f32[2, 3], 2, 1)") == "f32[2, 6]");
  CHECK(inferred("aten.repeat_interleave.self_int(f32[2, 3], 2)") == "f32[12]");
  CHECK(inferred("aten.tile.default(f32[2, 3], [2, 1, 3])") == "f32[2, 2, 9]");
}

TEST_CASE("searches and histograms have the shape of what is counted") {
  CHECK(inferred("aten.bucketize.Tensor(f32[2, 3], f32[5])") == "i64[2, 3]");
  CHECK(inferred("aten.searchsorted.Tensor(f32[5], f32[2], out_int32=true)") == "i32[2]");
  CHECK(inferred("aten.histc.default(f32[4], 7)") == "f32[7]");
  CHECK(inferred("aten.isin.Tensor_Tensor(i64[3], i64[5])") == "bool[3]");
  CHECK(inferred("aten.multinomial.default(f32[2, 5], 3)") == "i64[2, 3]");
}

TEST_CASE("shapes and indices that do not fit are errors") {
  CHECK(inference_error("aten.cat.default([f32[2, 3], f32[3, 4]])") ==
        "cannot concatenate shapes [2, 3] and [3, 4] along dim 0");
  CHECK(inference_error("aten.index.Tensor(f32[3], [i64[2], i64[2]])") ==
        "expected a tensor of rank 2 or more, got shape [3]");
  CHECK(inference_error("aten.index.Tensor(f32[3, 4], [i64[2], i64[3]])") ==
        "cannot broadcast shapes [2] and [3]");
  CHECK(inference_error("aten.stack.default([f32[2], f32[3]])") == "cannot stack shapes [2] and [3]");
  CHECK(inference_error("aten.constant_pad_nd.default(f32[3], [1, 1, 1, 1])") ==
        "expected 2 padding sizes per dim, got 4 for shape [3]");
}

TEST_CASE("padding by nothing copies a tensor with its strides") {
  CHECK(inferred("aten.pad.default(f32[3, 2, 4][2, 1, 6], [0, 0])") == "f32[3, 2, 4][2, 1, 6]");
  CHECK(inferred("aten.pad.default(f32[3, 2, 4][2, 1, 6], [1, 0])") == "f32[3, 2, 5]");
  CHECK(inferred("aten.pad_sequence.default([f32[3, 2], f32[5, 2]], true)") == "f32[2, 5, 2]");
  CHECK(inferred("aten.dstack.default([f32[3], f32[3]])") == "f32[1, 3, 2]");
  CHECK(inferred("aten.tril_indices.default(3, 4, 1)") == "i64[2, 9]");
  CHECK(inferred("aten.triu_indices.default(3, 4, -1)") == "i64[2, 11]");
}

TEST_CASE("the indices of bags are a list") {
  // Not a CHECK, which torch_infer_test.py repeats: only the kernel refuses it, not torch's fake tensors.
  REQUIRE(inference_error("aten._embedding_bag.default(f32[5, 2], i64[], i64[3])") ==
          "expected a tensor of rank 1 or more, got shape []");
}
