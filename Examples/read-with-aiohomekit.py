"""Pairs with a server of a ready file through aiohomekit, without discovery, and reads a characteristic.

    python read-with-aiohomekit.py READY-FILE PAIRING-FILE TYPE

The first call pairs and writes PAIRING-FILE; later calls use it. TYPE is the short UUID of the characteristic, such as
22 for Motion Detected. Prints the value, or the status with which the accessory refused.
"""

import asyncio
import json
import os
import sys

from aiohomekit.characteristic_cache import CharacteristicCacheMemory
from aiohomekit.controller.ip.controller import IpController
from aiohomekit.controller.ip.discovery import IpDiscovery
from aiohomekit.controller.ip.pairing import IpPairing
from aiohomekit.model.categories import Categories
from aiohomekit.model.feature_flags import FeatureFlags
from aiohomekit.model.status_flags import StatusFlags
from aiohomekit.zeroconf import HomeKitService
from zeroconf.asyncio import AsyncZeroconf


async def pair(controller: IpController, server: dict) -> dict:
    service = HomeKitService(
        name=server["name"], id=server["deviceID"].lower(), model="", feature_flags=FeatureFlags(0),
        status_flags=StatusFlags.UNPAIRED, config_num=1, state_num=1, category=Categories(server["category"]),
        protocol_version="1.1", type="_hap._tcp.local.", address="127.0.0.1", addresses=["127.0.0.1"],
        port=server["port"],
    )
    finish = await IpDiscovery(controller, service).async_start_pairing("server")
    return dict((await finish(server["setupCode"])).pairing_data)


async def main(ready: str, file: str, short: str) -> None:
    zeroconf = AsyncZeroconf(interfaces=["127.0.0.1"])
    controller = IpController(char_cache=CharacteristicCacheMemory(), zeroconf_instance=zeroconf)
    if not os.path.exists(file):
        with open(ready) as content:
            pairing_data = await pair(controller, json.load(content)["servers"][0])
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as output:
            json.dump(pairing_data, output)
    with open(file) as content:
        pairing = IpPairing(controller, json.load(content))
    try:
        await pairing._ensure_connected()
        uuid = short.rjust(8, "0") + "-0000-1000-8000-0026BB765291"
        found = [
            (accessory["aid"], characteristic["iid"])
            for accessory in await pairing.list_accessories_and_characteristics()
            for service in accessory["services"]
            for characteristic in service["characteristics"]
            if characteristic["type"] == uuid
        ]
        answer = (await pairing.get_characteristics(found[:1]))[found[0]]
        print(answer.get("value", f"status {answer.get('status')}"))
    finally:
        await pairing.shutdown()
        await zeroconf.async_close()


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    asyncio.run(main(*sys.argv[1:]))
