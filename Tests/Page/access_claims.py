"""The claims about access and the connection: the token, the cookie, and a server that is lost and comes back."""

from __future__ import annotations

import signal

from browser import Keys
from stage import Stage, shows

FORM = "return Boolean(document.querySelector('form.access input'))"


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


@shows("a server that stops answering is shown as lost, and as connected when it goes on")
async def stopped(stage: Stage) -> None:
    site = await stage.open("restarted")
    page = stage.browser
    site.server.child.process.send_signal(signal.SIGSTOP)
    try:
        await page.until("return document.querySelector('.connection').dataset.state === 'lost'", "the loss is shown", limit=60)
    finally:
        site.server.child.process.send_signal(signal.SIGCONT)
    await page.until("return document.querySelector('.connection').dataset.state === 'live'", "the connection is back")
    await site.set("Desk Lamp", "43.8", 71, "controller")
    await page.until_state("Light Bulb", "71 %")
