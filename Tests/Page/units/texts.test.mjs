import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./page.mjs";

const { clockText, durationText, exactTimeText, readingText, setTimeZone, texts, timeText, timeZoneName, valueName } = await load("texts");

test("an automation is one sentence with its triggers, condition, effects and end", () => {
    const { sentence } = texts.automations;
    assert.equal(sentence({ triggers: ["at 23:30, every day"], run: "Good Night" }), "At 23:30, every day: Good Night.");
    assert.equal(sentence({
        triggers: ["when Ada arrives", "at sunset"], condition: "it is dark", run: "turn on Lamp", end: "after 4 h: turn off Lamp",
    }), "When Ada arrives, or at sunset, but only if it is dark: turn on Lamp. It ends after 4 h: turn off Lamp.");
});

test("a scene without actions says so, and several actions are joined", () => {
    assert.equal(texts.automations.sceneSentence([]), "It does nothing yet.");
    assert.equal(texts.automations.sceneSentence(["turn on A", "open B", "close C"]), "Turn on A, open B and close C.");
});

test("counts are in the plural unless there is one", () => {
    assert.equal(texts.home.counted(1, texts.home.categories.lights), "1 light on");
    assert.equal(texts.home.counted(2, texts.home.categories.switches), "2 switches on");
    assert.equal(texts.home.groupState(0, 3), "off");
    assert.equal(texts.home.groupState(2, 3), "2 of 3 on");
});

test("values have people's words, units and at most two decimals", () => {
    assert.equal(valueName({ type: "1E", valueNames: [{ value: 1, name: "Secured" }] }, 1), "Locked");
    assert.equal(valueName({ type: "25" }, true), "On");
    assert.equal(valueName({ type: "32", valueNames: [{ value: 0, name: "Open" }] }, 0), "Open");
    assert.equal(valueName({ type: "11", unit: "celsius" }, 20.499), "20.5 °C");
});

test("a value of a peer may be anything", () => {
    for (const value of [null, {}, [], { toString: null }]) assert.equal(valueName({ type: "11" }, value), "?");
    assert.equal(valueName({ type: "23" }, "x".repeat(100)).length, 80);
    assert.equal(valueName({ type: "constructor" }, 0), "0");
});

test("a reading is a number with at most two decimals and its unit, or a text", () => {
    assert.deepEqual([{ value: 40.127, unit: "%" }, { value: 3, unit: "" }, { value: "ready", unit: "" }, { value: null, unit: "" }]
        .map(readingText), ["40.13 %", "3", "ready", "–"]);
});

test("durations and clocks", () => {
    assert.deepEqual([5, 60, 3600, 3660, 90_000].map(durationText), ["5 s", "1 min", "1 h", "1 h 1 min", "1 d 1 h"]);
    assert.equal(clockText(3661.9), "01:01:01");
    assert.equal(clockText(90_000), "1 d 01:00:00");
});

test("times are in the zone of the home, and in that of the browser if it does not know the zone", () => {
    setTimeZone("Australia/Sydney");
    assert.equal(timeZoneName(), "Australia/Sydney");
    assert.equal(exactTimeText("2026-01-01T00:00:00.123Z"), "11:00:00.123");
    assert.match(timeText("2025-12-31T20:00:00Z"), /2026/);
    setTimeZone("Mars/Olympus");
    assert.equal(timeZoneName(), new Intl.DateTimeFormat().resolvedOptions().timeZone);
});
