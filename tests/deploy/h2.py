"""As much of HTTP/2 and gRPC as an attacker needs, byte by byte: no library would send what is sent here."""

import socket
import ssl
import struct

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = 0, 1, 3, 4, 6, 7, 8, 9
END_STREAM, ACK, END_HEADERS = 1, 1, 4
HEALTH = "/grpc.health.v1.Health/Check"
SERVING = b"\x00\x00\x00\x00\x02\x08\x01"  # the message of a healthy answer, with its prefix


def frame(kind, flags=0, stream=0, payload=b""):
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def _number(value, first=0):
    """An integer of HPACK with a prefix of seven bits."""
    if value < 127:
        return bytes([first | value])
    value -= 127
    out = [first | 127]
    while value >= 128:
        out.append(value % 128 + 128)
        value //= 128
    return bytes(out + [value])


def literal(name, value):
    """A header that is never indexed, so that no table is needed on either side."""
    name, value = name.encode(), value.encode()
    return b"\x10" + _number(len(name)) + name + _number(len(value)) + value


def call_headers(path=HEALTH, scheme="https", more=()):
    fields = [(":method", "POST"), (":scheme", scheme), (":path", path), (":authority", "localhost"),
              ("content-type", "application/grpc"), ("te", "trailers"), *more]
    return b"".join(literal(*field) for field in fields)


def message(body=b"", length=None, compressed=False):
    """A gRPC message; `length` lies about it."""
    return struct.pack(">BI", compressed, len(body) if length is None else length) + body


class Closed(Exception):
    """The other side has ended the connection, or said that it will."""


class Connection:
    """One connection that has sent the preface. `source` is the address it comes from."""

    def __init__(self, address, source="127.0.0.1", tls=True, timeout=10, preface=True):
        self.socket = socket.create_connection(address, timeout, (source, 0))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.scheme = "https" if tls else "http"
        if tls:
            context = ssl.create_default_context()
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
            context.set_alpn_protocols(["h2"])
            self.socket = context.wrap_socket(self.socket, server_hostname="localhost")
        self._stream = -1
        self._unread = b""
        self._credit, self._first_credit = {0: 65535}, 65535  # what may be sent, by stream
        if preface:
            self.send(PREFACE + frame(SETTINGS))

    def close(self):
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def send(self, data):
        try:
            self.socket.sendall(data)
        except TimeoutError:
            raise
        except OSError as error:
            raise Closed(str(error)) from error

    def next_stream(self):
        self._stream += 2
        return self._stream

    def open(self, path=HEALTH, flags=END_HEADERS, more=()):
        """Opens a stream and leaves it open; returns its number."""
        stream = self.next_stream()
        self.send(frame(HEADERS, flags, stream, call_headers(path, self.scheme, more)))
        return stream

    def read(self):
        """The next frame: (kind, flags, stream, payload). Answers what HTTP/2 wants answered."""
        head = self._exactly(9)
        payload = self._exactly(int.from_bytes(head[:3], "big"))
        kind, flags, stream = struct.unpack(">BBI", head[3:])
        if kind == GOAWAY and payload[4:8] != b"\0\0\0\0":
            raise Closed(f"GOAWAY {int.from_bytes(payload[4:8], 'big')}")
        if kind == WINDOW_UPDATE:
            self._credit[stream] = self._credit.get(stream, 0) + int.from_bytes(payload, "big")
        elif kind == SETTINGS and not flags & ACK:
            for at in range(0, len(payload), 6):
                if payload[at:at + 2] == b"\0\4":
                    self._first_credit = int.from_bytes(payload[at + 2:at + 6], "big")
            self.send(frame(SETTINGS, ACK))
        elif kind == PING and not flags & ACK:
            self.send(frame(PING, ACK, 0, payload))
        elif kind == DATA and payload:
            self.send(b"".join(frame(WINDOW_UPDATE, 0, which, struct.pack(">I", len(payload)))
                               for which in (0, stream)))
        return kind, flags, stream, payload

    def call(self, path=HEALTH, body=b"", more=(), length=None, compressed=False):
        """One whole call: the bytes of the answer's messages, and those of its headers and trailers."""
        stream = self.open(path, more=more)
        left, sent = message(body, length, compressed), 0
        answer, heads = b"", b""
        while True:
            # As much of the message as the windows let through, then whatever is said to it.
            room = min(self._credit[0], self._first_credit + self._credit.get(stream, 0)) - sent
            while left is not None and (room > 0 or not left):
                part, left = left[:min(room, 16384)], left[min(room, 16384):]
                self.send(frame(DATA, 0 if left else END_STREAM, stream, part))
                sent, room, left = sent + len(part), room - len(part), left or None
            kind, flags, of, payload = self.read()
            if of != stream:
                continue
            if kind == DATA:
                answer += payload
            elif kind == HEADERS:
                heads += payload
            if kind == RST_STREAM or flags & END_STREAM and kind in (DATA, HEADERS):
                # What this call took of the connection's window is the next one's loss.
                self._credit[0] -= sent
                return answer, heads

    def _exactly(self, count):
        while len(self._unread) < count:
            try:
                more = self.socket.recv(65536)
            except TimeoutError:
                raise
            except OSError as error:
                raise Closed(str(error)) from error
            if not more:
                raise Closed("end of connection")
            self._unread += more
        taken, self._unread = self._unread[:count], self._unread[count:]
        return taken
