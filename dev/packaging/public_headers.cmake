# By level, with every header that they include. Only these are installed and documented; others can change at any time. A test compiles
# each on its own. `schemagen amalgamate` uses the headings.

# From runtime/
set(PT2_PUBLIC_HEADERS
  # values
  schemagen/base/ascii.h
  schemagen/base/atomic_file.h
  schemagen/base/error.h
  schemagen/base/field_name.h
  schemagen/base/hash.h
  schemagen/base/huge_pages.h
  schemagen/base/json_syntax.h
  schemagen/base/left_out_fields.h
  schemagen/base/limits.h
  schemagen/base/map.h
  schemagen/base/mutex.h
  schemagen/base/order.h
  schemagen/base/quote.h
  schemagen/base/reflection.h
  schemagen/base/result.h
  schemagen/base/same_value.h
  schemagen/base/schema_version.h
  schemagen/base/union.h
  schemagen/base/unknown_fields.h
  schemagen/base/utf8.h
  schemagen/base/value.h
  schemagen/base/value_text.h
  schemagen/base/visit.h

  # codecs
  schemagen/binary_file/binary_file.h
  schemagen/binary_file/records.h
  schemagen/json/document.h
  schemagen/json/fast_reader.h
  schemagen/json/json.h
  schemagen/json/json_writer.h
  schemagen/json/map_key.h
  schemagen/json/reader.h
  schemagen/json/records.h
  schemagen/json/tape_reader.h
  schemagen/json/writer.h
  schemagen/thrift/binary.h
  schemagen/thrift/reader.h
  schemagen/thrift/wire.h
  schemagen/thrift/writer.h
  schemagen/tree/dom_value.h
  schemagen/tree/upgrade.h

  # versions
  pt2/canonical/canonical.h
  pt2/graph/argument_form.h
  pt2/graph/index.h
  pt2/graph/signature.h
  pt2/graph/walk.h
  pt2/operators/operators.h
  pt2/text/expression.h
  pt2/text/treespec.h
  pt2/text/type_names.h
  pt2/upgrade/release_target.h
  pt2/upgrade/upgrade.h
  pt2/versions/releases.h
  pt2/versions/version.h

  # archive
  pt2/archive/archive.h
  pt2/archive/archive_rewrite.h
  pt2/archive/archive_writer.h
  pt2/archive/contents.h
  pt2/archive/file.h
  pt2/archive/pickle/pickle.h
  pt2/archive/sparse_bytes.h
  pt2/archive/tensors/tensor.h
  pt2/archive/tensors/tensor_files.h
  pt2/archive/tensors/weights.h
  pt2/archive/zip.h
  pt2/binary/binary_file.h
  pt2/load_program.h
  pt2/notices.h
  pt2/program.h
  pt2/program_file.h
  pt2/save_program.h
  pt2/weights.h
)

# From toolbox/
set(PT2_PUBLIC_TOOLBOX_HEADERS
  # analysis
  pt2/diff/program_diff.h
  pt2/findings/finding.h
  pt2/findings/rules.h
  pt2/infer/infer.h
  pt2/infer/infer_types.h
  pt2/nodes/arguments.h
  pt2/nodes/modules.h
  pt2/nodes/signature_maps.h
  pt2/stats/stats.h
  pt2/strings/argument_text.h
  pt2/strings/expression_value.h
  pt2/strings/node_metadata.h
  pt2/verify/verify.h

  # edit
  pt2/edit/builder.h
  pt2/edit/extract.h
  pt2/edit/file_operations.h
  pt2/edit/graph.h
  pt2/edit/join.h
  pt2/edit/matching_weights.h
  pt2/edit/passes.h
  pt2/edit/plain_trees.h
  pt2/edit/port_calls.h
  pt2/edit/rename.h
  pt2/edit/retarget.h
  pt2/edit/retype.h
  pt2/edit/rewrite.h
  pt2/edit/save_into.h
  pt2/edit/slim.h
  pt2/edit/weight_files.h

  # scan
  pt2/scan/check_file.h
  pt2/scan/harden.h
  pt2/scan/scan.h
  pt2/scan/validated_file.h
  pt2/scan/verify_records.h
  pt2/scan/verify_weights.h

  # show
  pt2/show/diagram.h
  pt2/show/print.h
)

# From generated/
set(PT2_PUBLIC_GENERATED_HEADERS
  # types
  pt2/binary.h
  pt2/fwd.h
  pt2/json.h
  pt2/operators/fwd.h
  pt2/operators/restore.h
  pt2/operators/types.h
  pt2/operators/undefine.h
  pt2/reflection.h
  pt2/restore.h
  pt2/schema_info.h
  pt2/types.h
  pt2/undefine.h
  pt2/visit.h

  # analysis
  pt2/rules/rule_id.h
)
