"""Pictures of arrays: numpy in, ``plotly.graph_objects.Figure`` out. Works in a notebook as it is."""

from figures.facets import Facets
from figures.heatmap import heatmap
from figures.labels import escape, printable, short
from figures.scales import Scale, signed_scale, weight_scale

__all__ = ["Facets", "Scale", "escape", "heatmap", "printable", "short", "signed_scale", "weight_scale"]
