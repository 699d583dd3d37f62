"""Profiles that are dropped on a page of `perfolio serve --upload`, and the reports made of them.

    offered_files.py  what a page offers: names and sizes within bounds, and their bytes on disk
    upload_queue.py   uploads of one server, of which one is built at a time by `perfolio build`
    upload_routes.py  which requests are answered, with what: host, origin, token
    uploads.js        what is dropped or chosen on a page, and how far it is; uploads.css

Pages get script and style from the server alone: no site holds them.
"""
