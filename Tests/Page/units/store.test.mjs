import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { draw, load, serve } from "./page.mjs";

const { store } = await load("store");
const { message } = await load("log");

const lamp = (value) => [{ aid: 1, name: "Lamp", services: [{
    iid: 10, type: "43", name: "Lamp", typeName: "Light Bulb", readings: [],
    characteristics: [{ id: "1.11", type: "25", name: "On", format: "bool", permissions: ["pr", "pw", "ev"], value,
        valueText: value ? "on" : "off", subscribers: 0 }],
}] }];
const home = {
    name: "House", rooms: [
        { name: "Hall", services: [{ name: "Hall Lamp", typeID: "47", accessory: "Lamp", deviceID: "A", aid: 1, iid: 10 }] },
        { name: "Default Room", services: [] },
    ], groups: [], scenes: [], automations: [], users: [], editable: true,
};
const answers = (changes = {}) => ({
    "GET /api/v1/status": { lastEventID: 5, home: "House" },
    "GET /api/v1/servers": [{ key: "lamp", name: "Lamp", deviceID: "A" }],
    "GET /api/v1/home": home, "GET /api/v1/faults": [], "GET /api/v1/events/latest": [],
    "GET /api/v1/servers/lamp/accessories": lamp(false), "GET /api/v1/servers/lamp/drivers": [], lastEventID: 5, ...changes,
});
const on = () => store.servers.get("lamp").characteristics.get("1.11").characteristic;

beforeEach(async () => {
    store.servers.clear();
    store.events.length = 0;
    serve(answers());
    await store.load();
    draw();
});

test("listeners are called once per frame, also if one of them fails", (t) => {
    t.mock.method(console, "error", () => {});
    const calls = [];
    const ends = [
        store.on("values", () => { throw new Error("broken"); }), store.on("values", () => calls.push("values")),
    ];
    store.change("values");
    store.change("values");
    draw();
    ends.forEach((end) => end());
    store.change("values");
    draw();
    assert.deepEqual(calls, ["values"]);
});

test("an event changes a value, and an answer that is older does not", async () => {
    store.receive({ id: "9", kind: "value", data: {
        id: 9, kind: "value", server: "lamp", characteristic: "1.11", value: true, valueText: "on" } });
    assert.equal(on().value, true);
    await store.load();
    assert.equal(on().value, true);
    serve(answers({ lastEventID: 10 }));
    await store.load();
    assert.equal(on().value, false);
});

test("a service knows its name, type and room in the home", async () => {
    const service = store.servers.get("lamp").services.get("1.10");
    assert.deepEqual(service.place, { room: "Hall", name: "Hall Lamp", accessory: "Lamp", isDefault: false, hasOwnRoom: false });
    assert.equal(service.shownType, "47");
    store.setHome({ ...home, rooms: [{ name: "Default Room", services: home.rooms[0].services }] });
    assert.equal(service.place.isDefault, true);
    store.setHome(null);
    assert.equal(service.place, undefined);
});

test("a server that was removed meanwhile does not stop the others", async () => {
    serve(answers({ "GET /api/v1/servers": [{ key: "gone", name: "Gone", deviceID: "B" }, { key: "lamp", name: "Lamp", deviceID: "A" }] }));
    await store.load();
    assert.deepEqual([...store.servers.keys()], ["lamp"]);
});

test("only a driven service whose driver says so is out of reach, also after an older answer", async () => {
    const driven = lamp(false);
    driven[0].services[0].driven = true;
    const answer = (reachable, lastEventID) => answers({ "GET /api/v1/servers/lamp/accessories": driven,
        "GET /api/v1/servers/lamp/drivers": [{ aid: 1, driver: "command", state: "running", reachable }], lastEventID });
    const service = () => store.servers.get("lamp").services.get("1.10");
    assert.equal(service().isReachable, true);
    serve(answer(false, 6));
    await store.load();
    assert.equal(service().isReachable, false);
    serve(answer(true, 8));
    await store.reload("drivers", "lamp");
    assert.equal(service().isReachable, true);
    serve(answer(false, 7));
    await store.reload("drivers", "lamp");
    assert.equal(service().isReachable, true);
});

const request = { kind: "request", server: "lamp", session: 3, method: "PUT", path: "/characteristics",
    time: "2026-01-01T00:00:00.000Z", body: { characteristics: [{ aid: 1, iid: 11, value: true }] } };
const response = { kind: "response", server: "lamp", session: 3, status: 204, time: "2026-01-01T00:00:00.012Z" };

test("a response is part of the row of its request, with the milliseconds between them", () => {
    store.record({ ...request });
    store.record({ ...response, session: 4 });
    store.record({ ...response });
    store.record({ ...response });
    assert.deepEqual(store.events.map(({ kind, session }) => [kind, session]),
        [["request", 3], ["response", 4], ["response", 3]]);
    assert.equal(message(store.events[0]), "PUT · /characteristics · 204 · 12 ms · Lamp/On = On · connection 3");
});

test("a read says the values of its response once", () => {
    store.record({ ...request, method: "GET", query: "id=1.11", body: undefined });
    store.record({ ...response, status: 200, body: { characteristics: [{ aid: 1, iid: 11, value: false }] } });
    assert.equal(message(store.events[0]),
        "GET · /characteristics?id=1.11 · 200 · 12 ms · Lamp/On = Off · connection 3");
});

test("a message of a driver says who sends what to whom", () => {
    const play = { kind: "received", server: "tv", accessory: "TV", peer: 2, from: "sender-0", to: "session",
        path: "urn:x-cast:com.google.cast.media", time: request.time, body: { type: "PLAY" } };
    assert.equal(message(play), "sender-0 → session · PLAY · urn:x-cast:com.google.cast.media");
    assert.equal(message({ ...play, body: undefined, hiddenBytes: 7 }),
        "sender-0 → session · urn:x-cast:com.google.cast.media");
});

test("a body may be anything", () => {
    for (const body of [null, 7, { characteristics: [null, 7, { aid: { toString: null }, iid: [], value: {} }] }]) {
        assert.match(message({ ...request, body }), /^PUT · \/characteristics/);
    }
});

test("the log forgets the oldest events", () => {
    for (let number = 0; number < 3000; number += 1) store.record({ kind: "value", number });
    assert.ok(store.events.length <= 2500);
    assert.equal(store.events.at(-1).number, 2999);
});
