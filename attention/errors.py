"""What to tell a learner whose input cannot be used: what was wrong, and what would be right.

`MESSAGES` is the only catalogue of these sentences. A user interface may say the same in another
language: it looks up `error.code` and fills in `error.values`, which are only texts and numbers.
"""

from attention.surrogates import without_surrogates

SHOWN_CHARACTERS = 20  # a learner's own text is cut to this length inside a message

MESSAGES: dict[str, str] = {
    # choices
    "not_text": "{name} = {value} should be text",
    "not_whole_number": "{name} = {value} should be a whole number, such as {example}",
    "not_number": "{name} = {value} should be a number, such as {example}",
    "not_true_or_false": "{name} = {value} should be True or False",
    "unknown_choice": "{name} = '{value}' is not known: choose one of {allowed}",
    "not_a_cell": (
        "cell = '{value}' is no cell: write the step, the head if it has heads, the row and the column, "
        "as in scores.2.5.3"
    ),
    "not_heads": "off = '{value}' names no heads: write the layer and the number of each head, as in 14.9-17.1",
    "not_a_mask": "drawn = '{value}' is no mask: write a row of 0 and 1 (1 = hidden) for each query, as in 01-00",
    "out_of_range": "{name} = {value} is out of range: choose from {smallest} to {largest}",
    "dropout_out_of_range": (
        "dropout = {value} is no share of the weights that could be dropped: choose 0 or more, and less than 1"
    ),
    "dropout_of_one": (
        "dropout = {value} would drop every weight, and scale the survivors by 1 / (1 - p), which is "
        "1 / 0 at p = 1: choose less than 1"
    ),
    "heads_do_not_divide": (
        "d_out = {d_out} cannot be shared equally by num_heads = {num_heads}: "
        "choose a d_out that num_heads divides, such as {smaller} or {larger}"
    ),
    "too_many_weights": (
        "{sentences} x {num_heads} x {tokens} x {tokens} = {count} attention weights (sentences x heads x queries x "
        "keys), more than {limit}: choose fewer or shorter sentences, or fewer heads"
    ),
    # sentences
    "no_sentence": "there is no sentence yet: write at least one word",
    "no_tokens": "sentence {sentence} ('{text}') gives no tokens: write at least one visible character",
    "too_many_characters": "the text has {count} characters, more than {limit}: shorten it",
    "too_many_sentences": "there are {count} sentences (one a line), more than {limit}: remove some lines",
    "too_many_tokens": "sentence {sentence} ('{text}') has {count} tokens, more than {limit}: shorten it",
    # embeddings
    "book_has_no_row": (
        "the book's table has no row for '{token}', only for {known}: use these words, or choose another embedding"
    ),
    "book_width": "the book's vectors have {width} numbers, so d_in = {d_in} does not fit: choose d_in = {width}",
    "one_hot_width": (
        "one_hot needs one column for each of the {width} distinct tokens, so d_in = {d_in} does not fit: "
        "choose d_in = {width}"
    ),
    "one_hot_too_wide": (
        "one_hot needs one column for each of the {width} distinct tokens, but d_in can be {limit} at most: "
        "shorten the text, or choose another embedding"
    ),
    "own_without_vectors": "embedding = 'own' needs your vectors: give one row of numbers for each token",
    "own_needs_one_sentence": (
        "your own vectors describe one sentence, but there are {sentences}: keep one line, or choose another embedding"
    ),
    "own_rows": "rows of your vectors: {rows}, tokens of the sentence: {tokens}. Give one row for each token",
    "own_width": "columns of your vectors: {width}, so d_in = {d_in} does not fit: choose d_in = {width}",
    # tables of vectors
    "vectors_empty": "there are no vectors yet: write one row of numbers for each token",
    "vectors_not_rows": "vectors should be a tuple of rows, and each row a tuple of numbers",
    "vectors_not_number": "row {row}, column {column}: '{text}' is not a number: write numbers only, such as 0.43",
    "vectors_empty_cell": "row {row}, column {column} is empty: write a number there, or take the separator away",
    "vectors_decimal_comma": (
        "row {row}, column {column}: '{text}' has a decimal comma: write decimals with a point, such as 0.5"
    ),
    "vectors_not_finite": "row {row}, column {column}: {text} is not a finite number: write a number such as 0.43",
    "vectors_too_large": "row {row}, column {column}: {text} is too large: choose from -{limit} to {limit}",
    "vectors_uneven": "columns in row {row}: {columns}, in the rows above: {expected}. Give every row the same number",
    "vectors_mixed_separators": (
        "row {row} uses both '{one}' and '{other}' between its numbers: separate the columns by one of them, and "
        "write decimals with a point"
    ),
    "vectors_not_utf8": "the file is not UTF-8 text: save it again as CSV UTF-8",
    "vectors_too_many_rows": "there are {count} rows, more than {limit}: remove some",
    "vectors_too_many_columns": "row {row} has {count} columns, more than {limit}: remove some",
    # attention
    "input_not_three_axes": (
        "x has the shape {shape}, but attention needs (batch, token, d_in): for one sentence use x.unsqueeze(0)"
    ),
    "input_width": "x has {width} numbers for each token, but this attention was built with d_in = {d_in}",
    "input_too_long": (
        "x has {tokens} tokens, more than context_length = {context_length}: "
        "shorten the sentence, or build with context_length = {tokens} or more"
    ),
    "window_too_small": "window = {window} is too small: choose 1 or more, so that a token sees at least itself",
    "hidden_row": (
        "query {query} may look at nothing: every key is hidden from it, and the softmax of a row that is all "
        "-inf is not a number. Let it see at least one key, such as itself"
    ),
    "rotary_odd": (
        "head_dim = {head_dim} is odd, but rotary positions turn the numbers of a head in pairs: choose an even "
        "head_dim, such as by another d_out"
    ),
    "groups_do_not_divide": (
        "num_heads = {num_heads} cannot be shared equally by num_groups = {num_groups}: choose a num_groups that "
        "divides num_heads"
    ),
    # language models
    "not_a_head": "off = '{value}' is no head: write a pair, the layer and the head",
    "model_not_installed": "{model} is not installed here: stop the app, and start it with {command}",
    "model_no_folder": "there is no folder '{folder}': give MODEL_DIR a folder with config.json and model.safetensors",
    "model_file_missing": "the folder '{folder}' has no {file}: put it there, as Hugging Face lays out a GPT-2",
    "model_file_broken": "{file} cannot be read ({reason}): copy or save it again",
    "model_in_parts": "the weights in '{folder}' are in several parts: save them again as one {file}",
    "model_pickled": (
        "the weights in '{folder}' are in a .bin file, which could run any program when it is opened: save them "
        "again as {file}"
    ),
    "model_config": "{file}: {name} = {value} cannot be used here, it should be {expected}",
    "model_tensor_missing": (
        "model.safetensors has no tensor '{tensor}', which should be {expected}: save the whole model again"
    ),
    "model_tensor_wrong": "model.safetensors: the tensor '{tensor}' is {found}, but config.json asks for {expected}",
    "model_tensor_not_finite": (
        "model.safetensors: the tensor '{tensor}' has numbers in it that are NaN or infinite: use a checkpoint "
        "from before the training went wrong"
    ),
    "model_ids": (
        "the vocabulary ({file}) goes up to the id {id}, but the model has only vocab_size = {vocabulary} tokens: "
        "use the vocabulary that belongs to it"
    ),
    "model_no_row": (
        "the token '{token}' has the id {id}, but the model has rows for the ids 0 to {largest} only: choose other "
        "words, or put the tokenizer.json that belongs to the model into its folder"
    ),
    "model_overflow": (
        "layer {layer} of the model gives numbers that are NaN or infinite: copy its weights again, or use a "
        "checkpoint from before the training went wrong"
    ),
    # sequences of a training task
    "token_unknown": "'{token}' is no token of this task: choose from {known}",
    "token_repeated": "'{token}' is there twice, but here each token may come only once: remove one",
    "letter_coloured_twice": "the letter '{token}' is given a colour twice: keep one of them",
    "sequence_too_short": "the sequence is {count} long, but at least {smallest} tokens are needed: add some",
    "sequence_too_long": "the sequence is {count} long, more than {largest} tokens: remove some",
}


class LearnerError(ValueError):
    """Input that cannot be used. `str(error)` is `MESSAGES[code]` with the values filled in."""

    def __init__(self, code: str, **values: str | float) -> None:
        super().__init__(MESSAGES[code].format(**values))
        self.code = code
        self.values = values


def shown(value: object) -> str | float:
    """A learner's value, short enough to stand inside a message."""
    if type(value) is int and value.bit_length() > 64:  # Python refuses to print very long integers
        return f"{'-' if value < 0 else ''}2^{value.bit_length() - 1}..."
    if type(value) is int or type(value) is float:
        return value
    written = value if isinstance(value, str) else repr(value)
    text = without_surrogates(written)
    return text if len(text) <= SHOWN_CHARACTERS else text[: SHOWN_CHARACTERS - 1] + "…"
