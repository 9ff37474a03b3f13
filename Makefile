# `make run` and `make test` create .venv themselves; both are quick the second time.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: run test fuzz check bench load plotly clean

run: .venv/app
	$(BIN)/streamlit run app.py

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

.venv/dev: requirements-dev.txt requirements.txt
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -r requirements-dev.txt
	touch .venv/app $@
