"""Makes the pictures of the page for the documents.

    screenshots.py --hap BINARY OUT

Shows each view in light and dark colors, on a desktop and on a phone. The servers have fixed seeds and setup codes, and
the browser has a fixed clock, so that a picture changes only if the page does. OUT gets PNG files of at most 150 kB.
"""

from __future__ import annotations

import asyncio
import io
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from shutil import copy
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[1] / "Interoperability"))

import program
from airplay_claims import SPEAKER, Sender
from browser import DESKTOP, PHONE, Keys
from claims import say
from PIL import Image
from stage import GALLERY, SITES, Site, Stage

LIMIT = 150_000
CODE = "031-45-154"
# What the page shows of the machine's clock is set to the minutes after 18:30 of this day.
CLOCK = """
(() => {
    const begin = Date.UTC(2026, 5, 12, 16, 30), started = Date.now(), formats = Intl.DateTimeFormat.prototype;
    const { get } = Object.getOwnPropertyDescriptor(formats, "format");
    const shown = (time) => new Date(begin + Math.floor(Math.max(0, time - started) / 1000) % 60 * 1000);
    Object.defineProperty(formats, "format", { get() { return (time) => get.call(this)(shown(time)); } });
})();
"""
# Values that are different in each run are replaced, because they would change the pictures.
STEADY = """
const replaced = [[/\\b[0-9A-F]{2}(:[0-9A-F]{2}){5}\\b/g, "1A:2B:3C:4D:5E:6F"],
    [/\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z/g, "2026-06-12T16:30:00.000Z"], [/\\bport \\d{5}\\b/g, "port 51826"],
    [/\\b127\\.0\\.0\\.1:\\d+\\b/g, "127.0.0.1:51827"], [/connection \\d+/g, "connection 1"],
    [/\\S+\\/(?=Config\\/)/g, ""], [/X-HM:\\/\\/\\w+/g, "X-HM://0042JX0W2HAP1"],
    [/\\b\\d+ ms\\b/g, "2 ms"], [/events to [0-9a-f]{8}/g, "events to 8c3a52f1"],
    [/\\b[0-9a-f]{8}-[0-9a-f-]{27}\\b/g, "8c3a52f1-6d0e-4b7a-9f24-1e5d7c0b8a63"], [/last request \\d+ s ago/g, "last request 2 s ago"]];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
    const node = walker.currentNode;
    const text = replaced.reduce((text, [pattern, value]) => text.replace(pattern, value), node.data);
    if (text !== node.data) node.data = text;
}
"""


def scenario(_: Path) -> tuple[list[Path], tuple[str, ...]]:
    """The garage with the scenario of a day."""
    return [GALLERY / "garage.yaml"], ("--scenario", str(program.ROOT / "Config/scenarios/garage-day.yaml"),
                                       "--seed", "1", "--setup-code", CODE)


def garage(_: Path) -> tuple[list[Path], tuple[str, ...]]:
    return [GALLERY / "garage.yaml"], ("--seed", "1", "--setup-code", CODE)


def home(_: Path) -> tuple[list[Path], tuple[str, ...]]:
    """The house of Config, with sensors and a doorbell of its own."""
    return [GALLERY / "motion-sensor.yaml"], ("--home", str(program.ROOT / "Config/home.yaml"), "--seed", "1")


def builder(folder: Path) -> tuple[list[Path], tuple[str, ...]]:
    """Two definitions in a folder."""
    definitions = folder / "builder" / "definitions"
    definitions.mkdir(parents=True)
    for name in ("color-light.yaml", "lock.yaml"):
        copy(GALLERY / name, definitions / name)
    return [GALLERY / "garage.yaml"], ("--accessories", str(definitions), "--seed", "1")


SITES.update(scenario=scenario, garage=garage, home=home, builder=builder)
VIEWS: dict[str, Callable[[Stage], Awaitable[None]]] = {}


def view(name: str) -> Callable[[Any], Any]:
    def add(show: Any) -> Any:
        VIEWS[name] = show
        return show

    return add


async def lived_in(site: Site) -> None:
    """Sets the values of an evening at home."""
    await site.ask("PUT", "home/users/Ada", {"home": True})
    for key, name, value in (("Mood Light", "43.25", True), ("Mood Light", "43.13", 265), ("Mood Light", "43.2F", 70),
                             ("Mood Light", "43.8", 80), ("Desk Lamp", "43.25", True), ("Desk Lamp", "43.8", 60),
                             ("Reading Lamp", "43.25", False), ("Coffee Machine", "47.25", True),
                             ("Kilgo Garage", "43.25", False)):
        await site.set(key, name, value, "controller")
    await site.set("Kilgo Garage", "41.32", 1, "controller")


@view("home")
async def show_home(stage: Stage) -> None:
    site = await stage.open("home")
    await lived_in(site)
    await stage.browser.until_state("Mood Light", "80 %")
    await stage.browser.until_state("Garage Door", "Closed")
    await stage.browser.until_state("Desk Lamp", "60 %")
    await stage.browser.until_text(".summary", "Ada is at home")


@view("details")
async def show_details(stage: Stage) -> None:
    await show_home(stage)
    await stage.browser.click("button.tile-more", "Details of Mood Light")
    await stage.browser.find("dialog[open] .wheel")
    await stage.browser.js("document.activeElement.blur()")


@view("automations")
async def show_automations(stage: Stage) -> None:
    await stage.open("home", "automations")
    await stage.browser.click("button", "Edit Night")
    await stage.browser.until("return document.querySelector('.object-editor textarea').value", "the text is shown")


@view("accessories")
async def show_accessories(stage: Stage) -> None:
    site = await stage.open("garage", "accessories")
    session = await site.session("Kilgo Garage")
    await session.subscribe([session.identifier("41", "E"), session.identifier("41", "32")])
    await stage.browser.until_text(".server .columns", "subscription")
    await stage.browser.until("const image = document.querySelector('img.qr'); return image.complete && image.naturalWidth",
                              "the QR code is loaded")


@view("simulation")
async def show_simulation(stage: Stage) -> None:
    site = await stage.open("scenario", "simulation")
    page = stage.browser
    if not (await site.ask("GET", "time"))["paused"]:
        # In the morning, the door opens.
        now = (await site.ask("GET", "time"))["elapsed"]
        await site.ask("POST", "time/advance", {"seconds": 7.5 * 3600 - 1 - now})
        async with asyncio.timeout(30):
            while len((await site.ask("GET", "scenario"))["done"]) < 5:
                await asyncio.sleep(0.05)
        await site.ask("PUT", "time", {"paused": True, "scale": 1})
    await site.ask("POST", "faults", {"name": "latency", "parameters": {"delay": "200ms"}, "server": "Kilgo Garage", "count": 20})
    await page.open(site.page + "#/simulation")
    await page.until("return document.querySelectorAll('.steps [data-outcome]').length > 4", "steps are done")
    await page.until("return document.querySelectorAll('.fault-form option').length > 20", "the faults are loaded")
    await site.ask("DELETE", "faults")


@view("log")
async def show_log(stage: Stage) -> None:
    site = await stage.open("garage", "log")
    page = stage.browser
    session = await site.session("Kilgo Garage")
    await page.click(".toolbar button", "Clear")
    light, brightness = session.identifier("43", "25"), session.identifier("43", "8")
    await session.subscribe([session.identifier("41", "E")])
    await session.get_characteristics([light, brightness])
    for identifier, value in ((light, True), (brightness, 40), (brightness, 70), (light, False)):
        await session.write(identifier, value)
    await page.until_text(".events li", "PUT")
    await page.choose(".toolbar select", "request", 1)
    await page.click(".events summary", "PUT")
    await page.find(".events details[open] pre")


@view("kinds")
async def show_kinds(stage: Stage) -> None:
    await stage.open("builder", "builder")
    await stage.browser.find(".gallery .example", "Switch")


@view("builder")
async def show_builder(stage: Stage) -> None:
    await stage.open("builder", "builder/color-light.yaml")
    page = stage.browser
    await page.find(".builder .add")
    await page.click("button.chip", "Add Color Temperature")
    await page.until("return document.querySelector('.diagnostics').childElementCount === 0", "the draft is checked")


@view("airplay")
async def show_airplay(stage: Stage) -> None:
    [receiver] = (await stage.site("airplay")).ready["receivers"]
    cover = io.BytesIO()
    Image.merge("RGB", [Image.radial_gradient("L"), Image.linear_gradient("L"), Image.new("L", (256, 256), 160)]).save(
        cover, "JPEG")
    sender = Sender(receiver["host"], receiver["port"])
    sender.play("Song of the Garage", cover.getvalue())
    await stage.open("airplay", f"accessories/{SPEAKER}")
    await stage.browser.until('return document.querySelector(".driver img.artwork")?.naturalWidth === 256',
                              "the picture is shown")


async def make(stage: Stage, out: Path, only: str | None) -> None:
    await stage.start()
    page = stage.browser
    await page.cdp("Page.addScriptToEvaluateOnNewDocument", source=CLOCK)
    out.mkdir(parents=True, exist_ok=True)
    for name, show in VIEWS.items():
        if only not in (None, name):
            continue
        await page.look()
        await show(stage)
        for device, size in (("desktop", DESKTOP), ("phone", PHONE)):
            for scheme in ("light", "dark"):
                await page.look(size, scheme=scheme, motion="reduce")
                await page.js("scrollTo(0, 0); document.activeElement.blur();")
                await page.js(STEADY)
                await page.until("return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))",
                                 "the page is drawn")
                file = out / f"{name}-{device}-{scheme}.png"
                file.write_bytes(reduced(await page.do(page.driver.get_screenshot_as_png)))
                say(f"{file.name}: {file.stat().st_size / 1000:.0f} kB")
        await page.press(Keys.ESCAPE)


def reduced(data: bytes) -> bytes:
    """Returns a PNG with all colors, or with as many as its limit allows."""
    picture = Image.open(io.BytesIO(data)).convert("RGB")
    for colors in (None, 256, 128, 64):
        smaller = io.BytesIO()
        shown = picture if colors is None else picture.quantize(colors, method=Image.Quantize.MAXCOVERAGE)
        shown.save(smaller, "PNG", optimize=True)
        if smaller.tell() < LIMIT:
            return smaller.getvalue()
    raise AssertionError(f"a picture has {smaller.tell()} bytes, also with 64 colors")


def main() -> int:
    parser = program.arguments(__doc__)
    parser.add_argument("out", type=Path, help="the folder of the pictures")
    parser.add_argument("--only", choices=VIEWS, help="make the pictures of this view only")
    options = parser.parse_args()
    options.hap = options.hap.resolve()

    async def run(_: Path, folder: Path) -> bool:
        stage = Stage(options, folder)
        try:
            await make(stage, options.out, options.only)
        finally:
            await stage.end()
        return True

    return program.perform(options, "screenshots", run)


if __name__ == "__main__":
    sys.exit(main())
