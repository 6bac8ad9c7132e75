// The actions of clicks. A message says why an action has failed.

import { command, ConnectionError, post, put, serverPath } from "./api.js";
import { C, isActive, kindOf } from "./types.js";
import { store } from "./store.js";
import { announce } from "./messages.js";
import { texts } from "./texts.js";

/** The writes that wait for an answer, by characteristic: how many, and the value before the first one. */
const writes = new WeakMap();

/** Sets a value, as a controller or as the device. Returns whether it was accepted. */
export async function write(service, characteristic, value, as) {
    const { value: valueBefore, valueText, eventID } = characteristic;
    const waiting = writes.get(characteristic) ?? { count: 0, before: { value: valueBefore, valueText } };
    waiting.count += 1;
    writes.set(characteristic, waiting);
    characteristic.value = value;
    store.change(`service:${service.key}`);
    let answer = null;
    try {
        const path = serverPath(service.server.key, `characteristics/${characteristic.id}`);
        answer = await put(path, { value, as });
        waiting.before = { value: answer.value ?? null, valueText: answer.valueText };
        if (service.readings.length) store.followReadings(service);
    } catch (error) {
        fail(service.name, error);
    }
    waiting.count -= 1;
    if (waiting.count === 0) {
        writes.delete(characteristic);
        // An event may have brought a newer value meanwhile.
        if (characteristic.eventID === eventID) Object.assign(characteristic, waiting.before);
    }
    store.change(`service:${service.key}`);
    return answer !== null;
}

export function fail(what, error) {
    const why = error instanceof ConnectionError ? texts.connection.lost : error.message;
    announce(texts.failed(what, why), { isError: true });
}

/** Performs a command. Returns its answer, or null. */
export const run = (text) => answer(text, () => command(text));

/** Performs an action on a device. Returns the answer, or null. */
export const act = (service, action) => answer(service.name, async () =>
    (await post(serverPath(service.server.key, `services/${service.id}/actions`), { action })).message);

/** Asks the driver of an accessory to do something, with arguments by name. Returns the answer, or null. */
export const ask = (server, aid, action, given) => answer(action, async () =>
    (await post(serverPath(server.key, `accessories/${aid}/actions`), { action, with: given })).message);

async function answer(what, request) {
    try {
        const text = await request();
        store.loadSoon("simulation");
        return text;
    } catch (error) {
        fail(what, error);
        return null;
    }
}

/** Returns the name of a service with those of its accessory and its bridge. */
export function fullName({ server, accessory, name }) {
    return [...server.accessories.length > 1 ? [server.name] : [], accessory.name, name].join("/");
}

export async function performPrimaryAction(service) {
    const action = kindOf(service).action;
    if (!action) return;
    if (action.kind === "press") {
        if (await act(service, "press")) announce(texts.tile.pressed(service.name));
        return;
    }
    const characteristic = service.find(action.type);
    if (!characteristic) return;
    const isOn = action.type === C.targetPosition ? service.number(action.type) > 0 : characteristic.value == action.on;
    await write(service, characteristic, isOn ? action.off : action.on,
        action.kind === "sense" ? "device" : "controller");
}

export function primaryActionText(service) {
    const action = kindOf(service).action;
    if (!action || (action.type && !service.find(action.type))) return texts.tile.details;
    const word = texts.tile;
    if (action.kind === "press") return word.press;
    if (action.kind === "sense") return isActive(service) ? word.reset : word.trigger;
    const isOn = action.type === C.targetPosition
        ? service.number(action.type) > 0 : service.value(action.type) == action.on;
    if (action.type === C.lockTarget) return isOn ? word.lock : word.unlock;
    if (action.type === C.targetDoor || action.type === C.targetPosition) return isOn ? word.close : word.open;
    return isOn ? word.turnOff : word.turnOn;
}

/** Changes a member of a user or an automation of the home. Returns whether that was possible. */
export async function change(item, key, value, path) {
    try {
        await put(path, { [key]: value });
        item[key] = value;
        store.change("home");
        store.loadSoon("home");
        return true;
    } catch (error) {
        fail(item.name, error);
        return false;
    }
}
