// The view in which accessories are built: a form and the text of a definition, which are checked with every change.

import { h, fill, newID } from "./dom.js";
import { APIError, get } from "./api.js";
import { store } from "./store.js";
import { Draft, importFile, loadFile, workshop } from "./draft.js";
import { editorPanel } from "./editor.js";
import { newAccessory } from "./form.js";
import { fail } from "./actions.js";
import { icon } from "./icons.js";
import { texts } from "./texts.js";

const words = texts.builder;

/** The draft stays when another view is shown. */
let draft = null;
/** The editor of the draft, while this view is shown. */
let editor = null;

addEventListener("beforeunload", (event) => {
    editor?.leave();
    if (draft?.isChanged) event.preventDefault();
});

export function builderView([file], { onTitle }) {
    const list = h("ul.server-list");
    const panel = h("div.builder");
    const element = h("div.split", {}, h("nav", { "aria-label": words.files },
        h("h1", {}, texts.views.builder), list), panel);
    let files = [];
    let isEnded = false;
    /** Counts what was chosen, so that a late answer does not replace a later choice. */
    let choice = 0;

    const showList = () => fill(list,
        h("li", {}, h("a", { href: "#/builder", "aria-current": !draft && "page" }, words.newAccessory)),
        draft && !draft.file && h("li", {}, h("a", { href: "#/builder/new", "aria-current": "page" }, words.unsaved)),
        files.map((entry) => h("li", {}, h("a", {
            href: `#/builder/${encodeURIComponent(entry.file)}`, "aria-current": draft?.file === entry.file && "page",
        }, h("span", {}, entry.name ?? entry.file), h("span.quiet", {}, fileNote(entry))))));
    let lists = 0;
    const loadList = async () => {
        lists += 1;
        const count = lists;
        let loaded = files;
        let { hasFolder } = workshop;
        try {
            loaded = await get("/api/v1/definitions");
            hasFolder = true;
        } catch (error) {
            if (error instanceof APIError && error.code === "no-folder") hasFolder = false;
            else fail(words.files, error);
        }
        if (isEnded || count !== lists) return;
        files = loaded;
        const isOther = hasFolder !== workshop.hasFolder;
        workshop.hasFolder = hasFolder;
        showList();
        if (draft?.file) draft.server = files.find((entry) => entry.file === draft.file)?.server;
        if (editor) editor.update("state");
        else if (isOther && panel.querySelector(".gallery")) showStart();
    };
    const edit = (start) => {
        choice += 1;
        draft = new Draft(start, () => {});
        showEditor();
        draft.validate(false);
    };
    /** Shows the address of the draft, also if it was chosen without a link. */
    const showAddress = () => {
        history.replaceState(null, "", `#/builder${draft ? `/${encodeURIComponent(draft.file ?? "new")}` : ""}`);
        onTitle();
    };
    const showEditor = () => {
        const panelOfDraft = editorPanel(draft, { onSaved: () => {
            if (editor !== panelOfDraft) return;
            loadList();
            showAddress();
        }, onDeleted: (deleted) => {
            if (draft === deleted) draft = null;
            if (editor !== panelOfDraft) return;
            showStart();
            showAddress();
            loadList();
        } });
        editor?.end();
        editor = panelOfDraft;
        draft.onChange = (what) => {
            if (editor === panelOfDraft) panelOfDraft.update(what);
        };
        fill(panel, editor.element);
        editor.update("form");
        showList();
        showAddress();
    };
    const showStart = () => {
        choice += 1;
        editor?.end();
        editor = null;
        fill(panel, startPanel(edit));
        showList();
    };
    const show = ([name]) => {
        editor?.leave();
        const isDraft = draft && name === (draft.file ?? "new");
        if (isDraft || (draft?.isChanged && !confirm(words.discardQuestion))) {
            if (editor) showAddress();
            else showEditor();
            return true;
        }
        draft = null;
        showStart();
        if (name && name !== "new") {
            const chosen = choice;
            fill(panel, h("p.loading", { role: "status" }, texts.loading));
            loadFile(name).then((loaded) => {
                if (choice === chosen && !isEnded) edit(loaded);
            }, (error) => {
                if (choice !== chosen || isEnded) return;
                fail(name, error);
                showStart();
            });
        }
        return true;
    };

    // A draft that was left with another view is shown again.
    if (draft && !file) showEditor();
    else show([file]);
    loadList();
    const load = () => loadTypes().then((isNew) => {
        if (isEnded || !isNew) return;
        if (editor) editor.update("form");
        else if (panel.querySelector(".gallery")) showStart();
    }, (error) => fail(words.files, error));
    load();
    const keys = (event) => {
        // In a field, the browser takes back what was typed there.
        if (!editor || !(event.ctrlKey || event.metaKey) || event.target.matches("textarea, input[type=text]")) return;
        const key = event.key.toLowerCase();
        if (key === "z" && !event.shiftKey) editor.move(-1);
        else if (key === "y" || key === "z") editor.move(1);
        else return;
        event.preventDefault();
    };
    addEventListener("keydown", keys);
    const ends = [
        store.on("definitions", () => {
            loadList();
            editor?.checkDisk();
        }),
        store.on("servers", () => editor?.update("state")),
        store.on("home", () => editor?.update("state")),
        store.on("connection", () => {
            if (store.connection !== "live") return;
            load();
            if (draft?.isCheckFailed) draft.validate(true);
        }),
        () => removeEventListener("keydown", keys),
    ];
    return {
        element,
        show,
        title: () => draft?.file ? [draft.file] : [],
        end: () => {
            editor?.leave();
            editor?.end();
            isEnded = true;
            editor = null;
            ends.forEach((end) => end());
        },
    };
}

/** Loads the types and the gallery once. Returns whether they are new. */
async function loadTypes() {
    if (workshop.types) return false;
    [workshop.types, workshop.gallery] = await Promise.all([get("/api/v1/types"), get("/api/v1/gallery")]);
    return true;
}

function fileNote(entry) {
    if (entry.errors) return words.errorCount(entry.errors);
    return entry.server ? entry.file : `${entry.file} · ${words.notServed}`;
}

/** The icons of the examples by their names. */
const kindIcons = {
    "air-purifier": "air", "air-quality-sensor": "air", button: "button", "carbon-dioxide-sensor": "air",
    "carbon-monoxide-sensor": "smoke", "color-light": "bulb", "color-temperature-light": "bulb",
    "contact-sensor": "contact", "dimmable-light": "bulb", door: "door", doorbell: "bell", fan: "fan", faucet: "valve",
    garage: "garage", "ground-floor": "group", "heater-cooler": "thermostat", humidifier: "drop",
    "humidity-sensor": "drop", irrigation: "valve", "leak-sensor": "leak", "light-sensor": "sun", lock: "lock",
    "motion-sensor": "motion", "occupancy-sensor": "person", outlet: "outlet", "power-strip": "outlet",
    "radiator-valve": "thermostat", remote: "button", "security-system": "shield", "smart-speaker": "speaker",
    "smoke-sensor": "smoke", switch: "switch", television: "television", "temperature-sensor": "thermometer",
    thermostat: "thermostat", window: "window", "window-covering": "blinds",
};

/** The kind of an example, such as "Dimmable light". */
function kindText(name) {
    const text = words.kinds[name] ?? name.replaceAll("-", " ");
    return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The panel in which a draft begins: with nothing, an example, or a file. */
function startPanel(edit) {
    const search = h("input", { type: "search", "aria-label": words.searchGallery, placeholder: words.searchGallery,
        oninput: () => show(search.value.trim().toLowerCase()) });
    const examples = h("div.gallery");
    const show = (wanted) => fill(examples, workshop.gallery
        .map((entry) => ({ ...entry, kind: kindText(entry.name) }))
        .toSorted((a, b) => a.kind.localeCompare(b.kind))
        .filter(({ title, name, kind }) =>
            [title, kind, words.kindWords[name]].join(" ").toLowerCase().includes(wanted))
        .map(({ title, name, kind, text }) => h("button.example", { type: "button", onclick: () => edit({ text }) },
            icon(kindIcons[name] ?? "box"), h("span", {}, h("strong", {}, kind), h("span.quiet", {}, title)))));
    show("");
    const input = h("input", { type: "file", id: newID("file"), multiple: true, onchange: () => {
        importAll([...input.files], edit, imported);
        // The same file can be chosen again.
        input.value = "";
    } });
    const imported = h("div");
    const zone = h("div.drop", {
        ondragover: (event) => {
            event.preventDefault();
            zone.classList.add("is-over");
        },
        ondragleave: () => zone.classList.remove("is-over"),
        ondrop: (event) => {
            event.preventDefault();
            zone.classList.remove("is-over");
            importAll([...event.dataTransfer.files], edit, imported);
        },
    }, h("label", { for: input.id }, words.importHelp), input);
    return h("div", {},
        !workshop.hasFolder && h("p.notice", {}, words.noFolder),
        h("h2", {}, words.fromGallery), search, examples,
        h("h2", {}, words.fromNothing),
        h("div.buttons", {},
            h("button", { type: "button", onclick: () => edit({ definition: newAccessory() }) }, words.emptyAccessory),
            h("button", { type: "button", onclick: () => edit({ definition: {
                bridge: words.standardBridge, accessories: [newAccessory()],
            } }) }, words.emptyBridge)),
        h("h2", {}, words.fromFile), zone, imported);
}

async function importAll(files, edit, list) {
    const found = [];
    const draftBefore = draft;
    for (const file of files) {
        try {
            found.push(...await importFile(file));
        } catch (error) {
            fail(file.name, error);
        }
    }
    // Another draft has been chosen meanwhile.
    if (!list.isConnected || draft !== draftBefore) return;
    if (found.length === 1) edit({ text: found[0].text });
    else {
        fill(list, found.length > 0 && h("p", {}, words.chooseDevice), h("div.buttons", {}, found.map((entry) =>
            h("button", { type: "button", onclick: () => edit({ text: entry.text }) }, entry.title))));
    }
}
