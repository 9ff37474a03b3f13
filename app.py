"""The door. Streamlit runs this file at every rerun; when the server starts, it takes ``app`` from it."""

import streamlit as st

if __name__ == "__main__":
    from ui import front

    front.fetch()

    from ui import door
    from ui.server import turn

    with turn:
        door.come_in().run()
else:
    from ui.server import lifespan

    app = st.App(__file__, lifespan=lifespan)
