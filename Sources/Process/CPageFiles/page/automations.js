// The view of the automations and the scenes of the home: each is a sentence, and a text that can be edited.

import { h, fill, keepFocus } from "./dom.js";
import { icon } from "./icons.js";
import { store } from "./store.js";
import { change } from "./actions.js";
import { isEditable, objectEditor } from "./editing.js";
import { texts, timeText } from "./texts.js";

const words = texts.automations;

/** The open editors by kind and name; null is the name of a new object. They stay when another view is shown. */
const editors = new Map();

addEventListener("beforeunload", (event) => {
    if ([...editors.values()].some((editor) => editor.isChanged())) event.preventDefault();
});

const keyOf = (kind, name) => JSON.stringify([kind, name]);

/** Shows the current state of the view, while there is one. */
let refresh = () => {};

export function automationsView() {
    const element = h("div");
    let shown = null;
    /** The key of the element that gets the focus as soon as it is shown. */
    let wanted = null;
    const update = (isForced) => {
        const { automations = [], scenes = [], timeZone } = store.home ?? {};
        const now = JSON.stringify([timeZone, automations, scenes]);
        if (now === shown && isForced !== true) return;
        shown = now;
        keepFocus(element, () => fill(element,
            part("automation", words.title, automations, automationRow),
            part("scene", texts.home.scenes, scenes, sceneRow)));
        const target = wanted && element.querySelector(`[data-focus="${CSS.escape(wanted)}"]`);
        if (!target) return;
        wanted = null;
        target.focus();
    };
    refresh = (key) => {
        wanted = key;
        update(true);
    };
    update();
    return {
        element,
        title: () => store.home ? [store.home.name] : [],
        end: store.on("home", update),
    };
}

function open(kind, name) {
    const key = keyOf(kind, name);
    const editor = objectEditor(kind, name, (saved) => {
        editors.delete(key);
        refresh(keyOf(kind, saved));
    });
    editors.set(key, editor);
    refresh(null);
    editor.focus();
}

const editButton = (kind, name, text, label) => isEditable() && !editors.has(keyOf(kind, name)) && h("button", {
    type: "button", "aria-label": label, "data-focus": keyOf(kind, name), onclick: () => open(kind, name),
}, text);

function part(kind, title, items, row) {
    const names = new Set(items.map(({ name }) => name));
    // What is edited may have been removed or renamed by another program.
    const orphans = [...editors].filter(([key]) => {
        const [kindOfEditor, name] = JSON.parse(key);
        return kindOfEditor === kind && name !== null && !names.has(name);
    });
    return h("section", {},
        h(kind === "automation" ? "h1" : "h2", {}, title),
        h("ul.rows", {}, items.length ? items.map((item) => h("li", {}, row(item),
            editButton(kind, item.name, words.edit, words.editOne(item.name)),
            editors.get(keyOf(kind, item.name))?.element)) : h("li.quiet", {}, words.none[kind])),
        orphans.map(([key, editor]) => h("div", {}, h("p.notice", {}, words.gone(JSON.parse(key)[1])), editor.element)),
        editors.get(keyOf(kind, null))?.element, editButton(kind, null, words.add[kind]));
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
