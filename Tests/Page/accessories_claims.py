"""The claims about the view of the accessories: pairing, sessions, controls and charts."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from browser import Keys
from sessions import BRIGHTNESS, LIGHTBULB, ON
from stage import Stage, quoted, shows

PANEL = "return document.querySelector('.server h2')?.textContent === arguments[0]"


async def show(stage: Stage, name: str) -> Any:
    """Opens the page at an accessory."""
    site = await stage.open("house", "accessories")
    await stage.browser.click(".server-list a", name)
    await stage.browser.until(PANEL, f"{name} is shown", name)
    return site


@shows("an accessory has its setup code and a QR code, which decodes to the setup URI")
async def qr_code(stage: Stage) -> None:
    site = await show(stage, "Hallway Motion")
    page = stage.browser
    entry = site.entry("Hallway Motion")
    await page.until_text(".setup-code", entry["setupCode"])
    assert entry["deviceID"] in await page.until_text(".facts", str(entry["port"]))
    await page.until("const image = document.querySelector('img.qr'); return image.complete && image.naturalWidth",
                     "the QR code is loaded")
    await page.look(scheme="dark")
    image = stage.folder / "qr.png"
    element = await page.find("img.qr")
    image.write_bytes(await page.do(lambda: element.screenshot_as_png))
    await page.look()
    assert await decoded(image) == entry["setupURI"]


async def decoded(image: Path) -> str:
    child = await asyncio.create_subprocess_exec(
        "zbarimg", "--quiet", "--raw", "--oneshot", str(image), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE)
    output, _ = await child.communicate()
    return output.decode().strip()


@shows("a controller that pairs appears with its session and its subscriptions; its pairing is removed after a question")
async def pairing(stage: Stage) -> None:
    site = await show(stage, "Reading Lamp")
    page = stage.browser
    await page.until_text(".server .columns", "No controller is paired.")
    await page.until_text(".server .columns", "No controller is connected.")
    session = await site.session("Reading Lamp")
    name = session.pairing_data["iOSPairingId"]
    await page.until("return document.querySelectorAll('.server .columns code').length === 2", "pairing and session appear")
    texts = await page.js("return [...document.querySelectorAll('.server .columns code')].map((code) => code.textContent)")
    assert texts == [name, name], (texts, name)
    await page.until_text(".server-list a[aria-current]", "paired")
    await page.until("return !document.querySelector('.server-list a[aria-current]').textContent.includes('not paired')",
                     "the list says that it is paired")
    await session.subscribe([session.identifier(LIGHTBULB, ON)])
    await page.until_text(".server .columns", " · 1 subscription")
    await page.until_text(".characteristic[data-id='1.11'] .subscribers", f"events to {name.partition('-')[0]}")
    await page.click("button.danger", f"Remove the pairing of {name}")
    await page.until_alert(name, accept=False)
    assert len(await site.ask("GET", "servers/Reading%20Lamp/pairings")) == 1, "removed without a confirmation"
    await page.click("button.danger", f"Remove the pairing of {name}")
    await page.until_alert(name, accept=True)
    await page.until_text(".server .columns", "No controller is paired.")
    # aiohomekit may connect again at once, and is refused.
    await page.until("return !document.querySelector('.server .columns').textContent.includes(arguments[0])",
                     "its session is closed", name)
    await page.until_text(".server-list a[aria-current]", "not paired")
    assert await site.ask("GET", "servers/Reading%20Lamp/pairings") == []
    assert await session.refuses_to_return(20)
    await site.sessions.pop("Reading Lamp").shutdown()


@shows("the search finds services and characteristics by name, and says when there is none")
async def search(stage: Stage) -> None:
    await show(stage, "Kilgo Garage")
    page = stage.browser

    async def shown(text: str) -> list[str]:
        await page.write(".toolbar input[type=search]", "", text)
        return await page.js("""return [...document.querySelectorAll("details.service")]
            .filter((details) => details.checkVisibility())
            .map((details) => details.querySelector("summary span").textContent);""")

    everything = await shown(Keys.BACKSPACE)
    assert {"Garage Door", "Garage Light"} < set(everything), everything
    assert await shown("obstruction") == ["Garage Door"]
    assert await shown("GARAGE LIGHT") == ["Garage Light"]
    assert await shown("no such thing") == []
    await page.until_text(".services", "No service or characteristic has this name.")


@shows("switch, slider, stepper, choice, text and bytes: each control writes, and shows what others write")
async def controls(stage: Stage) -> None:
    site = await show(stage, "Controls")
    page = stage.browser

    async def until_value(characteristic: str, expected: Any) -> None:
        for _ in range(100):
            if await site.value("Controls", characteristic) == expected:
                return
            await asyncio.sleep(0.05)
        value = await site.value("Controls", characteristic)
        raise AssertionError(f"{characteristic} is {value!r}, not {expected!r}")

    uuid = "7E536242-341C-4862-BE90-272CE15BD64{}".format
    label, payload, count = f"43.{uuid(1)}", f"43.{uuid(2)}", f"43.{uuid(3)}"
    await site.set("Controls", "43.25", False)
    await page.until("return !document.querySelector('.service input[aria-label=\"On\"]').checked", "it is off")
    await page.click(".service input.switch", "On")
    await until_value("43.25", True)
    slider = await page.find(".service input[type=range]", "Brightness")
    await page.js("arguments[0].focus()", slider)
    await page.press(Keys.HOME, Keys.ARROW_RIGHT)
    await until_value("43.8", 1)
    await page.click(".service button.step", "More: Count")
    await until_value(count, 3)
    await page.click(".service button.step", "Less: Count")
    await until_value(count, 2)
    await page.write(".service .stepper input", "Count", "5")
    await until_value(count, 5)
    await page.click(".service button.step", "More: Count")
    await page.js("document.querySelector(\".service select[aria-label^='Target Heater']\").focus()")
    await page.press(Keys.ARROW_UP)
    await until_value("BC.B2", 1)
    await page.write(".service input[type=text]", "Label", "<second>")
    await until_value(label, "<second>")
    await page.write(".service input.hex", "Payload", "zz")
    await page.until_text(".field-error", "pairs of the digits")
    assert await site.value("Controls", payload) == "AQID"
    await page.write(".service input.hex", "Payload", "ca fe 00")
    await until_value(payload, "yv4A")
    await page.until("return document.querySelector('.bytes .field-error').textContent === ''", "the mistake is no longer shown")
    assert await site.value("Controls", count) == 5, "the stepper exceeds its range"

    for name, value, script in (
            ("43.25", False, "return document.querySelector('.service input[aria-label=\"On\"]').checked === false"),
            ("43.8", 77, "return document.querySelector('.service input[type=range][aria-label=Brightness]').value === '77'"),
            (count, 1, "return document.querySelector('.service .stepper input[aria-label=Count]').value === '1'"),
            ("BC.B2", 2, "return document.querySelector(\".service select[aria-label^='Target Heater']\").value === '2'"),
            (label, "third", "return document.querySelector('.service input[aria-label=Label]').value === 'third'"),
            (payload, "AAEC", "return document.querySelector('.service input.hex').value === '00 01 02'")):
        await site.set("Controls", name, value)
        await page.until(script, f"{name} is shown as {value}")


@shows("a value that is refused is reported, and the control shows the valid one again")
async def refused(stage: Stage) -> None:
    site = await show(stage, "Controls")
    page = stage.browser
    label = "43.7E536242-341C-4862-BE90-272CE15BD641"
    await site.set("Controls", label, "valid")
    await page.until("return document.querySelector('.service input[aria-label=Label]')?.value === 'valid'", "the label is shown")
    await page.write(".service input[type=text]", "Label", "x" * 80)
    await page.until_text(".errors .message", "Controls")
    await page.until("return document.querySelector('.service input[aria-label=Label]').value === 'valid'", "the old label is back")
    assert await site.value("Controls", label) == "valid"
    await page.click(".errors .message button", "Close")
    await page.until("return !document.querySelector('.errors .message')", "the message is closed")


@shows("a value is set as the device if the user says so, and aiohomekit receives it")
async def as_device(stage: Stage) -> None:
    site = await show(stage, "Desk Lamp")
    page = stage.browser
    session = await site.session("Desk Lamp")
    brightness = session.identifier(LIGHTBULB, BRIGHTNESS)
    await session.subscribe([brightness])
    await page.choose(".server .toolbar select", "device")
    slider = await page.find(".service input[type=range]", "Brightness")
    await page.js("arguments[0].focus()", slider)
    await page.press(Keys.END, Keys.ARROW_LEFT)
    await session.expect_event(brightness, 99, 10)


@shows("what controllers cannot write is changed as the device only")
async def read_only(stage: Stage) -> None:
    site = await show(stage, "Kilgo Garage")
    page = stage.browser
    row = "[...document.querySelectorAll('tr.characteristic')].find((each) => each.textContent.startsWith('Obstruction'))"
    await page.until(f"return {row}?.textContent.includes('Clear')", "its value is a text")
    assert not await page.js(f"return {row}.querySelector('input')"), "a controller can write it"
    assert await page.js("return document.querySelector('.service select[aria-label=\"Target Door State\"]')")
    await page.choose(".server .toolbar select", "device")
    await page.click(".service input.switch", "Obstruction Detected")
    await page.until(f"return {row}.querySelector('input').checked", "it is obstructed")
    assert await site.value("Kilgo Garage", "41.24") is True


@shows("a chart of a simulated day shows hours that were jumped over, and follows")
async def simulated_day(stage: Stage) -> None:
    site = await stage.site("workshop")
    page = stage.browser
    key = site.ready["servers"][0]["key"]
    for value in (False, True, False):
        await site.set(key, "47.25", value)
        await site.ask("POST", "time/advance", {"seconds": 6 * 3600})
    await page.open(site.link)
    await page.go(f"accessories/{quoted(key)}")
    await page.click("button", "History of On")
    await page.choose(".chart select", "simulatedDay")
    await page.click(".chart summary", "As a table")

    async def hours() -> list[int]:
        times = await page.js("return [...document.querySelectorAll('.chart tbody tr')].map((row) => row.firstChild.textContent)")
        return [int(time.rpartition(" ")[2].split(":")[0]) for time in times]

    await page.until("return document.querySelectorAll('.chart tbody tr').length >= 3", "the table is shown")
    shown = await hours()
    assert [(a - b) % 24 for a, b in zip(shown, shown[1:])][:2] == [6, 6], shown
    axis = await page.js("return [...document.querySelectorAll('.chart-axis span')].map((e) => e.textContent)")
    assert int(axis[2].rpartition(" ")[2].split(":")[0]) == (shown[0] + 6) % 24, (axis, shown)
    await site.set(key, "47.25", True)
    await page.until("return document.querySelectorAll('.chart tbody tr').length >= arguments[0]", "the new value is shown",
                     len(shown) + 1)
    assert (await hours())[0] == (shown[0] + 6) % 24


@shows("the history of a value is a chart with a table, which follows new values")
async def chart(stage: Stage) -> None:
    site = await stage.site("house")
    for value in (20, 80, 40):
        await site.set("Controls", "43.8", value)
    await show(stage, "Controls")
    page = stage.browser
    await page.click("button", "History of Brightness")
    drawing = await page.until("return document.querySelector('.chart-drawing')?.getAttribute('aria-label')", "the chart is drawn")
    assert "now 40" in drawing and "from" in drawing, drawing
    line = await page.js("return document.querySelector('.chart-drawing path').getAttribute('d')")
    assert line.count("V") >= 3, line
    await page.click(".chart summary", "As a table")
    # The table is filled by the event that follows the click.
    rows = await page.until("const rows = [...document.querySelectorAll('.chart tbody tr')]; "
                            "return rows.length >= 3 && rows.map((row) => row.lastChild.textContent)", "the table is filled")
    assert rows[:3] == ["40 %", "80 %", "20 %"], rows
    await site.set("Controls", "43.8", 41)
    await page.until("return document.querySelector('.chart-drawing').getAttribute('aria-label').includes('now 41')",
                     "the chart has the new value")
    assert await page.js("return document.querySelector('.chart details').open"), "a new value has closed the table"
    await page.until("return document.querySelector('.chart tbody td:last-child').textContent === '41 %'", "the table has it")


@shows("a row of a characteristic is at most 40 pixels high, and the address and the payload are copied by a click")
async def density(stage: Stage) -> None:
    site = await show(stage, "Kilgo Garage")
    page = stage.browser
    await page.until("return document.querySelectorAll('tr.characteristic').length > 8", "the characteristics are shown")
    heights = await page.js("return [...document.querySelectorAll('tr.characteristic')].map((row) => row.offsetHeight)")
    assert max(heights) <= 40, heights
    port = site.entry("Kilgo Garage")["port"]
    for name, value in (("Address", f"127.0.0.1:{port}"), ("Setup payload", site.entry("Kilgo Garage")["setupURI"])):
        await page.until_text(".facts", value)
        await page.js("navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }")
        await page.click("button.copy", f"Copy: {name}")
        await page.until_text(".message", f"{name} is copied.")
        assert await page.js("return window.copied") == value


@shows("Identify is received by the accessory")
async def identify(stage: Stage) -> None:
    site = await show(stage, "Hallway Motion")
    page = stage.browser
    await page.click(".server-head button", "Identify")
    await page.until_text(".message", "Hallway Motion identifies itself.")
    events = await site.ask("GET", "events/latest?limit=100&after=0")
    assert any(event["kind"] == "identify" for event in events), {event["kind"] for event in events}
