// The controls of characteristics, by the form of their values.

import { h, newID, setText } from "./dom.js";
import { exactNumber } from "./api.js";
import { C } from "./types.js";
import { act, write } from "./actions.js";
import { texts } from "./texts.js";

/** A slider has more steps than the first number, and not more than the second. Other numbers have a stepper. */
const [fewSteps, manySteps] = [12, 1000];

/**
 * Creates the control of a characteristic.
 *
 * With `options.isLarge`, up to four choices are buttons side by side. `options.writer` returns who sets the value:
 * "controller" or "device"; by default, the device sets what controllers cannot write.
 *
 * @returns {{element: Element, update: function(): void, showsValue: ?boolean}} `update` shows the current value;
 *     with `showsValue`, as a text as well.
 */
export function control(service, characteristic, options = {}) {
    const isWritable = characteristic.permissions.includes("pw");
    const as = () => options.writer?.() ?? (isWritable ? "controller" : "device");
    const set = (value) => write(service, characteristic, value, as());
    const label = options.label ?? characteristic.name;
    if (characteristic.type === C.press) return buttons(service, characteristic);
    if (!isWritable && !characteristic.permissions.includes("pr")) return text(characteristic, label, set);
    if (characteristic.valueNames?.length) return choice(characteristic, label, set, options.isLarge);
    switch (characteristic.format) {
    case "bool": return toggle(characteristic, label, set);
    case "string": return text(characteristic, label, set);
    case "data":
    case "tlv8": return bytes(characteristic, label, set);
    default: return number(characteristic, label, set);
    }
}

function toggle(characteristic, label, set) {
    const input = h("input.switch", {
        type: "checkbox", role: "switch", "aria-label": label, onchange: () => set(input.checked),
    });
    return { element: input, update: () => { input.checked = Boolean(characteristic.value); } };
}

/** The allowed choices of a characteristic, in people's words. */
function namedValues({ type, valueNames, validValues }) {
    const allowed = valueNames.filter(({ value }) => validValues?.includes(value) ?? true);
    // A vendor may allow only values without names.
    return (allowed.length ? allowed : valueNames)
        .map(({ value, name }) => ({ value, name: texts.values[type]?.[value] ?? name }));
}

/** Buttons side by side, of which one is pressed. */
function segments(characteristic, label, set, choices) {
    const buttons = choices.map(({ value, name }) => h("button", { type: "button", onclick: () => set(value) }, name));
    return {
        element: h("span.segments", { role: "group", "aria-label": label }, buttons),
        update: () => choices.forEach(({ value }, index) =>
            buttons[index].setAttribute("aria-pressed", String(characteristic.value === value))),
        showsValue: true,
    };
}

function choice(characteristic, label, set, isLarge) {
    const choices = namedValues(characteristic);
    if (isLarge && choices.length <= 4) return segments(characteristic, label, set, choices);
    const select = h("select", { "aria-label": label, onchange: () => set(exactNumber(select.value)) },
        choices.map(({ value, name }) => h("option", { value: String(value) }, name)));
    return { element: select, update: () => { select.value = String(characteristic.value); } };
}

function number(characteristic, label, set) {
    const { minimum, maximum, step } = characteristic;
    const hasRange = minimum !== undefined && maximum !== undefined;
    const limits = { min: minimum, max: maximum, step: step ?? (characteristic.format === "float" ? "any" : 1) };
    const steps = hasRange ? (maximum - minimum) / (step ?? 1) : 0;
    if (steps <= fewSteps || steps > manySteps) return stepper(characteristic, label, limits, set);
    const output = h("output");
    let isDragged = false;
    let waiting = 0;
    const update = () => {
        if (isDragged || waiting) return;
        slider.value = String(characteristic.value);
        show(characteristic.valueText ?? "");
    };
    const show = (shown) => {
        slider.setAttribute("aria-valuetext", shown);
        setText(output, shown);
    };
    // A slider that is moved back to its value does not report a change.
    const release = () => {
        isDragged = false;
        update();
    };
    const slider = h("input", {
        ...limits, type: "range", "aria-label": label,
        oninput: () => {
            isDragged = true;
            show(slider.value);
        },
        onchange: async () => {
            waiting += 1;
            await set(Number(slider.value));
            waiting -= 1;
            if (!waiting) release();
        },
        onpointerup: () => setTimeout(release),
        onblur: release,
    });
    return { element: h("span.slider", {}, slider, output), update, showsValue: true };
}

function stepper(characteristic, label, limits, set) {
    const step = Number(limits.step) || 1;
    const clamp = (value) => Math.min(Math.max(value, limits.min ?? -Infinity), limits.max ?? Infinity);
    const round = (value) => Number((Math.round(value / step * 1e6) / 1e6 * step).toPrecision(12));
    const input = h("input", {
        ...limits, type: "number", "aria-label": label, onblur: () => setTimeout(update), onchange: () => {
            if (input.value === "") return;
            const value = exactNumber(input.value);
            set(typeof value === "number" ? clamp(value) : value);
        },
    });
    const update = () => {
        if (document.activeElement !== input) input.value = characteristic.value ?? "";
    };
    const move = (sign) => set(clamp(round(Number(input.value) + sign * step)));
    const button = (name, sign, symbol) => h("button.step", {
        type: "button", "aria-label": `${name}: ${label}`, onclick: () => move(sign),
    }, symbol);
    return {
        element: h("span.stepper", {}, button(texts.controls.less, -1, "−"), input,
            button(texts.controls.more, 1, "+")),
        update,
    };
}

function text(characteristic, label, set) {
    const update = () => {
        if (document.activeElement !== input) input.value = characteristic.value ?? "";
    };
    const input = h("input", {
        type: "text", "aria-label": label, maxlength: "256", onblur: () => setTimeout(update),
        onchange: () => set(input.value),
    });
    return { element: input, update };
}

function bytes(characteristic, label, set) {
    const problem = h("span.field-error", { id: newID("problem"), role: "alert" });
    const update = () => {
        if (document.activeElement !== input) input.value = hexFromBase64(characteristic.value ?? "");
    };
    const input = h("input.hex", {
        type: "text", "aria-label": `${label}: ${texts.controls.hex}`, "aria-describedby": problem.id,
        spellcheck: "false", onblur: () => setTimeout(() => {
            if (!problem.textContent) update();
        }),
        onchange: () => {
            const base64 = base64FromHex(input.value);
            setText(problem, base64 === null ? texts.controls.wrongHex : "");
            if (base64 !== null) set(base64);
        },
    });
    return { element: h("span.bytes", {}, input, problem), update };
}

function buttons(service, characteristic) {
    const words = texts.simulation;
    const kinds = ["press", "doublePress", "longPress"];
    const allowed = kinds.filter((_, value) => characteristic.validValues?.includes(value) ?? true);
    return {
        element: h("span.buttons", {}, allowed.map((action) => h("button", {
            type: "button", onclick: () => act(service, action),
        }, words[action]))),
        update: () => {},
    };
}

/** Creates the color wheel of a light with hue and saturation; keyboards use the two sliders below it. */
export function colorWheel(service) {
    const hue = service.find(C.hue);
    const saturation = service.find(C.saturation);
    if (!hue || !saturation) return null;
    const marker = h("span.wheel-marker");
    let isDown = false;
    let dragged = null;
    const place = ([h1, s]) => {
        const angle = h1 * Math.PI / 180;
        marker.style.setProperty("left", `${50 + Math.sin(angle) * s / 2}%`);
        marker.style.setProperty("top", `${50 - Math.cos(angle) * s / 2}%`);
        marker.style.setProperty("background", `hsl(${h1} ${s}% ${100 - s / 2}%)`);
    };
    const pick = (event) => {
        const box = wheel.getBoundingClientRect();
        const x = (event.clientX - box.left) / box.width * 2 - 1;
        const y = (event.clientY - box.top) / box.height * 2 - 1;
        dragged = [
            Math.round((Math.atan2(x, -y) * 180 / Math.PI + 360) % 360),
            Math.round(Math.min(Math.hypot(x, y), 1) * 100),
        ];
        place(dragged);
    };
    const wheel = h("div.wheel", {
        "aria-hidden": "true",
        onpointerdown: (event) => {
            if (event.button !== 0) return;
            isDown = true;
            wheel.setPointerCapture(event.pointerId);
            pick(event);
        },
        onpointermove: (event) => {
            if (isDown) pick(event);
        },
        onpointerup: async () => {
            if (!isDown) return;
            isDown = false;
            const chosen = dragged;
            await write(service, hue, chosen[0], "controller");
            await write(service, saturation, chosen[1], "controller");
            if (dragged === chosen) dragged = null;
            update();
        },
        onpointercancel: () => {
            isDown = false;
            dragged = null;
            update();
        },
    }, marker);
    const update = () => {
        if (!dragged) place([hue.value ?? 0, saturation.value ?? 0]);
    };
    return { element: wheel, update };
}

/** Returns Base64 of hexadecimal digits, or null if they are not pairs of digits. */
function base64FromHex(text) {
    const digits = text.replaceAll(/[\s:]/g, "");
    if (digits.length % 2 || /[^0-9a-f]/i.test(digits)) return null;
    const values = digits.match(/../g) ?? [];
    return btoa(String.fromCharCode(...values.map((pair) => Number.parseInt(pair, 16))));
}

function hexFromBase64(text) {
    try {
        return [...atob(text)].map((c) => c.charCodeAt(0).toString(16).padStart(2, "0")).join(" ");
    } catch {
        return text;
    }
}
