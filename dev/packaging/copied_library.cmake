# `schemagen amalgamate` can copy this library with a schema's code; copied_levels.txt describes its levels. NAME=FOLDER: files below FOLDER
# are included as NAME/...
set(PT2_COPIED_FOLDERS
  pt2=${PROJECT_SOURCE_DIR}/runtime/pt2
  pt2/operator_table=${PROJECT_SOURCE_DIR}/generated/pt2/operator_table
  pt2/operators=${PROJECT_SOURCE_DIR}/generated/pt2/operators
  pt2/released=${PROJECT_SOURCE_DIR}/generated/pt2/released
  pt2/rules=${PROJECT_SOURCE_DIR}/generated/pt2/rules
  pt2/tables=${PROJECT_SOURCE_DIR}/generated/pt2/tables
  pt2=${PROJECT_SOURCE_DIR}/bindings/c/pt2
  pt2.h=${PROJECT_SOURCE_DIR}/bindings/c/pt2.h)
foreach(folder diff edit findings infer nodes report scan show stats strings verify)
  list(APPEND PT2_COPIED_FOLDERS pt2/${folder}=${PROJECT_SOURCE_DIR}/toolbox/pt2/${folder})
endforeach()
