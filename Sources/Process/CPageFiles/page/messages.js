// Short messages at the edge of the page, which screen readers read.

import { h } from "./dom.js";
import { icon } from "./icons.js";
import { texts } from "./texts.js";

const polite = h("div.messages", { role: "status", "aria-live": "polite" });
const assertive = h("div.messages.errors", { role: "alert" });

export const messageArea = h("div.message-area", {}, polite, assertive);

/** Where the person acts: messages are shown at the other end of the window. */
let place = 0;
for (const kind of ["pointerdown", "focusin"]) {
    addEventListener(kind, (event) => {
        place = event.clientY ?? event.target.getBoundingClientRect?.().top ?? 0;
    }, { capture: true });
}

export const clearErrors = () => assertive.replaceChildren();

/**
 * Shows a message for a few seconds. An error stays until it is closed, something succeeds, or another view is shown.
 */
export function announce(text, { isError = false } = {}) {
    const area = isError ? assertive : polite;
    const message = h("div.message", {},
        h("span", {}, text),
        h("button.icon-button", { type: "button", "aria-label": texts.close, onclick: () => message.remove() },
            icon("close")));
    if (!isError) clearErrors();
    messageArea.classList.toggle("is-above", place > innerHeight / 2);
    while (area.childElementCount > 2) area.firstElementChild.remove();
    area.append(message);
    if (!isError) setTimeout(() => message.remove(), 5000);
}
