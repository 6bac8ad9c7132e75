#!/usr/bin/env python3
"""The accessory with which `make bench` compares hap, served by HAP-python.

    hap_python.py PORT STATE-FOLDER SETUP-CODE [bridge]

It is a garage door opener with a light, like the default accessory of `hap serve`; with `bridge`, it is a bridge with
149 light bulbs. Nothing is announced on the network. SIGTERM stops it.
"""

import os
import signal
import sys

from pyhap.accessory import Accessory, Bridge
from pyhap.accessory_driver import AccessoryDriver
from pyhap.const import CATEGORY_GARAGE_DOOR_OPENER, CATEGORY_LIGHTBULB


class Silence:
    """A replacement for zeroconf that announces nothing."""

    async def async_register_service(self, *_, **__):
        pass

    async_update_service = async_unregister_service = async_close = async_register_service


class Garage(Accessory):
    category = CATEGORY_GARAGE_DOOR_OPENER

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.add_preload_service("GarageDoorOpener", chars=["Name", "LockCurrentState", "LockTargetState"])
        self.add_preload_service("Lightbulb", chars=["Name", "On", "Brightness", "Hue", "Saturation"])


class Bulb(Accessory):
    category = CATEGORY_LIGHTBULB

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.add_preload_service("Lightbulb", chars=["Name", "On", "Brightness"])


def main():
    port, folder, code, *rest = sys.argv[1:]
    driver = AccessoryDriver(
        port=int(port), address="127.0.0.1", pincode=code.encode(),
        persist_file=os.path.join(folder, "accessory.state"), async_zeroconf_instance=Silence(),
    )
    if rest == ["bridge"]:
        bridge = Bridge(driver, "Bridge")
        for number in range(1, 150):
            bridge.add_accessory(Bulb(driver, f"Bulb {number}"))
        driver.add_accessory(bridge)
    else:
        driver.add_accessory(Garage(driver, "Garage"))
    signal.signal(signal.SIGTERM, driver.signal_handler)
    driver.start()


main()
