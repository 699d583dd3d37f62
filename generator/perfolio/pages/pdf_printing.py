"""HTML to PDF by WeasyPrint, an extra that is imported when the first handout is printed.

In:  a whole page of HTML, which loads nothing. Out: the bytes of a tagged PDF, with fields where
     it has inputs. MissingPdfError where WeasyPrint, or the Pango that it needs, is not there.
"""

from __future__ import annotations

import io
import logging
import warnings
from contextlib import redirect_stdout
from typing import Any

from perfolio.common.errors import OutputError
from perfolio.common.extra_packages import make_install_command

_PANGO = "on Debian and Ubuntu: apt-get install libpangoft2-1.0-0"
_VARIANT = "pdf/ua-1"
_CROSS = "8"
"""A cross in Zapf Dingbats."""


class MissingPdfError(OutputError):
    """There is nothing here that prints PDF."""


def to_pdf(html: str, *, fields: bool) -> bytes:
    """A page as PDF. The same page gives the same bytes."""
    made: bytes = _load_page(html).write_pdf(
        pdf_forms=fields, pdf_variant=_VARIANT, finisher=_set_ticks if fields else None
    )
    return made


def print_within_limit(html: str, most: int) -> bytes | None:
    """A page without fields as PDF; None where it takes more than `most` sides."""
    document = _load_page(html).render(pdf_variant=_VARIANT)
    if len(document.pages) > most:
        return None
    made: bytes = document.write_pdf(pdf_variant=_VARIANT)
    return made


def _load_page(html: str) -> Any:
    printer = _import_weasyprint()
    logging.getLogger("weasyprint").setLevel(logging.ERROR)
    return printer.HTML(string=html, url_fetcher=_fetch_data_url)


def _set_ticks(_: object, pdf: Any) -> None:
    """Say with which sign of which font a box is ticked.

    Readers draw fields again, as WeasyPrint asks them to, and some would leave a box without a
    font empty. This one is in every reader.
    """
    import pydyf

    form = pdf.catalog.get("AcroForm")
    if form is None:
        return
    fonts = _find_object(pdf, _find_object(pdf, form["DR"])["Font"])
    fonts["ZaDb"] = pydyf.Dictionary(
        {"Type": "/Font", "Subtype": "/Type1", "BaseFont": "/ZapfDingbats"}
    )
    for each in pdf.objects:
        if isinstance(each, pydyf.Dictionary) and each.get("FT") == "/Btn":
            each["DA"] = pydyf.String("/ZaDb 0 Tf 0 g")
            each["MK"]["CA"] = pydyf.String(_CROSS)


def _find_object(pdf: Any, reference: bytes) -> Any:
    """The object of a reference such as `12 0 R`."""
    return pdf.objects[int(reference.split()[0])]


def check_printable() -> None:
    """Raise MissingPdfError where no PDF can be printed."""
    _import_weasyprint()


def _import_weasyprint() -> Any:
    """The library: it takes seconds to import, and its import loads Pango.

    Where it finds none it prints a paragraph; our one line says the same.
    """
    try:
        with redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import weasyprint
    except ImportError as problem:
        hint = make_install_command("handouts")
        raise MissingPdfError("PDF cannot be printed here: no WeasyPrint", hint=hint) from problem
    except OSError as problem:
        raise MissingPdfError("PDF cannot be printed here: no Pango", hint=_PANGO) from problem
    return weasyprint


def _fetch_data_url(url: str, *_: object, **__: object) -> Any:
    """A handout brings everything with it: nothing is loaded from anywhere."""
    if url.startswith("data:"):
        from weasyprint.urls import URLFetcher

        return URLFetcher(allowed_protocols=("data",)).fetch(url)
    raise ValueError(f"{url}: a handout loads nothing")
