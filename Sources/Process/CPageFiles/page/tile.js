// The tile of a service.

import { fill, h, setText } from "./dom.js";
import { icon } from "./icons.js";
import { C, isActive, isBadge, isShownInHomes, kindOf } from "./types.js";
import { store } from "./store.js";
import { performPrimaryAction, primaryActionText } from "./actions.js";
import { texts } from "./texts.js";

const longPress = 500;

/** The types whose two values have words. */
const twoValues = new Set([
    C.motion, C.occupancy, C.leak, C.smoke, C.contactState, C.carbonMonoxideDetected, C.carbonDioxideDetected, C.on,
    C.active,
]);

export function stateText(service) {
    if (!service.isReachable) return texts.tile.unreachable;
    const isOff = [C.on, C.active].some((type) => service.find(type) && !service.value(type));
    const parts = [];
    for (const type of kindOf(service).state) {
        const characteristic = service.find(type);
        if (!characteristic || characteristic.value === null) continue;
        if (isOff && type !== C.on && type !== C.active && type !== C.currentTemperature) continue;
        if (type === C.obstruction) {
            if (characteristic.value) parts.push(texts.tile.obstructed);
        } else if (type === C.statusLowBattery || type === C.chargingState) {
            if (characteristic.value === 1) parts.push(characteristic.valueText);
        } else if (type === C.targetTemperature) {
            // In the automatic mode, a thermostat follows its thresholds.
            const limits = [C.heatingThreshold, C.coolingThreshold].map((each) => service.find(each)?.valueText);
            const isAutomatic = service.number(C.targetHeatingCooling) === 3 && limits.every(Boolean);
            parts.push(isAutomatic ? limits.join(" – ") : texts.tile.target(characteristic.valueText));
        } else if (twoValues.has(type)) {
            // A brightness says already that the light is on.
            const more = kindOf(service).state.some((other) => other !== type && service.find(other));
            if (isOff || !(type === C.on && more)) parts.push(texts.values[type][Number(characteristic.value) ? 1 : 0]);
        } else {
            parts.push(valueText(characteristic));
        }
    }
    return parts.join(" · ");
}

function lightColor(service) {
    if (!service.value(C.on)) return null;
    const saturation = service.value(C.saturation);
    const kelvin = service.value(C.colorTemperature);
    if (saturation > 5) return `hsl(${service.value(C.hue)} ${50 + saturation / 2}% ${65 - saturation / 8}%)`;
    if (kelvin !== null) return `hsl(${kelvin > 250 ? 36 : 210} ${Math.min(Math.abs(kelvin - 250) / 2.5, 90)}% 70%)`;
    return "hsl(45 100% 60%)";
}

/** Returns a value in people's words. */
export function valueText({ type, value, valueText: text }) {
    const known = value === null ? undefined : texts.values[type]?.[Number(value)];
    if (known) return known;
    if (typeof value !== "boolean") return text ?? "–";
    return value ? texts.tile.yes : texts.tile.no;
}

/** Creates the tile of a service, which follows its values until `end` is called. */
export function tile(service, { name = service.name, onDetails }) {
    const kind = kindOf(service);
    const symbol = h("span.tile-icon", {}, icon(kind.icon));
    const state = h("span.tile-state");
    const hint = h("span.visually-hidden");
    let timer = null;
    let wasLong = false;
    const isPressable = kind.action && (kind.action.kind === "press" || service.find(kind.action.type));
    const act = () => isPressable ? performPrimaryAction(service) : onDetails();
    const cancel = () => {
        clearTimeout(timer);
        timer = null;
    };
    const button = h("button.tile-button", {
        type: "button", "data-focus": service.key,
        onpointerdown: (event) => {
            wasLong = false;
            if (event.button !== 0) return;
            timer = setTimeout(() => {
                wasLong = true;
                onDetails();
            }, longPress);
        },
        onpointerup: cancel,
        onpointerleave: cancel,
        onpointercancel: cancel,
        oncontextmenu: (event) => {
            event.preventDefault();
            cancel();
            if (!wasLong) onDetails();
        },
        onclick: (event) => {
            // A key or a screen reader clicks without a pointer.
            if (!wasLong || event.detail === 0) act();
        },
        onkeydown: (event) => {
            wasLong = false;
            if (event.key !== "Enter") return;
            event.preventDefault();
            if (!event.repeat) onDetails();
        },
    }, symbol, h("span.tile-texts", {}, h("span.tile-name", {}, name), state), hint);
    const batteries = batteriesOf(service);
    const element = h("div.tile", {},
        button,
        h("button.icon-button.tile-more", {
            type: "button", "aria-label": texts.details(name), onclick: onDetails,
        }, icon("more")), batteries.map((each) => each.element));
    if (service.type === "41") symbol.replaceChildren(garageDoor());

    const update = () => {
        const active = isActive(service) && service.isReachable;
        element.classList.toggle("is-active", active);
        element.classList.toggle("is-absent", !service.isReachable);
        element.classList.toggle("is-warning", isWarning(service));
        if (isPressable && kind.action.kind !== "press") button.setAttribute("aria-pressed", String(active));
        setText(state, stateText(service));
        setText(hint, texts.tile.hint(primaryActionText(service)));
        showDevice(service, element, symbol);
    };
    update();
    const ends = [store.on(`service:${service.key}`, update), ...batteries.map((each) => each.end)];
    return {
        element,
        end: () => {
            cancel();
            ends.forEach((end) => end());
        },
    };
}

/** The batteries of a device, on the tile of its first service. */
function batteriesOf(service) {
    const shown = service.accessory.services.filter(isShownInHomes);
    if (shown.find((each) => each.type !== "96") !== service) return [];
    return shown.filter(isBadge).map((battery) => {
        const element = h("span.battery");
        const update = () => {
            element.classList.toggle("is-low", Boolean(battery.value(C.statusLowBattery)));
            fill(element, icon("battery"), h("span.visually-hidden", {}, texts.tile.battery),
                battery.find(C.batteryLevel)?.valueText);
        };
        update();
        return { element, end: store.on(`service:${battery.key}`, update) };
    });
}

function isWarning(service) {
    return Boolean(service.value(C.obstruction) || service.value(C.leak) || service.value(C.smoke)
        || service.value(C.carbonMonoxideDetected) || service.number(C.lockCurrent) === 2
        || service.number(C.securityCurrent) === 4);
}

/** Shows what the device does: the color and the output of a light, the position of a door. */
function showDevice(service, element, symbol) {
    // Properties of the whole tile would be computed for each of its elements.
    const { style } = symbol;
    if ((service.shownType ?? service.type) === "43") {
        const color = lightColor(service);
        const output = service.reading("output") ?? service.value(C.brightness) ?? (service.value(C.on) ? 100 : 0);
        style.setProperty("--light", color ?? "transparent");
        style.setProperty("--output", String(Math.max(0, Math.min(100, output)) / 100));
        element.classList.toggle("is-light", color !== null || output > 0);
    }
    const position = service.reading("position") ?? service.value(C.currentPosition);
    if (position !== null && position !== undefined) style.setProperty("--position", String(position / 100));
    if (service.type === "41" && service.reading("position") === undefined) {
        style.setProperty("--position", service.number(C.currentDoor) === 1 ? "0" : "1");
    }
}

/** A garage with a door that moves with the property --position. */
function garageDoor() {
    return h("svg.icon.garage", { viewBox: "0 0 24 24", "aria-hidden": "true" },
        h("path", { d: "M3 11l9-7 9 7M5 10v10M19 10v10M3 20h18" }),
        h("svg", { x: "7", y: "11.5", width: "10", height: "8.5", viewBox: "0 0 10 8.5" },
            h("path", { class: "garage-door", d: "M.5 .5h9v8h-9zM.5 3.2h9M.5 5.9h9" })));
}
