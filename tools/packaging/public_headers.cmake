# The headers that users may include, and what those include, by level: only they are installed, and in the API reference.
# All others can change at any time. Each compiles on its own, which is tested, as is that they stay few.

# From runtime/
set(PT2_PUBLIC_HEADERS
  # values
  schemagen/file/atomic_file.h
  schemagen/value/error.h
  schemagen/value/fields.h
  schemagen/value/limits.h
  schemagen/value/map.h
  schemagen/value/quote.h
  schemagen/value/reflection.h
  schemagen/value/schema_version.h
  schemagen/value/syntax.h
  schemagen/value/union.h
  schemagen/value/value.h
  schemagen/value/visit.h

  # codecs
  schemagen/compact/binary.h
  schemagen/compact/reader.h
  schemagen/compact/wire.h
  schemagen/compact/writer.h
  schemagen/document/dom_value.h
  schemagen/envelope/binary_file.h
  schemagen/json/document.h
  schemagen/json/json.h
  schemagen/json/reader.h
  schemagen/json/writer.h

  # versions
  pt2/versions/canonical/canonical.h
  pt2/versions/graph/index.h
  pt2/versions/graph/signature.h
  pt2/versions/graph/walk.h
  pt2/versions/operators/operators.h
  pt2/versions/text/expression.h
  pt2/versions/text/treespec.h
  pt2/versions/text/type_names.h
  pt2/versions/upgrade/upgrade.h
  pt2/versions/version/version.h

  # archive
  pt2/archive/archive.h
  pt2/archive/file.h
  pt2/archive/pickle/pickle.h
  pt2/archive/tensors/tensor.h
  pt2/archive/tensors/tensor_files.h
  pt2/archive/tensors/weights.h
  pt2/archive/zip.h
  pt2/binary/binary_file.h
  pt2/program.h
  pt2/weights.h

  # analysis
  pt2/analysis/diff/program_diff.h
  pt2/analysis/graph/arguments.h
  pt2/analysis/graph/modules.h
  pt2/analysis/graph/signature_maps.h
  pt2/analysis/infer/infer.h
  pt2/analysis/stats/stats.h
  pt2/analysis/text/argument_text.h
  pt2/analysis/text/expression_value.h
  pt2/analysis/text/node_metadata.h
  pt2/analysis/verify/verify.h

  # edit
  pt2/edit/builder.h
  pt2/edit/graph.h
  pt2/edit/passes.h
  pt2/edit/programs.h
  pt2/edit/rewrite.h

  # scan
  pt2/scan/scan.h
  pt2/scan/verify_records.h
  pt2/scan/verify_weights.h

  # show
  pt2/show/print.h
  pt2/show/view.h
)

# From generated/
set(PT2_PUBLIC_GENERATED_HEADERS
  # types
  pt2/binary.h
  pt2/fwd.h
  pt2/json.h
  pt2/operators/fwd.h
  pt2/operators/types.h
  pt2/reflection.h
  pt2/schema_info.h
  pt2/types.h
  pt2/visit.h
)
