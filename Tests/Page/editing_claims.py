"""The claims about editing a home on the page: names, rooms, scenes and automations."""

from __future__ import annotations

from stage import Stage, shows

# Drags a tile onto the room with a name, with the events of a browser.
DRAG = """
const [name, room] = arguments;
const tile = [...document.querySelectorAll(".tile")].find((each) => each.querySelector(".tile-name").textContent === name);
const target = [...document.querySelectorAll("section.room")].find((each) => each.ariaLabel === room);
const dataTransfer = new DataTransfer();
const send = (element, type) =>
    element.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
send(tile, "dragstart");
if (send(target, "dragover")) throw new Error("the room does not accept the tile");
send(target, "drop");
"""
TILES = """
const room = [...document.querySelectorAll("section.room")].find((each) => each.ariaLabel === arguments[0]);
return [...room?.querySelectorAll(".tile-name") ?? []].map((each) => each.textContent).join() === arguments[1];
"""
NIGHT = "when: { time: \"23:15\" }\nrun: [Night]\n"


def text(stage: Stage) -> str:
    return (stage.folder / "edited.yaml").read_text()


@shows("an accessory is put into a room by a control and by dragging, and the file of the home says so")
async def rooms(stage: Stage) -> None:
    await stage.open("edited")
    page = stage.browser
    await page.until(TILES, "the lamp has no room", "Not in a room of this home", "Desk Lamp")
    await page.choose(".placing select", "Hall")
    await page.until_text(".message", "Desk Lamp is now in Hall.")
    await page.until(TILES, "the lamp is in the hall", "Hall", "Desk Lamp")
    assert "  - accessory: Desk Lamp\n    room: Hall\n" in text(stage), text(stage)
    await page.js(DRAG, "Desk Lamp", "Garage")
    await page.until(TILES, "the lamp is in the garage", "Garage", "Garage Door,Garage Light,Desk Lamp")
    assert "  - accessory: Desk Lamp\n    room: Garage\n" in text(stage), text(stage)
    assert text(stage).startswith("# Ours.\n"), "the comments are lost"


@shows("rooms are added, renamed by a click and removed; a name that is taken is refused in a sentence")
async def names(stage: Stage) -> None:
    await stage.open("edited")
    page = stage.browser
    await page.click("button", "Add a room")
    await page.answer("Attic")
    await page.until(TILES, "the room is added", "Attic", "")
    await page.click("button.edit-name", "Rename Attic")
    await page.write(".rename input", "", "Garage")
    await page.click(".rename button.primary")
    await page.until_text(".errors .message", "Garage")
    await page.write(".rename input", "", "Loft")
    await page.click(".rename button.primary")
    await page.until("return [...document.querySelectorAll('.room h2')].some((each) => each.textContent === 'Loft')",
                     "the room has its new name")
    await page.click("button.edit-name", "Rename Loft")
    await page.click(".rename button", "Remove")
    await page.until_alert("Loft", accept=True)
    await page.until("return ![...document.querySelectorAll('section.room')].some((each) => each.ariaLabel === 'Loft')",
                     "the room is removed")
    assert "Loft" not in text(stage) and "Attic" not in text(stage), text(stage)


@shows("an automation is edited as text with errors at their place, and reads as a sentence afterwards")
async def automation(stage: Stage) -> None:
    await stage.open("edited", "automations")
    page = stage.browser
    await page.until_text("main li", "At 22:30, every day: Night.")
    await page.click("button", "Edit Bedtime")
    await page.until("return document.querySelector('.object-editor textarea').value.includes('22:30')", "the text is shown")
    await page.write(".object-editor textarea", "", NIGHT.replace("23:15", "25:15"))
    await page.click(".object-editor button.primary")
    await page.until_text(".object-editor .field-error", "Line 1: ")
    before = text(stage)
    await page.write(".object-editor textarea", "", NIGHT)
    await page.click(".object-editor button.primary")
    await page.until_text("main li", "At 23:15, every day: Night.")
    assert await page.js("return document.activeElement.ariaLabel") == "Edit Bedtime", await page.focused()
    assert text(stage) == before.replace("22:30", "23:15"), text(stage)
    await page.click("button", "Add a scene")
    await page.write(".object-editor input", "", "Bright")
    await page.click(".object-editor button.primary")
    await page.until_text("main li", "Turn on Garage Light.")
    assert "  Bright:" in text(stage), text(stage)


@shows("a scene that was changed by another program meanwhile is shown, and only replaced on request")
async def conflict(stage: Stage) -> None:
    site = await stage.open("edited", "automations")
    page = stage.browser
    await page.click("button", "Edit Night")
    await page.until("return document.querySelector('.object-editor textarea').value.includes('Garage Light')", "the text is shown")
    # Another change of the home does not matter.
    change = {"operation": "change", "kind": "scene", "name": "Night"}
    await site.ask("POST", "home/edit", {"operation": "add", "kind": "room", "name": "Cellar"})
    mine = "- { set: Garage Light/Brightness, to: 10 }\n"
    await page.write(".object-editor textarea", "", mine)
    await page.click(".object-editor button.primary")
    await page.until_text("main li", "Set the brightness of Garage Light to 10 %.")
    await page.click("button", "Edit Night")
    await page.until("return document.querySelector('.object-editor textarea').value.includes('to: 10')", "the text is shown")
    await site.ask("POST", "home/edit", change | {"content": "[{ set: Garage Light/Brightness, to: 20 }]"})
    await page.write(".object-editor textarea", "", mine.replace("10", "30"))
    await page.click(".object-editor button.primary")
    await page.until_text(".object-editor pre", "to: 20")
    assert "to: 20" in text(stage) and "to: 30" not in text(stage), text(stage)
    await page.click(".object-editor button", "Replace it with mine")
    await page.until_text("main li", "Set the brightness of Garage Light to 30 %.")


@shows("a kind is found by an everyday word; what is saved shows its code, and is put into a room")
async def build(stage: Stage) -> None:
    await stage.open("edited", "builder")
    page = stage.browser
    await page.find(".gallery .example", "Switch")
    await page.write(".builder input[type=search]", "", "plug")
    found = await page.js("return [...document.querySelectorAll('.example strong')].map((each) => each.textContent)")
    assert found == ["Outlet", "Power strip"], found
    await page.click(".example", "Outlet")
    await page.until("return document.querySelector('.sticky .primary')?.disabled === false", "the draft can be saved")
    await page.click(".sticky .primary")
    await page.until("return document.querySelector('.pair .setup-code')?.checkVisibility()", "the code is shown")
    await page.choose(".details-room select", "Hall")
    await page.until_text(".message", "Coffee Machine is now in Hall.")
    await page.go("home")
    await page.until(TILES, "it is in the hall", "Hall", "Coffee Machine")


@shows("a home that has no file of its own is shown without controls that edit it")
async def read_only(stage: Stage) -> None:
    await stage.open("scenario")
    page = stage.browser
    await page.until_text("h1", "House of a scenario")
    assert not await page.js("return document.querySelector('.edit-name, .placing, .home-end')")
    await page.go("automations")
    await page.until_text("h2", "Scenes")
    assert not await page.js("return [...document.querySelectorAll('main button')].some((each) => /Edit|Add/.test(each.textContent))")
