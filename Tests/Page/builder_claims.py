"""The claims about the builder: an accessory is built by pointing, checked, saved, served, and never lost."""

from __future__ import annotations

import asyncio
import base64
from pathlib import Path
from typing import Any

from browser import Browser, Keys
from stage import GALLERY, Site, Stage, shows

COMMENTED = """\
# Written by hand.
accessory: {name}
services:
  - type: Lightbulb   # in the hall
    characteristics: {{ On: true, Brightness: 40 }}
"""
VENDOR_TYPE = "E863F10D-079E-48FF-8F27-9C2605A29F52"
SAVE = "button.primary"


def folder(site: Site) -> Path:
    return site.server.state.parent / "definitions"


async def begin(stage: Stage, file: str = "", text: str | None = None, *, of: str = "workshop") -> Site:
    """Opens the builder of a site, at a file that is written before."""
    site = await stage.site(of)
    if text is not None:
        (folder(site) / file).write_text(text)
        async with asyncio.timeout(30):
            while not [entry for entry in await site.ask("GET", "definitions") if entry["file"] == file and entry.get("server")]:
                await asyncio.sleep(0.05)
    await stage.browser.open(site.link)
    await stage.browser.go("builder" + (f"/{file}" if file else ""))
    await stage.browser.find(".builder .add" if file else ".builder .gallery .example")
    return site


async def save(page: Browser, file: str) -> None:
    await page.until(f"return document.querySelector('{SAVE}')?.disabled === false", "the draft can be saved")
    await page.click(SAVE, "Save and serve")
    await page.until_text(".message", f"{file} is saved and served.")


async def served(site: Site, name: str) -> dict[str, Any]:
    """Waits until an accessory is served, and returns what the API says about its server."""
    async with asyncio.timeout(30):
        while not (found := [server for server in await site.ask("GET", "servers") if server["name"] == name]):
            await asyncio.sleep(0.05)
    return found[0]


async def until_gone(site: Site, name: str) -> None:
    async with asyncio.timeout(30):
        while [server for server in await site.ask("GET", "servers") if server["name"] == name]:
            await asyncio.sleep(0.05)


async def names(page: Browser, selector: str) -> list[str]:
    return await page.js("return [...document.querySelectorAll(arguments[0])].map((element) => element.textContent)", selector)


async def write_text(page: Browser, text: str) -> None:
    """Replaces the text of the definition."""
    await page.js("""
        const area = document.querySelector("textarea");
        area.value = arguments[0];
        area.dispatchEvent(new Event("input"));""", text)


async def drop(page: Browser, *files: Path) -> None:
    """Drops files on the builder."""
    await page.js("""
        const transfer = new DataTransfer();
        for (const [name, data] of arguments[0]) {
            transfer.items.add(new File([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))], name));
        }
        document.querySelector(".drop").dispatchEvent(
            new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));""",
        [(file.name, base64.b64encode(file.read_bytes()).decode()) for file in files])


@shows("a lamp is built by pointing and served at once; aiohomekit pairs with it, and it is there after a restart")
async def build(stage: Stage) -> None:
    site = await begin(stage)
    page = stage.browser
    await page.click(".buttons button", "An accessory")
    await page.click("button", "Remove Switch")
    await page.click("summary", "All services")
    await page.click("button.chip", "Add Light Bulb")
    await page.click("button.chip", "Add Brightness")
    await page.click(".characteristic input.switch", "Value of On")
    await save(page, "new-accessory.yaml")
    await page.until("return location.hash === '#/builder/new-accessory.yaml'", "the address is that of the file")
    entry = await served(site, "New Accessory")
    session = await site.session("New Accessory", entry)
    light, brightness = session.identifier("43", "25"), session.identifier("43", "8")
    assert (await session.get_characteristics([light]))[light]["value"] == 1
    await session.write(brightness, 30)
    await page.go("home")
    await page.until_state("Light Bulb", "30 %")

    await site.restart()
    await page.until("return document.querySelector('.connection').dataset.state === 'live'", "the connection is back")
    await page.until_state("Light Bulb", "30 %")
    entry = await served(site, "New Accessory")
    assert entry["paired"], entry
    session = await site.session("New Accessory", entry)
    assert (await session.get_characteristics([brightness]))[brightness]["value"] == 30
    await page.go("builder/new-accessory.yaml")
    await page.find(".characteristic", "Brightness")


@shows("services and characteristics are added by names that exist, moved and removed; every step is undone and redone")
async def steps(stage: Stage) -> None:
    await begin(stage)
    page = stage.browser
    await page.click(".buttons button", "An accessory")
    await page.js("document.querySelector('#' + CSS.escape([...document.querySelectorAll('label')]"
                  ".find((label) => label.textContent === 'Add a service').htmlFor)).focus()")
    await page.press("frobnicator", Keys.ENTER)
    await page.until("return document.activeElement.validationMessage.includes('no service named')", "the name is refused")
    await page.press(*[Keys.BACKSPACE] * len("frobnicator"), "contact sensor", Keys.ENTER)
    heads = ".service-card .card-head h3"
    await page.until("return document.querySelectorAll('.service-card').length === 2", "the service is added")
    assert await names(page, heads) == ["Switch", "Contact Sensor"]
    await page.click("button", "Move Contact Sensor up")
    assert await names(page, heads) == ["Contact Sensor", "Switch"]
    await page.click("button.chip", "Add Status Tampered")
    rows = "h2 + .service-card .characteristic-name"
    before = await names(page, rows)
    assert before == ["Contact Sensor State", "Status Tampered"], before
    await page.click("button", "Move Status Tampered up")
    assert await names(page, rows) == before[::-1]
    await page.click("button", "Remove Contact Sensor State")
    assert await names(page, rows) == before[1:]
    await page.click("button", "Remove Switch")
    assert await names(page, heads) == ["Contact Sensor"]
    for _ in range(6):
        await page.click("button", "Undo")
    assert await names(page, heads) == ["Switch"]
    assert await page.js("return [...document.querySelectorAll('button')].find((b) => b.textContent === 'Undo').disabled")
    for _ in range(6):
        await page.click("button", "Redo")
    assert await names(page, heads) == ["Contact Sensor"]
    assert await names(page, rows) == before[1:]


@shows("a vendor's characteristic gets a UUID, a range and a step, and aiohomekit sees them")
async def vendor(stage: Stage) -> None:
    site = await begin(stage, "vendor.yaml", COMMENTED.format(name="Vendor Lamp"))
    page = stage.browser
    await page.write(".service-card .add input", "", VENDOR_TYPE + Keys.ENTER)
    row = f".characteristic[data-path$='{VENDOR_TYPE}']"
    await page.click(f"{row} summary", "Metadata")
    for key, value in (("format", "float"), ("range", "0...10"), ("step", "0.5"), ("unit", "seconds"), ("description", "Fade")):
        await page.write(f"{row} [data-focus$='.{key}']", "", value)
    await page.write(f"{row} [data-focus$='=']", "", "2.5")
    await save(page, "vendor.yaml")
    session = await site.session("Vendor Lamp", await served(site, "Vendor Lamp"))
    found = [c for a in await session.list_accessories_and_characteristics() for s in a["services"]
             for c in s["characteristics"] if c["type"] == VENDOR_TYPE]
    assert len(found) == 1, found
    wanted = {"format": "float", "minValue": 0, "maxValue": 10, "minStep": 0.5, "unit": "seconds", "value": 2.5, "description": "Fade"}
    assert wanted.items() <= found[0].items(), found


@shows("a mistake is shown at its place, with a link to it, and the file and its server stay as they are")
async def mistakes(stage: Stage) -> None:
    text = COMMENTED.format(name="Strict Lamp")
    site = await begin(stage, "strict.yaml", text)
    page = stage.browser
    await page.write(".characteristic [data-focus$='Brightness=']", "", "400")
    await page.until_text(".characteristic[data-path$='Brightness'] .field-error", "100")
    assert await page.js(f"return document.querySelector('{SAVE}').disabled")
    await page.click(".diagnostics .text-button", "Brightness")
    assert await page.js("return document.activeElement.value") == "400"
    await page.click("[role=tab]", "Text")
    await write_text(page, "accessory: Strict Lamp\nservices:\n  - type: [")
    await page.until_text(".diagnostics li", "line")
    assert await page.js(f"return document.querySelector('{SAVE}').disabled")
    # A map where a text belongs is shown as it is written.
    await write_text(page, "accessory: Strict Lamp\nmodel: { a: 1 }\nservices: [{ type: Switch }]")
    await page.until("return document.querySelector('[data-path=model] input')?.value === arguments[0]", "the map is shown", '{"a":1}')
    assert await page.js(f"return document.querySelector('{SAVE}').disabled")
    assert (folder(site) / "strict.yaml").read_text() == text
    assert await site.value("Strict Lamp", "43.8") == 40


@shows("the form says that comments would be lost and keeps a copy; the text keeps them")
async def comments(stage: Stage) -> None:
    text = COMMENTED.format(name="Noted Lamp")
    site = await begin(stage, "noted.yaml", text)
    page = stage.browser
    await page.click("[role=tab]", "Text")
    changed = text.replace("40", "50")
    await write_text(page, changed)
    await page.until("return document.querySelector('.diagnostics')?.childElementCount === 0", "the text is checked")
    notices = await page.js("return [...document.querySelectorAll('.notice')].filter((e) => e.checkVisibility()).length")
    assert notices == 0, notices
    await save(page, "noted.yaml")
    assert (folder(site) / "noted.yaml").read_text() == changed
    await page.click("[role=tab]", "Form")
    await page.write(".characteristic [data-focus$='Brightness=']", "", "60")
    await page.until_text(".notice", "removes the comments")
    await page.js("document.querySelector('.message')?.remove()")
    await save(page, "noted.yaml")
    saved = (folder(site) / "noted.yaml").read_text()
    assert "60" in saved and "#" not in saved, saved
    copies = [copy.read_text() for copy in folder(site).glob("noted.yaml*.bak")]
    assert changed in copies, copies


@shows("two pages that edit one accessory: the second is told, and can keep either version")
async def two_pages(stage: Stage) -> None:
    site = await begin(stage, "shared.yaml", "accessory: Shared Lamp\nservices: [{ type: Lightbulb, characteristics: { On: true } }]\n")
    page = stage.browser
    first = await page.do(lambda: page.driver.current_window_handle)
    await page.write("[data-path=manufacturer] input", "", "First")
    await page.do(page.driver.switch_to.new_window, "tab")
    try:
        await page.open(f"{site.page}#/builder/shared.yaml")
        await page.write("[data-path=manufacturer] input", "", "Second")
        await save(page, "shared.yaml")
    finally:
        await page.do(page.driver.close)
        await page.do(page.driver.switch_to.window, first)
    await page.until_text(".notice", "has been changed by another page or program")
    file = folder(site) / "shared.yaml"
    assert "Second" in file.read_text()
    assert await page.js("return document.querySelector('[data-path=manufacturer] input').value") == "First"
    await page.click(".notice button", "Load the changed file")
    await page.until("return document.querySelector('[data-path=manufacturer] input').value === 'Second'", "the file is shown")
    await page.click("button", "Undo")
    await page.until("return document.querySelector('[data-path=manufacturer] input').value === 'First'", "the draft is shown")
    await save(page, "shared.yaml")
    assert "First" in file.read_text()


@shows("a file that changes on disk meanwhile is shown, not overwritten, and a copy of it is kept")
async def disk(stage: Stage) -> None:
    text = "accessory: Moving Lamp\nservices: [{ type: Lightbulb, characteristics: { On: true } }]\n"
    site = await begin(stage, "moving.yaml", text)
    page = stage.browser
    file = folder(site) / "moving.yaml"
    await page.write("[data-path=model] input", "", "Page")
    theirs = text + "model: Disk\n"
    file.write_text(theirs)
    await page.until_text(".notice", "has been changed by another page or program")
    assert file.read_text() == theirs
    await page.click(".notice button", "Save this draft")
    await page.until_text(".message", "moving.yaml is saved and served.")
    assert "Page" in file.read_text()
    assert theirs in [copy.read_text() for copy in folder(site).glob("moving.yaml*.bak")]
    # Without a draft, the change is shown at once.
    file.write_text(text + "model: Again\n")
    await page.until("return document.querySelector('[data-path=model] input')?.value === 'Again'", "the change is shown")
    file.unlink()
    await page.until_text(".notice", "has been deleted by another page or program")
    await until_gone(site, "Moving Lamp")
    await page.click(".notice button", "Save this draft as the file again")
    await served(site, "Moving Lamp")
    assert "Again" in file.read_text()


@shows("exports of Apple's simulator and definitions are dropped, and a definition is exported in three formats")
async def files(stage: Stage) -> None:
    site = await begin(stage)
    page = stage.browser
    await drop(page, GALLERY / "garage.hasaccessory")
    await page.find(".service-card h3", "Garage Door Opener")
    await page.write("[data-path=accessory] input", "", "Dropped Garage")
    await save(page, "dropped-garage.yaml")
    entry = await served(site, "Dropped Garage")
    assert entry["category"] == 4, entry
    await page.find("a.button", "Setup code")
    links = await page.js("return [...document.querySelectorAll('a.button')].map((a) => [a.textContent, a.getAttribute('href')])")
    exports = [link for text, link in links if "Export" in text]
    assert [link.rpartition("=")[2] for link in exports] == ["yaml", "hasaccessory", "json"], links
    assert ("Setup code and values", "#/accessories/Dropped%20Garage") in map(tuple, links), links
    for link in exports:
        answer = await site.api.ask("GET", link)
        assert answer.status == 200 and answer.body, (link, answer)
        if "hasaccessory" in link:
            exported = site.server.state.parent / "exported.hasaccessory"
            exported.write_bytes(answer.body)
    await page.go("builder")
    await page.click("a", "Create or import")
    await page.find(".drop")
    await drop(page, exported)
    await page.find(".service-card h3", "Garage Door Opener")
    await page.go("home")
    await page.go("builder")
    await page.find(".service-card h3", "Garage Door Opener")
    await page.click("a", "Create or import")
    await page.until_alert("Discard the changes", accept=True)
    await page.find(".drop")
    nonsense = site.server.state.parent / "nonsense.hasaccessory"
    nonsense.write_bytes(b"\0\1\2nothing")
    await drop(page, nonsense)
    await page.until_text(".errors .message", "nonsense.hasaccessory")


@shows("a deleted definition ends its server and leaves a copy; an example begins a new one")
async def deletion(stage: Stage) -> None:
    site = await begin(stage)
    page = stage.browser
    await page.write("input[type=search]", "", "contact")
    await page.click(".gallery .example")
    await page.write("[data-path=accessory] input", "", "Short Contact")
    await save(page, "short-contact.yaml")
    await served(site, "Short Contact")
    await page.click("button.danger", "Delete")
    await page.until_alert("Delete short-contact.yaml?", accept=True)
    await page.until_text(".message", "short-contact.yaml is deleted.")
    await until_gone(site, "Short Contact")
    assert not (folder(site) / "short-contact.yaml").exists()
    assert list(folder(site).glob("short-contact.yaml*.bak"))
    await page.until("return location.hash === '#/builder'", "the address is that of the builder")


@shows("without a folder for definitions, the builder says how to get one")
async def no_folder(stage: Stage) -> None:
    await stage.open("markup", "builder")
    page = stage.browser
    await page.until_text(".notice", "hap serve --accessories DIR")
    await page.click(".buttons button", "An accessory")
    await page.until_text(".quiet", "1 accessory")
    assert await page.js(f"return document.querySelector('{SAVE}').disabled")


@shows("a draft survives the end of the session: after the token is entered, it can be saved")
async def session(stage: Stage) -> None:
    site = await begin(stage)
    page = stage.browser
    await page.click(".buttons button", "An accessory")
    await page.write("[data-path=accessory] input", "", "Kept Switch")
    await page.js("return fetch('/api/v1/session', { method: 'DELETE' })")
    await page.write("form.access input", "", site.api.token + Keys.ENTER)
    await page.until("return document.querySelector('.connection')?.dataset.state === 'live'", "the page is open")
    await page.until("return document.querySelector('[data-path=accessory] input')?.value === 'Kept Switch'", "the draft is shown")
    await save(page, "kept-switch.yaml")
    assert "Kept Switch" in (folder(site) / "kept-switch.yaml").read_text()


@shows("an export in the folder is not overwritten, and the page says why instead of calling it deleted")
async def export_in_folder(stage: Stage) -> None:
    export = (GALLERY / "garage.hasaccessory").read_bytes()
    site = await begin(stage)
    page = stage.browser
    file = folder(site) / "kilgo.hasaccessory"
    file.write_bytes(export)
    await page.find("a[href$='kilgo.hasaccessory']")
    await page.go("builder/kilgo.hasaccessory")
    # It is also shown while another file has its device ID.
    await page.find("[data-path=accessory] input")
    (folder(site) / "dropped-garage.yaml").unlink(missing_ok=True)
    await until_gone(site, "Dropped Garage")
    await page.write("[data-path=accessory] input", "", "Edited Garage")
    await page.until(f"return document.querySelector('{SAVE}')?.disabled === false", "the draft can be saved")
    await page.click(SAVE, "Save and serve")
    await page.until_text(".errors .message", "import it")
    assert not await page.js("return document.querySelector('.notice:not([hidden])')?.textContent.includes('deleted')")
    assert file.read_bytes() == export
    await page.click("button", "Undo")
    file.unlink()
