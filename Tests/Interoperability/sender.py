"""A Cast sender on pychromecast, which cast.py operates with JSON lines.

A line of the input is a call, such as {"call": "media_controller.pause", "arguments": [], "options": {}}, and is
answered by {"answer": VALUE} or {"error": TEXT}. The functions below are calls, and every method of a Chromecast. What
the receiver reports is a line with `receiver`, `media`, `connection` or `message`. The end of the input ends it.

It runs in a virtual environment of its own, so it imports nothing of the other programs.
"""

from __future__ import annotations

import json
import sys
from operator import attrgetter
from typing import Any

import pychromecast
from pychromecast.controllers import BaseController
from pychromecast.controllers.media import MediaStatusListener
from pychromecast.controllers.receiver import CastStatusListener
from pychromecast.discovery import CastBrowser
from pychromecast.response_handler import WaitResponse
from pychromecast.socket_client import ConnectionStatusListener

PATIENCE = 20.0
#: Short, so that a sender is back soon after the receiver.
RETRY_WAIT = 0.5


def write(**line: Any) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


class Reporter(CastStatusListener, MediaStatusListener, ConnectionStatusListener):
    """Writes what pychromecast notifies its listeners of."""

    def new_cast_status(self, status) -> None:
        write(receiver={"app": status.app_id, "volume": status.volume_level, "muted": status.volume_muted,
                        "text": status.status_text})

    def new_media_status(self, status) -> None:
        write(media={"state": status.player_state, "reason": status.idle_reason, "content": status.content_id,
                     "title": status.title, "rate": status.playback_rate, "time": status.current_time})

    def load_media_failed(self, queue_item_id: int, error_code: int) -> None:
        write(message={"loadFailed": error_code})

    def new_connection_status(self, status) -> None:
        write(connection=status.status)


class Channel(BaseController):
    """Writes every message of a namespace."""

    def receive_message(self, _message, data: dict) -> bool:
        write(message=data)
        return True


class Sender:
    """A connection to one receiver."""

    def __init__(self) -> None:
        self.cast: pychromecast.Chromecast | None = None
        #: Looks up the receiver again when it has started again.
        self.browser: CastBrowser | None = None
        self.channels: dict[str, Channel] = {}

    def find(self, name: str) -> dict[str, Any]:
        """Discovers a receiver by its name, and connects."""
        casts, self.browser = pychromecast.get_listed_chromecasts(
            friendly_names=[name], discovery_timeout=PATIENCE, retry_wait=RETRY_WAIT)
        return self.open(casts[0])

    def connect(self, host: str, port: int) -> dict[str, Any]:
        """Connects by address and port."""
        return self.open(pychromecast.get_chromecast_from_host((host, port, None, None, None), retry_wait=RETRY_WAIT))

    def open(self, cast: pychromecast.Chromecast) -> dict[str, Any]:
        self.cast = cast
        reporter = Reporter()
        cast.register_status_listener(reporter)
        cast.media_controller.register_status_listener(reporter)
        cast.register_connection_listener(reporter)
        self.listen(cast.media_controller.namespace)
        cast.wait(PATIENCE)
        info = cast.cast_info
        return {"id": info.uuid and info.uuid.hex, "name": info.friendly_name, "model": info.model_name,
                "type": info.cast_type, "host": info.host, "port": info.port}

    def listen(self, namespace: str) -> None:
        """Writes the messages of a namespace from now on."""
        self.channels[namespace] = Channel(namespace)
        self.cast.register_handler(self.channels[namespace])

    def request(self, namespace: str, message: dict[str, Any]) -> dict[str, Any] | None:
        """Sends a message to the app, and returns the response."""
        response = WaitResponse(PATIENCE, message.get("type", namespace))
        self.channels[namespace].send_message(message, inc_session_id=True, callback_function=response.callback)
        response.wait_response()
        return response.response

    def skip_ad(self) -> str:
        """Returns the type of the response."""
        session = self.cast.media_controller.status.media_session_id
        message = {"type": "SKIP_AD", "mediaSessionId": session}
        return self.request(self.cast.media_controller.namespace, message)["type"]

    def end(self) -> None:
        """Disconnects."""
        if self.cast is not None:
            self.cast.disconnect(PATIENCE)
        if self.browser is not None:
            self.browser.stop_discovery()
        (self.cast, self.browser) = (None, None)

    def perform(self, call: str, *arguments: Any, **options: Any) -> Any:
        method = getattr(self, call, None) or attrgetter(call)(self.cast)
        return method(*arguments, **options)


def main() -> None:
    sender = Sender()
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = sender.perform(request["call"], *request["arguments"], **request["options"])
        except Exception as error:  # any error is the answer
            write(error=f"{type(error).__name__}: {error}")
        else:
            write(answer=answer)
    sender.end()


if __name__ == "__main__":
    main()
