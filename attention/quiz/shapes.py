"""Quiz questions about sizes: the shape after each line, head_dim, the divisor, and how many numbers are learned."""

from collections.abc import Callable

from attention.quiz.question import Question, Scene, Values, number


def split_shape(scene: Scene) -> Question | None:
    """queries and context. Tempting: not yet swapped, not yet split, d_out for each head."""
    batch, heads, n, head_dim = _sizes(scene)
    d_out = scene.experiment.d_out
    return _shape(scene, [(batch, n, heads, head_dim), (batch, n, d_out), (batch, heads, n, d_out)])


def looking_shape(scene: Scene) -> Question | None:
    """scores and weights. Tempting: without heads, as many columns as features, features looking at features."""
    batch, heads, n, head_dim = _sizes(scene)
    return _shape(scene, [(batch, n, n), (batch, heads, n, head_dim), (batch, heads, head_dim, head_dim)])


def merged_shape(scene: Scene) -> Question | None:
    """Tempting: one head's width only, still split, or d_out for each head."""
    batch, heads, n, head_dim = _sizes(scene)
    d_out = scene.experiment.d_out
    return _shape(scene, [(batch, n, head_dim), (batch, heads, n, head_dim), (batch, n, heads * d_out)])


def output_shape(scene: Scene) -> Question | None:
    """Tempting: back to d_in, one head's width, still in heads."""
    batch, heads, n, head_dim = _sizes(scene)
    d_in, d_out = scene.experiment.d_in, scene.experiment.d_out
    return _shape(scene, [(batch, n, d_in), (batch, n, head_dim), (batch, heads, n, d_out)])


def head_dim(scene: Scene) -> Question | None:
    """Tempting: d_out for each head, d_out times the heads, a share of d_in."""
    d_in, d_out, heads = scene.experiment.d_in, scene.experiment.d_out, scene.experiment.num_heads
    wrong = [d_out, d_out * heads, d_in, heads]
    return scene.ask({"d_in": d_in, "d_out": d_out, "num_heads": heads}, scene.head_dim, wrong, ("queries",))


def divisor(scene: Scene) -> Question | None:
    """Tempting: the root of d_out or of d_in, head_dim without a root, the root of the number of tokens."""
    chosen, right = scene.experiment, scene.head_dim
    wrong = [_root(size) for size in (chosen.d_out, chosen.d_in, scene.n) if size != right]
    wrong[1:1] = [str(right)] if right > 1 else []  # the root of 1 is 1 itself
    values: Values = {"d_in": chosen.d_in, "d_out": chosen.d_out, "num_heads": chosen.num_heads}
    return scene.ask(values, _root(right), wrong, ("masked_scores", "scaled_scores"))


def feature_of_head(scene: Scene) -> Question | None:
    """Tempting: head and feature swapped, heads dealt out in turn (the wrong reshape), the next head."""
    heads, head_dim = scene.experiment.num_heads, scene.head_dim
    column = scene.random.randrange(heads * head_dim)
    head, feature = divmod(column, head_dim)
    tempting = [(column % heads, column // heads), (feature, head), ((head + 1) % heads, feature), (0, column)]
    wrong = [(one + 1, other + 1) for one, other in tempting]
    values: Values = {"column": column + 1, "d_out": heads * head_dim, "num_heads": heads}
    return scene.ask(values, (head + 1, feature + 1), wrong, ("context", "merged_context"))


def query_parameters(scene: Scene) -> Question | None:
    """Tempting: the bias forgotten or invented, one head's share only, d_out for each head."""
    chosen = scene.experiment
    d_in, d_out, heads = chosen.d_in, chosen.d_out, chosen.num_heads
    plain, with_bias = d_in * d_out, d_in * d_out + d_out
    right, forgotten = (with_bias, plain) if chosen.qkv_bias else (plain, with_bias)
    values: Values = {"d_in": d_in, "d_out": d_out, "num_heads": heads, "qkv_bias": str(chosen.qkv_bias)}
    return scene.ask(values, right, [forgotten, d_in * scene.head_dim, plain * heads, d_in + d_out], ("queries",))


def output_parameters(scene: Scene) -> Question | None:
    """Tempting: without its bias, fed by d_in, or by one head only."""
    d_in, d_out, heads = scene.experiment.d_in, scene.experiment.d_out, scene.experiment.num_heads
    wrong = [d_out * d_out, d_in * d_out + d_out, scene.head_dim * d_out + d_out, d_out + d_out]
    values: Values = {"d_in": d_in, "d_out": d_out, "num_heads": heads}
    return scene.ask(values, d_out * d_out + d_out, wrong, ("merged_context", "output"))


def _shape(scene: Scene, wrong: list[tuple[int, ...]]) -> Question | None:
    """The shape of the step that the kind is named after."""
    step = scene.kind.removeprefix("shape_")
    batch, heads, n, _ = _sizes(scene)
    chosen = scene.experiment
    values: Values = {"batch": batch, "tokens": n, "num_heads": heads, "d_in": chosen.d_in, "d_out": chosen.d_out}
    return scene.ask(values, tuple(scene.trace[step].value.shape), wrong, (step,))


def _sizes(scene: Scene) -> tuple[int, int, int, int]:
    """batch, heads, tokens, head_dim. A batch is as long as its longest sentence."""
    batch, heads, n, head_dim = scene.trace["queries"].value.shape
    return batch, heads, n, head_dim


def _root(size: int) -> str:
    return f"√{size} = {number(size**0.5)}"


SHAPES: dict[str, Callable[[Scene], Question | None]] = {
    "shape_queries": split_shape,
    "shape_scores": looking_shape,
    "shape_weights": looking_shape,
    "shape_context": split_shape,
    "shape_merged_context": merged_shape,
    "shape_output": output_shape,
    "head_dim": head_dim,
    "divisor": divisor,
    "feature_of_head": feature_of_head,
    "query_parameters": query_parameters,
    "output_parameters": output_parameters,
}
