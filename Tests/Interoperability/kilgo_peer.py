"""The Kilgo garage on HAP-python, for tests of the Kilgo app.

    kilgo_peer.py PORT STATE-FOLDER SETUP-CODE

The door takes a second to move. SIGUSR1 obstructs it, which opens a closing door again. Prints a line for each value
that a controller writes. Nothing is announced on the network. SIGTERM ends it.
"""

from __future__ import annotations

import os
import signal
import sys
from uuid import UUID

from peer import Silence
from pyhap.accessory import Accessory
from pyhap.accessory_driver import AccessoryDriver
from pyhap.characteristic import HAP_FORMAT_FLOAT, Characteristic
from pyhap.const import CATEGORY_GARAGE_DOOR_OPENER, HAP_PERMISSION_NOTIFY, HAP_PERMISSION_READ, HAP_PERMISSION_WRITE

FADE_RATE = UUID("7E536242-341C-4862-BE90-272CE15BD633")
OPEN, CLOSED, OPENING, CLOSING = range(4)
TRAVEL = 1.0


class Garage(Accessory):
    category = CATEGORY_GARAGE_DOOR_OPENER

    def __init__(self, *arguments: object, **options: object) -> None:
        super().__init__(*arguments, **options)
        self.set_info_service("1.0.0", "Kilgo Devices, Inc.", "KG-100", "KG100-0001")
        door = self.add_preload_service("GarageDoorOpener", chars=["Name", "LockCurrentState", "LockTargetState"])
        door.configure_char("Name", value="Garage Door")
        self.current = door.configure_char("CurrentDoorState", value=CLOSED)
        self.target = door.configure_char("TargetDoorState", value=CLOSED, setter_callback=self.move)
        self.obstruction = door.configure_char("ObstructionDetected", value=False)
        light = self.add_preload_service("Lightbulb", chars=["Name", "On", "Brightness", "Hue", "Saturation"])
        light.configure_char("Name", value="Garage Light")
        for name, value in (("On", False), ("Brightness", 100), ("Hue", 0), ("Saturation", 0)):
            light.configure_char(name, value=value, setter_callback=self.printer(name))
        rate = Characteristic("Fade Rate", FADE_RATE, {
            "Format": HAP_FORMAT_FLOAT, "unit": "seconds", "minValue": 0, "maxValue": 10, "minStep": 0.5,
            "Permissions": [HAP_PERMISSION_READ, HAP_PERMISSION_WRITE, HAP_PERMISSION_NOTIFY],
        })
        rate.set_value(1.0)
        rate.setter_callback = self.printer("Fade Rate")
        # HAP-python does this only for the characteristics of its own table.
        rate.broker = self
        self.iid_manager.assign(rate)
        light.add_characteristic(rate)

    @staticmethod
    def printer(name: str):
        return lambda value: print(f"written: {name} {value}", flush=True)

    def move(self, target: int) -> None:
        self.printer("Target Door State")(target)
        self.current.set_value(CLOSING if target else OPENING)
        self.driver.loop.call_later(TRAVEL, self.arrive, target)

    def arrive(self, target: int) -> None:
        if self.target.value == target:
            self.current.set_value(target)

    def obstruct(self) -> None:
        self.obstruction.set_value(True)
        self.target.set_value(OPEN)
        self.move(OPEN)


def main() -> None:
    port, folder, code = sys.argv[1:]
    driver = AccessoryDriver(
        port=int(port), address="127.0.0.1", pincode=code.encode(),
        persist_file=os.path.join(folder, "accessory.state"), async_zeroconf_instance=Silence(),
    )
    garage = Garage(driver, "Kilgo Garage")
    driver.add_accessory(garage)
    signal.signal(signal.SIGTERM, driver.signal_handler)
    driver.loop.add_signal_handler(signal.SIGUSR1, garage.obstruct)
    driver.start()


if __name__ == "__main__":
    main()
