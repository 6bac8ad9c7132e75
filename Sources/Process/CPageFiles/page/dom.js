// Creates elements. Texts become text nodes, never markup.

const svgNamespace = "http://www.w3.org/2000/svg";
const svgTags = new Set(["svg", "path", "circle", "rect", "line", "polyline", "g", "text", "title"]);

/**
 * Creates an element.
 *
 * @param {string} tag The name of the element, with classes as in "button.tile.is-on".
 * @param {object} properties Attributes; `on…` adds a listener, `style` sets properties, null and false are left out.
 * @param {...(Node|string|null|Array)} children The children; null is left out.
 */
export function h(tag, properties, ...children) {
    const [name, ...classes] = tag.split(".");
    const element = svgTags.has(name) ? document.createElementNS(svgNamespace, name) : document.createElement(name);
    if (classes.length) element.setAttribute("class", classes.join(" "));
    for (const [key, value] of Object.entries(properties ?? {})) {
        if (value == null || value === false) continue;
        if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
        else if (key === "style") for (const [p, v] of Object.entries(value)) element.style.setProperty(p, v);
        else element.setAttribute(key, value === true ? "" : value);
    }
    append(element, children);
    return element;
}

function append(element, children) {
    for (const child of children) {
        if (Array.isArray(child)) append(element, child);
        else if (child != null && child !== false) element.append(child);
    }
}

export function fill(element, ...children) {
    element.replaceChildren();
    append(element, children);
    return element;
}

/**
 * Builds the content of an element again. The focus stays on a control that is used again, or moves to the new control
 * with the same `data-focus`, or to its neighbor if that one is disabled.
 */
export function keepFocus(element, build) {
    const focused = element.contains(document.activeElement) ? document.activeElement : null;
    build();
    if (!focused || document.activeElement === focused) return;
    const key = focused.dataset.focus;
    const next = focused.isConnected ? focused
        : key && [...element.querySelectorAll("[data-focus]")].find((each) => each.dataset.focus === key);
    if (!next) return;
    (next.disabled ? next.parentElement.querySelector("button:enabled") : next)?.focus({ preventScroll: true });
}

/** Moves the focus to the first element with this `data-focus`. */
export const focusOn = (key) => document.querySelector(`[data-focus="${CSS.escape(key)}"]`)?.focus();

/** Sets the text of an element, if it differs. */
export function setText(element, text) {
    if (element.textContent !== text) element.textContent = text;
}

/** Selects a line of a text, which is counted from 1. */
export function selectLine(area, line) {
    const lines = area.value.split("\n");
    const start = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    area.focus();
    area.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
}

export const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

let lastID = 0;

/** Returns an id that no other element has. */
export function newID(prefix) {
    lastID += 1;
    return `${prefix}-${lastID}`;
}
