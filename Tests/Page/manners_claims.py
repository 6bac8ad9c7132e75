"""The claims about manners: accessibility, keyboard, motion, titles, links, sizes of screens and files."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import axe_playwright_python
from browser import DESKTOP, PHONE, Keys
from stage import Stage, figure, proves, shows

# The package is used for its copy of axe only; the one of axe-selenium-python for Python 3.11 is from 2018.
VIEWS = ("home", "automations", "accessories/Kilgo%20Garage", "accessories/Controls", "simulation", "log", "builder")
AXE = Path(axe_playwright_python.__file__).parent / "axe.min.js"
SERIOUS = ("serious", "critical")
KIB = 1000
# Of an answer in milliseconds: some frames.
LATENCY = 50
# Whether the last answer is older than the longest delay of the page before a request (200 ms) and the next answer.
HAS_SETTLED = """
const latest = Math.max(...performance.getEntriesByType("resource").map((entry) => Math.max(entry.startTime, entry.responseEnd)));
return performance.now() - latest > 250 + arguments[0];
"""


async def findings(stage: Stage) -> list[str]:
    """Returns the serious findings of axe on what is shown; in the log, on the first entries of each kind."""
    page = stage.browser
    if not await page.js("return Boolean(window.axe)"):
        await page.js(AXE.read_text() + "\nwindow.axe = axe;")
    result: dict[str, Any] = await page.do(page.driver.execute_async_script, """
        const done = arguments[arguments.length - 1];
        const counts = {};
        const alike = [...document.querySelectorAll(".events li")].filter((row) => {
            const kind = row.querySelector(".kind").textContent;
            counts[kind] = (counts[kind] ?? 0) + 1;
            return counts[kind] > 3;
        });
        axe.run(alike.length ? { include: [document], exclude: alike } : document, { resultTypes: ["violations"] }).then(done, (error) => done({ error: String(error) }));""")
    assert "error" not in result, result
    assert result["passes"], "axe has checked nothing"
    return [f"{violation['id']}: {'; '.join(node['target'][0] + ' ' + node['failureSummary'][:160] for node in violation['nodes'][:3])}"
            f" ({len(violation['nodes'])} in all)" for violation in result["violations"] if violation["impact"] in SERIOUS]


def shows_on_each(claim: str) -> Callable[[Any], Any]:
    """Registers a check that is called with the size of a desktop, and with that of a phone for --proofs."""

    def add(check: Any) -> Any:
        shows(f"{claim}, light and dark, on a desktop")(partial(check, size=DESKTOP))
        proves(f"{claim}, light and dark, on a phone")(partial(check, size=PHONE))
        return check

    return add


async def check_looks(stage: Stage, size: tuple[int, int], check: Any) -> None:
    """Calls a check with light and dark colors, and collects what it finds."""
    found = []
    try:
        for scheme in ("light", "dark"):
            await stage.browser.look(size, scheme=scheme, motion="reduce")
            found += [f"{scheme} {finding}" for finding in await check()]
    finally:
        await stage.browser.look()
    assert not found, "\n    ".join([f"{len(found)} findings", *dict.fromkeys(found)])


@shows_on_each("axe has no serious finding on the view of the home and the details")
async def axe_home(stage: Stage, *, size: tuple[int, int]) -> None:
    site = await stage.open("house")
    page = stage.browser
    await site.ask("PUT", "home/users/Ada", {"home": True})
    await page.click("button.scene", "Movie Time")
    await page.until_text(".message", "Movie Time has run.")
    await page.write(".phrase input", "", "frobnicate" + Keys.ENTER)
    await page.until("return document.querySelector('.answer.is-error')", "a mistake is shown")

    async def check() -> list[str]:
        found = [f"home: {finding}" for finding in await findings(stage)]
        for name in ("Mood Light", "Garage Door", "Living Room Thermostat"):
            await page.click("button.tile-more", f"Details of {name}")
            await page.find("dialog[open]")
            found += [f"details of {name}: {finding}" for finding in await findings(stage)]
            await page.press(Keys.ESCAPE)
            await page.until("return !document.querySelector('dialog')", "the details are closed")
        return found

    await check_looks(stage, size, check)


@shows_on_each("axe has no serious finding on the other views")
async def axe_views(stage: Stage, *, size: tuple[int, int]) -> None:
    site = await stage.open("house")
    page = stage.browser
    await site.session("Desk Lamp")
    await site.ask("POST", "faults", {"name": "dropEvents", "parameters": {}})

    async def check() -> list[str]:
        found = []
        for view in VIEWS[1:]:
            await page.go(view)
            await page.until("return document.querySelector('h1')", f"{view} is shown")
            await page.js("document.querySelector('.history')?.setAttribute('open', '')")
            found += [f"{view}: {finding}" for finding in await findings(stage)]
        return found

    try:
        await check_looks(stage, size, check)
    finally:
        await site.ask("DELETE", "faults")


@shows_on_each("axe has no serious finding on the form and the text of a definition with a mistake")
async def axe_builder(stage: Stage, *, size: tuple[int, int]) -> None:
    await stage.open("workshop", "builder")
    page = stage.browser
    await page.click(".buttons button", "A bridge with accessories")
    await page.click(".card summary", "More")
    await page.write("[data-path=setupCode] input", "", "1")
    await page.until("return document.querySelector('[data-path=setupCode] .field-error').textContent", "the mistake is shown")
    await page.click(".service-card summary", "Metadata")
    await page.click("summary", "All services")

    async def check() -> list[str]:
        found = []
        for tab in ("Text", "Form"):
            await page.click("[role=tab]", tab)
            found += [f"{tab}: {finding}" for finding in await findings(stage)]
        return found

    await check_looks(stage, size, check)


@shows_on_each("axe has no serious finding on a scenario, on the form for the token, and on a lost connection")
async def axe_states(stage: Stage, *, size: tuple[int, int]) -> None:
    site = await stage.open("day", "simulation")
    page = stage.browser
    await page.until("return document.querySelector('.steps')", "the scenario is shown")

    async def check() -> list[str]:
        return await findings(stage)

    await check_looks(stage, size, check)
    await page.cdp("Network.clearBrowserCookies")
    await page.open(site.page, is_ready="return Boolean(document.querySelector('form.access input'))")
    await page.write("form.access input", "", "wrong" + Keys.ENTER)
    await page.until_text(".field-error", "This is not the token")
    await check_looks(stage, size, check)
    lost = await stage.open("restarted")
    await lost.server.stop()
    try:
        await page.until("return document.querySelector('.connection').dataset.state === 'lost'", "the loss is shown")
        await check_looks(stage, size, check)
    finally:
        await lost.start()


@shows("the keyboard reaches the skip link, the views and every tile; Space performs the action")
async def keyboard(stage: Stage) -> None:
    site = await stage.open("house")
    page = stage.browser
    await site.set("Kilgo Garage", "43.25", False, "controller")
    await page.until_state("Garage Light", "Off")
    await page.press(Keys.TAB)
    assert "Skip to the content" in await page.focused(), await page.focused()
    assert await page.js("""const box = document.activeElement.getBoundingClientRect();
        return box.width > 20 && box.height > 10 && box.top >= 0 && box.left >= 0;"""), "the skip link is not visible"
    visited = []
    for _ in range(60):
        await page.press(Keys.TAB)
        visited.append(await page.focused())
        assert await page.js("""
            const style = getComputedStyle(document.activeElement);
            return document.activeElement === document.body || style.outlineStyle !== "none";"""), f"no outline: {visited[-1]}"
    names = await page.js("return [...document.querySelectorAll('.tile button.tile-button .tile-name')].map((e) => e.textContent)")
    assert len(names) >= 8, names
    for name in ("Home", "Accessories", "Simulation", "Log", *names):
        assert any(name in each for each in visited), f"Tab does not reach {name}: {visited}"
    await page.js("arguments[0].focus()", await page.tile("Garage Light"))
    await page.press(Keys.SPACE)
    await page.until_state("Garage Light", "%")
    assert await site.value("Kilgo Garage", "43.25") is True

    await page.open(site.page)
    await page.press(Keys.TAB, Keys.ENTER)
    assert await page.js("return document.activeElement === document.querySelector('main')"), await page.focused()
    await page.press(Keys.TAB)
    assert await page.js("return document.querySelector('main').contains(document.activeElement)"), await page.focused()
    assert await page.js("return location.hash") in ("", "#/home"), "the skip link has changed the view"


@shows("a change of the view moves the focus to it, and sets the title")
async def titles(stage: Stage) -> None:
    await stage.open("house")
    page = stage.browser
    await page.tile("Garage Door")
    for link, title in (("Home", "Kilgo House – Home – hap"), ("Accessories", "Hallway Motion – Accessories – hap"),
                        ("Builder", "Builder – hap"), ("Simulation", "Simulation – hap"), ("Log", "Log – hap")):
        await page.click("header nav a", link)
        await page.until("return document.title === arguments[0]", f"the title is {title}", title)
        if link != "Home":
            assert await page.js("return document.activeElement === document.querySelector('main')"), await page.focused()
        assert await page.js("return document.querySelectorAll('h1').length") == 1, f"{link} does not have one h1"
    await page.do(page.driver.back)
    await page.until("return document.title === 'Simulation – hap'", "Back shows the last view")


@shows("a link to an accessory opens it directly, also with a name that has spaces")
async def links(stage: Stage) -> None:
    site = await stage.site("house")
    page = stage.browser
    await page.open(site.link)
    for key in ("Front Door", "Kilgo Garage"):
        await page.open(f"{site.page}#/accessories/{quoted_once(key)}")
        await page.until("return document.querySelector('.server h2')?.textContent === arguments[0]", f"{key} is shown", key)
        assert await page.js("return document.title") == f"{key} – Accessories – hap"


@shows("a link to something that does not exist shows another view, and not an empty page")
async def unknown_links(stage: Stage) -> None:
    site = await stage.open("house")
    page = stage.browser
    for unknown in ("accessories/nothing", "nothing", "home/x/y", "accessories/%", "log/%E0%A4%A"):
        await page.open(f"{site.page}#/{unknown}")
        await page.until("return document.querySelector('main h1')", f"#/{unknown} shows a view")


@shows("a switch in a list keeps the focus when it is pressed")
async def focus(stage: Stage) -> None:
    site = await stage.open("house")
    page = stage.browser
    await page.go("automations")
    label = "Evening Light is enabled"
    element = await page.find("main input.switch", label)
    await page.js("arguments[0].focus()", element)
    await page.press(Keys.SPACE)
    try:
        await page.until("return import('/page/store.js').then(({ store }) => store.home.automations"
                         ".find((automation) => automation.name === 'Evening Light').enabled === false)", "it is disabled")
        await page.until("return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))",
                         "the list is drawn")
        assert label in await page.focused(), f"the focus is on {(await page.focused())[:60]}"
    finally:
        await site.ask("PUT", "home/automations/Evening%20Light", {"enabled": True})


def quoted_once(key: str) -> str:
    return key.replace(" ", "%20")


@shows("with reduced motion, nothing moves by a transition or an animation")
async def motion(stage: Stage) -> None:
    await stage.open("house")
    page = stage.browser
    moving = """return [...document.querySelectorAll("*")].filter((element) => ["", "::before", "::after"].some((part) => {
        const style = getComputedStyle(element, part || null);
        return style.transitionDuration.split(", ").some((each) => parseFloat(each) > 0) || style.animationName !== "none";
    })).length;"""
    assert await page.js(moving) > 0, "nothing moves without the preference either"
    try:
        await page.look(motion="reduce")
        for view in VIEWS:
            await page.go(view)
            assert await page.js(moving) == 0, view
    finally:
        await page.look()


@proves("no view is wider than a phone")
async def phone(stage: Stage) -> None:
    found = await on_phone(stage, """
        const [width] = arguments;
        if (document.documentElement.scrollWidth <= width) return [];
        return [document.documentElement.scrollWidth, ...[...document.querySelectorAll("body *")]
            .filter((e) => e.checkVisibility() && e.getBoundingClientRect().right > width + 1)
            .map((e) => `${e.localName}.${e.getAttribute("class") ?? ""}`)];""")
    assert not found, found


@proves("what one touches is at least 24 pixels high and wide")
async def targets(stage: Stage) -> None:
    found = await on_phone(stage, """
        return [...document.querySelectorAll("button, select, input, summary, nav a")]
            .filter((e) => e.checkVisibility()).map((e) => [e, e.getBoundingClientRect()])
            .filter(([, box]) => box.width > 0 && (box.height < 24 || box.width < 24))
            .map(([e, box]) => `${e.localName}.${e.className} ${Math.round(box.width)}x${Math.round(box.height)}`);""")
    assert not found, found


async def on_phone(stage: Stage, script: str) -> list[str]:
    """Returns what a script finds in each view on two sizes of phones, with a controller whose name is long."""
    site = await stage.site("house")
    await site.session("Desk Lamp")
    await site.set("Desk Lamp", "43.8", 55, "device")
    page = stage.browser
    found = []
    try:
        for width in (390, 320):
            await page.look((width, 844))
            await page.open(site.link)
            for view in VIEWS:
                await page.go(view)
                await page.until("return document.querySelector('h1')", f"{view} is shown")
                found += [f"{width} {view}: {each}" for each in (await page.js(script, width))[:3]]
            await page.click(".buttons button", "An accessory")
            await page.click(".service-card summary", "Metadata")
            found += [f"{width} editor: {each}" for each in (await page.js(script, width))[:3]]
            await page.go("home")
            await page.click("button.tile-more", "Details of Mood Light")
            await page.find("dialog[open]")
            found += [f"{width} details: {each}" for each in (await page.js(script, width))[:3]]
            await page.press(Keys.ESCAPE)
        return found
    finally:
        await page.look()


@shows("a view does not jump while it is loaded")
async def jumps(stage: Stage) -> None:
    site = await stage.site("house")
    page = stage.browser
    script = await page.cdp("Page.addScriptToEvaluateOnNewDocument", source="""
        window.shift = 0;
        new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
        }).observe({ type: "layout-shift", buffered: true });""")
    await site.session("Kilgo Garage")
    try:
        await page.open(site.link)
        await page.cdp("Network.enable")
        # Each answer comes late, so that what depends on it is drawn later.
        await page.cdp("Network.emulateNetworkConditions", offline=False, latency=LATENCY, downloadThroughput=-1, uploadThroughput=-1)
        for view in VIEWS:
            await page.open(f"{site.page}#/{view}")
            await page.until(HAS_SETTLED, "the view has settled", LATENCY)
            shift = await page.js("return window.shift")
            figure(f"layout shift of {view}: {shift:.3f}")
            assert shift < 0.02, f"{view}: {shift}"
    finally:
        await page.cdp("Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1, uploadThroughput=-1)
        await page.cdp("Page.removeScriptToEvaluateOnNewDocument", identifier=script["identifier"])


@shows("all files of the page together have less than 100 kB on the network")
async def weight(stage: Stage) -> None:
    site = await stage.site("house")
    page = stage.browser
    await page.cdp("Network.clearBrowserCache")
    await page.open(site.link)
    for view in VIEWS:
        await page.go(view)
    files = await page.js("""
        return [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
            .filter((entry) => !entry.name.includes("/api/")).map((entry) => [entry.name, entry.transferSize, entry.decodedBodySize]);""")
    transferred, decoded = sum(file[1] for file in files), sum(file[2] for file in files)
    figure(f"{len(files)} files, {transferred / KIB:.1f} kB transferred, {decoded / KIB:.1f} kB of content")
    assert len(files) >= 15, files
    assert all(file[1] > 0 for file in files if "icon.svg" not in file[0]), files
    assert transferred < 100 * KIB, files
    hosts = await page.js("return [...new Set(performance.getEntriesByType('resource').map((entry) => new URL(entry.name).origin))]")
    assert hosts == [site.page.rstrip("/")], hosts
