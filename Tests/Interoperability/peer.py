"""An accessory on HAP-python for tests of the controller.

    peer.py PORT STATE-FOLDER SETUP-CODE

A bridge with a lamp whose hue cannot be set, a thermometer whose value changes twice a second, and a garage door that
moves at once. Nothing is announced on the network. Prints a line when it identifies itself; SIGTERM ends it.
"""

from __future__ import annotations

import os
import signal
import sys

from pyhap.accessory import Accessory, Bridge
from pyhap.accessory_driver import AccessoryDriver
from pyhap.const import CATEGORY_GARAGE_DOOR_OPENER, CATEGORY_LIGHTBULB, CATEGORY_SENSOR


class Silence:
    """Replaces zeroconf, and sends nothing."""

    async def async_register_service(self, *_: object, **__: object) -> None:
        pass

    async_update_service = async_unregister_service = async_close = async_register_service


class Lamp(Accessory):
    category = CATEGORY_LIGHTBULB

    def __init__(self, *arguments: object, **options: object) -> None:
        super().__init__(*arguments, **options)
        light = self.add_preload_service("Lightbulb", chars=["Name", "On", "Brightness", "Hue"])
        light.configure_char("Name", value="Reading Light")
        light.configure_char("Hue", setter_callback=self.fail)
        self.get_service("AccessoryInformation").configure_char(
            "Identify", setter_callback=lambda _: print("identified", self.display_name, flush=True)
        )

    @staticmethod
    def fail(_: object) -> None:
        raise RuntimeError("the lamp has no colours")


class Thermometer(Accessory):
    category = CATEGORY_SENSOR

    def __init__(self, *arguments: object, **options: object) -> None:
        super().__init__(*arguments, **options)
        self.temperature = self.add_preload_service("TemperatureSensor").configure_char("CurrentTemperature", value=20)

    @Accessory.run_at_interval(0.5)
    async def run(self) -> None:
        self.temperature.set_value(20 if self.temperature.value > 20 else 20.5)


class Garage(Accessory):
    category = CATEGORY_GARAGE_DOOR_OPENER

    def __init__(self, *arguments: object, **options: object) -> None:
        super().__init__(*arguments, **options)
        door = self.add_preload_service("GarageDoorOpener")
        current = door.configure_char("CurrentDoorState", value=1)
        door.configure_char("TargetDoorState", value=1, setter_callback=current.set_value)


def main() -> None:
    port, folder, code = sys.argv[1:]
    driver = AccessoryDriver(
        port=int(port), address="127.0.0.1", pincode=code.encode(),
        persist_file=os.path.join(folder, "accessory.state"), async_zeroconf_instance=Silence(),
    )
    bridge = Bridge(driver, "Peer Bridge")
    for kind, name in ((Lamp, "Lamp"), (Thermometer, "Attic"), (Garage, "Garage")):
        bridge.add_accessory(kind(driver, name))
    bridge.get_service("AccessoryInformation").configure_char(
        "Identify", setter_callback=lambda _: print("identified", bridge.display_name, flush=True)
    )
    driver.add_accessory(bridge)
    signal.signal(signal.SIGTERM, driver.signal_handler)
    driver.start()


if __name__ == "__main__":
    main()
