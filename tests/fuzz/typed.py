"""What people type and paste: any Unicode, and more often than chance what has broken programs before."""

from hypothesis import strategies as st

NASTY = (
    "<script>window.hurt=1</script>",
    "<img src=x onerror=window.hurt=1>",
    "<a href='javascript:window.hurt=1'>a</a>",
    "[a](javascript:window.hurt=1)",
    "&lt;b&gt; &amp; &#36;",
    "$x$ $$\\frac{1}{0}$$",
    ":red[x] :material/home: :smile:",
    "`a``b```",
    "**b** _i_ ~~s~~ # h",
    "{0.__class__} {why} %s %(x)s \\n",
    "\u202eabc\u202c\u2066x\u2069",  # text turned round
    "a" + "\u0301" * 500,
    "\u200b\u200d\ufeff\u2060\u00ad",  # nothing to see
    "\u3164\u115f\uffa0\u2800\u034f\ufe0f\U000e0061",  # nothing to see, though they are letters and marks
    "\x00\x01\x1b[31m\x7f",
    "\r\n\x0b\x0c\x1c\x85\u2028\u2029",
    "👨‍👩‍👧‍👦👋🏽🇪🇺❤️🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
    "שלום مرحبا नमस्ते 한국어 ไทย 千里之行 ༀ །",
    "\u1100\u1161\u11a8\u0903\u20dd\u093e",  # a syllable of parts, and marks without a letter
    "\ufffd\ufffe\uffff\U0010ffff\ue000",
    "nan inf -inf 1e999 1_0 ٤ 𝟜",
)
anything = st.characters()  # also half a surrogate pair, which a program may hold
sendable = st.characters(codec="utf-8")  # what a browser can send


def texts(letters: st.SearchStrategy[str] = anything) -> st.SearchStrategy[str]:
    """Any text: short, made of nasty pieces, or so long that a limit must hold."""
    word = st.text(letters, max_size=12) | st.sampled_from(NASTY)
    return st.one_of(
        st.text(letters, max_size=30),
        st.lists(word, max_size=6).map(" ".join),
        st.lists(st.text("abc", min_size=1, max_size=3), min_size=1, max_size=8).map(" ".join),
        st.builds(lambda piece, times: piece * times, st.text(letters, min_size=1, max_size=3), st.integers(1, 3000)),
    )
