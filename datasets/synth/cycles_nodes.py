"""Materials and pictures for Blender, in a few words."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray


def albedo(rgb: Any) -> NDArray[np.float32]:
    """Drawn colours 0..255 -> sRGB 0..1 of matter: no paper is whiter than about 80 %."""
    return np.asarray(rgb, np.float32) * np.float32(0.9 / 255)


def linear(rgb: Any) -> tuple[float, float, float, float]:
    """Drawn colour 0..255 -> linear RGBA of matter."""
    s = np.clip(albedo(rgb), 0, 1)
    r, g, b = np.where(s <= 0.04045, s / 12.92, ((s + 0.055) / 1.055) ** 2.4).tolist()
    return (r, g, b, 1.0)


def picture(name: str, values: NDArray[np.float32], alpha: NDArray[np.float32] | None = None) -> bpy.types.Image:
    """(h, w, 3) float32 as a Blender picture: sRGB colours, or plain numbers when `name` is 'relief'."""
    h, w = values.shape[:2]
    plain = name == "relief"
    image = bpy.data.images.new(name, w, h, alpha=alpha is not None, float_buffer=plain)
    image.colorspace_settings.name = "Non-Color" if plain else "sRGB"
    image.alpha_mode = "STRAIGHT" if alpha is not None else "NONE"
    full = np.ones((h, w, 4), np.float32)
    full[..., :3] = values
    if alpha is not None:
        full[..., 3] = alpha
    image.pixels.foreach_set(np.ascontiguousarray(full[::-1]).ravel())
    image.update()
    return image


class Nodes:
    """A material with one principled shader."""

    def __init__(self, name: str) -> None:
        self.material = bpy.data.materials.new(name)
        self.material.use_nodes = True
        self.tree = self.material.node_tree
        self.bsdf = next(n for n in self.tree.nodes if n.type == "BSDF_PRINCIPLED")

    def add(self, kind: str) -> Any:
        return self.tree.nodes.new(kind)

    def link(self, source: Any, target: Any) -> None:
        self.tree.links.new(source, target)

    def set(self, colour: Any = None, roughness: float = 0.5, metal: float = 0.0, coat: float = 0.0) -> Nodes:
        inputs = self.bsdf.inputs
        if colour is not None:
            inputs["Base Color"].default_value = linear(colour)
        inputs["Roughness"].default_value = roughness
        inputs["Metallic"].default_value = metal
        inputs["Coat Weight"].default_value = coat
        inputs["Coat Roughness"].default_value = 0.06
        return self

    def image(self, image: bpy.types.Image, interpolation: str = "Linear") -> Any:
        node = self.add("ShaderNodeTexImage")
        node.image, node.extension, node.interpolation = image, "EXTEND", interpolation
        return node

    def clear(self) -> Nodes:
        """Make it glass that lets light through to what stands behind."""
        self.bsdf.inputs["Transmission Weight"].default_value = 1.0
        self.bsdf.inputs["IOR"].default_value = 1.3
        path, mix, see = self.add("ShaderNodeLightPath"), self.add("ShaderNodeMixShader"), None
        see = self.add("ShaderNodeBsdfTransparent")
        out = next(n for n in self.tree.nodes if n.type == "OUTPUT_MATERIAL")
        self.link(path.outputs["Is Shadow Ray"], mix.inputs[0])
        self.link(self.bsdf.outputs[0], mix.inputs[1])
        self.link(see.outputs[0], mix.inputs[2])
        self.link(mix.outputs[0], out.inputs["Surface"])
        return self
