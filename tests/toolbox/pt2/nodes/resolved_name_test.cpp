#include "pt2/nodes/resolved_name.h"

#include <catch2/catch.hpp>

TEST_CASE("nodes may call operators") {
  for (const char* const name : {
           "torch.ops.aten.add.Tensor",
           "torch.ops.aten.add",
           "torch.ops.aten.__and__.Tensor",
           "torch.ops.torchvision.nms.default",
           "torch.ops.higher_order.cond",
           "torch.ops.map_impl",
           "torch._higher_order_ops.effects.with_effects",
           "torch._higher_order_ops.auto_functionalize.auto_functionalized",
           "torch._higher_order_ops.wrap.wrap_with_set_grad_enabled",
           "torch._functorch.predispatch._add_batch_dim",
           "torch.sym_max",
           "torch._sym_sqrt",
           "_operator.floordiv",
           "math.trunc",
           "math.ceil",
           "#my:scale",
       }) {
    INFO(name);
    CHECK(pt2::is_resolved_by_torch(name));
    CHECK(pt2::is_operator_name(name));
    CHECK(pt2::is_source_name(name));
  }
}

TEST_CASE("names that torch does not look up need no resolving") {
  for (const char* const name : {"", "add_", "aten.add", "transformers.models.bert.BertModel", "os.system"}) {
    INFO(name);
    CHECK_FALSE(pt2::is_resolved_by_torch(name));
  }
}

TEST_CASE("nodes call nothing else that torch would find") {
  for (const char* const name : {
           "torch",
           "torch.",
           "torch.os.system",
           "torch.load",
           "torch.hub.load",
           "torch.ctypes.cdll../tmp/libmark",
           "torch.ops",
           "torch.ops.aten.save.default",
           "torch.ops.aten.from_file.default",
           "torch.ops.load_library",
           "torch.ops.load_library.x",
           "torch.ops.loaded_libraries.add.x",
           "torch.ops._dir.add",
           "torch.ops.math._dir.append",
           "torch.ops.aten.name.format",
           "torch.ops.aten",
           "torch.ops.aten.add.Tensor.op",
           "torch.ops.aten.add.Tensor.__class__",
           "torch.ops.__class__.x",
           "torch.ops.my.__init__.default",
           "torch.ops.my..default",
           "torch.ops.my.a b.default",
           "torch.ops.higher_order.cond.dispatch",
           "torch.ops.higher_order.of_a_later_torch",
           "torchx.ops.aten.add",
           "torch_ops.aten.add.Tensor",
           "torch._dynamo.config.x",
           "torch._higher_order_ops.map.map",
           "torch._higher_order_ops.foreach_map.foreach_map",
           "_operator.attrgetter",
           "_operator.methodcaller",
           "_operator.call",
           "_operatorx.add",
           "_operator",
           "math",
           "math.__loader__.load_module",
           "mathx.sqrt",
           "#my",
           "#my:a:b",
           "#:a",
       }) {
    INFO(name);
    CHECK(pt2::is_resolved_by_torch(name));
    CHECK_FALSE(pt2::is_operator_name(name));
  }
}

TEST_CASE("sources may be modules and functions of models") {
  for (const char* const name : {
           "torch.nn.modules.linear.Linear",
           "torch.nn.functional.relu",
           "torch.nn.utils.rnn.pad_packed_sequence",
           "torch.ao.nn.quantizable.modules.rnn.LSTM",
           "torch._higher_order_ops.wrap.tag_activation_checkpoint",
           "torch._functorch.autograd_function.autograd_function_apply",
           "torch._dynamo.variables.misc.trampoline_autograd_apply",
           "torch._C._nn.scaled_dot_product_attention",
           "torch.cat",
           "torch.ops.aten._print",
           "_operator.getitem",
           "torchvision.models.resnet.ResNet",
           "torchvision.ops.misc.Conv2dNormActivation",
       }) {
    INFO(name);
    const bool is_known = pt2::is_source_name(name);
    CHECK(is_known);
  }
  for (const char* const name : {
           "torch.ctypes.cdll.x",
           "torch.nn.ctypes.cdll.x",
           "torch.nn.functional.torch.ctypes.cdll.x",
           "torch.nn.functional.relu._C",
           "torch._functorch.config.sys.modules.x",
           "torch.nn.of_a_later_torch.cdll.x",
           "torch.nnx.modules.Linear",
           "torch.nn.modules.linear.math.sqrt",
           "torch.nn.modules.linear.Linear.__init__.__globals__",
           "torch.__config__.show.x",
           "torch.models.x",
           "torchvision.ctypes.cdll.x",
           "torchvision.models.__class__",
           "_operator.x.y",
       }) {
    INFO(name);
    CHECK_FALSE(pt2::is_source_name(name));
  }
}
