"""HLS playlists that airplay.py and airplay_proofs.py serve."""

from __future__ import annotations

import functools
import http.server
import socket
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import Any

#: An address that receivers accept, because it is public: that of example.com, on a loopback interface of its own.
HOST = "93.184.215.14"
#: One that they refuse.
PRIVATE = "127.0.0.1"

MASTER = """\
#EXTM3U
#EXT-X-VERSION:3
#EXT-X-STREAM-INF:BANDWIDTH=300000,RESOLUTION=320x180,CODECS="avc1.42c00d,mp4a.40.2"
low/index.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=1200000,RESOLUTION=1280x720,CODECS="avc1.64001f,mp4a.40.2"
high/index.m3u8
"""
VARIANT = """\
#EXTM3U
#EXT-X-VERSION:3
#EXT-X-TARGETDURATION:4
#EXT-X-PLAYLIST-TYPE:VOD
#EXTINF:4.0,
0.ts
#EXTINF:4.0,
1.ts
#EXTINF:2.5,
2.ts
#EXT-X-ENDLIST
"""


def isolated() -> bool:
    """Whether the loopback interface is the only one, so that any address can be used."""
    return {name for _, name in socket.if_nameindex()} == {"lo"}


class Playlists:
    """A web server with a playlist of two variants: on an address that counts as public, in a network of its own."""

    duration = 10.5
    best = "1280x720"
    host = HOST

    def __init__(self, folder: Path | None = None) -> None:
        """Serves a folder with a `master.m3u8`, or playlists whose segments do not exist."""
        self._temporary = tempfile.TemporaryDirectory(prefix="hap-playlists-")
        self._folder = folder or self._written(Path(self._temporary.name))
        self._server: http.server.ThreadingHTTPServer | None = None
        #: The paths that were requested.
        self.requests: list[str] = []

    @staticmethod
    def _written(folder: Path) -> Path:
        (folder / "master.m3u8").write_text(MASTER)
        for variant in ("low", "high"):
            (folder / variant).mkdir()
            (folder / variant / "index.m3u8").write_text(VARIANT)
        return folder

    def __enter__(self) -> Playlists:
        subprocess.run(["ip", "address", "replace", f"{HOST}/32", "dev", "lo"], check=True)
        requests = self.requests

        class Handler(http.server.SimpleHTTPRequestHandler):
            extensions_map = {".m3u8": "application/vnd.apple.mpegurl", "": "video/mp2t"}

            def log_message(self, *_: Any) -> None:
                requests.append(self.path)

        handler = functools.partial(Handler, directory=str(self._folder))
        self._server = http.server.ThreadingHTTPServer(("0.0.0.0", 0), handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: Any) -> None:
        assert self._server is not None
        self._server.shutdown()
        self._server.server_close()
        self._temporary.cleanup()

    def address(self, name: str, host: str = HOST) -> str:
        assert self._server is not None, "not served"
        return f"http://{host}:{self._server.server_port}/{name}"

    @property
    def master(self) -> str:
        return self.address("master.m3u8")

    @property
    def missing(self) -> str:
        return self.address("missing.m3u8")
