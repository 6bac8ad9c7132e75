"""The claims about the view of the home: tiles, details, phrases, scenes, groups, automations and people."""

from __future__ import annotations

import asyncio

from browser import Browser, Keys
from sessions import BRIGHTNESS, CURRENT_DOOR_STATE, GARAGE_DOOR_OPENER, LIGHTBULB, TARGET_DOOR_STATE
from stage import Stage, shows
from waiting import until

# Records each position of the door with a name, and whether its drawing has moved.
RECORD_DOOR = """
const tile = [...document.querySelectorAll(".tile")]
    .find((tile) => tile.querySelector(".tile-name").textContent === arguments[0]);
window.positions = new Set();
window.drawings = new Set();
window.states = new Set();
const record = () => {
    positions.add(tile.querySelector(".tile-icon").style.getPropertyValue("--position"));
    drawings.add(getComputedStyle(tile.querySelector(".garage-door")).transform);
    states.add(tile.querySelector(".tile-state").textContent);
    requestAnimationFrame(record);
};
record();
"""

SWITCH = """
return [...document.querySelectorAll("main input.switch")].find((input) => input.ariaLabel === arguments[0])"""


@shows("a click on the garage opens its door: the tile moves, and aiohomekit receives the events")
async def door(stage: Stage) -> None:
    site = await stage.open("house")
    page = stage.browser
    await site.ask("PUT", "time", {"scale": 6})
    session = await site.session("Kilgo Garage")
    target = session.identifier(GARAGE_DOOR_OPENER, TARGET_DOOR_STATE)
    current = session.identifier(GARAGE_DOOR_OPENER, CURRENT_DOOR_STATE)
    await session.subscribe([target, current])
    try:
        await page.until_state("Garage Door", "Closed")
        await page.js(RECORD_DOOR, "Garage Door")
        await page.click_tile("Garage Door")
        await page.until_state("Garage Door", "Opening")
        await page.until("return states.has('Open')", "the open door is drawn")
        positions, drawings, states = await page.js("return [[...positions], [...drawings], [...states]]")
        assert len(positions) >= 3, positions
        assert len(drawings) >= 3, drawings
        assert [state for state in states if state in ("Closed", "Opening", "Open")] == ["Closed", "Opening", "Open"], states
        for identifier, value in ((target, 0), (current, 2), (current, 0)):
            await session.expect_event(identifier, value, 10)
    finally:
        await site.ask("PUT", "time", {"scale": 1})
        await session.unsubscribe([target, current])
        await site.set("Kilgo Garage", "41.32", 1, "controller")


@shows("a long press, Enter and the button open the details; Escape closes them, and the focus returns to the tile")
async def details(stage: Stage) -> None:
    await stage.open("house")
    page = stage.browser
    state = await page.state("Desk Lamp")

    async def is_open() -> None:
        await page.until("return document.querySelector('dialog[open] h2')?.textContent === 'Desk Lamp'", "the details are open")
        assert await page.js("return document.querySelector('dialog').contains(document.activeElement)"), "no focus in the dialog"

    async def close(selector: str) -> None:
        await page.press(Keys.ESCAPE)
        await page.until("return !document.querySelector('dialog')", "the details are closed")
        focused = await page.focused()
        assert await page.js(f"return document.activeElement.matches('{selector}')"), f"the focus is on {focused}"

    await page.hold(await page.tile("Desk Lamp"), 0.8)
    await is_open()
    await close(".tile-button")
    # The next key is not a part of the long press.
    for _ in range(2):
        before = await page.state("Desk Lamp")
        await page.press(" ")
        await until_differs(page, "Desk Lamp", before)
    await page.press(Keys.ENTER)
    await is_open()
    await close(".tile-button")
    await page.click("button.tile-more", "Details of Desk Lamp")
    await is_open()
    await close(".tile-more")
    assert await page.state("Desk Lamp") == state, "opening the details has switched the lamp"


async def until_differs(page: Browser, name: str, state: str) -> None:
    async with asyncio.timeout(10):
        while await page.state(name) == state:
            await asyncio.sleep(0.05)


@shows("a slider that is moved with keys changes the brightness, which aiohomekit receives")
async def slider(stage: Stage) -> None:
    site = await stage.open("house")
    page = stage.browser
    session = await site.session("Desk Lamp")
    brightness = session.identifier(LIGHTBULB, BRIGHTNESS)
    await site.set("Desk Lamp", "43.25", True, "controller")
    await site.set("Desk Lamp", "43.8", 60, "controller")
    await session.subscribe([brightness])
    await page.until_state("Desk Lamp", "60 %")
    await page.js("arguments[0].focus()", await page.tile("Desk Lamp"))
    await page.press(Keys.ENTER)
    await page.find("dialog input[type=range]", "Brightness")
    for _ in range(12):
        if await page.js("return document.activeElement.ariaLabel === 'Brightness'"):
            break
        await page.press(Keys.TAB)
    else:
        raise AssertionError(f"Tab does not reach the slider, but {await page.focused()}")
    await page.press(Keys.ARROW_RIGHT)
    await session.expect_event(brightness, 61, 10)
    await page.press(Keys.END)
    await session.expect_event(brightness, 100, 10)
    await page.until_text("dialog .slider output", "100 %")
    await page.press(Keys.ESCAPE)
    await page.until_state("Desk Lamp", "100 %")


@shows("a color is chosen on the wheel, and aiohomekit receives hue and saturation")
async def wheel(stage: Stage) -> None:
    site = await stage.open("house")
    page = stage.browser
    session = await site.session("Mood Light")
    hue, saturation = session.identifier(LIGHTBULB, "13"), session.identifier(LIGHTBULB, "2F")
    await session.subscribe([hue, saturation])
    await page.click("button.tile-more", "Details of Mood Light")
    wheel = await page.find("dialog .wheel")
    await page.click_at(wheel, 72, 0)
    await until(lambda: any(i == hue and 80 <= v <= 100 for i, v in session.events), 10, f"the hue is about 90: {session.events}")
    await until(lambda: any(i == saturation and 65 <= v <= 85 for i, v in session.events), 10, "the saturation is about 75")
    await page.press(Keys.ESCAPE)


@shows("a phrase is performed, a question is answered, and a mistake is shown at the line")
async def phrases(stage: Stage) -> None:
    site = await stage.open("house")
    page = stage.browser
    await site.set("Kilgo Garage", "43.25", False, "controller")
    await page.until_state("Garage Light", "Off")
    await page.write(".phrase input", "", "turn on the garage light" + Keys.ENTER)
    await page.until_text(".say .answer", "Done")
    await page.until("return document.querySelector('.say .answer:not(.is-error)')", "no error is shown")
    assert await site.value("Kilgo Garage", "43.25") is True
    await page.until_state("Garage Light", "%")
    await page.write(".phrase input", "", "is the garage light on?" + Keys.ENTER)
    answer = await page.until(
        "const text = document.querySelector('.say .answer').textContent; return !text.startsWith('Done') && text", "an answer")
    assert "yes" in answer.lower() or "on" in answer.lower().split(), answer
    await page.write(".phrase input", "", "make the lights red" + Keys.ENTER)
    await page.until_text(".say .answer", "Not changed: ")
    await page.write(".phrase input", "", "frobnicate the garage light" + Keys.ENTER)
    text = await page.until("return document.querySelector('.say .answer.is-error')?.textContent", "the mistake is shown")
    assert "frobnicate" in text, text
    await page.click("button.scene", "Movie Time")
    await page.until("return !document.querySelector('.say .answer.is-error')", "the mistake does not stay beside a success")


@shows("the summary says that the lock of a garage door is unlocked")
async def lock_of_a_door(stage: Stage) -> None:
    site = await stage.open("house")
    page = stage.browser
    await site.set("Kilgo Garage", "41.1E", 0, "controller")
    await page.until_text(".summary", "Unlocked: Garage Door")
    await site.set("Kilgo Garage", "41.1E", 1, "controller")
    await page.until("return !document.querySelector('.summary').textContent.includes('Unlocked')", "all is locked")


@shows("a scene runs, and says so")
async def scene(stage: Stage) -> None:
    site = await stage.open("house")
    page = stage.browser
    await site.set("Mood Light", "43.25", False, "controller")
    await page.click("button.scene", "Movie Time")
    await page.until_text(".message", "Movie Time has run.")
    await page.until_state("Mood Light", "20 %")
    assert (await site.value("Mood Light", "43.25"), await site.value("Mood Light", "43.8")) == (True, 20)


@shows("a click on a group switches all of its services")
async def group(stage: Stage) -> None:
    site = await stage.open("house")
    page = stage.browser
    for key in ("Reading Lamp", "Desk Lamp"):
        await site.set(key, "43.25", False, "controller")
    await page.until_state("Desk Lamp", "Off")
    await page.until_state("Reading Lamp", "Off")
    for expected, text in ((True, "on"), (False, "off")):
        await page.click("button[aria-pressed]", "Reading Lamps")
        await page.until("""
            const state = [...document.querySelectorAll("button.scene")]
                .find((button) => button.textContent.includes("Reading Lamps")).querySelector(".tile-state").textContent;
            return state === arguments[0];""", f"the group is {text}", text)
        for key in ("Reading Lamp", "Desk Lamp"):
            await page.until_state(key, "%" if expected else "Off")
            assert await site.value(key, "43.25") is expected


@shows("an automation that is disabled, and a user who comes home, stay so after a reload")
async def automation(stage: Stage) -> None:
    site = await stage.open("house")
    page = stage.browser

    async def is_on(label: str) -> bool:
        return bool(await page.js(f"{SWITCH}.checked", label))

    async def until_on(label: str, expected: bool) -> None:
        await page.until(f"{SWITCH}?.checked === arguments[1]", f"{label}: {expected}", label, expected)

    # Nothing is known of a user at first.
    await page.until_text(".person", "Ada may be at home")
    # Another client reports a user.
    await site.ask("PUT", "home/users/Charles", {"home": True})
    await page.until_text(".person[aria-pressed=true]", "Charles is at home")
    await site.ask("PUT", "home/users/Charles", {"home": False})
    await page.until_text(".person[aria-pressed=false]", "Charles is away")
    await page.click("button.person", "Ada")
    await page.until_text(".person[aria-pressed=true]", "Ada is at home")
    await page.go("automations")
    await until_on("Wake Up is enabled", True)
    await page.click("main input.switch", "Wake Up is enabled")
    await until_on("Wake Up is enabled", False)
    for _ in range(2):
        async with asyncio.timeout(10):
            while any(a["enabled"] for a in (await site.ask("GET", "home"))["automations"] if a["name"] == "Wake Up"):
                await asyncio.sleep(0.1)
        home = await site.ask("GET", "home")
        assert next(user["home"] for user in home["users"] if user["name"] == "Ada") is True
        await page.open(site.page)
        await page.until_text(".person[aria-pressed=true]", "Ada is at home")
        await page.go("automations")
        await until_on("Wake Up is enabled", False)
    await page.click("main input.switch", "Wake Up is enabled")
    await until_on("Wake Up is enabled", True)
    await page.go("home")
    await page.click("button.person", "Ada")
    await page.until_text(".person[aria-pressed=false]", "Ada is away")
    await page.go("automations")
    assert await is_on("Wake Up is enabled")


@shows("an automation says when it last ran, and what came of it")
async def last_run(stage: Stage) -> None:
    site = await stage.open("house")
    page = stage.browser
    await page.go("automations")
    await page.until_text(".rows li", "House Empty")
    for at_home in (True, False):
        for name in ("Ada", "Charles"):
            await site.ask("PUT", f"home/users/{name}", {"home": at_home})
        async with asyncio.timeout(20):
            while any(user.get("home") is not at_home for user in (await site.ask("GET", "home"))["users"]):
                await asyncio.sleep(0.1)
    await page.until("""
        const row = [...document.querySelectorAll(".rows li")].find((row) => row.textContent.includes("House Empty"));
        return row && !row.textContent.includes("It has not run yet.");""", "the last run is shown")


@shows("the summary counts the lights that are on, as they change")
async def summary(stage: Stage) -> None:
    site = await stage.open("house")
    page = stage.browser
    lights = [("Kilgo Garage", "43.25"), ("Mood Light", "43.25"), ("Reading Lamp", "43.25"), ("Desk Lamp", "43.25"),
              ("Controls", "43.25"), ("Coffee Machine", "47.25")]
    for key, name in lights:
        await site.set(key, name, False, "controller")
    await page.until("return !document.querySelector('.summary').textContent.includes('light')", "no light is on")
    for key, name in lights[:2]:
        await site.set(key, name, True, "controller")
    await page.until_text(".summary", "2 lights on")
