"""The claims about names and values that are markup, and about what the browser may do."""

from __future__ import annotations

from browser import Keys
from stage import Stage, quoted, shows

NAME = "<img src=x onerror=alert(1)><script>"
# No element of a name, a value or a home exists, and no handler.
INJECTED = """
return [...document.querySelectorAll("body script, img:not([src^='/page/']):not(.qr), body b, body i, svg[onload], [onerror]")]
    .map((element) => element.outerHTML)"""
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
          "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
          "trusted-types 'none'")


@shows("names and values that are markup are shown as text in every view, and become no elements")
async def markup(stage: Stage) -> None:
    site = await stage.open("markup")
    page = stage.browser
    await page.log()

    async def check(view: str, *texts: str) -> None:
        for text in texts:
            await page.until("""
                const inputs = [...document.querySelectorAll("input, option")].map((input) => input.value);
                return [document.body.textContent, ...inputs].some((text) => text.includes(arguments[0]));""",
                             f"{text} is shown in {view}", text)
        injected = await page.js(INJECTED)
        assert not injected, f"{view}: {injected}"

    light = "<img src=x onerror=alert(3)>"
    note = "<img src=x onerror=alert(5)><script>alert(6)</script>"
    await check("home", light, "<img src=x onerror=alert(7)>")
    await page.click("button.tile-more", "alert(3)")
    await check("details", note, NAME)
    await page.press(Keys.ESCAPE)
    await page.go(f"accessories/{quoted(NAME)}")
    await page.until("return document.querySelector('.server h2')?.textContent === arguments[0]", "the accessory is shown", NAME)
    await check("accessories", NAME, light, note)
    await page.js("for (const details of document.querySelectorAll('details.service')) details.open = true")
    await check("accessories", "<b>M</b>", "\"><svg onload=alert(2)>", "<i>1</i>")
    assert await page.js("return document.title") == f"{NAME} – Accessories – hap"
    await page.go("simulation")
    await check("simulation", "<img src=x onerror=alert(7)>")
    await page.write(".phrase input", "Command", "<img src=x onerror=alert(20)>" + Keys.ENTER)
    await page.until_text(".errors .message", "<img src=x onerror=alert(20)>")
    await check("simulation")
    await site.set(NAME, "43.7E536242-341C-4862-BE90-272CE15BD634", "<img src=x onerror=alert(21)>", "controller")
    await page.go("log")
    await check("log", NAME, "<img src=x onerror=alert(21)>")
    await page.js("for (const details of document.querySelectorAll('.events details')) details.open = true")
    await check("log")
    problems = [line for line in await page.log() if line.startswith("SEVERE") and "422" not in line and "400" not in line
                and "404" not in line and "409" not in line]
    assert not problems, problems


@shows("the page has its content security policy, and no file of it can be sniffed or framed")
async def policy(stage: Stage) -> None:
    site = await stage.site("house")
    answer = await site.api.ask("GET", "/", Authorization=None)
    head = {name.lower(): value for name, _, value in (line.partition(": ") for line in answer.head.split("\r\n"))}
    assert head.get("content-security-policy") == POLICY, head
    for path in ("/", "/page/main.js", "/page/page.css", "/page/icon.svg"):
        answer = await site.api.ask("GET", path, Authorization=None)
        assert answer.status == 200 and "x-content-type-options: nosniff" in answer.head.lower(), (path, answer.head)


@shows("the browser refuses inline scripts, inline styles, and texts as markup on the page")
async def refused(stage: Stage) -> None:
    await stage.open("house")
    page = stage.browser
    await page.log()
    refused = await page.js("""
        const script = document.createElement("script");
        const results = [];
        try { script.textContent = "window.hasRun = true"; document.body.append(script); } catch { results.push("script"); }
        try { document.createElement("div").innerHTML = "<b>x</b>"; } catch { results.push("markup"); }
        return [results, Boolean(window.hasRun)];""")
    assert refused == [["script", "markup"], False], refused
    await page.log()


@shows("no view violates the policy or logs an error")
async def violations(stage: Stage) -> None:
    site = await stage.site("house")
    page = stage.browser
    await page.log()
    await page.open(site.link)
    for view in ("home", "accessories", "accessories/Kilgo%20Garage", "simulation", "log", "home"):
        await page.go(view)
        await page.until("return document.querySelector('h1, h2')", "the view has a heading")
    await page.click("button.tile-more", "Details of Mood Light")
    await page.find("dialog[open]")
    await page.press(Keys.ESCAPE)
    log = await page.log()
    assert not log, log
