"""An HTTP server for the tests of `fetch`: it has files, and answers wrongly on demand."""

from __future__ import annotations

import collections
import hashlib
import json
import random
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable
from urllib.parse import unquote

FAULTS = ("truncate", "corrupt", "stall", "redirect", "404", "429", "500", "close", "longer", "page", "other range",
          "no ranges", "416", "empty")


Fault = Callable[[str, int], "str | None"]


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def pointer(content: bytes) -> bytes:
    """What a git repository has instead of a file that is in Git LFS."""
    return (f"version https://git-lfs.github.com/spec/v1\noid sha256:{sha256(content)}\n"
            f"size {len(content)}\n").encode()


def seeded(seed: int, share: float, kinds: tuple[str, ...] = FAULTS) -> Fault:
    """Faults for a share of all requests: the same for the n-th request of a path, in whatever order they come."""
    def fault(path: str, count: int) -> str | None:
        draw = random.Random(f"{seed} {path} {count}")
        return draw.choice(kinds) if draw.random() < share else None
    return fault


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: Any) -> None:  # clients that are killed
        pass


class FaultServer:
    """Serves `files` by path from `address`. `fault(path, n)` names the fault of the n-th request of a path, n = 0, 1,
    ...; None for none. Answers to Git LFS lead to `objects`, by SHA-256."""

    def __init__(self, files: dict[str, bytes], fault: Fault = lambda path, count: None) -> None:
        self.files, self.fault = files, fault
        self.objects: dict[str, bytes] = {}
        self.retry_after: int | None = None
        self.requests: list[tuple[str, str | None]] = []  # path and Range
        self.times: dict[str, list[float]] = collections.defaultdict(list)  # s, of requests, by path
        self.faults: collections.Counter[str] = collections.Counter()
        self.counts: collections.Counter[str] = collections.Counter()  # of requests, by path
        self.lock = threading.Lock()
        self.stopped = threading.Event()
        self.server = Server(("127.0.0.1", 0), self._handler())
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}"
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05})
        self.thread.start()

    def close(self) -> None:
        self.stopped.set()
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()

    def drawn(self, path: str) -> str | None:
        """The fault of this request, counted."""
        with self.lock:
            self.times[path].append(time.monotonic())
            fault = self.fault(path, self.counts[path])
            self.counts[path] += 1
            if fault:
                self.faults[fault] += 1
            return fault

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        owner = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: Any) -> None:
                pass

            def status(self, code: int, content: bytes = b"", **headers: Any) -> None:
                self.send_response(code)
                for name, value in headers.items():
                    self.send_header(name.replace("_", "-"), str(value))
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def do_POST(self) -> None:
                asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with owner.lock:
                    owner.requests.append((self.path, None))
                if owner.drawn(self.path) == "429":
                    return self.answer(b"", "429")
                found = []
                for item in asked["objects"]:
                    if item["oid"] in owner.objects:
                        found.append({**item, "actions": {"download": {"href": f"{owner.address}/lfs/{item['oid']}",
                                                                       "header": {"X-Ticket": "paid"}}}})
                    else:
                        found.append({**item, "error": {"code": 404, "message": "no such object"}})
                self.status(200, json.dumps({"transfer": "basic", "objects": found}).encode())

            def do_GET(self) -> None:
                path = unquote(self.path)
                with owner.lock:
                    owner.requests.append((path, self.headers["Range"]))
                if path.startswith("/elsewhere/"):  # where redirections lead
                    path = path.removeprefix("/elsewhere")
                if path.startswith("/lfs/"):
                    content = owner.objects[path.removeprefix("/lfs/")] if self.headers["X-Ticket"] == "paid" else None
                else:
                    content = owner.files.get(path.lstrip("/"))
                if content is None:
                    return self.status(404)
                try:
                    self.answer(content, owner.drawn(path))
                except (BrokenPipeError, ConnectionResetError):  # the client has seen enough
                    self.close_connection = True

            def answer(self, content: bytes, fault: str | None) -> None:
                if fault in ("404", "500"):
                    return self.status(int(fault), b"nothing to see")
                if fault == "429":
                    return self.status(429, **({} if owner.retry_after is None else {"Retry_After": owner.retry_after}))
                if fault == "416":
                    return self.status(416, Content_Range=f"bytes */{len(content)}")
                if fault == "redirect":
                    return self.status(302, Location=f"{owner.address}/elsewhere{self.path}")
                if fault == "page":  # of a captive portal, say
                    return self.status(200, b"<html>Please pay.</html>")
                if fault == "close":
                    self.close_connection = True
                    return None
                start, total = 0, len(content)
                if self.headers["Range"] and fault != "no ranges":
                    start = int(self.headers["Range"].removeprefix("bytes=").removesuffix("-"))
                    if start >= total:
                        return self.status(416, Content_Range=f"bytes */{total}")
                if fault == "other range" and start > 0:
                    start -= 1
                if fault == "corrupt":
                    middle = (start + total) // 2
                    content = content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1:]
                if fault == "longer":
                    content += b"and more"
                if start > 0:
                    self.send_response(206)
                    self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
                else:
                    self.send_response(200)
                body = content[start:]
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                if fault == "empty":
                    body = b""
                if fault in ("truncate", "stall"):
                    body = body[:len(body) // 2]
                self.wfile.write(body)
                if fault == "stall":
                    self.wfile.flush()
                    owner.stopped.wait(5)  # longer than the client waits
                if fault in ("truncate", "stall", "empty"):
                    self.close_connection = True
                return None

        return Handler
