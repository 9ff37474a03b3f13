"""All tasks by name, from one step back to two layers that work together."""

from attention.training.colours import COLOUR
from attention.training.induction import INDUCTION
from attention.training.letters import PREVIOUS, TWO, VOWEL
from attention.training.numbers import LARGEST_SO_FAR, SORT
from attention.training.reverse import REVERSE

TASKS = {task.name: task for task in (PREVIOUS, REVERSE, COLOUR, LARGEST_SO_FAR, VOWEL, SORT, TWO, INDUCTION)}
