"""The claims about the view of the simulation: time, faults, devices, commands and the scenario."""

from __future__ import annotations

from browser import Keys
from sessions import CURRENT_DOOR_STATE, GARAGE_DOOR_OPENER
from stage import Stage, shows

SECONDS = """
const match = /(?:(\\d+) d )?(\\d+):(\\d+):(\\d+)/.exec(document.querySelector(".since").textContent);
return match && ((Number(match[1] ?? 0) * 24 + Number(match[2])) * 60 + Number(match[3])) * 60 + Number(match[4]);
"""


@shows("a scenario runs step by step on the page until all of its steps have passed")
async def scenario(stage: Stage) -> None:
    site = await stage.open("day", "simulation")
    page = stage.browser
    await page.until_text("section h2", "A day in the garage")
    total = (await site.ask("GET", "scenario"))["steps"]
    # The second step waits until the morning, which begins when time jumps there.
    await page.until("return document.querySelectorAll('.steps [data-outcome]').length === 1"
                     " && document.querySelectorAll('.steps .pending').length === arguments[0]"
                     " && document.querySelector('.steps [aria-current=step]')", "one step is done", total - 1)
    await site.ask("PUT", "time", {"scale": 300, "paused": False})
    # Jumps to the moments of the scenario, each with the number of steps that are done in the minutes after it.
    for hour, done in ((7.5, 9), (8, 11), (17.75, 17), (24, total)):
        elapsed = (await site.ask("GET", "time"))["elapsed"]
        await site.ask("POST", "time/advance", {"seconds": hour * 3600 - elapsed})
        outcomes, pending = await page.until("""
            const outcomes = [...document.querySelectorAll(".steps [data-outcome]")].map((step) => step.dataset.outcome);
            return outcomes.length === arguments[0] && [outcomes, document.querySelectorAll(".steps .pending").length];""",
            f"{done} steps are done", done)
        assert set(outcomes) == {"passed"} and done + pending == total, (outcomes, pending)
        await page.until_text("section.card p[role=status]", "running" if pending else "The scenario has passed.")
    await page.click("button", "Run A day in the garage")
    await page.until_text("section.card p[role=status]", "The scenario is running.")


@shows("a fault is injected with its parameters, listed, felt by aiohomekit, and cleared")
async def fault(stage: Stage) -> None:
    site = await stage.open("house", "simulation")
    page = stage.browser
    session = await site.session("Kilgo Garage")
    session.events.clear()
    await page.until("return document.querySelectorAll('.fault-form select option').length > 20", "the faults are loaded")
    await page.until_text(".card", "No fault is active.")

    await page.choose(".fault-form select", "status")
    await page.find(".fault-form input[name=code]")
    await page.choose(".fault-form select", "all of Kilgo Garage", 1)
    await page.write(".fault-form input[name=code]", "", "-70408")
    await page.click(".fault-form button", "Inject")
    await page.until_text(".rows li", "status")
    assert [f["name"] for f in await site.ask("GET", "faults")] == ["status"]
    target = session.identifier(GARAGE_DOOR_OPENER, "32")
    answer = await session.get_characteristics([target])
    assert answer[target].get("status") == -70408, answer
    await page.click(".rows button", "Clear")
    await page.until_text(".card", "No fault is active.")
    assert await site.ask("GET", "faults") == []
    assert "value" in (await session.get_characteristics([target]))[target]

    # The fault of one characteristic leaves the others as they are.
    await page.choose(".fault-form select", "Kilgo Garage/Garage Door · Current Door State", 1)
    await page.click(".fault-form button", "Inject")
    await page.until_text(".rows li", "status")
    current = session.identifier(GARAGE_DOOR_OPENER, CURRENT_DOOR_STATE)
    answer = await session.get_characteristics([target, current])
    assert "value" in answer[target] and answer[current].get("status"), answer
    await page.click(".rows button", "Clear")
    await page.until_text(".card", "No fault is active.")

    await page.choose(".fault-form select", "everything", 1)
    await page.write(".fault-form input[name=code]", "", "nonsense")
    await page.click(".fault-form button", "Inject")
    await page.until_text(".errors .message", "status")
    assert await site.ask("GET", "faults") == []


@shows("clearing the fault of a service leaves that of another service of the same accessory")
async def two_faults(stage: Stage) -> None:
    site = await stage.open("house", "simulation")
    page = stage.browser
    services = (await site.ask("GET", "servers/Kilgo%20Garage/accessories"))[0]["services"]
    for service in services:
        if service["name"] in ("Garage Door", "Garage Light"):
            place = {"server": "Kilgo Garage", "aid": 1, "iid": service["iid"]}
            await site.ask("POST", "faults", {"name": "status", **place, "parameters": {"code": "-70408"}})
    await page.until("return document.querySelectorAll('.card .rows [data-focus=all]').length === 2", "both are listed")
    before = await site.ask("GET", "faults")
    await page.click(".rows button", "Clear")
    await page.until("return document.querySelectorAll('.card .rows [data-focus=all]').length === 1", "one is listed")
    assert await site.ask("GET", "faults") == before[1:]
    await page.click("button", "Clear all")
    await page.until_text(".card", "No fault is active.")


@shows("faults and times that another client sets are shown as well")
async def others(stage: Stage) -> None:
    site = await stage.open("house", "simulation")
    page = stage.browser
    await page.until_text(".card", "No fault is active.")
    try:
        await site.ask("POST", "faults", {"name": "delayEvents", "parameters": {}})
        await page.until_text(".rows li", "delayEvents")
        await site.ask("DELETE", "faults")
        await page.until_text(".card", "No fault is active.")
        await site.ask("PUT", "time", {"scale": 10, "paused": False})
        await page.until("return document.querySelector('.clock').textContent.includes('10')", "the new speed is shown")
    finally:
        await site.ask("DELETE", "faults")
        await site.ask("PUT", "time", {"scale": 1, "paused": False})


@shows("simulated time is paused, resumed, sped up and advanced")
async def time(stage: Stage) -> None:
    site = await stage.open("house", "simulation")
    page = stage.browser
    try:
        await page.click(".toolbar button", "Pause")
        await page.until_text(".toolbar button", "Resume")
        assert (await site.ask("GET", "time"))["paused"] is True
        await page.until("return document.querySelector('.clock').checkVisibility()", "the header says that time is paused")
        before = await page.until(SECONDS, "the time is shown")
        await page.click(".toolbar button", "+ 10 min")
        await page.until_text(".message", "advanced")
        await page.until(f"const now = (() => {{ {SECONDS} }})(); return now === arguments[0] + 600", "10 minutes later", before)
        await page.click(".toolbar button", "Resume")
        await page.until_text(".toolbar button", "Pause")
        await page.until(f"return (() => {{ {SECONDS} }})() > arguments[0]", "time goes on", before + 600)
        await page.choose(".toolbar select", "60")
        await page.until("return document.querySelector('.clock').textContent.includes('60')", "the header has the speed")
        assert (await site.ask("GET", "time"))["scale"] == 60
    finally:
        await site.ask("PUT", "time", {"scale": 1, "paused": False})


@shows("a sensor is triggered and a doorbell is pressed on the page, and aiohomekit receives both")
async def devices(stage: Stage) -> None:
    site = await stage.open("house", "simulation")
    page = stage.browser
    motion = await site.session("Hallway Motion")
    bell = await site.session("Doorbell")
    detected = motion.identifier("85", "22")
    pressed = bell.identifier("121", "73")
    await motion.subscribe([detected])
    await bell.subscribe([pressed])
    await page.click("section .rows input.switch", "Motion Detected")
    await motion.expect_event(detected, True, 10)
    await page.click("section .rows input.switch", "Motion Detected")
    await motion.expect_event(detected, False, 10)
    await page.js("""
        const row = [...document.querySelectorAll(".rows li")].find((row) => row.textContent.includes("Doorbell"));
        row.querySelector("button").id = "bell";""")
    await page.click("#bell")
    await bell.expect_event(pressed, 0, 10)


@shows("a door that is obstructed shows it at its tile, and goes on when the obstruction is removed")
async def obstruction(stage: Stage) -> None:
    site = await stage.open("house", "simulation")
    page = stage.browser
    await page.js("""
        const row = [...document.querySelectorAll(".rows li")].find((row) => row.textContent.includes("Garage Door"));
        [...row.querySelectorAll("button")].forEach((button, index) => { button.id = `door-${index}`; });""")
    await page.click("#door-0", "Obstruct")
    await page.go("home")
    await page.until_state("Garage Door", "obstructed")
    await page.find(".tile.is-warning", "Garage Door")
    await page.click("button.tile-more", "Details of Garage Door")
    await page.click("dialog button", "Remove the obstruction")
    await page.press(Keys.ESCAPE)
    await page.until("return !document.querySelector('.tile.is-warning')", "the door is not obstructed")
    assert await site.value("Kilgo Garage", "41.24") is False


@shows("the cable of a television is pulled out and plugged in, and aiohomekit sees the former input")
async def cables(stage: Stage) -> None:
    site = await stage.open("television", "simulation")
    page = stage.browser
    session = await site.session("Television")
    shown = session.identifier("D8", "E7")
    await session.subscribe([shown])
    for value in (1, 2):
        assert await session.write(shown, value) == {}, "an input cannot be chosen"
    await page.js("""
        const row = [...document.querySelectorAll(".rows li")].find((row) => row.textContent.includes("Games"));
        [...row.querySelectorAll("button")].forEach((button, index) => { button.id = `games-${index}`; });""")
    await page.click("#games-1", "Unplug")
    await session.expect_event(shown, 1, 10)
    await page.click("#games-0", "Plug in")
    await page.until_text(".rows li", "Games")
    assert await session.read(shown) == 1, "the television went back to what was plugged in again"


@shows("a command of the prompt is performed, and its answer or its error is shown")
async def command(stage: Stage) -> None:
    await stage.open("house", "simulation")
    page = stage.browser
    await page.write(".phrase input", "Command", "help" + Keys.ENTER)
    await page.until_text("pre.answer", "press")
    await page.write(".phrase input", "Command", "frobnicate" + Keys.ENTER)
    await page.until_text(".errors .message", "frobnicate")
