"""The claims about drivers: their state, readings, events and actions, and their parameters in the builder."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from browser import Keys
from builder_claims import begin, save, served, write_text
from manners_claims import check_looks, findings, shows_on_each
from stage import Site, Stage, proves, shows

COOLER = """\
accessory: Cooler
driver: { command: { read: [echo, 21], every: 30s } }
services:
  - type: TemperatureSensor
"""
BRIDGE = """\
bridge: Porch
accessories:
  - accessory: Cooler
    driver: { command: { read: [echo, 21] } }
    services: [{ type: TemperatureSensor }]
"""


async def open_panel(stage: Stage) -> Site:
    """Opens the accessory, and waits until its driver runs."""
    site = await stage.open("shed", "accessories/Shed")
    await stage.browser.until_text(".driver [role=status]", "Running · The device is reachable.")
    return site


@shows("the state and the readings of a driver are shown in the accessory, and in the details of its service")
async def state(stage: Stage) -> None:
    site = await open_panel(stage)
    page = stage.browser
    await page.until_text(".driver h3", "Driver of Shed: command")
    await page.until_text(".driver .facts", "pumpready")
    await page.until_text(".service summary", "has a driver")
    await site.ask("POST", "servers/Shed/accessories/1/actions", {"action": "calibrate", "with": {"level": "7"}})
    await page.until_text(".driver .facts", "level7")
    await page.go("home")
    await page.until_state("Switch", "Off")
    await page.click("button.tile-more", "Details of Switch")
    await page.until_text("dialog .driver [role=status]", "Running")
    await page.until_text("dialog .driver .facts", "level7")
    await page.press(Keys.ESCAPE)


@shows("an action of a driver is done with its arguments and answered; a mistake and a refusal are shown, by keyboard")
async def action(stage: Stage) -> None:
    await open_panel(stage)
    page = stage.browser
    field = "[aria-label='Arguments of calibrate']"
    await page.js(f"document.querySelector(\"{field}\").focus()")
    await page.press("level", Keys.ENTER)
    await page.until("return document.activeElement.validationMessage.includes('key=value')", "the mistake is shown")
    await page.press("=5", Keys.ENTER)
    await page.until_text(".message", "Calibrated to 5.")
    await page.until_text(".driver .facts", "level5")
    assert await page.js("return document.activeElement.value") == "level=5", "the arguments are lost"
    await page.press(*[Keys.BACKSPACE] * 7, Keys.ENTER)
    await page.until_text(".errors .message", "calibrate: The program refuses: The level is missing.")
    await page.click(".driver button", "heat")
    await page.until_text(".message", "heat is done.")


@shows("an event of a driver is among its latest events, and in the log with its sentence")
async def event(stage: Stage) -> None:
    site = await open_panel(stage)
    page = stage.browser
    await site.ask("POST", "servers/Shed/accessories/1/actions", {"action": "heat", "with": {"celsius": "91"}})
    await page.until_text(".driver li", "Shed reports overheated, celsius: 91.")
    await page.go("log")
    await page.until_text(".events .event-text", "Shed reports overheated, celsius: 91.")
    await page.until_text(".events .event-text", "The driver of Shed runs.")
    await page.choose(".toolbar select", "driver-event", 1)
    kinds = "return [...new Set([...document.querySelectorAll('.events .kind')].map((each) => each.textContent))]"
    assert await page.js(kinds) == ["driver-event"]


@shows("a driver whose program is killed waits, and its tile is not reachable, until it runs again")
async def killed(stage: Stage) -> None:
    site = await open_panel(stage)
    page = stage.browser
    [driver] = await site.ask("GET", "servers/Shed/drivers")
    pid = next(int(reading["value"]) for reading in driver["readings"] if reading["name"] == "pid")
    down = site.server.state.parent / "down"
    down.touch()
    try:
        os.kill(pid, signal.SIGKILL)
        await page.until_text(".driver [role=status]", "Waiting: ")
        await page.until_text(".driver [role=status]", "The device is not reachable.")
        await page.until_text(".driver li", "Shed can no longer be reached.")
        await page.go("home")
        await page.until_state("Switch", "Not reachable")
        assert await page.js("return Boolean(arguments[0].closest('.is-absent'))", await page.tile("Switch"))
    finally:
        down.unlink()
    await page.until_state("Switch", "Off")
    await page.go("accessories/Shed")
    await page.until_text(".driver [role=status]", "Running · The device is reachable.")


@shows("the builder shows a driver with its parameters, edits it, and keeps what it does not change")
async def built(stage: Stage) -> None:
    site = await begin(stage, "cooler.yaml", COOLER, of="shed")
    page = stage.browser
    parameters = "return Object.fromEntries([...document.querySelectorAll(\"[data-path^='driver.'] input\")]" \
                 ".map((input) => [input.dataset.focus, input.value]).filter(([, value]) => value))"
    shown = await page.js(parameters)
    assert shown == {"driver.command.read": "echo 21", "driver.command.every": "30s"}, shown
    assert await page.js("return document.querySelector('[data-path=driver] select').value") == "command"
    await page.write("[data-path='driver.command.every'] input", "", "often")
    await page.until_text("[data-path='driver.command.every'] .field-error", "often")
    await page.write("[data-path='driver.command.every'] input", "", "10s")
    await page.write("[data-path='driver.command.write'] input", "", "./set.sh now")
    await page.write("[data-path=model] input", "", "C 1")
    await save(page, "cooler.yaml")
    saved = (folder := site.server.state.parent / "definitions").joinpath("cooler.yaml").read_text()
    for part in ("read: [echo, 21]", "every: 10s", "set.sh\", now]", "model: C 1"):
        assert part in saved, saved
    await served(site, "Cooler")
    await page.choose("[data-path=driver] select", "none")
    await page.until("return !document.querySelector(\"[data-path^='driver.']\")", "the parameters are gone")
    await page.click("button", "Undo")
    await page.find("[data-path='driver.command.read'] input")
    assert Path(folder / "cooler.yaml").read_text() == saved


@shows("the builder says at its place why a driver must not run a program, and how to allow it, before one saves")
async def refused(stage: Stage) -> None:
    await begin(stage)
    page = stage.browser
    await page.click(".buttons button", "An accessory")
    await page.click("[role=tab]", "Text")
    await write_text(page, COOLER)
    await page.until_text(".diagnostics li", "start with --allow-commands")
    await page.until_text("[data-path=driver] .field-error", "command runs a program")
    assert await page.js("return document.querySelector('button.primary').disabled")
    await write_text(page, BRIDGE)
    await page.until_text("[data-path='accessories[0].driver'] .field-error", "command runs a program")


@shows_on_each("axe has no serious finding on a driver in an accessory, in the details and in the builder")
async def axe_driver(stage: Stage, *, size: tuple[int, int]) -> None:
    await begin(stage, "cooler.yaml", COOLER, of="shed")
    page = stage.browser

    async def check() -> list[str]:
        await page.go("builder/cooler.yaml")
        await page.find("[data-path='driver.command.read'] input")
        found = [f"builder: {finding}" for finding in await findings(stage)]
        await page.go("accessories/Shed")
        await page.until_text(".driver [role=status]", "Running")
        found += [f"accessory: {finding}" for finding in await findings(stage)]
        await page.go("home")
        await page.click("button.tile-more", "Details of Switch")
        await page.find("dialog[open] .driver")
        found += [f"details: {finding}" for finding in await findings(stage)]
        await page.press(Keys.ESCAPE)
        await page.until("return !document.querySelector('dialog')", "the details are closed")
        return found

    await check_looks(stage, size, check)


@proves("a driver is not wider than a phone, in an accessory, in the details and in the builder")
async def narrow(stage: Stage) -> None:
    await begin(stage, "cooler.yaml", COOLER, of="shed")
    page = stage.browser
    wide = "return document.documentElement.scrollWidth > innerWidth || " \
           "[...document.querySelectorAll('dialog')].some((each) => each.scrollWidth > each.clientWidth)"
    found = []
    try:
        for width in (360, 320):
            await page.look((width, 780))
            for view, selector in (("builder/cooler.yaml", "[data-path='driver.command.read'] input"),
                                   ("accessories/Shed", ".driver form"), ("home", "button.tile-more")):
                await page.go(view)
                await page.find(selector)
                found += [f"{width} {view}"] if await page.js(wide) else []
            await page.click("button.tile-more", "Details of Switch")
            await page.find("dialog[open] .driver form")
            found += [f"{width} details"] if await page.js(wide) else []
            await page.press(Keys.ESCAPE)
    finally:
        await page.look()
    assert not found, found
