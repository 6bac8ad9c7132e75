"""The claims about the view of the log."""

from __future__ import annotations

import asyncio
import json

from browser import Keys
from sessions import LIGHTBULB, ON
from stage import Stage, shows

ROWS = "return [...document.querySelectorAll('.events li')].map((row) => row.textContent)"

# The requests whose message was received after the log was opened.
ROWS_WITH_BODY = """[...document.querySelectorAll(".events li")]
    .filter((row) => row.textContent.includes("PUT · /characteristics") && Number(row.dataset.order) > window.opened_)"""


@shows("the log follows events; filters by server, kind, controller and text hide the others")
async def filters(stage: Stage) -> None:
    site = await stage.open("house", "log")
    page = stage.browser
    session = await site.session("Desk Lamp")
    await session.write_other(session.identifier(LIGHTBULB, ON))
    await site.set("Hallway Motion", "85.22", True)
    await site.set("Hallway Motion", "85.22", False)
    await page.until_text(".events li", "Motion Detected")
    await page.until_text(".events li", "PUT · /characteristics")
    servers = "return [...new Set([...document.querySelectorAll('.events .quiet')].map((each) => each.textContent))]"
    kinds = "return [...new Set([...document.querySelectorAll('.events .kind')].map((each) => each.textContent))]"
    assert len(await page.js(servers)) >= 2 and len(await page.js(kinds)) >= 2

    async def choose(position: int, value: str) -> None:
        await page.choose(".toolbar select", value, position)

    await choose(0, "Hallway Motion")
    assert await page.js(servers) == ["Hallway Motion"]
    await choose(1, "value")
    assert await page.js(kinds) == ["value"]
    await choose(0, "")
    assert await page.js(kinds) == ["value"] and len(await page.js(servers)) >= 2
    await choose(1, "request")
    await choose(2, session.pairing_data["iOSPairingId"])
    assert await page.js(servers) == ["Desk Lamp"] and await page.js(kinds) == ["request"]
    # What does not match is not added either.
    await site.set("Hallway Motion", "85.22", True)
    await session.write_other(session.identifier(LIGHTBULB, ON))
    count = len(await page.js(ROWS))
    await page.until(f"return document.querySelectorAll('.events li').length > {count - 1}", "the request is added")
    assert await page.js(kinds) == ["request"]
    await choose(1, "")
    await choose(2, "")
    await page.write(".toolbar input[type=search]", "", "motion detected")
    rows = await page.js(ROWS)
    assert rows and all("Motion Detected" in row for row in rows), rows
    await page.write(".toolbar input[type=search]", "", "no such event")
    await page.until_text(".quiet", "No event matches.")
    await page.click(".toolbar button", "Clear")
    await page.write(".toolbar input[type=search]", "", Keys.BACKSPACE)
    await site.set("Hallway Motion", "85.22", False)
    await page.until("return document.querySelectorAll('.events li').length > 0", "new events are shown")
    assert not [row for row in await page.js(ROWS) if "PUT · /characteristics" in row], "a cleared event is shown"


@shows("an entry of the log opens to its JSON, and stays open when others are added")
async def entry(stage: Stage) -> None:
    site = await stage.open("house", "log")
    page = stage.browser
    session = await site.session("Desk Lamp")
    await page.until("return document.querySelectorAll('.events li').length > 0", "events are shown")
    await page.js("window.opened_ = Number(document.querySelector('.events li').dataset.order)")
    # The page follows messages only while the log is shown, so the first ones may come before it does.
    async with asyncio.timeout(20):
        while not await page.js(f"return {ROWS_WITH_BODY}.length"):
            await session.write_other(session.identifier(LIGHTBULB, ON))
            await asyncio.sleep(0.3)
    await page.js(f"{ROWS_WITH_BODY}[0].id = 'request'")
    await page.until_text("#request .event-text", "/On = ")
    await page.click("#request summary")
    text = await page.until("return document.querySelector('.events details[open] pre')?.textContent", "the JSON is shown")
    event = json.loads(text)
    assert event["kind"] == "request" and event["method"] == "PUT" and event["server"] == "Desk Lamp", event
    assert event["body"]["characteristics"][0]["iid"] == session.identifier(LIGHTBULB, ON)[1], event
    await site.set("Hallway Motion", "85.22", True)
    await site.set("Hallway Motion", "85.22", False)
    await page.until("return document.querySelectorAll('.events li').length > 1", "others are added")
    assert await page.js("return document.querySelector('.events details[open] pre').textContent") == text


@shows("a request and its response are one row with the milliseconds; connections and the store are shown on request")
async def joined(stage: Stage) -> None:
    site = await stage.open("house", "log")
    page = stage.browser
    session = await site.session("Desk Lamp")
    row = "[...document.querySelectorAll('.events li')].find((row) => /PUT · .characteristics · 204 · \\d+ ms/.test(row.textContent))"
    async with asyncio.timeout(20):
        while not await page.js(f"return Boolean({row}?.textContent.includes('/On = '))"):
            await session.write_other(session.identifier(LIGHTBULB, ON))
            await asyncio.sleep(0.3)
    kinds = "return [...new Set([...document.querySelectorAll('.events .kind')].map((each) => each.textContent))]"
    assert not {"closed", "store-written", "connection-opened"} & set(await page.js(kinds)), await page.js(kinds)
    await page.click(".toolbar label", "Show connections")
    await page.until("return [...document.querySelectorAll('.events .kind')].some((each) => each.textContent === 'connection-opened')",
                     "connections are shown")
    await page.click(".toolbar label", "Show the store")
    await page.until("return [...document.querySelectorAll('.events .kind')].some((each) => each.textContent === 'store-written')",
                     "the store is shown")


@shows("a request whose body is not what the protocol says is a row like others, and later ones follow")
async def odd_body(stage: Stage) -> None:
    site = await stage.open("house", "log")
    page = stage.browser
    await page.until("return document.querySelectorAll('.events li').length > 0", "events are shown")
    body = (b'{"characteristics":[null,7,{"aid":{"toString":null},"iid":[],"value":{"toString":null}},'
            b'{"aid":"x","status":{"toString":null}}]}')
    async with asyncio.timeout(20):
        while not any("PUT · /characteristics" in row and "?.?" in row for row in await page.js(ROWS)):
            reader, writer = await asyncio.open_connection("127.0.0.1", site.entry("Desk Lamp")["port"])
            writer.write(b"PUT /characteristics HTTP/1.1\r\nHost: lamp\r\nContent-Type: application/hap+json\r\n"
                         b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
            assert (await reader.readline()).startswith(b"HTTP/1.1 4")
            writer.close()
            await asyncio.sleep(0.3)
    await page.click(".toolbar button", "Clear")
    await site.set("Hallway Motion", "85.22", True)
    await site.set("Hallway Motion", "85.22", False)
    await page.until_text(".events li", "Motion Detected")


@shows("without Follow, the log stands still; with it, the missed events are added")
async def follow(stage: Stage) -> None:
    site = await stage.open("house", "log")
    page = stage.browser
    newest = "document.querySelector('.events li').dataset.order"
    await page.until("return document.querySelectorAll('.events li').length > 0", "events are shown")
    await page.click(".toolbar label", "Follow")
    await page.until("return !document.querySelector('.toolbar input.switch').checked", "it does not follow")
    await page.js("import('/page/store.js').then(({ store }) => { window.store_ = store; })")
    # An update that was scheduled before is still made.
    before = await page.until(f"""const before = {newest};
        return new Promise((done) => setTimeout(() => done({newest} === before && before), 600));""", "the log stands still")
    await site.set("Hallway Motion", "85.22", True)
    await site.set("Hallway Motion", "85.22", False)
    await page.until("""
        if (!(window.store_?.events.at(-1).order > Number(arguments[0]))) return false;
        return new Promise((done) => setTimeout(() => done(true), 600));""", "the events have arrived", before)
    assert await page.js(f"return {newest}") == before, "the log has moved"
    await page.click(".toolbar label", "Follow")
    await page.until(f"return {newest} !== arguments[0]", "it follows again", before)
