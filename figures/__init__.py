"""Pictures of arrays: numpy in, ``plotly.graph_objects.Figure`` out. Works in a notebook as it is."""

from figures.arcs import arcs_spec
from figures.charts import Series, bars_spec, lines_spec
from figures.facets import Facets
from figures.grid import grid_spec
from figures.heatmap import heatmap, heatmap_spec
from figures.labels import escape, printable, short
from figures.scales import Scale, signed_scale, weight_scale

__all__ = [
    "Facets",
    "Scale",
    "Series",
    "arcs_spec",
    "bars_spec",
    "escape",
    "grid_spec",
    "heatmap",
    "heatmap_spec",
    "lines_spec",
    "printable",
    "short",
    "signed_scale",
    "weight_scale",
]
