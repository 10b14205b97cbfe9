"""The Hub emulator's HTTP side: requests in, answers out, connections cut where that is asked for."""

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from hub_parts import Answer, Asked, Cut, Refusal


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    reply: Callable[[Asked], Answer]
    halve: Callable[[str, str], bool]

    def _serve(self) -> None:
        split = urlsplit(self.path)
        if type(self).halve(self.command, split.path):
            self.rfile.read(int(self.headers["Content-Length"]) // 2)
            self.connection.shutdown(socket.SHUT_RDWR)
            self.close_connection = True
            return
        body = self._body()
        sign = self.headers.get("Authorization")
        token = sign.removeprefix("Bearer ") if sign else None
        asked = Asked(self.command, split.path, parse_qs(split.query), body, token, self.headers.get("Host", ""))
        try:
            answer = type(self).reply(asked)
        except Cut:
            self.close_connection = True
            return
        except Refusal as refusal:
            headers = {"X-Error-Message": refusal.message}
            if refusal.code:
                headers["X-Error-Code"] = refusal.code
            if "commit" in refusal.more:
                headers["X-Repo-Commit"] = refusal.more.pop("commit")
            answer = Answer({"error": refusal.message, **refusal.more}, refusal.status, headers)
        self._send(answer)

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = _serve

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        body = b""
        while size := int(self.rfile.readline().strip() or b"0", 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def _send(self, answer: Answer) -> None:
        content, status = answer.body, answer.status
        headers = {"Date": formatdate(usegmt=True), **answer.headers}
        if not isinstance(content, bytes):
            content = json.dumps(content).encode()
            headers["Content-Type"] = "application/json"
        wanted = self.headers.get("Range")
        if wanted and status == 200:
            start, _, end = wanted.removeprefix("bytes=").partition("-")
            stop = min(int(end) + 1, len(content)) if end else len(content)
            headers["Content-Range"] = f"bytes {start}-{stop - 1}/{len(content)}"
            content, status = content[int(start) : stop], 206
        self.send_response_only(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Silence."""


@contextmanager
def serving(reply: Callable[[Asked], Answer], halve: Callable[[str, str], bool]) -> Iterator[str]:
    """A server on a free port of loopback until the block ends; yields its address."""
    callbacks = {"reply": staticmethod(reply), "halve": staticmethod(halve)}
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), callbacks))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
