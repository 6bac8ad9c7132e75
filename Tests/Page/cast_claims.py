"""The claims about a Cast receiver: its address, the contents that it loads, their ads, refusals and events."""

from __future__ import annotations

from browser import Keys
from stage import Site, Stage, shows

# Whether the part of a driver shows readings; null is the value of one that it does not show.
SHOWS = """
const shown = Object.fromEntries([...document.querySelectorAll(`${arguments[0]} .facts > div`)]
    .map((fact) => [...fact.children].map((child) => child.textContent)));
return Object.entries(arguments[1]).every(([name, value]) => (shown[name] ?? null) === value);
"""
# Whether the position is later than so many seconds.
IS_LATER = """
const fact = [...document.querySelectorAll(".driver .facts > div")].find((each) => each.firstChild.textContent === "position");
return parseInt(fact?.lastChild.textContent) > arguments[0];
"""


async def open_receiver(stage: Stage) -> Site:
    """Opens the television while no app runs."""
    site = await stage.site("cast")
    await site.ask("POST", "servers/Living%20Room/accessories/1/actions", {"action": "quit"})
    await stage.open("cast", "accessories/Living%20Room")
    await until_shown(stage, app="", player=None)
    # A new document would not have this.
    await stage.browser.js("window.isSame = true")
    return site


async def until_shown(stage: Stage, scope: str = ".driver", **readings: str | None) -> None:
    await stage.browser.until(SHOWS, f"the driver has {readings}", scope, readings)


async def perform(stage: Stage, action: str, **arguments: str) -> None:
    """Fills in the form of an action, and sends it."""
    for name, value in arguments.items():
        await stage.browser.write(f".driver [aria-label='{name} of {action}']", "", value)
    await stage.browser.click(".driver button", action)


@shows("a Cast receiver shows where it listens, and does not say that a simulated device is out of reach")
async def address(stage: Stage) -> None:
    site = await open_receiver(stage)
    page = stage.browser
    await page.until_text(".driver h3", "Driver of Living Room: cast")
    [receiver] = site.ready["receivers"]
    await until_shown(stage, **{"Listens on": f"{receiver['host']}:{receiver['port']}"})
    assert await page.js("return document.querySelector('.driver [role=status]').textContent") == "Running"


@shows("the form of a Cast receiver loads a content, whose position moves; the details show it, too")
async def loaded(stage: Stage) -> None:
    await open_receiver(stage)
    page = stage.browser
    await perform(stage, "load", contentId="http://example.com/walk.mp4", title="A Walk", duration="900")
    await page.until_text(".message", "Living Room: load is done.")
    content: dict[str, str | None] = {"player": "PLAYING", "title": "A Walk", "duration": "900 s", "rate": "1", "ad": None}
    await until_shown(stage, app="Default Media Receiver", **content)
    # No event reports this.
    await page.until(IS_LATER, "the position moves", 3)
    await page.go("home")
    await page.click("button.tile-more", "Details of Living Room")
    await until_shown(stage, "dialog .driver", **content)
    assert await page.js("return document.querySelector('dialog .readings').textContent") == "", "it is shown twice"
    await page.press(Keys.ESCAPE)
    assert await page.js("return window.isSame"), "the document was loaded again"


@shows("a content with ads shows its position, its rate and each ad; their events are in the list and in the log")
async def film(stage: Stage) -> None:
    site = await open_receiver(stage)
    page = stage.browser
    content = {"player": "PLAYING", "title": "The Film", "duration": "7200 s"}
    await site.ask("PUT", "time", {"paused": True})
    try:
        await perform(stage, "load", contentId="http://example.com/film.mp4")
        await until_shown(stage, **content, position="0 s", ad="ad-1-1", adPosition="0 s")
        await page.until_text(".driver li", "Living Room reports AD_STARTED, breakClipId: ad-1-1, breakId: break-1.")
        await site.ask("POST", "time/advance", {"seconds": 27})
        await until_shown(stage, **content, position="12 s", rate="1", ad=None)
        await page.until_text(".driver li", "Living Room reports AD_ENDED, breakClipId: ad-1-1")
        await perform(stage, "rate", playbackRate="1.5")
        await until_shown(stage, position="12 s", rate="1.5")
        await site.ask("POST", "time/advance", {"seconds": 3588 / 1.5 + 4})
        await until_shown(stage, **content, position="3600 s", ad="ad-2-1", adPosition="4 s")
        await page.go("log")
        await page.choose(".toolbar select", "driver-event", 1)
        for event in ("AD_STARTED, breakClipId: ad-1-1", "AD_ENDED, breakClipId: ad-1-1", "AD_STARTED, breakClipId: ad-2-1"):
            await page.until_text(".events .event-text", f"Living Room reports {event}")
        assert await page.js("return window.isSame"), "the document was loaded again"
    finally:
        await site.ask("PUT", "time", {"paused": False})


@shows("an action that a Cast receiver refuses says why; it is done when it has become possible")
async def refused(stage: Stage) -> None:
    site = await open_receiver(stage)
    page = stage.browser
    await site.ask("PUT", "time", {"paused": True})
    try:
        for action, arguments, reason in (
            ("launch", {"app": "Chess"}, 'launch: There is no app "Chess". There are: Default Media Receiver, Quiz.'),
            ("load", {}, "load: There is nothing to load. Give contentId."),
            ("seek", {"currentTime": "soon"}, "seek: currentTime is not a time. Give currentTime=90 or currentTime=1min 30s."),
            ("send", {}, "send: No app runs. Launch one first."),
        ):
            await perform(stage, action, **arguments)
            await page.until_text(".errors .message", reason)
        await perform(stage, "load", contentId="http://example.com/film.mp4")
        await until_shown(stage, ad="ad-1-1")
        await site.ask("POST", "time/advance", {"seconds": 15})
        await perform(stage, "seek", currentTime="3700")
        await until_shown(stage, ad="ad-2-1")
        await perform(stage, "skip-ad")
        await page.until_text(".errors .message", "skip-ad: ")
        await site.ask("POST", "time/advance", {"seconds": 5})
        await perform(stage, "skip-ad")
        await until_shown(stage, ad="ad-2-2")
        await page.until_text(".driver li", "Living Room reports AD_SKIPPED, breakClipId: ad-2-1")
    finally:
        await site.ask("PUT", "time", {"paused": False})
