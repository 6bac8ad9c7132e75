"""The claims about speed, with a bridge that has 149 lamps."""

from __future__ import annotations

import asyncio
import json
import time

from browser import Browser
from stage import Site, Stage, figure, proves, shows

LAMPS = 149
# The limits are wide, because CI is noisy; the measured values are printed.
INTERACTIVE = 3.0
LONGEST_TASK = 0.5
HEAP_GROWTH = 10 << 20
CHANGES_PER_SECOND = 100

# Records the time from the start of the navigation until all tiles exist, and until a click on one has an effect.
RECORD_START = """
const look = () => {
    const tiles = document.querySelectorAll(".tile .tile-button");
    if (tiles.length < 149) return requestAnimationFrame(look);
    window.tilesAt = performance.now();
    const tile = tiles[148].closest(".tile");
    const wasActive = tile.classList.contains("is-active");
    tiles[148].click();
    const wait = () => {
        if (tile.classList.contains("is-active") === wasActive) return requestAnimationFrame(wait);
        window.clickedAt = performance.now();
    };
    wait();
};
if (location.protocol === "http:") requestAnimationFrame(look);
"""

RECORD_FRAMES = """
window.frames_ = { longest: 0, count: 0, over: 0, tasks: [], last: performance.now() };
const next = (now) => {
    const gap = now - frames_.last;
    frames_.last = now;
    frames_.count += 1;
    frames_.longest = Math.max(frames_.longest, gap);
    if (gap > 50) frames_.over += 1;
    if (!frames_.ended) requestAnimationFrame(next);
};
requestAnimationFrame((now) => { frames_.last = now; requestAnimationFrame(next); });
new PerformanceObserver((list) => frames_.tasks.push(...list.getEntries().map((entry) => entry.duration)))
    .observe({ type: "longtask" });
"""


@shows("149 lamps are interactive soon after a cold start")
async def interactive(stage: Stage) -> None:
    site = await stage.site("floor")
    cold = Browser()
    await cold.start()
    try:
        await cold.cdp("Page.addScriptToEvaluateOnNewDocument", source=RECORD_START)
        before = await site.value("Tower", "43.25")
        await cold.do(cold.driver.get, site.link)
        clicked = await cold.until("return window.clickedAt", "a click on the last lamp has an effect") / 1000
        tiles = await cold.js("return window.tilesAt") / 1000
        figure(f"149 tiles after {tiles:.3f} s, a click works after {clicked:.3f} s")
        await cold.until_text(".summary", "1 light on")
        accessories = await site.ask("GET", "servers/Tower/accessories")
        lamps = [c["value"] for a in accessories for s in a["services"] if s["type"] == "43"
                 for c in s["characteristics"] if c["type"] == "25"]
        assert len(lamps) == LAMPS and lamps[-1] is True and before is False, lamps[-3:]
        assert clicked < INTERACTIVE, f"{clicked:.3f} s"
    finally:
        await cold.end()


@shows("many changes a second are followed until all tiles show what the server has")
async def follows(stage: Stage) -> None:
    site, lamps = await open_lamps(stage)
    await change(site, lamps, LAMPS, 0)
    await until_current(stage.browser, site)


@proves("100 changes a second are followed without long frames and without growing memory")
async def frames(stage: Stage) -> None:
    site, lamps = await open_lamps(stage)
    page = stage.browser
    changes = (60 if stage.options.long else 10) * CHANGES_PER_SECOND
    await change(site, lamps, 3 * CHANGES_PER_SECOND, 7)
    before = await heap(page)
    await page.js(RECORD_FRAMES)
    rate = await change(site, lamps, changes, 0)
    await page.until_state(f"Lamp {LAMPS}", "%")
    frames = await page.js("frames_.ended = true; return frames_")
    await until_current(page, site)
    after = await heap(page)
    tasks = frames["tasks"]
    seconds = changes / rate
    figure(f"{rate:.0f} changes a second for {seconds:.0f} s: {frames['count'] / seconds:.0f} frames a second, the longest "
           f"{frames['longest']:.0f} ms, {frames['over']} over 50 ms; {len(tasks)} long tasks, the longest "
           f"{max(tasks, default=0):.0f} ms; heap {before / 1e6:.2f} MB before, {after / 1e6:.2f} MB after")
    assert rate > CHANGES_PER_SECOND * 0.7, f"only {rate:.0f} changes a second"
    assert max(tasks, default=0) < LONGEST_TASK * 1000, tasks
    assert after - before < HEAP_GROWTH, (before, after)


async def open_lamps(stage: Stage) -> tuple[Site, list[str]]:
    """Opens the page with all lamps on; returns also the ids of their brightnesses."""
    site = await stage.open("floor")
    accessories = await site.ask("GET", "servers/Tower/accessories")
    await switch_all(site, accessories)
    return site, [c["id"] for a in accessories for s in a["services"] if s["type"] == "43"
                  for c in s["characteristics"] if c["type"] == "8"]


async def until_current(page: Browser, site: Site) -> None:
    """Waits until the tiles show what the server has."""
    accessories = sorted(await site.ask("GET", "servers/Tower/accessories"), key=lambda accessory: accessory["aid"])
    values = [c["valueText"] for a in accessories for s in a["services"] if s["type"] == "43"
              for c in s["characteristics"] if c["type"] == "8"]
    assert len(values) == LAMPS
    wanted = {f"Lamp {number}": value for number, value in enumerate(values, 1)}
    await page.until("""
        const shown = Object.fromEntries([...document.querySelectorAll(".tile")].map((tile) =>
            [tile.querySelector(".tile-name").textContent, tile.querySelector(".tile-state").textContent]));
        return Object.entries(arguments[0]).every(([name, value]) => shown[name]?.includes(value));""",
        "all tiles are current", wanted)


async def switch_all(site: Site, accessories: list[dict]) -> None:
    for accessory in accessories:
        for service in accessory["services"]:
            for found in service["characteristics"]:
                if service["type"] == "43" and found["type"] == "25" and not found["value"]:
                    await site.ask("PUT", f"servers/Tower/characteristics/{found['id']}", {"value": True, "as": "controller"})


async def change(site: Site, lamps: list[str], changes: int, offset: int) -> float:
    """Changes the brightness of one lamp after the other over one connection; returns the changes per second."""
    reader, writer = await site.api.connect()
    begin = time.monotonic()
    try:
        for count in range(changes):
            identifier = lamps[count % len(lamps)]
            body = json.dumps({"value": 1 + (count // len(lamps) * 13 + count + offset) % 100, "as": "device"}).encode()
            writer.write(site.api.head("PUT", f"/api/v1/servers/Tower/characteristics/{identifier}", {
                "Content-Type": "application/json", "Content-Length": str(len(body))}) + body)
            await answer(reader)
            await asyncio.sleep(max(0, begin + (count + 1) / CHANGES_PER_SECOND - time.monotonic()))
    finally:
        writer.close()
    return changes / (time.monotonic() - begin)


async def answer(reader: asyncio.StreamReader) -> None:
    """Reads a response, which must be a success."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
    assert " 200 " in head.split("\r\n")[0] or " 204 " in head.split("\r\n")[0], head
    length = next((int(line.split(":")[1]) for line in head.split("\r\n") if line.startswith("content-length:")), 0)
    await reader.readexactly(length)


async def heap(page: Browser) -> float:
    """Returns the size of the JavaScript heap after a collection."""
    await page.cdp("HeapProfiler.collectGarbage")
    metrics = (await page.cdp("Performance.getMetrics"))["metrics"]
    return next(metric["value"] for metric in metrics if metric["name"] == "JSHeapUsedSize")
