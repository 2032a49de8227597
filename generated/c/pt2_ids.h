/* The ids of fields and union members and the numbers of enum members in the schema pt2 8.20.
   Written by schemagen export --format c; do not edit. */
#ifndef PT2_IDS_H
#define PT2_IDS_H

/* ScalarType */
#define PT2_ScalarType_UNKNOWN 0
#define PT2_ScalarType_BYTE 1
#define PT2_ScalarType_CHAR 2
#define PT2_ScalarType_SHORT 3
#define PT2_ScalarType_INT 4
#define PT2_ScalarType_LONG 5
#define PT2_ScalarType_HALF 6
#define PT2_ScalarType_FLOAT 7
#define PT2_ScalarType_DOUBLE 8
#define PT2_ScalarType_COMPLEXHALF 9
#define PT2_ScalarType_COMPLEXFLOAT 10
#define PT2_ScalarType_COMPLEXDOUBLE 11
#define PT2_ScalarType_BOOL 12
#define PT2_ScalarType_BFLOAT16 13
#define PT2_ScalarType_UINT16 28
#define PT2_ScalarType_FLOAT8E4M3FN 29
#define PT2_ScalarType_FLOAT8E5M2 30
#define PT2_ScalarType_FLOAT8E4M3FNUZ 31
#define PT2_ScalarType_FLOAT8E5M2FNUZ 32
#define PT2_ScalarType_FLOAT8E8M0FNU 33
#define PT2_ScalarType_UINT32 34
#define PT2_ScalarType_UINT64 35

/* Layout */
#define PT2_Layout_Unknown 0
#define PT2_Layout_SparseCoo 1
#define PT2_Layout_SparseCsr 2
#define PT2_Layout_SparseCsc 3
#define PT2_Layout_SparseBsr 4
#define PT2_Layout_SparseBsc 5
#define PT2_Layout__mkldnn 6
#define PT2_Layout_Strided 7

/* MemoryFormat */
#define PT2_MemoryFormat_Unknown 0
#define PT2_MemoryFormat_ContiguousFormat 1
#define PT2_MemoryFormat_ChannelsLast 2
#define PT2_MemoryFormat_ChannelsLast3d 3
#define PT2_MemoryFormat_PreserveFormat 4

/* Device */
#define PT2_Device_type 10
#define PT2_Device_index 20

/* SymExprHint */
#define PT2_SymExprHint_as_int 10
#define PT2_SymExprHint_as_bool 20
#define PT2_SymExprHint_as_float 30

/* SymExpr */
#define PT2_SymExpr_expr_str 10
#define PT2_SymExpr_hint 20

/* SymInt */
#define PT2_SymInt_as_expr 10
#define PT2_SymInt_as_int 20

/* SymFloat */
#define PT2_SymFloat_as_expr 10
#define PT2_SymFloat_as_float 20

/* SymBool */
#define PT2_SymBool_as_expr 10
#define PT2_SymBool_as_bool 20

/* TensorMeta */
#define PT2_TensorMeta_dtype 10
#define PT2_TensorMeta_sizes 20
#define PT2_TensorMeta_requires_grad 30
#define PT2_TensorMeta_device 40
#define PT2_TensorMeta_strides 50
#define PT2_TensorMeta_storage_offset 60
#define PT2_TensorMeta_layout 70

/* SymIntArgument */
#define PT2_SymIntArgument_as_name 10
#define PT2_SymIntArgument_as_int 20

/* SymFloatArgument */
#define PT2_SymFloatArgument_as_name 10
#define PT2_SymFloatArgument_as_float 20

/* SymBoolArgument */
#define PT2_SymBoolArgument_as_name 10
#define PT2_SymBoolArgument_as_bool 20

/* TensorArgument */
#define PT2_TensorArgument_name 10

/* TokenArgument */
#define PT2_TokenArgument_name 10

/* OptionalTensorArgument */
#define PT2_OptionalTensorArgument_as_tensor 20
#define PT2_OptionalTensorArgument_as_none 10

/* GraphArgument */
#define PT2_GraphArgument_name 10
#define PT2_GraphArgument_graph 20

/* CustomObjArgument */
#define PT2_CustomObjArgument_name 10
#define PT2_CustomObjArgument_class_fqn 20

/* ComplexValue */
#define PT2_ComplexValue_real 10
#define PT2_ComplexValue_imag 20

/* Argument */
#define PT2_Argument_as_none 10
#define PT2_Argument_as_tensor 20
#define PT2_Argument_as_tensors 30
#define PT2_Argument_as_int 50
#define PT2_Argument_as_ints 70
#define PT2_Argument_as_float 80
#define PT2_Argument_as_floats 90
#define PT2_Argument_as_string 100
#define PT2_Argument_as_strings 101
#define PT2_Argument_as_sym_int 110
#define PT2_Argument_as_sym_ints 120
#define PT2_Argument_as_scalar_type 130
#define PT2_Argument_as_memory_format 140
#define PT2_Argument_as_layout 150
#define PT2_Argument_as_device 160
#define PT2_Argument_as_bool 170
#define PT2_Argument_as_bools 180
#define PT2_Argument_as_sym_bool 182
#define PT2_Argument_as_sym_bools 184
#define PT2_Argument_as_graph 200
#define PT2_Argument_as_optional_tensors 190
#define PT2_Argument_as_custom_obj 210
#define PT2_Argument_as_operator 220
#define PT2_Argument_as_sym_float 230
#define PT2_Argument_as_sym_floats 240
#define PT2_Argument_as_optional_tensor 250
#define PT2_Argument_as_complex 260
#define PT2_Argument_as_nested_tensors 270
#define PT2_Argument_as_int_lists 280
#define PT2_Argument_as_string_to_argument 290
#define PT2_Argument_as_float_lists 300

/* ArgumentKind */
#define PT2_ArgumentKind_UNKNOWN 0
#define PT2_ArgumentKind_POSITIONAL 1
#define PT2_ArgumentKind_KEYWORD 2

/* NamedArgument */
#define PT2_NamedArgument_name 10
#define PT2_NamedArgument_arg 20
#define PT2_NamedArgument_kind 30

/* Node */
#define PT2_Node_target 10
#define PT2_Node_inputs 20
#define PT2_Node_outputs 30
#define PT2_Node_metadata 40
#define PT2_Node_is_hop_single_tensor_return 50
#define PT2_Node_name 60

/* Graph */
#define PT2_Graph_inputs 10
#define PT2_Graph_outputs 20
#define PT2_Graph_nodes 30
#define PT2_Graph_tensor_values 40
#define PT2_Graph_sym_int_values 50
#define PT2_Graph_sym_bool_values 60
#define PT2_Graph_is_single_tensor_return 70
#define PT2_Graph_custom_obj_values 80
#define PT2_Graph_sym_float_values 90

/* UserInputSpec */
#define PT2_UserInputSpec_arg 10

/* ConstantValue */
#define PT2_ConstantValue_as_none 10
#define PT2_ConstantValue_as_int 20
#define PT2_ConstantValue_as_float 30
#define PT2_ConstantValue_as_string 40
#define PT2_ConstantValue_as_bool 50

/* InputToConstantInputSpec */
#define PT2_InputToConstantInputSpec_name 10
#define PT2_InputToConstantInputSpec_value 20

/* InputToParameterSpec */
#define PT2_InputToParameterSpec_arg 10
#define PT2_InputToParameterSpec_parameter_name 20

/* InputToBufferSpec */
#define PT2_InputToBufferSpec_arg 10
#define PT2_InputToBufferSpec_buffer_name 20
#define PT2_InputToBufferSpec_persistent 30

/* InputToTensorConstantSpec */
#define PT2_InputToTensorConstantSpec_arg 10
#define PT2_InputToTensorConstantSpec_tensor_constant_name 20

/* InputToCustomObjSpec */
#define PT2_InputToCustomObjSpec_arg 10
#define PT2_InputToCustomObjSpec_custom_obj_name 20

/* InputTokenSpec */
#define PT2_InputTokenSpec_arg 10

/* InputSpec */
#define PT2_InputSpec_user_input 10
#define PT2_InputSpec_parameter 20
#define PT2_InputSpec_buffer 30
#define PT2_InputSpec_tensor_constant 40
#define PT2_InputSpec_custom_obj 50
#define PT2_InputSpec_token 70
#define PT2_InputSpec_constant_input 60

/* UserOutputSpec */
#define PT2_UserOutputSpec_arg 10

/* LossOutputSpec */
#define PT2_LossOutputSpec_arg 10

/* BufferMutationSpec */
#define PT2_BufferMutationSpec_arg 10
#define PT2_BufferMutationSpec_buffer_name 20

/* ParameterMutationSpec */
#define PT2_ParameterMutationSpec_arg 10
#define PT2_ParameterMutationSpec_parameter_name 20

/* GradientToParameterSpec */
#define PT2_GradientToParameterSpec_arg 10
#define PT2_GradientToParameterSpec_parameter_name 20

/* GradientToUserInputSpec */
#define PT2_GradientToUserInputSpec_arg 10
#define PT2_GradientToUserInputSpec_user_input_name 20

/* UserInputMutationSpec */
#define PT2_UserInputMutationSpec_arg 10
#define PT2_UserInputMutationSpec_user_input_name 20

/* OutputTokenSpec */
#define PT2_OutputTokenSpec_arg 10

/* OutputSpec */
#define PT2_OutputSpec_user_output 10
#define PT2_OutputSpec_loss_output 20
#define PT2_OutputSpec_buffer_mutation 30
#define PT2_OutputSpec_gradient_to_parameter 40
#define PT2_OutputSpec_gradient_to_user_input 50
#define PT2_OutputSpec_user_input_mutation 60
#define PT2_OutputSpec_token 70
#define PT2_OutputSpec_parameter_mutation 80

/* GraphSignature */
#define PT2_GraphSignature_input_specs 10
#define PT2_GraphSignature_output_specs 20

/* RangeConstraint */
#define PT2_RangeConstraint_min_val 10
#define PT2_RangeConstraint_max_val 20

/* ModuleCallSignature */
#define PT2_ModuleCallSignature_inputs 10
#define PT2_ModuleCallSignature_outputs 20
#define PT2_ModuleCallSignature_in_spec 30
#define PT2_ModuleCallSignature_out_spec 40
#define PT2_ModuleCallSignature_forward_arg_names 50

/* ModuleCallEntry */
#define PT2_ModuleCallEntry_fqn 10
#define PT2_ModuleCallEntry_signature 30

/* NamedTupleDef */
#define PT2_NamedTupleDef_field_names 10

/* GraphModule */
#define PT2_GraphModule_graph 10
#define PT2_GraphModule_signature 50
#define PT2_GraphModule_module_call_graph 60
#define PT2_GraphModule_metadata 40
#define PT2_GraphModule_treespec_namedtuple_fields 70

/* SchemaVersion */
#define PT2_SchemaVersion_major 10
#define PT2_SchemaVersion_minor 20

/* ExportedProgram */
#define PT2_ExportedProgram_graph_module 10
#define PT2_ExportedProgram_opset_version 20
#define PT2_ExportedProgram_range_constraints 30
#define PT2_ExportedProgram_schema_version 60
#define PT2_ExportedProgram_verifiers 70
#define PT2_ExportedProgram_torch_version 80
#define PT2_ExportedProgram_guards_code 90

/* PayloadMeta */
#define PT2_PayloadMeta_path_name 10
#define PT2_PayloadMeta_is_param 20
#define PT2_PayloadMeta_use_pickle 30
#define PT2_PayloadMeta_tensor_meta 40

/* PayloadConfig */
#define PT2_PayloadConfig_config 10

/* AOTInductorModelPickleData */
#define PT2_AOTInductorModelPickleData_library_basename 1
#define PT2_AOTInductorModelPickleData_input_names 2
#define PT2_AOTInductorModelPickleData_output_names 3
#define PT2_AOTInductorModelPickleData_floating_point_input_dtype 4
#define PT2_AOTInductorModelPickleData_floating_point_output_dtype 5
#define PT2_AOTInductorModelPickleData_aot_inductor_model_is_cpu 6

/* ExternKernelNode */
#define PT2_ExternKernelNode_name 10
#define PT2_ExternKernelNode_node 20

/* ExternKernelNodes */
#define PT2_ExternKernelNodes_nodes 10

#endif
