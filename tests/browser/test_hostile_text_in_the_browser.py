"""Nasty text as a sentence: it is drawn as itself, nothing of it runs, and no page becomes wider than a phone."""

from collections.abc import Iterator
from urllib.parse import quote

import pytest
from playwright.sync_api import ConsoleMessage, Page, expect

from attention import TOKENIZERS, Experiment
from figures import printable

HALF = "half a character"
NASTY = {
    "script": "<script>window.hurt=1</script> </script><svg onload=window.hurt=1>",
    "image": "<img src=x onerror=window.hurt=1> \"onmouseover='window.hurt=1'",
    "link": "<a href='javascript:window.hurt=1'>a</a> [a](javascript:window.hurt=1) javascript:window.hurt=1",
    "entities": "&lt;img src=x onerror=window.hurt=1&gt; &#60;b&#62;",
    "formulas": "$x$ $$\\frac{1}{0}$$ \\(x\\) \\href{javascript:window.hurt=1}{x}",
    "markdown": "**b** # h\n- l\n| a | b |\n```\nx ``` ![x](//y) ~~s~~",
    "streamlit": ":red[x] :material/home: :smile: :blue-background[y] {0.__class__} {why} %s",
    "turned round": "\u202eabc\u202c \u2066x\u2069 שלום مرحبا",
    "marks": "a" + "\u0301" * 500 + " z" + "\u0489" * 500,
    "nothing to see": "x \u200b\u200d\ufeff\u2060 \u3164 \u2800 \ufe0f \U000e0061",
    HALF: "\ufffd \udc80\ud800 x",
    "long words": "a" * 5000 + " " + "汉" * 40 + " " + "ﷺ" * 100,
    "null": "\x00 \x01\x1b[31m \x7f a\x00b",
    "emoji": "👨‍👩‍👧‍👦 👋🏽 🇪🇺🇪 ❤️ 🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f " + "👨‍👩‍👧‍👦" * 30,
    "prototypes": "__proto__ constructor toString hasOwnProperty null undefined NaN",
    "numbers": "nan inf -inf 1e999 ٤ 𝟜 ½ " + "9" * 300,
}
PLANTED = (
    ".att-root a, .att-root img, .att-root script, .att-root b:not(.att-legend b), a[href^=javascript], "
    "img[src='x'], [onload], [onerror], [onmouseover]"
)
ALONE = " ".join(text.replace("\n", " ")[:60] for name, text in NASTY.items() if name != HALF)


def harmless(page: Page, address: str) -> None:
    """The page at ``address`` is drawn, from its first line to its last, and is still the app's own."""
    page.goto(address)
    page.wait_for_selector(".att-root[data-drawn]", timeout=60_000)
    page.mouse.wheel(0, 1500)
    page.wait_for_timeout(200)
    assert page.evaluate("window.hurt") is None
    assert page.locator(PLANTED).count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.fixture
def phone(open_page) -> Iterator[Page]:
    """A page as wide as a phone, in whose console no error appears."""
    page = open_page(width=390, height=800)
    errors: list[str] = []

    def listen(told: ConsoleMessage) -> None:
        if told.type == "error" and "404" not in told.text:  # Streamlit looks for files that it can do without
            errors.append(told.text)

    page.on("console", listen)
    yield page
    assert not errors


def test_a_nasty_sentence_is_drawn_as_itself_and_runs_nothing(phone, address):
    for name, text in NASTY.items():
        harmless(phone, f"{address}/?cell=weights.1.1.1&sentence={quote(text, errors='surrogatepass')}")
        if name != HALF:  # no browser can say it in an address
            tokens = Experiment(sentence=text, embedding="seeded").run().tokens[0]
            expect(phone.locator(".att-strip button")).to_have_count(len(tokens))
            assert phone.locator(".att-strip button").all_text_contents() == list(map(printable, tokens)), name


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
def test_nasty_tokens_stand_in_the_table_of_tokens(tokenizer, phone, address):
    harmless(phone, f"{address}/tokens?tokenizer={tokenizer}&sentence={quote(ALONE)}")


def test_a_nasty_table_is_quoted_in_the_message(phone, address):
    typed = quote(NASTY["image"])
    harmless(phone, f"{address}/?sentence=x&embedding=own&vectors={typed}&mask={typed}&{typed}={typed}")
    assert phone.get_by_role("alert").count() >= 2


PASTE = """
(field, text) => {
  Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value").set.call(field, text);
  field.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertFromPaste" }));
}
"""


def test_half_an_emoji_that_is_pasted_is_shown_as_a_letter_that_is_not_known(open_page):
    page = open_page("causal")
    field = page.locator(".st-key-sentence textarea")
    field.evaluate(PASTE, "a cat \ud83d sat")
    field.press("Control+Enter")
    page.wait_for_url("**sentence=a*")
    expect(field).to_have_value("a cat \ufffd sat")
    labels = page.evaluate("[...attentionFigures].find(({ step }) => step === 'weights').meta.labels.query")
    assert labels == ["a", "cat", "\ufffd", "sat"]
