"""The few small pages that are not drawn by the framework: they must work on any phone, also without HTTPS."""

from html import escape
from string import Template

from companion.text import Language, say

_PAGE = Template("""<!doctype html>
<html lang="$lang"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>$title</title><link rel="icon" type="image/png" href="/favicon.png"><link rel="stylesheet" href="/web/page.css">
</head><body>$body</body></html>
""")

_SEND = Template("""<main data-send="$send" data-back="$back" data-most="$most"
 data-too-big="$too_big" data-lost="$lost" data-sending="$sending"><h1>$title</h1><p>$hint</p>$inputs
<img id="picture" alt="$picture" hidden>
<progress id="bar" max="1" hidden aria-label="$sending"></progress>
<p id="status" role="status" aria-live="polite"></p>
<button id="again" type="button" hidden>$again</button>
<a class="button" href="$back">$way_back</a></main><script src="/web/send.js"></script>""")


def _page(lang: Language, title: str, body: str) -> str:
    return _PAGE.substitute(lang=lang.value, title=escape(title), body=body)


def message_page(lang: Language, title: str, sentence: str, back: str = "/") -> str:
    """A sentence and the way back."""
    way = f'<a class="button" href="{escape(back)}">{escape(say("web_back", lang))}</a>'
    return _page(lang, title, f"<main><h1>{escape(title)}</h1><p>{escape(sentence)}</p>{way}</main>")


def capture_page(lang: Language, player: str | None, send: str, back: str, most_bytes: int) -> str:
    """Take a photo of a player's tiles, or (None) of the table; or choose one."""
    inputs = (
        f'<label class="first">{escape(say("web_camera", lang))}'
        '<input type="file" id="camera" accept="image/*" capture="environment"></label>'
        f'<label>{escape(say("web_gallery", lang))}<input type="file" id="gallery" accept="image/*"></label>'
    )
    return _send_page(
        lang,
        say("web_table_title", lang) if player is None else say("web_capture_title", lang, player=player),
        say("web_table_hint" if player is None else "web_capture_hint", lang),
        inputs,
        send,
        back,
        most_bytes,
    )


def restore_page(lang: Language, send: str, most_bytes: int) -> str:
    """Bring back a backup."""
    inputs = (
        f'<label class="first">{escape(say("web_restore_choose", lang))}'
        '<input type="file" id="backup" accept=".zip,.jsonl"></label>'
    )
    return _send_page(
        lang, say("web_restore_title", lang), say("web_restore_hint", lang), inputs, send, "/", most_bytes
    )


def _send_page(lang: Language, title: str, hint: str, inputs: str, send: str, back: str, most_bytes: int) -> str:
    words = {
        "send": send,
        "back": back,
        "most": str(most_bytes),
        "too_big": say("photo_file_too_big", lang, megabytes=most_bytes // 1024**2),
        "lost": say("web_lost", lang),
        "sending": say("web_sending", lang),
        "title": title,
        "hint": hint,
        "picture": say("web_picture", lang),
        "again": say("web_again", lang),
        "way_back": say("web_back", lang),
    }
    body = _SEND.substitute({name: escape(word) for name, word in words.items()}, inputs=inputs)
    return _page(lang, title, body)
