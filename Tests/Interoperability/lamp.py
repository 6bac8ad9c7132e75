"""Tests the lamp of Examples, as a process, with aiohomekit, as its README describes it.

    lamp.py --lamp BINARY

Prints a line for each claim and their number. Exit status 1 if one failed.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import re
import shutil
import sys
import tempfile
from pathlib import Path

from aiohomekit.characteristic_cache import CharacteristicCacheMemory
from aiohomekit.controller.ip.controller import IpController
from zeroconf.asyncio import AsyncServiceBrowser, AsyncZeroconf

from claims import Account
import namespaces
from processes import Child, PrivateDiscovery
from sessions import LIGHTBULB, ON, Session, close_all
from waiting import until

ALL = 60.0
LIMIT = 10.0
SERVICE_TYPE = "_hap._tcp.local."
CLAIMS = (
    "the setup code is printed",
    "discovered by its name and paired",
    "written on: the file says 1",
    "written off: the file says 0",
    "the file is changed by hand: the event arrives",
    "restarted: the pairing and the value are still there",
    "SIGTERM ends it with status 0",
)


async def check(account: Account, binary: Path, folder: Path) -> None:
    port, log = folder / "value", folder / "lamp.log"
    port.write_text("0")
    discovery = PrivateDiscovery(folder)
    zeroconf: AsyncZeroconf | None = None
    controller: IpController | None = None
    lamp: Child | None = None
    owner: Session | None = None

    def start() -> Child:
        # With a file as output, print() would wait for a full buffer.
        command = ["env", "--chdir", str(folder), "stdbuf", "-oL", str(binary), str(port)]
        return Child(command, log, discovery.environment)

    def printed() -> re.Match[str] | None:
        return re.search(r"^Desk Lamp: setup code (\d{3}-\d{2}-\d{3}), QR code X-HM://\w{13}$", log.read_text(), re.M)

    try:
        await discovery.start()
        zeroconf = AsyncZeroconf(interfaces=["127.0.0.1"])
        browser = AsyncServiceBrowser(zeroconf.zeroconf, [SERVICE_TYPE], handlers=[lambda **_: None])
        controller = IpController(CharacteristicCacheMemory(), zeroconf)
        await controller.async_start()
        lamp = start()
        await until(printed, LIMIT, "the setup code is printed")
        code = printed().group(1)
        account.passes(CLAIMS[0])

        def found() -> list[str]:
            return [key for key, each in controller.discoveries.items() if each.description.name.startswith("Desk Lamp")]

        await until(found, LIMIT, "the lamp is discovered")
        finish = await (await controller.async_find(found()[0], LIMIT)).async_start_pairing("lamp")
        data = dict((await finish(code)).pairing_data)
        owner = Session(controller, data)
        await owner.open()
        await owner.list_accessories_and_characteristics()
        on = owner.identifier(LIGHTBULB, ON)
        account.passes(CLAIMS[1])

        for claim, value, text in [(CLAIMS[2], True, "1"), (CLAIMS[3], False, "0")]:
            answer = await owner.write(on, value)
            assert answer == {} and port.read_text() == text, f"{answer}, the file says {port.read_text()!r}"
            account.passes(claim)

        await owner.subscribe([on])
        port.write_text("1\n")
        await owner.expect_event(on, 1, LIMIT)
        account.passes(CLAIMS[4])

        await close_all(owner)
        owner = None
        assert await lamp.stop() == 0, "SIGTERM does not end it with status 0"
        log.unlink()
        lamp = start()
        await until(printed, LIMIT, "the setup code is printed again")
        assert printed().group(1) == code, "it has another setup code"
        owner = Session(controller, data)
        await owner.open()
        assert await owner.read(on) == 1, "the value is another one"
        account.passes(CLAIMS[5])
        await close_all(owner)
        owner = None
        assert await lamp.stop() == 0, lamp.log_tail()
        account.passes(CLAIMS[6])
        await browser.async_cancel()
    finally:
        if owner is not None:
            await close_all(owner)
        if controller is not None:
            await controller.async_stop()
        if zeroconf is not None:
            await zeroconf.async_close()
        if lamp is not None:
            lamp.end()
        discovery.end()


async def run(binary: Path, folder: Path) -> bool:
    account = Account(CLAIMS)
    try:
        async with asyncio.timeout(ALL):
            await check(account, binary, folder)
    except Exception as error:  # any error decides the first claim without a result
        account.fails(CLAIMS[len(account.passed)], f"{type(error).__name__}: {error}")
    passed = account.complete()
    account.sum()
    return passed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lamp", type=Path, required=True, help="the binary under test")
    binary = parser.parse_args().lamp.resolve()
    if not binary.exists():
        sys.exit(f"{binary} is missing: build it with make build-tests.")
    namespaces.enter()
    logging.disable(logging.CRITICAL)
    folder = Path(tempfile.mkdtemp(prefix="hap-lamp-"))
    try:
        return 0 if asyncio.run(run(binary, folder)) else 1
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
