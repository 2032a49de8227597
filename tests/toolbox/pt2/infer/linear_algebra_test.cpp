#include <catch2/catch.hpp>

#include "inferred_call.h"

TEST_CASE("inverses and factors of square matrices keep the batch") {
  CHECK(inferred("aten.linalg_inv.default(f32[2, 3, 3])") == "f32[2, 3, 3][9, 1, 3]");
  CHECK(inferred("aten.linalg_cholesky.default(f64[2, 3, 3])") == "f64[2, 3, 3][9, 1, 3]");
  CHECK(inferred("aten.linalg_inv_ex.default(f32[2, 3, 3])") == "f32[2, 3, 3][9, 1, 3], i32[2]");
  CHECK(inferred("aten.linalg_lu_factor.default(f32[2, 3, 3])") == "f32[2, 3, 3][9, 1, 3], i32[2, 3]");
  CHECK(inferred("aten.linalg_matrix_power.default(f32[2, 3, 3], 3)") == "f32[2, 3, 3]");
}

TEST_CASE("determinants have the dims of the batch") {
  CHECK(inferred("aten.linalg_det.default(f32[2, 3, 3])") == "f32[2]");
  CHECK(inferred("aten.linalg_slogdet.default(f32[2, 3, 3])") == "f32[2], f32[2]");
  CHECK(inferred("aten.trace.default(f32[3, 3])") == "f32[]");
  CHECK(inferred("aten.linalg_matrix_rank.atol_rtol_float(f32[2, 3, 5])") == "i64[2]");
}

TEST_CASE("functions of square matrices reject others") {
  CHECK(inference_error("aten.linalg_inv.default(f32[5, 2, 3])") == "expected square matrices, got [2, 3]");
  CHECK(inference_error("aten.linalg_inv_ex.default(f32[5, 2, 3])") ==
        "expected square matrices, got [2, 3]");
  CHECK(inference_error("aten.inverse.default(f32[5, 2, 3])") == "expected square matrices, got [2, 3]");
  CHECK(inference_error("aten.linalg_cholesky.default(f32[5, 2, 3])") ==
        "expected square matrices, got [2, 3]");
  CHECK(inference_error("aten.linalg_cholesky_ex.default(f32[5, 2, 3])") ==
        "expected square matrices, got [2, 3]");
  CHECK(inference_error("aten.cholesky.default(f32[5, 2, 3])") == "expected square matrices, got [2, 3]");
  CHECK(inference_error("aten.linalg_det.default(f32[5, 2, 3])") == "expected square matrices, got [2, 3]");
  CHECK(inference_error("aten.logdet.default(f32[5, 2, 3])") == "expected square matrices, got [2, 3]");
  CHECK(inference_error("aten.linalg_slogdet.default(f32[5, 2, 3])") ==
        "expected square matrices, got [2, 3]");
  CHECK(inference_error("aten.slogdet.default(f32[5, 2, 3])") == "expected square matrices, got [2, 3]");
  CHECK(inference_error("aten.linalg_eigh.default(f32[5, 2, 3])") == "expected square matrices, got [2, 3]");
  CHECK(inference_error("aten.linalg_eigvalsh.default(f32[5, 2, 3])") ==
        "expected square matrices, got [2, 3]");
  CHECK(inference_error("aten.linalg_eig.default(f32[5, 2, 3])") == "expected square matrices, got [2, 3]");
  CHECK(inference_error("aten.linalg_eigvals.default(f32[5, 2, 3])") ==
        "expected square matrices, got [2, 3]");
  CHECK(inference_error("aten.linalg_matrix_exp.default(f32[5, 2, 3])") ==
        "expected square matrices, got [2, 3]");
  CHECK(inference_error("aten.matrix_exp.default(f32[5, 2, 3])") == "expected square matrices, got [2, 3]");
  CHECK(inference_error("aten.linalg_matrix_power.default(f32[2, 3], 2)") ==
        "expected square matrices, got [2, 3]");
  CHECK(inference_error("aten.linalg_solve.default(f32[2, 3], f32[2, 3])") ==
        "expected square matrices, got [2, 3]");
  CHECK(inferred("aten.trace.default(f32[2, 3])") == "f32[]");
}

TEST_CASE("a decomposition of wide matrices is full or reduced") {
  CHECK(inferred("aten.linalg_qr.default(f32[2, 3, 5])") == "f32[2, 3, 3][9, 1, 3], f32[2, 3, 5][15, 1, 3]");
  CHECK(inferred("aten.linalg_qr.default(f32[5, 3], 'complete')") == "f32[5, 5][1, 5], f32[5, 3][1, 5]");
  CHECK(inferred("aten.linalg_svd.default(f32[2, 3, 5])") ==
        "f32[2, 3, 3][9, 1, 3], f32[2, 3], f32[2, 5, 5][25, 1, 5]");
  CHECK(inferred("aten.linalg_svd.default(f32[2, 3, 5], false)") ==
        "f32[2, 3, 3][9, 1, 3], f32[2, 3], f32[2, 3, 5][15, 1, 3]");
  CHECK(inferred("aten.linalg_svdvals.default(f32[2, 3, 5])") == "f32[2, 3]");
  CHECK(inferred("aten.linalg_pinv.atol_rtol_float(f32[2, 3, 5])") == "f32[2, 5, 3]");
}

TEST_CASE("eigenvalues of symmetric matrices are real, of others complex") {
  CHECK(inferred("aten.linalg_eigh.default(c64[2, 3, 3])") == "f32[2, 3], c64[2, 3, 3][9, 1, 3]");
  CHECK(inferred("aten.linalg_eigvalsh.default(f32[2, 3, 3])") == "f32[2, 3]");
  CHECK(inferred("aten.linalg_eig.default(f32[2, 3, 3])") == "c64[2, 3], c64[2, 3, 3][9, 1, 3]");
  CHECK(inferred("aten.linalg_eigvals.default(f64[3, 3])") == "c128[3]");
}

TEST_CASE("a solution has the shape of the right side") {
  CHECK(inferred("aten.linalg_solve.default(f32[2, 3, 3], f32[2, 3, 4])") == "f32[2, 3, 4][12, 1, 3]");
  CHECK(inferred("aten.linalg_solve.default(f32[2, 3, 3], f32[2, 3])") == "f32[2, 3][1, 2]");
}

TEST_CASE("transforms of real data have half the frequencies") {
  CHECK(inferred("aten.fft_fft.default(f32[4, 6])") == "c64[4, 6]");
  CHECK(inferred("aten.fft_rfft.default(f32[4, 6])") == "c64[4, 4]");
  CHECK(inferred("aten.fft_rfft.default(f64[4, 6], 9, 0)") == "c128[5, 6][1, 5]");
  CHECK(inferred("aten.fft_irfft.default(c64[4, 4])") == "f32[4, 6]");
  CHECK(inferred("aten.fft_fft2.default(f32[2, 4, 6])") == "c64[2, 4, 6]");
  CHECK(inferred("aten.fft_fftshift.default(f32[4, 6])") == "f32[4, 6]");
  CHECK(inferred("aten.fft_rfftfreq.default(9)") == "f32[5]");
}

TEST_CASE("a vector in place of a matrix is an error") {
  CHECK(inference_error("aten.linalg_det.default(f32[3])") ==
        "expected a tensor of rank 2 or more, got shape [3]");
}

TEST_CASE("solutions are stored by column") {
  CHECK(inferred("aten.cholesky_solve.default(f32[2, 3, 4], f32[3, 3])") == "f32[2, 3, 4][12, 1, 3]");
  CHECK(inferred("aten.linalg_tensorinv.default(f32[2, 3, 6])") == "f32[6, 2, 3][1, 18, 6]");
  CHECK(inferred("aten._linalg_det.default(f32[2, 3, 3])") == "f32[2], f32[2, 3, 3][9, 1, 3], i32[2, 3]");
  CHECK(inferred("aten.stft.default(f32[2, 110], 10, none, none, none, false, none, true)") ==
        "c64[2, 6, 51][306, 1, 6]");
}

TEST_CASE("dims of a solution go to the end, and may not repeat") {
  CHECK(inferred("aten.linalg_tensorsolve.default(f32[6, 2, 3], f32[2, 3], [0])") == "f32[6]");
  CHECK(inferred("aten.linalg_tensorsolve.default(f32[], f32[], [0])") == "f32[]");
  CHECK(inference_error("aten.linalg_tensorsolve.default(f32[2, 3], f32[2, 3], [0, 0])") ==
        "expected 2 dims, got 3");
}
