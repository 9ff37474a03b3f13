// Half of an emoji, as a paste can leave it, is no text that can be sent: Streamlit's server could not read it, and the
// page would stand still. It becomes the sign for a letter that is not known, before Streamlit's browser reads the field.
if (!window.attentionTyped) {
  window.attentionTyped = true;
  addEventListener("input", ({ target }) => {
    const { value, selectionStart: place } = target;
    if (value?.isWellFormed?.() ?? true) return;
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(target), "value").set.call(target, value.toWellFormed());
    target.setSelectionRange(place, place);
  }, true);
}
