"""The screens, in any browser of the house.

`server` starts everything and calls, for each browser that opens a page,

    companion.ui.screens.app.open_page(page: ft.Page, hub: Hub, visitor: Visitor, site: Site) -> None

`site` (`companion.ui.site`) gives the addresses of what lies beside the screens: capture page, exports, pictures.
"""
