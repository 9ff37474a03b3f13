"""All tasks by name, from one step back to two layers that work together."""

from attention.training.colours import COLOUR
from attention.training.induction import INDUCTION
from attention.training.letters import PREVIOUS, REVERSE, TWO, VOWEL
from attention.training.numbers import LARGEST, SORT

TASKS = {task.name: task for task in (PREVIOUS, REVERSE, COLOUR, LARGEST, VOWEL, SORT, TWO, INDUCTION)}
