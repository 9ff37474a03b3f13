// The address follows the controls, but only a change of page is a step in the browser's history: Back leads to the
// page before, with what was chosen there. (Streamlit makes each write to the address a step of its own.)
// It is written when the figures are, and less often while a control moves: it takes 5 ms.
if (!window.attentionAddress) {
  window.attentionAddress = true;
  const WAIT = 30; // milliseconds
  const { pushState, replaceState } = history;
  let late; // what is still to be written
  const write = () => {
    const next = late;
    late = undefined;
    if (next) replaceState.apply(history, next);
  };
  history.pushState = (state, title, url) => {
    if (new URL(url ?? "", location.href).pathname !== location.pathname) {
      write();
      return pushState.call(history, state, title, url);
    }
    if (!late) setTimeout(write, WAIT);
    late = [state, title, url];
  };
  addEventListener("popstate", () => { late = undefined; }, true); // it belongs to the page that was left
  addEventListener("pagehide", write); // and is there for who comes back
}
