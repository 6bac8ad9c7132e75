"""PulseAudio, PipeWire and shairport-sync, which the steps of airplay_proofs.py operate."""

from __future__ import annotations

import asyncio
import base64
import os
import re
import shutil
import subprocess
from pathlib import Path

from processes import Child
from tones import Sound, listen_raw
from waiting import until

PATIENCE = 20.0
#: The sound servers do not run as root.
USER, GROUP = "nobody", "nogroup"  # prose:allow
PULSEAUDIO, PIPEWIRE, WIREPLUMBER = "pulseaudio", "pipewire", "wireplumber"


class Shairport:
    """A receiver for AirPlay 1, which writes what it plays into a file. It needs a message bus with an Avahi."""

    CONFIGURATION = """\
general = {{ name = "{name}"; port = {port}; output_backend = "stdout"; interpolation = "basic";
  ignore_volume_control = "yes"; {password} }};
metadata = {{ enabled = "yes"; include_cover_art = "yes"; pipe_name = "{pipe}"; }};
diagnostics = {{ log_verbosity = 2; }};
"""

    def __init__(self, program: Path, folder: Path, environment: dict[str, str], *, port: int,
                 password: str | None = None) -> None:
        folder.mkdir()
        self.port = port
        self.log = folder / "shairport-sync.log"
        self._audio, self._pipe = folder / "audio.raw", folder / "metadata"
        self._items = b""
        configuration = folder / "shairport-sync.conf"
        configuration.write_text(self.CONFIGURATION.format(
            name=f"Reference {port}", port=port, pipe=self._pipe,
            password=f'password = "{password}";' if password is not None else ""))
        os.mkfifo(self._pipe)
        self._reader = os.open(self._pipe, os.O_RDONLY | os.O_NONBLOCK)
        command = f"exec {program} --configfile {configuration} >>{self._audio}"
        self._child = Child(["sh", "-c", command], self.log, environment)

    async def ready(self) -> None:
        def listens() -> bool:
            assert self._child.runs, f"shairport-sync has ended: {self._child.log_tail(5)}"
            return "successfully added" in self._log_text()

        await until(listens, PATIENCE, f"shairport-sync is announced\n{self._child.log_tail(5)}")

    def end(self) -> None:
        self._child.end()
        os.close(self._reader)

    @property
    def runs(self) -> bool:
        return self._child.runs

    def forget(self) -> None:
        """Forgets what was played and reported until now."""
        # It writes at the end of the file.
        os.truncate(self._audio, 0)
        self._read()
        self._items = b""

    def heard(self) -> list[Sound]:
        return listen_raw(self._audio.read_bytes())

    def metadata(self) -> dict[str, bytes]:
        """What the sender has reported, by the codes of shairport-sync, such as `minm` for the title and `pvol`."""
        self._read()
        item = rb"<code>(\w{8})</code><length>\d+</length>\s*(?:<data encoding=\"base64\">\s*(.*?)</data>)?"
        return {bytes.fromhex(code.decode()).decode(): base64.b64decode(data)
                for code, data in re.findall(item, self._items, re.DOTALL)}

    def requests(self) -> list[str]:
        """The RTSP methods that it has received."""
        return re.findall(r'Received an RTSP Packet of type "(\w+)"', self._log_text())

    def _log_text(self) -> str:
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    def _read(self) -> None:
        while True:
            try:
                data = os.read(self._reader, 1 << 16)
            except BlockingIOError:
                return
            if not data:
                return
            self._items += data


class SoundServer:
    """A sound server of another user, with a folder of its own for its sockets."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        folder.chmod(0o700)
        shutil.chown(folder, USER)
        self._folder = folder
        self._children: list[Child] = []

    @property
    def _on(self) -> list[str]:
        settings = [f"HOME={self._folder}", f"XDG_RUNTIME_DIR={self._folder}", "LC_ALL=C.UTF-8"]
        become = ["setpriv", "--reuid", USER, "--regid", GROUP, "--clear-groups", "--"]
        return [*become, "env", "--unset=DBUS_SYSTEM_BUS_ADDRESS", *settings]

    def _start(self, *command: str) -> Child:
        child = Child([*self._on, *command], self._folder / f"{command[0]}.log", dict(os.environ))
        self._children.append(child)
        return child

    async def _run(self, *command: str, limit: float = PATIENCE) -> tuple[int, str]:
        """Runs a command of a user; returns its status and its output."""
        process = await asyncio.create_subprocess_exec(
            *self._on, *command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        try:
            output, _ = await asyncio.wait_for(process.communicate(), limit)
        except TimeoutError:
            process.terminate()
            await process.wait()
            return 124, f"{command[0]} has not ended within {limit:g} s"
        return process.returncode, output.decode(errors="replace")

    def end(self) -> None:
        for child in reversed(self._children):
            child.end()


class PulseAudio(SoundServer):
    """A PulseAudio whose only output is a receiver."""

    async def start(self) -> None:
        child = self._start(PULSEAUDIO, "-n", "--daemonize=no", "--exit-idle-time=-1", "--disable-shm=yes", "-v",
                            "-L", "module-native-protocol-unix")
        await until(lambda: "Daemon startup complete" in child.log_tail(200), PATIENCE, "PulseAudio runs")

    async def connect(self, host: str, port: int, password: str | None = None) -> str:
        """Adds a receiver as an output, and returns its name."""
        name = f"raop_{port}"
        settings = [f"server=[{host}]:{port}", "protocol=UDP", "encryption=none", "codec=ALAC", f"sink_name={name}"]
        if password is not None:
            settings.append(f"password={password}")
        status, output = await self._run("pactl", "load-module", "module-raop-sink", *settings)
        assert status == 0, f"pactl load-module ends with {status}: {output}"
        return name

    async def play(self, sink: str, file: Path, limit: float = 3 * PATIENCE) -> None:
        status, output = await self._run("paplay", f"--device={sink}", str(file), limit=limit)
        assert status == 0, f"paplay ends with {status}: {output}"

    async def set_volume(self, sink: str, percent: int) -> None:
        status, output = await self._run("pactl", "set-sink-volume", sink, f"{percent}%")
        assert status == 0, f"pactl set-sink-volume ends with {status}: {output}"

    async def disconnect(self) -> None:
        await self._run("pactl", "unload-module", "module-raop-sink")


class PipeWire(SoundServer):
    """A PipeWire whose only output is a receiver."""

    CONFIGURATION = """\
context.properties = {{ core.daemon = true, core.name = pipewire-0, mem.allow-mlock = false, log.level = 3 }}
context.spa-libs = {{ audio.convert.* = audioconvert/libspa-audioconvert, support.* = support/libspa-support }}
context.modules = [
  {{ name = libpipewire-module-protocol-native }}
  {{ name = libpipewire-module-metadata }}
  {{ name = libpipewire-module-spa-node-factory }}
  {{ name = libpipewire-module-client-node }}
  {{ name = libpipewire-module-access }}
  {{ name = libpipewire-module-adapter }}
  {{ name = libpipewire-module-link-factory }}
  {{ name = libpipewire-module-raop-sink
     args = {{
       raop.hostname = "{host}" raop.ip = "{host}" raop.port = "{port}" raop.name = "Receiver"
       raop.transport = "udp" raop.encryption.type = "none" raop.audio.codec = "{codec}"
       stream.props = {{ node.name = "receiver" media.class = "Audio/Sink" }}
     }}
  }}
]
context.objects = [
  {{ factory = spa-node-factory
     args = {{ factory.name = support.node.driver node.name = Dummy-Driver priority.driver = 20000 }} }}
]
"""

    async def start(self, host: str, port: int, codec: str = "ALAC") -> None:
        configuration = self._folder / "receiver.conf"
        configuration.write_text(self.CONFIGURATION.format(host=host, port=port, codec=codec))
        self._start(PIPEWIRE, "--config", str(configuration))
        await until((self._folder / "pipewire-0").exists, PATIENCE, "PipeWire runs")
        # It connects what plays with the receiver. Its own configuration would need a session bus.
        self._start(WIREPLUMBER, "--config-file", "policy.conf")
        for _ in range(100):
            if "receiver:playback_FR" in (await self._run("pw-link", "--input"))[1]:
                return
            await asyncio.sleep(0.1)
        raise AssertionError("WirePlumber has not configured the receiver")

    async def play(self, file: Path) -> None:
        status, output = await self._run("pw-cat", "--playback", "--target", "receiver", str(file), limit=3 * PATIENCE)
        assert status == 0, f"pw-cat ends with {status}: {output}"
