"""Removes an output from a TensorFlow Lite model.

A `.tflite` file is a FlatBuffer: tables find their fields through a table of offsets (the vtable),
and a field that is a vector, string or table holds the distance to it. The fields' numbers are
those of TensorFlow Lite's schema (`tensorflow/lite/schema/schema.fbs`).
"""

import struct

# schema.fbs: Model.subgraphs, SubGraph.tensors, SubGraph.outputs, Tensor.name
MODEL_SUBGRAPHS = 2
SUBGRAPH_TENSORS = 0
SUBGRAPH_OUTPUTS = 2
TENSOR_NAME = 3

LENGTH_BYTES = 4  # a vector or string begins with its number of elements
ELEMENT_BYTES = 4  # output indices and offsets of tables are 32 bits wide
VTABLE_HEADER_BYTES = 4  # a vtable begins with its own size and the table's
VTABLE_ENTRY_BYTES = 2


def without_output(model: bytes, name: str) -> bytes:
    """Returns the model without the output of that name, of the same size in bytes.

    Only the list of outputs changes: it is shortened in place, which leaves the operators that
    led to the output without a consumer, so that the run time prunes them.
    """
    data = bytearray(model)
    subgraphs = _follow(data, _field(data, _follow(data, 0), MODEL_SUBGRAPHS))
    subgraph = _follow(data, _element(subgraphs, 0))
    tensors = _follow(data, _field(data, subgraph, SUBGRAPH_TENSORS))
    outputs = _follow(data, _field(data, subgraph, SUBGRAPH_OUTPUTS))

    indices = [
        _unsigned(data, _element(outputs, position))
        for position in range(_unsigned(data, outputs))
    ]
    kept = [index for index in indices if _tensor_name(data, tensors, index) != name]
    if len(kept) == len(indices):
        raise ValueError(f"the model has no output named {name}")

    struct.pack_into("<I", data, outputs, len(kept))
    for position, index in enumerate(kept):
        struct.pack_into("<I", data, _element(outputs, position), index)
    return bytes(data)


def _tensor_name(data: bytearray, tensors: int, index: int) -> str:
    tensor = _follow(data, _element(tensors, index))
    text = _follow(data, _field(data, tensor, TENSOR_NAME))
    start = text + LENGTH_BYTES
    return data[start : start + _unsigned(data, text)].decode()


def _element(vector: int, position: int) -> int:
    """The place of an element of a vector."""
    return vector + LENGTH_BYTES + ELEMENT_BYTES * position


def _field(data: bytearray, table: int, number: int) -> int:
    """The place of a table's field."""
    vtable = table - struct.unpack_from("<i", data, table)[0]
    vtable_size = struct.unpack_from("<H", data, vtable)[0]
    entry = VTABLE_HEADER_BYTES + VTABLE_ENTRY_BYTES * number
    offset = struct.unpack_from("<H", data, vtable + entry)[0] if entry < vtable_size else 0
    if offset == 0:
        raise ValueError(f"the model leaves out field {number} of a table")
    return table + offset


def _follow(data: bytearray, place: int) -> int:
    """The place that the offset at a place points to."""
    return place + _unsigned(data, place)


def _unsigned(data: bytearray, place: int) -> int:
    return struct.unpack_from("<I", data, place)[0]
