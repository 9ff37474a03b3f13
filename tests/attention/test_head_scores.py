"""What a head looks at, as one number, on weights made by hand."""

import pytest
import torch

from attention import Experiment
from attention.head_scores import HEAD_SCORES, after_earlier_copies, induction_score

IDS = [3, 5, 3, 5, 7, 3]


def rows_looking_at(keys):
    """Weights (query, key), 1 at the key of each query."""
    return torch.nn.functional.one_hot(torch.tensor(keys), len(keys)).float()


HANDMADE = {
    "previous": rows_looking_at([0, 0, 1, 2, 3, 4]),
    "first": rows_looking_at([0, 0, 0, 0, 0, 0]),
    "self": rows_looking_at([0, 1, 2, 3, 4, 5]),
    "induction": rows_looking_at([0, 0, 1, 2, 0, 3]),
}


RANDOM = torch.rand(6, 6, generator=torch.Generator().manual_seed(1)).softmax(dim=-1)


def expected_scores(weights, ids):
    """The definitions, cell by cell. None where no query qualifies."""
    n = len(ids)
    later = range(1, n)
    after = {i: [j + 1 for j in range(n) if ids[j] == ids[i] and j + 1 < i] for i in range(n)}
    qualifies = [i for i in range(n) if after[i]]
    found = {
        "previous": [weights[i][i - 1] for i in later],
        "first": [weights[i][0] for i in later],
        "self": [weights[i][i] for i in later],
        "induction": [sum(weights[i][key] for key in after[i]) for i in qualifies],
    }
    return {name: sum(values) / len(values) if values else None for name, values in found.items()}


@pytest.mark.parametrize("name", HEAD_SCORES)
def test_a_head_that_does_one_thing_only_scores_1(name):
    assert HEAD_SCORES[name](HANDMADE[name].unsqueeze(0), torch.tensor(IDS)).tolist() == [1.0]


@pytest.mark.parametrize("name", HEAD_SCORES)
def test_each_head_has_its_own_score_and_scores_are_those_of_the_definition(name):
    weights = torch.stack([*HANDMADE.values(), RANDOM])
    expected = [expected_scores(head.tolist(), IDS)[name] for head in weights]
    assert HEAD_SCORES[name](weights, torch.tensor(IDS)).tolist() == pytest.approx(expected)


@pytest.mark.parametrize("name", HEAD_SCORES)
def test_a_batch_is_scored_over_all_its_queries(name):
    """So a sentence with more queries that qualify counts more."""
    ids = [IDS, [1, 1, 1, 1, 1, 1], [1, 2, 3, 4, 5, 6]]
    weights = torch.rand(3, 2, 6, 6, generator=torch.Generator().manual_seed(1)).softmax(dim=-1)
    qualifying = {"induction": [3, 4, 0]}.get(name, [5, 5, 5])
    for head in range(2):
        each = [expected_scores(weights[item, head].tolist(), ids[item])[name] or 0 for item in range(3)]
        expected = sum(score * count for score, count in zip(each, qualifying, strict=True)) / sum(qualifying)
        assert HEAD_SCORES[name](weights, torch.tensor(ids))[head].item() == pytest.approx(expected)


def test_induction_adds_up_what_follows_all_earlier_copies():
    # the cat the dog the: the last query may look at cat and dog
    targets = after_earlier_copies(torch.tensor([0, 1, 0, 2, 0]))
    assert targets.nonzero().tolist() == [[2, 1], [4, 1], [4, 3]]
    weights = torch.full((1, 5, 5), 0.25)
    assert induction_score(weights, torch.tensor([0, 1, 0, 2, 0])).item() == pytest.approx((0.25 + 0.5) / 2)


def test_the_token_right_before_is_no_earlier_copy_to_go_on_from():
    assert after_earlier_copies(torch.tensor([4, 4])).sum() == 0
    assert after_earlier_copies(torch.tensor([4, 4, 4])).nonzero().tolist() == [[2, 1]]


def test_no_query_that_qualifies_gives_nan_and_not_0():
    assert induction_score(torch.ones(2, 3, 3), torch.tensor([1, 2, 3])).isnan().tolist() == [True, True]
    for score in HEAD_SCORES.values():
        assert score(torch.ones(2, 1, 1), torch.tensor([1])).isnan().tolist() == [True, True]


def test_the_weights_of_any_run_can_be_scored():
    experiment = Experiment(sentence="one step with one step", num_heads=2)
    weights, ids = experiment.run()["weights"].value, torch.tensor([experiment.tokens[0].ids])
    for name, score in HEAD_SCORES.items():
        expected = [expected_scores(head.tolist(), ids[0].tolist())[name] for head in weights[0]]
        assert score(weights, ids).tolist() == pytest.approx(expected)


@pytest.mark.parametrize("score", HEAD_SCORES.values(), ids=list(HEAD_SCORES))
@pytest.mark.parametrize("shape", [(2, 5, 5), (1, 2, 6, 6), (2, 6, 5), (6, 6)])
def test_weights_and_ids_that_do_not_belong_together_are_refused(score, shape):
    with pytest.raises(ValueError, match="do not belong together"):
        score(torch.ones(shape), torch.tensor(IDS))
