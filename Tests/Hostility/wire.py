"""A controller on one blocking connection: pairs, verifies, and reads; with as little between it and the socket as can be."""

from __future__ import annotations

import socket
from typing import Any

from aiohomekit.protocol import get_session_keys, perform_pair_setup_part1, perform_pair_setup_part2
from aiohomekit.protocol.tlv import TLV
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

HOST = "127.0.0.1"
PATIENCE = 5.0
FRAME = 1024


def connect(port: int, source: str = HOST) -> socket.socket:
    """Connects, optionally from another address of the loopback interface."""
    sock = socket.socket()
    sock.settimeout(PATIENCE)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    sock.bind((source, 0))
    sock.connect((HOST, port))
    return sock


def post(path: str, body: bytes) -> bytes:
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/pairing+tlv8\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


class Wire:
    """Requests and responses, unencrypted at first and in frames after pair-verify."""

    def __init__(self, port: int, source: str = HOST) -> None:
        self.socket = connect(port, source)
        self.received = bytearray()
        self.plain = bytearray()
        self.seal: ChaCha20Poly1305 | None = None
        self.open: ChaCha20Poly1305 | None = None
        self.sent_frames = 0
        self.opened_frames = 0

    def close(self) -> None:
        self.socket.close()

    def sealed(self, message: bytes) -> bytes:
        """Returns the bytes to send for a message, and counts its frames as sent."""
        if self.seal is None:
            return message
        frames = bytearray()
        for start in range(0, len(message), FRAME):
            part = message[start:start + FRAME]
            length = len(part).to_bytes(2, "little")
            frames += length + self.seal.encrypt(self._nonce(self.sent_frames), part, length)
            self.sent_frames += 1
        return bytes(frames)

    def request(self, message: bytes) -> tuple[int, bytes]:
        """Sends a request and returns the status and the body of its response."""
        self.socket.sendall(self.sealed(message))
        return self.response()

    def get(self, target: str) -> tuple[int, bytes]:
        return self.request(f"GET {target} HTTP/1.1\r\nHost: x\r\n\r\n".encode())

    def response(self) -> tuple[int, bytes]:
        while (end := self.plain.find(b"\r\n\r\n")) < 0:
            self._receive()
        head = self.plain[:end].decode()
        del self.plain[:end + 4]
        lines = head.split("\r\n")
        length = next((int(line.split(":")[1]) for line in lines if line.lower().startswith("content-length:")), 0)
        while len(self.plain) < length:
            self._receive()
        body = bytes(self.plain[:length])
        del self.plain[:length]
        return int(lines[0].split()[1]), body

    def verify(self, pairing: dict[str, Any]) -> Wire:
        """Runs pair-verify; afterwards messages are sent in frames."""
        derive = self._run(get_session_keys(pairing), "/pair-verify")[1]
        self.seal = ChaCha20Poly1305(derive(b"Control-Salt", b"Control-Write-Encryption-Key"))
        self.open = ChaCha20Poly1305(derive(b"Control-Salt", b"Control-Read-Encryption-Key"))
        return self

    def pair(self, code: str, identifier: str) -> dict[str, Any]:
        """Pairs, and returns the pairing."""
        salt, key = self._run(perform_pair_setup_part1(), "/pair-setup")
        return self._run(perform_pair_setup_part2(code, identifier, salt, key), "/pair-setup")

    def _run(self, steps: Any, path: str) -> Any:
        request, expected = steps.send(None)
        while True:
            status, body = self.request(post(path, bytes(TLV.encode_list(request))))
            assert status == 200, f"{path} was answered with {status}"
            try:
                request, expected = steps.send(TLV.decode_bytes(body, expected=expected))
            except StopIteration as end:
                return end.value

    def _receive(self) -> None:
        bytes_read = self.socket.recv(65536)
        if not bytes_read:
            raise ConnectionError("the accessory closed the connection")
        if self.open is None:
            self.plain += bytes_read
            return
        self.received += bytes_read
        while len(self.received) >= 2:
            length = int.from_bytes(self.received[:2], "little")
            if len(self.received) < length + 18:
                return
            aad, frame = bytes(self.received[:2]), bytes(self.received[2:length + 18])
            del self.received[:length + 18]
            self.plain += self.open.decrypt(self._nonce(self.opened_frames), frame, aad)
            self.opened_frames += 1

    @staticmethod
    def _nonce(count: int) -> bytes:
        return bytes(4) + count.to_bytes(8, "little")
