// The view of the automations and the scenes of the home: each is a sentence, and a text that can be edited.

import { h, fill, keepFocus } from "./dom.js";
import { icon } from "./icons.js";
import { store } from "./store.js";
import { change } from "./actions.js";
import { isEditable, objectEditor } from "./editing.js";
import { texts, timeText } from "./texts.js";

const words = texts.automations;

export function automationsView() {
    const element = h("div");
    /** The open editors by kind and name; null is the name of a new object. */
    const editors = new Map();
    let shown = null;
    const update = (isForced) => {
        const { automations = [], scenes = [], timeZone } = store.home ?? {};
        const now = JSON.stringify([timeZone, automations, scenes]);
        if (now === shown && isForced !== true) return;
        shown = now;
        keepFocus(element, () => fill(element,
            part("automation", words.title, automations, automationRow),
            part("scene", texts.home.scenes, scenes, sceneRow)));
    };
    const key = (kind, name) => JSON.stringify([kind, name]);
    const open = (kind, name) => {
        const close = () => {
            editors.delete(key(kind, name));
            update(true);
            element.querySelector(`[data-focus="${CSS.escape(key(kind, name))}"]`)?.focus();
        };
        const editor = objectEditor(kind, name, close);
        editors.set(key(kind, name), editor);
        update(true);
        editor.focus();
    };
    const editButton = (kind, name, text, label) => isEditable() && !editors.has(key(kind, name)) && h("button", {
        type: "button", "aria-label": label, "data-focus": key(kind, name), onclick: () => open(kind, name),
    }, text);
    const part = (kind, title, items, row) => h("section", {},
        h(kind === "automation" ? "h1" : "h2", {}, title),
        h("ul.rows", {}, items.length ? items.map((item) => h("li", {}, row(item),
            editButton(kind, item.name, words.edit, words.editOne(item.name)),
            editors.get(key(kind, item.name))?.element)) : h("li.quiet", {}, words.none[kind])),
        editors.get(key(kind, null))?.element, editButton(kind, null, words.add[kind]));
    update();
    return {
        element,
        title: () => store.home ? [store.home.name] : [],
        end: store.on("home", update),
    };
}

function automationRow(automation) {
    const input = h("input.switch", {
        type: "checkbox", role: "switch", "aria-label": words.enabled(automation.name),
        "data-focus": `enabled ${automation.name}`,
        onchange: async () => {
            const path = `/api/v1/home/automations/${encodeURIComponent(automation.name)}`;
            if (!await change(automation, "enabled", input.checked, path)) input.checked = automation.enabled;
        },
    });
    input.checked = automation.enabled;
    const last = automation.lastMessage
        ? words.last(timeText(automation.lastTime), automation.lastMessage) : words.never;
    return [h("div", {}, h("strong", {}, automation.name), h("span", {}, words.sentence(automation)),
        h("span.quiet.last", {}, last)), input];
}

function sceneRow(scene) {
    return [icon(`scene-${scene.kind}`), h("div.grow", {}, h("strong", {}, scene.name),
        h("span", {}, words.sceneSentence(scene.actions.map(({ action }) => action))))];
}
