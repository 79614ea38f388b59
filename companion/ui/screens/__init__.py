"""The screens; `app.open_page` shows them to one browser."""
