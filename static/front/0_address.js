// The address follows the controls, but only a change of page is a step in the browser's history: Back leads to the
// page before, with what was chosen there. (Streamlit makes each write to the address a step of its own.)
// It is written when the figures are, and less often while a control moves: it takes 5 ms.
if (!window.attentionAddress) {
  window.attentionAddress = true;
  const WAIT = 30, TAP = 100, LONGEST = 2000; // milliseconds
  let query; // what the address is to say, until it has said it for a while
  const write = () => {
    if (query !== undefined && query !== location.search) history.replaceState({}, "", location.pathname + query);
  };
  const leave = () => { write(); query = undefined; };
  const later = (next) => {
    if (query === undefined) setTimeout(look, WAIT);
    query = next;
  };
  const look = () => {
    if (query === location.search) query = undefined;
    if (query === undefined) return;
    write();
    setTimeout(look, WAIT);
  };
  const { pushState } = history;
  history.pushState = (state, title, url) => {
    const next = new URL(url ?? "", location.href);
    if (next.pathname === location.pathname) return later(next.search);
    leave();
    return pushState.call(history, state, title, url);
  };
  // Streamlit leaves out a query that the address says already, although another is about to be written here. But it
  // tells each to the page around it, a few milliseconds later.
  addEventListener("message", ({ source, data }) => {
    if (query === undefined || source !== window || data?.type !== "SET_QUERY_PARAM") return;
    later(new URL(location.pathname + data.queryParams, location.href).search);
  });
  // A link leads to another page, perhaps. If the same tap has left a field, Streamlit would send the new page first, and
  // then the field's value with the page before, which would be shown again: the link waits, for the answer, too.
  const follow = (link, waited = TAP) => {
    const answering = document.querySelector('[data-test-script-state="running"]');
    if (answering && waited < LONGEST) setTimeout(follow, WAIT, link, waited + WAIT);
    else link.click();
  };
  let left = -Infinity; // when a field was
  addEventListener("focusout", ({ timeStamp }) => { left = timeStamp; }, true);
  addEventListener("click", (event) => {
    const link = event.target.closest?.("a"), { isTrusted, button, ctrlKey, metaKey, shiftKey } = event;
    if (!link) return;
    leave();
    if (!isTrusted || button || ctrlKey || metaKey || shiftKey || event.timeStamp - left > TAP) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    setTimeout(follow, TAP, link);
  }, true);
  addEventListener("pagehide", leave); // for who comes back
  addEventListener("popstate", () => { query = undefined; }, true); // it belongs to the page that was left
}
