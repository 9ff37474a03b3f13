"""The door: language, pages, the experiment's controls (see ui/door.py), then the page that was asked for."""

from ui import door

door.come_in().run()
