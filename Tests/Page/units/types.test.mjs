import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./page.mjs";

const { argumentsOf, exactNumber } = await load("api");
const { isActive, isBadge, isCompact, isShownInHomes, isUnlocked } = await load("types");

/** A service with values by type. */
function service(type, values = {}, more = {}) {
    const value = (wanted) => values[wanted] ?? null;
    return { type, hidden: false, value, number: (wanted) => typeof value(wanted) === "boolean" ? Number(value(wanted)) : value(wanted),
        find: (wanted) => wanted in values, accessory: { services: [] }, ...more };
}

test("what is on, open or unlocked is active", () => {
    assert.ok(isActive(service("43", { 25: true })) && !isActive(service("43", { 25: false })));
    assert.ok(isActive(service("41", { E: 2 })) && !isActive(service("41", { E: 1 })));
    assert.ok(isActive(service("8C", { "6D": 1 })) && !isActive(service("8C", { "6D": 0 })));
    assert.ok(isUnlocked(service("45", { "1D": 2 })) && !isUnlocked(service("45", { "1D": 1 })));
});

test("an outlet that a home shows as a light is a light", () => {
    assert.ok(!isCompact(service("47", {}, { shownType: "43" })));
    assert.ok(isCompact(service("85")));
});

test("a battery is a badge only on a device with something else", () => {
    const battery = service("96");
    battery.accessory.services = [battery];
    assert.ok(!isBadge(battery));
    battery.accessory.services.push(service("3E"));
    assert.ok(!isBadge(battery));
    battery.accessory.services.push(service("45"));
    assert.ok(isBadge(battery));
});

test("what belongs to the protocol is not part of a home", () => {
    assert.ok(!isShownInHomes(service("3E")) && !isShownInHomes(service("43", {}, { hidden: true })));
    assert.ok(isShownInHomes(service("43")));
});

test("numbers that JavaScript cannot represent stay texts", () => {
    assert.equal(exactNumber("12.5"), 12.5);
    assert.equal(exactNumber("18446744073709551615"), "18446744073709551615");
    assert.equal(exactNumber(" "), "");
});

test("arguments are pairs with spaces between them; quotation marks enclose a value with spaces", () => {
    assert.deepEqual(argumentsOf(" level=5  room=\"Living Room\" text=a=b empty= "),
        { level: "5", room: "Living Room", text: "a=b", empty: "" });
    assert.deepEqual(argumentsOf("  "), {});
    for (const text of ["now", "level = 5", "=5", "level=5 now"]) assert.equal(argumentsOf(text), null, text);
});
