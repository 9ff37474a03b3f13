"""A real language model: the learner's sentence through all its layers and heads, each of which opens."""

from functools import partial

import streamlit as st

from attention.language import language_model, trace_layer
from ui import door, reading, selection
from ui.foot import foot
from ui.lesson import close_lesson, open_lesson
from ui.lessons import model_choice as choice
from ui.lessons.model import all_heads_card, arcs_card, next_card, program
from ui.lessons.model_runs import LayerRun, surveyed
from ui.plot import plots
from ui.runs import run
from ui.steps import card, strip
from ui.words import t

experiment = door.experiment()
open_lesson("model")
name = choice.model_name()
whole = choice.whole_run(name, experiment.sentences[st.session_state.item - 1]) if name else None
if name is None:
    st.info(t("model.missing"))
if name is None or whole is None:
    close_lesson("model", trace_layer)
    st.stop()

model = language_model(name)
st.markdown(t(f"model.about.{name}", layers=model.num_layers, heads=model.num_heads))
st.button(t("model.pronoun"), on_click=choice.use_pronoun, help=t("model.pronoun_help"))
layer, head = choice.chosen_head(model)
chosen = LayerRun(whole, layer)
with st.spinner(t("model.computing")):
    made, untouched = surveyed(whole), surveyed(choice.all_heads(whole))
    trace = run(chosen)
query = reading.query(trace)
selection.move_to(trace, head)

st.subheader(t("model.part_next"), anchor=False)
st.markdown(t("model.next", tokens=len(made.tokens.ids)))
plots([next_card(untouched, made)], trace, key="model_next", across=1)

st.subheader(t("model.part_all"), anchor=False)
st.markdown(t("model.all", layers=model.num_layers, heads=model.num_heads))
pick = partial(choice.go_to_map, model.num_layers)
plots([all_heads_card(made, layer, head)], trace, key="model_all", across=1, on_pick=pick)
choice.ranking(made, query)

st.subheader(t("model.part_one", layer=layer + 1, head=head + 1), anchor=False)
plots([arcs_card(trace, head, query)], trace, key="model_arcs", across=1)
words = strip(made.tokens.texts, made.tokens.pieces_of, t("model.strip"))
steps = [card(trace, step, head=head) for step in ("inputs", *trace)]
plots(steps, trace, key="model_steps", across=2, opens=True)
foot(chosen, head=head, strip=words)
close_lesson("model", program(whole, layer), type(trace.module), trace_layer)
