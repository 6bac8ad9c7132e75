"""Chromium without a window, driven by selenium."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.common.exceptions import (
    ElementClickInterceptedException, ElementNotInteractableException, JavascriptException,
    StaleElementReferenceException, WebDriverException,
)
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.expected_conditions import alert_is_present
from selenium.webdriver.support.wait import WebDriverWait

PATIENCE = 30.0
STEP = 0.05
DESKTOP = (1280, 900)
PHONE = (390, 844)
TRANSIENT = (
    ElementClickInterceptedException, ElementNotInteractableException, StaleElementReferenceException,
)

# Returns the first visible element with a selector whose label or text contains a text.
FIND = """
const [selector, text] = arguments;
return [...document.querySelectorAll(selector)].find((element) => element.checkVisibility()
    && (!text || (element.getAttribute("aria-label") ?? "").includes(text) || element.textContent.includes(text))) ?? null;
"""

# Returns the button of the tile with a name.
TILE = """
const [name] = arguments;
return [...document.querySelectorAll(".tile")]
    .find((tile) => tile.querySelector(".tile-name").textContent === name)?.querySelector(".tile-button") ?? null;
"""

# Returns the first value of a script that counts as true; after a second the last one, since documents are replaced.
UNTIL = """
const check = function () { %s };
return (async () => {
    for (const end = performance.now() + 1000; ;) {
        const value = await check.apply(null, arguments);
        if (value || performance.now() > end) return value;
        await new Promise((resolve) => setTimeout(resolve, 10));
    }
})();
"""

IS_READY = """
return document.querySelector(".connection")?.dataset.state === "live" && !document.querySelector(".loading")
    && Boolean(document.querySelector("main")?.childElementCount);
"""


class Browser:
    """A browser with one window. selenium blocks, so it runs in a thread of its own."""

    def __init__(self) -> None:
        self.pool = ThreadPoolExecutor(1)
        self.driver: webdriver.Chrome | None = None
        self.messages: list[str] = []

    async def start(self) -> None:
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                         "--disable-dev-shm-usage", "--disable-background-networking", "--no-first-run",
                         "--disable-component-update", "--disable-extensions", "--force-color-profile=srgb",
                         "--lang=en-US", "--window-size=%d,%d" % DESKTOP):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        service = Service("/usr/bin/chromedriver")
        self.driver = await self.do(lambda: webdriver.Chrome(options=options, service=service))
        await self.do(lambda: self.driver.set_script_timeout(60))
        await self.cdp("Performance.enable")
        await self.cdp("Emulation.setTimezoneOverride", timezoneId="Europe/Berlin")
        await self.look()

    async def end(self) -> None:
        if self.driver is not None:
            await self.do(self.driver.quit)
        self.pool.shutdown()

    async def do(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self.pool, function, *arguments)

    async def cdp(self, command: str, **parameters: Any) -> dict[str, Any]:
        """Sends a command of the Chrome DevTools Protocol."""
        return await self.do(self.driver.execute_cdp_cmd, command, parameters)

    async def js(self, script: str, *arguments: Any) -> Any:
        return await self.do(self.driver.execute_script, script, *arguments)

    async def look(self, size: tuple[int, int] = DESKTOP, *, scheme: str = "light", motion: str = "no-preference") -> None:
        """Sets the size of the window and what the user prefers."""
        await self.cdp("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=1,
                       mobile=size[0] < 600)
        await self.cdp("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": motion}])

    async def open(self, address: str, *, is_ready: str = IS_READY) -> None:
        """Opens an address in a new document, and waits until the page shows its view."""
        await self.do(self.driver.get, "about:blank")
        await self.do(self.driver.get, address)
        await self.until(is_ready, f"the page at {address.partition('#')[0]} is ready")

    async def go(self, view: str) -> None:
        """Shows a view by its link, such as `simulation`."""
        await self.js("location.hash = `#/${arguments[0]}`", view)
        await self.until("return document.querySelector('header nav [aria-current]')?.hash === `#/${arguments[0]}`",
                         f"the view {view} is shown", view.split("/")[0])

    async def until(self, script: str, what: str, *arguments: Any, limit: float = PATIENCE) -> Any:
        """Waits until a script returns a value that counts as true, and returns it."""
        end = time.monotonic() + limit
        while True:
            try:
                value = await self.js(UNTIL % script, *arguments)
            except (JavascriptException, StaleElementReferenceException) as error:
                value, problem = None, error
            else:
                problem = None
            if value:
                return value
            if time.monotonic() > end:
                text = await self.js("return document.body?.innerText ?? ''")
                shown = " / ".join(text.split("\n"))[:600]
                raise AssertionError(f"not within {limit:g} s: {what}{f' ({problem.msg})' if problem else ''}; shown: {shown}")
            await asyncio.sleep(STEP)

    async def find(self, selector: str, text: str = "") -> WebElement:
        return await self.until(FIND, f"{selector} {text!r} is shown", selector, text)

    async def tile(self, name: str) -> WebElement:
        return await self.until(TILE, f"the tile {name} is shown", name)

    async def state(self, name: str) -> str:
        """Returns the state that the tile with a name shows."""
        return await self.js("return arguments[0].querySelector('.tile-state').textContent", await self.tile(name))

    async def until_state(self, name: str, part: str) -> str:
        """Waits until the tile with a name shows a state that contains a text."""
        return await self.until(f"""
            const text = (() => {{ {TILE} }})()?.querySelector(".tile-state")?.textContent;
            return text?.includes(arguments[1]) && text;""", f"the tile {name} shows {part}", name, part)

    async def until_text(self, selector: str, part: str) -> str:
        """Waits until the text of an element contains a text."""
        return await self.until("""
            const texts = [...document.querySelectorAll(arguments[0])].map((element) => element.textContent);
            return texts.find((text) => text.includes(arguments[1]));""", f"{selector} shows {part!r}", selector, part)

    async def click(self, selector: str, text: str = "") -> None:
        """Clicks with the mouse. An element that is being replaced or covered is looked up again."""
        await self._patiently(lambda: self.find(selector, text))

    async def click_tile(self, name: str) -> None:
        await self._patiently(lambda: self.tile(name))

    async def _patiently(self, find: Callable[[], Awaitable[WebElement]],
                         act: Callable[[WebElement], None] = WebElement.click) -> None:
        end = time.monotonic() + PATIENCE
        while True:
            element = await find()
            try:
                await self.js("arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' })", element)
                await self.do(act, element)
                return
            except TRANSIENT:
                if time.monotonic() > end:
                    raise
                await asyncio.sleep(STEP)

    async def press(self, *keys: str) -> None:
        """Presses keys, one after the other, where the focus is."""
        for key in keys:
            await self.do(lambda key=key: ActionChains(self.driver).send_keys(key).perform())

    async def hold(self, element: WebElement, seconds: float) -> None:
        """Presses the mouse button on an element for a time."""
        await self.do(lambda: ActionChains(self.driver).click_and_hold(element).pause(seconds).release().perform())

    async def click_at(self, element: WebElement, x: int, y: int) -> None:
        """Clicks beside the center of an element."""
        await self.do(lambda: ActionChains(self.driver).move_to_element_with_offset(element, x, y).click().perform())

    async def write(self, selector: str, text: str, value: str) -> None:
        """Replaces the content of an input, and leaves it. An input that is being replaced is looked up again."""
        await self._patiently(lambda: self.find(selector, text), lambda element: self._type(element, value))

    def _type(self, element: WebElement, value: str) -> None:
        element.send_keys(Keys.CONTROL, "a")
        element.send_keys(value + Keys.TAB)

    async def choose(self, selector: str, value: str, position: int = 0) -> None:
        """Chooses a value of a list, or the entry with this text, as soon as it can be chosen."""
        await self.until("""
            const select = document.querySelectorAll(arguments[0])[arguments[2]];
            const found = [...select.options].find((option) => [option.value, option.label].includes(arguments[1]));
            if (!found) return false;
            select.value = found.value;
            select.dispatchEvent(new Event("change"));
            return true;""", f"{value} can be chosen", selector, value, position)

    async def until_alert(self, part: str, *, accept: bool) -> None:
        """Answers a question of the page that contains a text."""

        def answer() -> str:
            alert = WebDriverWait(self.driver, PATIENCE).until(alert_is_present())
            text = alert.text
            alert.accept() if accept else alert.dismiss()
            return text

        text = await self.do(answer)
        assert part in text, text

    async def answer(self, text: str) -> None:
        """Answers a question of the page with a text."""

        def send() -> None:
            alert = WebDriverWait(self.driver, PATIENCE).until(alert_is_present())
            alert.send_keys(text)
            alert.accept()

        await self.do(send)

    async def focused(self) -> str:
        """Describes the element with the focus."""
        return await self.js("""
            const element = document.activeElement;
            return `${element.localName}.${element.className} ${element.ariaLabel ?? element.innerText ?? ""}`;""")

    async def log(self) -> list[str]:
        """Returns the messages of the browser's log since the last call, and remembers them."""
        found = [f"{entry['level']} {entry['source']} {entry['message']}"
                 for entry in await self.do(self.driver.get_log, "browser")]
        self.messages += found
        return found

    async def picture(self, file: Path) -> None:
        data = await self.do(self.driver.get_screenshot_as_png)
        file.write_bytes(data)


__all__ = ["Browser", "DESKTOP", "PHONE", "Keys", "WebDriverException"]
