/* Lists the operators that a program calls, node by node, and its weights: list_program FILE.pt2 */
#include <inttypes.h>
#include <stdio.h>

#include <pt2.h>
#include <pt2_ids.h>

static int failed(pt2_error* error) {
  const pt2_str message = pt2_error_message(error);
  fprintf(stderr, "%.*s\n", (int)message.size, message.data);
  pt2_error_free(error);
  return 1;
}

static void list_operators(const pt2_program* program) {
  const pt2_value module =
      schemagen_value_field(pt2_program_value(program), PT2_ExportedProgram_graph_module);
  const pt2_value graph = schemagen_value_field(module, PT2_GraphModule_graph);
  const pt2_value nodes = schemagen_value_field(graph, PT2_Graph_nodes);
  for (size_t i = 0; i < schemagen_value_size(nodes); ++i) {
    const pt2_value node = schemagen_value_item(nodes, i);
    const pt2_str target = schemagen_value_string(schemagen_value_field(node, PT2_Node_target));
    const pt2_value inputs = schemagen_value_field(node, PT2_Node_inputs);
    printf("%.*s, %zu arguments\n", (int)target.size, target.data, schemagen_value_size(inputs));
  }
}

static void list_weights(const pt2_weights* weights) {
  for (size_t i = 0; i < pt2_weights_count(weights); ++i) {
    const pt2_tensor* const tensor = pt2_weights_at(weights, i);
    const pt2_str name = pt2_tensor_name(tensor);
    const pt2_str dtype = pt2_tensor_dtype_name(tensor);
    printf("%.*s: %.*s", (int)name.size, name.data, (int)dtype.size, dtype.data);
    for (size_t d = 0; d < pt2_tensor_rank(tensor); ++d) printf(" %" PRId64, pt2_tensor_shape(tensor)[d]);
    printf("\n");
  }
}

int main(int argc, char** argv) {
  const pt2_str only_model = {NULL, 0};
  pt2_file* file = NULL;
  pt2_program* program = NULL;
  pt2_weights* weights = NULL;
  if (argc != 2) return 2;
  pt2_error* error = pt2_file_open(argv[1], NULL, &file);
  if (!error) error = pt2_program_load(file, only_model, NULL, &program);
  if (!error) error = pt2_weights_load(file, only_model, &weights);
  if (!error) {
    list_operators(program);
    list_weights(weights);
  }
  pt2_weights_free(weights);
  pt2_program_free(program);
  pt2_file_free(file);
  return error ? failed(error) : 0;
}
