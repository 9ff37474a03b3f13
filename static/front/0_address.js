// The address follows the controls, but only a change of page is a step in the browser's history: Back leads to the
// page before, with what was chosen there. (Streamlit makes each write to the address a step of its own.)
if (!window.attentionAddress) {
  window.attentionAddress = true;
  const { pushState, replaceState } = history;
  history.pushState = (state, title, url) => {
    const same = new URL(url ?? "", location.href).pathname === location.pathname;
    return (same ? replaceState : pushState).call(history, state, title, url);
  };
}
