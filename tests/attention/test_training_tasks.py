"""Each task asks for what it says, on drawn sequences and on a learner's own."""

import pytest
import torch

from attention import LearnerError
from attention.training import NONE, TASKS


def drawn(task, count=100, seed=1):
    return task.draw(count, torch.Generator().manual_seed(seed))


# Plain Python on the tokens' texts: for each query the answers, as texts, and the keys that are right.
def previous(texts):
    return [([texts[i - 1]], [{i - 1}]) if i >= 1 else None for i in range(len(texts))]


def vowel(texts):
    found = [max((j for j in range(i + 1) if texts[j] in "aeiou"), default=None) for i in range(len(texts))]
    return [None if j is None else ([texts[j]], [{j}]) for j in found]


def two(texts):
    return [([texts[i - 2], texts[i - 1]], [{i - 2}, {i - 1}]) if i >= 2 else None for i in range(len(texts))]


def reverse(texts):
    letters = texts[: len(texts) // 2]
    mirrored = [([letter], [{j}]) for j, letter in reversed(list(enumerate(letters)))]
    return [None] * len(letters) + mirrored


def largest(texts):
    numbers = list(map(int, texts))
    best = [max(numbers[: i + 1]) for i in range(len(numbers))]
    return [([str(most)], [{j for j in range(i + 1) if numbers[j] == most}]) for i, most in enumerate(best)]


def sort(texts):
    middle = texts.index(">")
    in_order = sorted(texts[:middle], key=int)
    assert texts[middle + 1 : 2 * middle] == in_order[:-1]
    asked = [([number], [{texts.index(number)}]) for number in in_order]
    return [None] * middle + asked + [None] * (len(texts) - 2 * middle)


def colour(texts):
    answers, colour_of = [], {}
    for i, text in enumerate(texts):
        if ":" in text:
            colour_of[text[0]] = (text[2:], i)
        told = colour_of.get(text[0]) if "?" in text else None
        answers.append(([told[0]], [{told[1]}]) if told else None)
    return answers


def induction(texts):
    answers = []
    for i, text in enumerate(texts):
        after = [j + 1 for j in range(i - 1) if texts[j] == text]
        answers.append(([texts[after[-1]]], [set(after)]) if after else None)
    return answers


ORACLES = {
    "previous": previous,
    "reverse": reverse,
    "colour": colour,
    "largest": largest,
    "vowel": vowel,
    "sort": sort,
    "two": two,
    "induction": induction,
}


def check_solution(task, ids, texts, answers, item=0):
    solution = task.solve(ids)
    for query, expected in enumerate(ORACLES[task.name](texts)):
        targets = solution.targets[item, query].tolist()
        right = [set(part[query].nonzero().flatten().tolist()) for part in solution.right[item]]
        if expected is None:
            assert targets == [NONE] * task.parts
            assert right == [set()] * task.parts
        else:
            assert [answers[target] for target in targets] == expected[0]
            assert right == expected[1]


def test_there_are_eight_tasks_and_only_induction_has_two_layers():
    assert list(TASKS) == list(ORACLES)
    assert [task.name for task in TASKS.values() if task.layers == 2] == ["induction"]


@pytest.mark.parametrize("task", TASKS.values(), ids=list(TASKS))
def test_drawn_sequences_have_the_answers_of_the_oracle(task):
    ids = drawn(task)
    assert ids.shape == (100, task.length)
    for item, row in enumerate(ids.tolist()):
        check_solution(task, ids, [task.vocabulary[id] for id in row], task.answers, item)


@pytest.mark.parametrize("task", TASKS.values(), ids=list(TASKS))
def test_a_generator_draws_the_same_again_and_every_token_comes_up(task):
    assert torch.equal(drawn(task, 5), drawn(task, 5))
    assert not torch.equal(drawn(task, 5), drawn(task, 5, seed=2))
    assert set(drawn(task).flatten().tolist()) == set(range(len(task.vocabulary)))
    said = {task.answers[target] for target in task.solve(drawn(task)).targets.flatten().tolist() if target != NONE}
    assert said == (set("aeiou") if task.name == "vowel" else set(task.answers))


@pytest.mark.parametrize("task", TASKS.values(), ids=list(TASKS))
def test_drawing_leaves_the_process_as_it_was(task):
    before = torch.get_rng_state()
    drawn(task)
    assert torch.equal(torch.get_rng_state(), before)


OWN = {
    "previous": ["abcd", "a b c d", "Mississipp", "ab"],
    "reverse": ["planet", "a b c d e f", "banana______"],
    "colour": ["a:red b:blue b? a? c?", "f:gold, f?", "a? a:red a?", "a:red b:red a? a?"],
    "largest": ["3 1 7 7 2", "19, 0", "0 0 0"],
    "vowel": ["strawberry", "hmm", "AEIOU"],
    "sort": ["7 2 9", "0 1", "5,4,3,2,1,0"],
    "two": ["abc", "aabbaabb"],
    "induction": ["the cat saw the dog the", "a b c a b c", "no no no", "我看书，我"],
}


@pytest.mark.parametrize(("name", "text"), [(name, text) for name in OWN for text in [*OWN[name], TASKS[name].example]])
def test_a_learners_own_sequence_has_the_answers_of_the_oracle(name, text):
    task = TASKS[name]
    sequence = task.read(text)
    assert sequence.batch.tolist() == [list(sequence.ids)]
    assert len(sequence.ids) == len(sequence.texts) <= task.length
    if name != "induction":
        assert sequence.texts == tuple(task.vocabulary[id] for id in sequence.ids)
    check_solution(task, sequence.batch, list(sequence.texts), sequence.answers)


def test_every_example_asks_for_something():
    for task in TASKS.values():
        targets = task.solve(task.read(task.example).batch).targets
        assert (targets != NONE).sum() >= 3, task.name


def test_own_words_are_named_in_the_answers_and_the_rest_is_not_theirs():
    sequence = TASKS["induction"].read("the cat saw the cat")
    assert sequence.ids == (0, 1, 2, 0, 1)
    assert sequence.answers == ("the", "cat", "saw", *["–"] * 23)
    assert len(sequence.answers) == len(TASKS["induction"].answers)


WRONG = [
    ("previous", "ab1", "token_unknown", {"token": "1", "known": "a-z"}),
    ("previous", "abcdefghijk", "sequence_too_long", {"count": 11, "largest": 10}),
    ("previous", "a", "sequence_too_short", {"count": 1, "smallest": 2}),
    ("previous", "  ", "sequence_too_short", {"count": 0, "smallest": 2}),
    ("vowel", "straße", "token_unknown", {"token": "ß", "known": "a-z"}),
    ("two", "ab", "sequence_too_short", {"count": 2, "smallest": 3}),
    ("reverse", "abc___", "sequence_too_short", {"count": 3, "smallest": 6}),
    ("reverse", "______", "sequence_too_short", {"count": 0, "smallest": 6}),
    ("reverse", "", "no_tokens", {"sentence": 1, "text": ""}),
    ("reverse", "abcdefg", "sequence_too_long", {"count": 7, "largest": 6}),
    ("reverse", "a_b", "token_unknown", {"token": "_", "known": "a-z"}),
    ("colour", "a:red a:blue a?", "letter_coloured_twice", {"token": "a"}),
    ("colour", "b? a:red a:red", "letter_coloured_twice", {"token": "a"}),
    ("largest", "3 20", "token_unknown", {"token": "20", "known": "0-19"}),
    ("largest", "3 -1", "token_unknown", {"token": "-1", "known": "0-19"}),
    ("sort", "3 1 3", "token_repeated", {"token": "3"}),
    ("sort", "3 > 1", "token_unknown", {"token": ">", "known": "0-9"}),
    ("sort", "7", "sequence_too_short", {"count": 1, "smallest": 2}),
    ("sort", "1 2 3 4 5 6 7", "sequence_too_long", {"count": 7, "largest": 6}),
    ("induction", "word " * 25, "sequence_too_long", {"count": 25, "largest": 24}),
    ("induction", "word", "sequence_too_short", {"count": 1, "smallest": 2}),
    ("induction", "", "no_tokens", {"sentence": 1, "text": ""}),
    ("previous", "", "no_tokens", {"sentence": 1, "text": ""}),
    ("previous", "a" * 10_000, "too_many_characters", {"count": 10_000, "limit": 9_999}),
]


@pytest.mark.parametrize(("name", "text", "code", "values"), WRONG, ids=range(len(WRONG)))
def test_what_cannot_be_read_is_refused_with_what_is_wrong_and_what_would_be_right(name, text, code, values):
    with pytest.raises(LearnerError) as refused:
        TASKS[name].read(text)
    assert (refused.value.code, refused.value.values) == (code, values)


def test_an_unknown_colour_is_told_all_tokens_that_there_are():
    with pytest.raises(LearnerError) as refused:
        TASKS["colour"].read("a:red a:purple")
    assert refused.value.values["token"] == "a:purple"
    assert set(refused.value.values["known"].split(", ")) == set(TASKS["colour"].vocabulary)


def test_half_a_surrogate_pair_is_shown_as_a_character_that_can_be_written():
    for name in ("previous", "largest"):
        with pytest.raises(LearnerError) as refused:
            TASKS[name].read("\ud800")
        assert refused.value.values["token"] == "\ufffd"
