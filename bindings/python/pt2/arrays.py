"""Turns arrays of other libraries into arrays whose memory has the values that they show."""

from __future__ import annotations

from typing import Any


def plain(what: str, array: Any) -> Any:
    """Returns the array, or a copy if its memory has other values: a lazily conjugated, negated or zero tensor of torch, or
    a big-endian numpy array. Tensors of torch are detached. Raises TypeError, which begins with `what`, for a tensor
    without such memory.
    """
    if hasattr(array, "resolve_conj"):
        array = array.detach()  # turns parameters into tensors
        kind = f"{array.__class__.__module__}.{array.__class__.__name__}"
        if kind != "torch.Tensor":
            raise TypeError(f"{what}: expected a plain tensor, got {kind}")
        layout = "quantized" if array.is_quantized else str(array.layout).removeprefix("torch.").removeprefix("_")
        if layout != "strided":
            raise TypeError(f"{what}: expected a dense tensor, got a tensor with the layout {layout}")
        if array.is_meta:
            raise TypeError(f"{what}: expected a tensor with data, got one on the device meta")
        if array._is_zerotensor():
            return array.new_zeros(array.shape)
        return array.resolve_conj().resolve_neg()
    dtype: Any = getattr(array, "dtype", None)
    return array.astype(dtype.newbyteorder("=")) if getattr(dtype, "isnative", True) is False else array
