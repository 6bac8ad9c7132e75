"""Pairs with an accessory through aiohomekit, and saves the pairing.

    python pair-with-aiohomekit.py DEVICE-ID CODE [FILE]

Writes FILE (pairing.json by default) with the alias "garage". `python -m aiohomekit -f FILE accessories -a garage`
reads it. The command `python -m aiohomekit pair` of version 4.0.1 also pairs, but saves an empty file. After that, only
`hap reset --pairings` makes the accessory available for pairing again.
"""

import asyncio
import json
import os
import sys

from aiohomekit import Controller
from aiohomekit.characteristic_cache import CharacteristicCacheMemory
from aiohomekit.zeroconf import ZeroconfServiceListener
from zeroconf.asyncio import AsyncServiceBrowser, AsyncZeroconf

# aiohomekit requires that both types are browsed: accessories over IP (_tcp) and over Thread (_udp).
TYPES = ["_hap._tcp.local.", "_hap._udp.local."]


async def pair(device_id: str, code: str) -> dict:
    """Finds the accessory on the network, pairs with it, and returns the pairing."""
    async with AsyncZeroconf() as zeroconf:
        browser = AsyncServiceBrowser(zeroconf.zeroconf, TYPES, listener=ZeroconfServiceListener())
        cache = CharacteristicCacheMemory()
        async with Controller(async_zeroconf_instance=zeroconf, char_cache=cache) as controller:
            discovery = await controller.async_find(device_id)
            finish_pairing = await discovery.async_start_pairing("garage")
            pairing = await finish_pairing(code)
        await browser.async_cancel()
        return pairing.pairing_data


def main() -> None:
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    file = sys.argv[3] if len(sys.argv) == 4 else "pairing.json"
    # Only its owner may read the key; an existing pairing is not overwritten.
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        pairing = asyncio.run(pair(sys.argv[1], sys.argv[2]))
    except BaseException:
        os.close(descriptor)
        os.unlink(file)
        raise
    with os.fdopen(descriptor, "w") as output:
        json.dump({"garage": pairing}, output, indent=4)
    print(f"Paired. The pairing is in {file}.")


if __name__ == "__main__":
    main()
