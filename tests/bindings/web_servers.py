"""Web servers that give a-file as they should, and others that do not do what they are asked."""

import contextlib
import gzip
import http.server
import pathlib
import re
import threading
import urllib.parse

ENDLESS = 3 << 30  # bytes: more than any reader may take
ZEROS = bytes(1 << 20)
HONEST = ("ranges", "whole", "chunked", "redirected")
WRONG = (
    "more", "less", "other-range", "no-size", "compressed", "compressed-whole", "endless", "endless-chunks", "huge", "large", "negative", "redirects", "no-ranges-later", "a-file",
)  # fmt: skip


class Server(http.server.BaseHTTPRequestHandler):
    """Serves self.data, or the file whose path follows. The start of the path says in which way."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def handle(self):
        with contextlib.suppress(ConnectionError):
            super().handle()

    def answer(self, status, body, **headers):
        self.send_response(status)
        for name, value in {"Content_Length": len(body), **headers}.items():
            if value is not None:
                self.send_header(name.replace("_", "-"), str(value))
        self.end_headers()
        self.wfile.write(body)

    def send_zeros(self, count, is_chunked=False):
        for _ in range(count // len(ZEROS)):
            self.wfile.write(b"%x\r\n%s\r\n" % (len(ZEROS), ZEROS) if is_chunked else ZEROS)
        self.close_connection = True

    def do_GET(self):
        type(self).requests += 1
        way, _, path = urllib.parse.unquote(self.path[1:]).partition("/")
        self.serve(way, self.data if self.data is not None else pathlib.Path("/", path).read_bytes())

    def serve(self, way, data):
        size = len(data)
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        first, last = (int(asked[1]), min(int(asked[2] or size), size - 1)) if asked else (0, size - 1)
        part, place = data[first : last + 1], f"bytes {first}-{last}/{size}"
        is_first = last < 4096
        type(self).sent += len(part)
        if way in ("ranges", "redirected-to"):
            self.answer(206, part, Content_Range=place)
        elif way in ("redirected", "redirects"):
            self.answer(302, b"", Location="/redirected-to" if way == "redirected" else "/redirects")
        elif way == "a-file":
            self.answer(302, b"", Location="file:///etc/hostname")
        elif way == "whole":
            self.answer(200, data)
        elif way == "chunked":
            self.answer(200, b"%x\r\n%s\r\n0\r\n\r\n" % (size, data), Content_Length=None, Transfer_Encoding="chunked")
        elif way == "more":
            self.answer(206, part if is_first else b"", Content_Range=place, Content_Length=len(part) if is_first else None, Connection="close")
            if not is_first:
                self.send_zeros(ENDLESS)
        elif way == "less":
            self.answer(206, part if is_first else part[:1], Content_Range=place)
        elif way == "other-range":
            self.answer(206, part, Content_Range=place if is_first else f"bytes {first + 1}-{last + 1}/{size}")
        elif way == "no-size":
            self.answer(206, part[:16], Content_Range=f"bytes {first}-{last}/*", Connection="close", Content_Length=None)
            self.send_zeros(ENDLESS)
        elif way == "compressed":
            self.answer(206, gzip.compress(part), Content_Range=place, Content_Encoding="gzip")
        elif way == "compressed-whole":
            self.answer(200, BOMB, Content_Encoding="gzip")
        elif way == "endless":
            self.answer(200, b"PK\3\4", Content_Length=None, Connection="close")
            self.send_zeros(ENDLESS)
        elif way == "endless-chunks":
            self.answer(200, b"", Content_Length=None, Transfer_Encoding="chunked")
            self.send_zeros(ENDLESS, is_chunked=True)
        elif way in ("huge", "large"):
            total = 10**20 if way == "huge" else 10**15
            last = int(asked[2]) if asked else 4095
            self.answer(206, (data[first : last + 1]).ljust(last - first + 1, b"\0"), Content_Range=f"bytes {first}-{last}/{total}")
        elif way == "negative":
            self.answer(206, part, Content_Range=f"bytes {first}-{last}/-{size}")
        elif way == "no-ranges-later":
            self.answer(206 if is_first else 200, part if is_first else data, Content_Range=place if is_first else None)


BOMB = gzip.compress(bytes(1 << 28))


@contextlib.contextmanager
def serving(data):
    """Yields the address of a server of `data`, or of all files if that is None, and its class, which counts requests and bytes."""
    handler = type("Handler", (Server,), {"data": data, "requests": 0, "sent": 0})
    server = type("Servers", (http.server.ThreadingHTTPServer,), {"request_queue_size": 256})(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/", handler
    finally:
        server.shutdown()
        server.server_close()
