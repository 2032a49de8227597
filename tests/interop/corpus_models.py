"""Models of timm, torchvision and transformers as people export them, of small sizes and with random weights: nothing is
downloaded. `MODELS` has a function for each, which gives the model, its arguments (a dict: by keyword), and the sizes that are
dynamic, None for none. Those whose name ends in `_decomposed` are to be decomposed once they are exported.
"""

import functools
import importlib

import cut_models
import torch

AUTO = torch.export.Dim.AUTO
BATCH = ({0: AUTO},)
ALL_SIZES = ({0: AUTO, 2: AUTO, 3: AUTO},)


def image(*sizes):
    return (torch.randn(sizes),)


def timm(name, size, dynamic=None, **options):
    model = importlib.import_module("timm").create_model(name, pretrained=False, num_classes=5, **options)
    return model.eval(), image(2, 3, size, size), dynamic


def vision(name, sizes, dynamic=None, **options):
    """A function or a class of torchvision.models."""
    module, _, function = f"torchvision.models.{name}".rpartition(".")
    return getattr(importlib.import_module(module), function)(**options).eval(), image(*sizes), dynamic


def raft():
    model, given, _ = vision("optical_flow.raft_small", (1, 3, 128, 128))
    return model, given + image(1, 3, 128, 128), None


def hugging(name, arguments, dynamic=None, config=None, **sizes):
    transformers = importlib.import_module("transformers")
    config = config or f"{name.removesuffix('Model').removesuffix('LMHead').removesuffix('ForCausalLM')}Config"
    return getattr(transformers, name)(getattr(transformers, config)(**sizes)).eval(), arguments, dynamic


def text(**more):
    return {"input_ids": torch.randint(3, 40, (2, 7)), "attention_mask": torch.ones(2, 7, dtype=torch.int64), **more}


def two_texts():
    return {"input_ids": torch.randint(3, 40, (2, 7)), "decoder_input_ids": torch.randint(3, 40, (2, 5)), "use_cache": False}


def pixels(size):
    return {"pixel_values": torch.randn(2, 3, size, size)}


def speech():
    return {"input_features": torch.randn(1, 8, 32), "decoder_input_ids": torch.randint(3, 40, (1, 5)), "use_cache": False}


LENGTH = {"input_ids": {1: AUTO}, "attention_mask": {1: AUTO}}
TOKENS = dict(pad_token_id=0, bos_token_id=1, eos_token_id=2)
SWIN = dict(patch_size=[4, 4], embed_dim=16, depths=[2, 2], num_heads=[2, 4], window_size=[4, 4], num_classes=5)
BERT = dict(vocab_size=40, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=24, max_position_embeddings=32)
LLAMA = dict(BERT, **TOKENS, num_key_value_heads=1, head_dim=8, use_cache=False)
BART = dict(vocab_size=40, d_model=16, encoder_layers=2, decoder_layers=2, encoder_attention_heads=2, decoder_attention_heads=2,
            encoder_ffn_dim=24, decoder_ffn_dim=24)
VISION_SWIN = functools.partial(vision, "swin_transformer.SwinTransformer", (2, 3, 64, 64), **SWIN)

MODELS = {
    "timm/resnet10t": lambda: timm("resnet10t", 48, ALL_SIZES),
    "timm/mobilenetv3": lambda: timm("mobilenetv3_small_050", 64, BATCH),
    "timm/efficientnet": lambda: timm("efficientnet_b0", 64),
    "timm/regnet": lambda: timm("regnetx_002", 64, BATCH),
    "timm/convnext": lambda: timm("convnext_atto", 64, BATCH, depths=(1, 1, 2, 1)),
    "timm/vit": lambda: timm("vit_tiny_patch16_224", 64, BATCH, img_size=64, depth=2),
    "timm/vit_decomposed": lambda: timm("vit_tiny_patch16_224", 64, img_size=64, depth=2),
    "timm/swin": lambda: timm("swin_tiny_patch4_window7_224", 64, img_size=64, window_size=4, depths=(2, 2), num_heads=(2, 4), embed_dim=16),
    "timm/mixer": lambda: timm("mixer_s32_224", 64, BATCH, img_size=64),
    "timm/densenet": lambda: timm("densenet121", 64, block_config=(2, 2, 2)),
    "timm/ghostnet": lambda: timm("ghostnet_050", 64, BATCH),
    "timm/poolformer": lambda: timm("poolformer_s12", 64),
    "timm/edgenext": lambda: timm("edgenext_xx_small", 64),
    "timm/mobilevit": lambda: timm("mobilevit_xxs", 64),
    "torchvision/resnet18": lambda: vision("resnet18", (2, 3, 48, 48), ALL_SIZES),
    "torchvision/mobilenet_v2": lambda: vision("mobilenet_v2", (2, 3, 48, 48), BATCH),
    "torchvision/shufflenet": lambda: vision("shufflenet_v2_x0_5", (2, 3, 64, 64), BATCH),
    "torchvision/squeezenet": lambda: vision("squeezenet1_1", (2, 3, 64, 64), ALL_SIZES),
    "torchvision/googlenet": lambda: vision("googlenet", (2, 3, 64, 64), aux_logits=False, init_weights=False),
    "torchvision/swin": lambda: VISION_SWIN(),
    "torchvision/swin_decomposed": lambda: VISION_SWIN(),
    "torchvision/vit": lambda: vision("VisionTransformer", (2, 3, 32, 32), BATCH, image_size=32, patch_size=8, num_layers=2, num_heads=2,
                                      hidden_dim=16, mlp_dim=24),
    "torchvision/maxvit": lambda: vision("MaxVit", (1, 3, 64, 64), input_size=(64, 64), stem_channels=8, partition_size=2,
                                         block_channels=[8, 16], block_layers=[1, 1], head_dim=4, stochastic_depth_prob=0.0),
    "torchvision/lraspp": lambda: vision("segmentation.lraspp_mobilenet_v3_large", (1, 3, 64, 64), weights=None, weights_backbone=None),
    "torchvision/s3d": lambda: vision("video.s3d", (1, 3, 16, 224, 224)),
    "torchvision/raft": raft,
    "transformers/bert": lambda: hugging("BertModel", text(), LENGTH, **BERT),
    "transformers/bert_decomposed": lambda: hugging("BertModel", text(), **BERT),
    "transformers/distilbert": lambda: hugging("DistilBertModel", text(), LENGTH, vocab_size=40, dim=16, n_layers=2, n_heads=2, hidden_dim=24),
    "transformers/albert": lambda: hugging("AlbertModel", text(), **BERT, embedding_size=8),
    "transformers/gpt2": lambda: hugging("GPT2LMHeadModel", text(use_cache=False), vocab_size=40, n_embd=16, n_layer=2, n_head=2, n_positions=32,
                                         bos_token_id=1, eos_token_id=2),
    "transformers/llama": lambda: hugging("LlamaForCausalLM", text(), LENGTH, **LLAMA),
    "transformers/qwen2": lambda: hugging("Qwen2ForCausalLM", text(), LENGTH, **LLAMA),
    "transformers/gemma": lambda: hugging("GemmaForCausalLM", text(), **LLAMA),
    "transformers/opt": lambda: hugging("OPTForCausalLM", text(use_cache=False), vocab_size=40, hidden_size=16, num_hidden_layers=2,
                                        num_attention_heads=2, ffn_dim=24, word_embed_proj_dim=16, max_position_embeddings=32),
    "transformers/bart": lambda: hugging("BartModel", two_texts(), **BART, max_position_embeddings=32),
    "transformers/t5": lambda: hugging("T5Model", two_texts(), vocab_size=40, d_model=16, d_kv=8, d_ff=24, num_layers=2, num_heads=2,
                                       decoder_start_token_id=0),
    "transformers/vit": lambda: hugging("ViTModel", pixels(32), image_size=32, patch_size=8, hidden_size=16, num_hidden_layers=2,
                                        num_attention_heads=2, intermediate_size=24),
    "transformers/segformer": lambda: hugging("SegformerModel", pixels(64), hidden_sizes=[8, 16], depths=[1, 1], num_attention_heads=[1, 2],
                                              num_encoder_blocks=2, sr_ratios=[4, 2], patch_sizes=[7, 3], strides=[4, 2], mlp_ratios=[2, 2]),
    "transformers/mamba": lambda: hugging("MambaModel", {"input_ids": torch.randint(3, 40, (1, 5)), "use_cache": False}, vocab_size=40,
                                          hidden_size=16, state_size=4, num_hidden_layers=2, time_step_rank=2),
    "transformers/whisper": lambda: hugging("WhisperModel", speech(), **BART, **TOKENS, num_mel_bins=8, max_source_positions=16,
                                            max_target_positions=16, decoder_start_token_id=1),
    **{f"torch/{name}": lambda model=model, shapes=shapes, calls=calls: (model, calls[0], shapes)
       for name, model, shapes, calls in cut_models.models()},
}
