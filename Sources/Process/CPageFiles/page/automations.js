// The view of the automations of the home: each is a sentence, a switch, and what came of it last.

import { h, fill, keepFocus } from "./dom.js";
import { store } from "./store.js";
import { change } from "./actions.js";
import { texts, timeText } from "./texts.js";

const words = texts.automations;

export function automationsView() {
    const list = h("ul.rows");
    let shown = null;
    const update = () => {
        const automations = store.home?.automations ?? [];
        const now = JSON.stringify([store.home?.timeZone, automations]);
        if (now === shown) return;
        shown = now;
        keepFocus(list, () => fill(list, automations.length ? automations.map(row) : h("li.quiet", {}, words.none)));
    };
    update();
    return {
        element: h("div", {}, h("h1", {}, words.title), list),
        title: () => store.home ? [store.home.name] : [],
        end: store.on("home", update),
    };
}

function row(automation) {
    const input = h("input.switch", {
        type: "checkbox", role: "switch", "aria-label": words.enabled(automation.name), "data-focus": automation.name,
        onchange: async () => {
            const path = `/api/v1/home/automations/${encodeURIComponent(automation.name)}`;
            if (!await change(automation, "enabled", input.checked, path)) input.checked = automation.enabled;
        },
    });
    input.checked = automation.enabled;
    const last = automation.lastMessage
        ? words.last(timeText(automation.lastTime, store.home?.timeZone), automation.lastMessage) : words.never;
    return h("li", {}, h("div", {}, h("strong", {}, automation.name), h("span", {}, words.sentence(automation)),
        h("span.quiet.last", {}, last)), input);
}
