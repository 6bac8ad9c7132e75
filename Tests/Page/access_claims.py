"""The claims about access and the connection: the token, the cookie, and a server that is lost and comes back."""

from __future__ import annotations

import signal

from browser import PATIENCE, Keys
from stage import Site, Stage, proves, shows

FORM = "return Boolean(document.querySelector('form.access input'))"

# Remembers what the page does after 40 s without a message of the server, so that a test can do it earlier.
RECORD_SILENCE = """
window.silences = new Map();
const start = window.setTimeout, end = window.clearTimeout;
window.setTimeout = (act, delay, ...more) => {
    const timer = start(act, delay, ...more);
    if (delay === 40_000) silences.set(timer, act);
    return timer;
};
window.clearTimeout = (timer) => {
    silences.delete(timer);
    end(timer);
};
"""


@shows("the token of the link disappears from the address and the history, and a reload needs none")
async def token(stage: Stage) -> None:
    site = await stage.site("house")
    page = stage.browser
    await page.cdp("Network.clearBrowserCookies")
    await page.open(site.link)
    assert site.api.token not in site.server.log_text(), "the token is printed although standard output is no terminal"

    async def check() -> None:
        assert await page.js("return location.href") == f"{site.page}#/home"
        history = (await page.cdp("Page.getNavigationHistory"))["entries"]
        shown = [(entry["url"], entry["title"]) for entry in history]
        assert site.api.token not in str(shown), shown
        for script in ("return document.documentElement.outerHTML", "return JSON.stringify({...localStorage})",
                       "return JSON.stringify({...sessionStorage})", "return document.cookie",
                       "return [...document.querySelectorAll('input')].map((input) => input.value).join()"):
            assert site.api.token not in await page.js(script), script

    await check()
    await page.do(page.driver.refresh)
    await page.until("return document.querySelector('.connection')?.dataset.state === 'live'", "the page is back")
    await check()
    assert not [line for line in await page.log() if site.api.token in line]


@shows("without the cookie, the page asks for the token: a wrong one is refused, the right one opens the page")
async def form(stage: Stage) -> None:
    site = await stage.site("house")
    page = stage.browser
    await page.cdp("Network.clearBrowserCookies")
    await page.open(site.page, is_ready=FORM)
    assert "access" in await page.js("return document.title")
    assert await page.js("return document.activeElement === document.querySelector('form.access input')")
    for wrong in ("0" * 64, "x", "ä <b>"):
        await page.write("form.access input", "", wrong + Keys.ENTER)
        await page.until_text(".field-error", "This is not the token")
        await page.js("document.querySelector('.field-error').textContent = ''")
    await page.open(f"{site.page}#token={'0' * 64}", is_ready=FORM)
    await page.write("form.access input", "", site.api.token + Keys.ENTER)
    await page.until("return document.querySelector('.connection')?.dataset.state === 'live'", "the page is open")
    await page.tile("Garage Door")
    assert site.api.token not in await page.js("return document.documentElement.outerHTML + location.href")
    log = await page.log()
    assert not [line for line in log if site.api.token in line], log


@shows("a killed server is shown as lost; when it is back, so is the page, with new values and without a reload")
async def killed(stage: Stage) -> None:
    site = await stage.open("restarted")
    page = stage.browser
    await page.js("window.isSameDocument = true")
    await site.set("Desk Lamp", "43.8", 60, "controller")
    await page.until_state("Light Bulb", "60 %")
    for brightness in (33, 44):
        await site.server.stop(signal.SIGKILL)
        await page.until("return document.querySelector('.connection').dataset.state === 'lost'", "the loss is shown")
        assert "lost" in await page.js("return document.querySelector('.connection').textContent")
        await page.click_tile("Light Bulb")
        await page.until_text(".errors .message", "lost")
        await page.until_state("Light Bulb", "%")
        await site.start()
        await site.set("Desk Lamp", "43.8", brightness, "controller")
        await page.until("return document.querySelector('.connection').dataset.state === 'live'", "the connection is back")
        await page.until_text(".message", "The connection is back.")
        await page.until_state("Light Bulb", f"{brightness} %")
        # The events are followed again, too.
        await site.set("Desk Lamp", "43.8", brightness + 1, "controller")
        await page.until_state("Light Bulb", f"{brightness + 1} %")
    assert await page.js("return window.isSameDocument"), "the page was loaded again"


@shows("a server that stops answering is shown as lost when its 40 seconds are over, and as connected when it goes on")
async def stopped(stage: Stage) -> None:
    page = stage.browser
    script = await page.cdp("Page.addScriptToEvaluateOnNewDocument", source=RECORD_SILENCE)
    try:
        site = await stage.open("restarted")
        first = await page.until("return silences.size === 1 && [...silences.keys()]", "one stream is followed")
        # What the server sends begins the 40 seconds again.
        await site.set("Desk Lamp", "43.8", 70, "controller")
        await page.until_state("Light Bulb", "70 %")
        assert await page.js("return [...silences.keys()]") > first
        await stop(stage, site, "for (const act of silences.values()) act()")
    finally:
        await page.cdp("Page.removeScriptToEvaluateOnNewDocument", identifier=script["identifier"])


@proves("a server that stops answering is shown as lost after 40 seconds, and as connected when it goes on")
async def silent(stage: Stage) -> None:
    await stop(stage, await stage.open("restarted"), "", limit=60)


async def stop(stage: Stage, site: Site, script: str, limit: float = PATIENCE) -> None:
    """Stops the server, runs a script on the page, and expects the loss; then the server goes on."""
    page = stage.browser
    site.server.child.process.send_signal(signal.SIGSTOP)
    try:
        await page.js(script)
        await page.until("return document.querySelector('.connection').dataset.state === 'lost'", "the loss is shown", limit=limit)
    finally:
        site.server.child.process.send_signal(signal.SIGCONT)
    await page.until("return document.querySelector('.connection').dataset.state === 'live'", "the connection is back")
    await site.set("Desk Lamp", "43.8", 71, "controller")
    await page.until_state("Light Bulb", "71 %")
