// Edits of the home in place: names, the rooms of accessories, and objects in the notation of home files.

import { h, fill, newID } from "./dom.js";
import { APIError, get, post } from "./api.js";
import { icon } from "./icons.js";
import { store } from "./store.js";
import { fail } from "./actions.js";
import { announce } from "./messages.js";
import { texts } from "./texts.js";

const words = texts.editing;
/** The choice of a room that does not exist yet. No room has this name, because a name has no line break. */
const newRoom = "\n";
/** The type of data that is dragged: an accessory. */
const dragType = "application/x-hap-accessory";

export const isEditable = () => Boolean(store.home?.editable);

/** Edits an object of the home, and says what has changed. Returns whether that was possible. */
async function edit(body) {
    try {
        announce((await post("/api/v1/home/edit", body)).message);
        store.loadSoon("home");
        return true;
    } catch (error) {
        fail(body.name, error);
        return false;
    }
}

/**
 * Creates a heading whose name is changed by a click, if the home has a file.
 *
 * @param {function(string): void=} options.onRename Is called with the new name.
 * @param {boolean=} options.isRemovable Whether the object can be removed there, too.
 */
export function nameHeading(tag, kind, name, { onRename = () => {}, isRemovable = false, id } = {}) {
    const heading = h(tag, { id }, name);
    if (!isEditable()) return heading;
    const begin = () => {
        const input = h("input", { type: "text", value: name, "aria-label": words.newName(name), maxlength: "64",
            autocomplete: "off" });
        const end = () => {
            form.replaceWith(heading);
            button.focus();
        };
        const form = h("form.rename", {
            onkeydown: (event) => {
                if (event.key !== "Escape") return;
                event.preventDefault();
                event.stopPropagation();
                end();
            },
            onsubmit: async (event) => {
                event.preventDefault();
                const newName = input.value.trim();
                if (newName && newName !== name) {
                    if (!await edit({ operation: "rename", kind, name, newName })) return;
                    name = newName;
                    heading.firstChild.textContent = newName;
                    onRename(newName);
                }
                if (form.isConnected) end();
            },
        }, input, h("button.primary", { type: "submit" }, words.save),
        isRemovable && h("button.danger", { type: "button", onclick: () => {
            if (confirm(words.removeQuestion(kind, name))) edit({ operation: "remove", kind, name });
        } }, words.remove),
        h("button", { type: "button", onclick: end }, words.cancel));
        heading.replaceWith(form);
        input.focus();
        input.select();
    };
    const button = h("button.icon-button.edit-name", {
        type: "button", "aria-label": words.rename(name), "data-focus": `name ${kind} ${name}`, onclick: begin,
    }, icon("pencil"));
    heading.append(button);
    return heading;
}

/** Creates the button that adds an object with a name. */
export function addRoomButton() {
    return h("button.add", { type: "button", onclick: () => {
        const name = prompt(words.newRoomName)?.trim();
        if (name) edit({ operation: "add", kind: "room", name });
    } }, words.addRoom);
}

/** Puts an accessory into a room of the home, also one that is not part of the home yet. */
async function putIntoRoom({ accessory, isInHome }, room) {
    if (room === newRoom) {
        const name = prompt(words.newRoomName)?.trim();
        if (!name || !await edit({ operation: "add", kind: "room", name })) return false;
        room = name;
    }
    const content = JSON.stringify({ room });
    return edit({ operation: isInHome ? "change" : "add", kind: "accessory", name: accessory, content });
}

/** What is put into a room for a service: its accessory, and whether the home knows it. */
export function placeable(service) {
    return { accessory: service.place?.accessory ?? service.accessory.name, isInHome: Boolean(service.place) };
}

/** Creates the choice of the room of a service's accessory. */
export function roomSelect(service) {
    const item = placeable(service);
    const current = service.place && !service.place.isDefault ? service.place.room : "";
    const option = (value, text) => h("option", { value }, text);
    const select = h("select.room-select", {
        "aria-label": words.roomOf(item.accessory), "data-focus": `room ${item.accessory}`,
        onchange: async () => {
            if (!await putIntoRoom(item, select.value)) select.value = current;
        },
    }, !current && option("", words.chooseRoom), store.home.rooms.slice(0, -1).map(({ name }) => option(name, name)),
    option(newRoom, words.newRoom));
    select.value = current;
    return select;
}

/** Lets a tile be dragged onto a room. */
export function makeDraggable(tile, service) {
    tile.draggable = true;
    tile.addEventListener("dragstart", (event) => {
        event.dataTransfer.setData(dragType, JSON.stringify(placeable(service)));
        event.dataTransfer.effectAllowed = "move";
    });
}

/** Lets a room receive a dragged tile. */
export function makeDropTarget(section, room) {
    const accepts = (event) => event.dataTransfer.types.includes(dragType);
    const leave = () => section.classList.remove("is-over");
    section.addEventListener("dragover", (event) => {
        if (!accepts(event)) return;
        event.preventDefault();
        section.classList.add("is-over");
    });
    section.addEventListener("dragleave", (event) => {
        if (!section.contains(event.relatedTarget)) leave();
    });
    section.addEventListener("drop", (event) => {
        if (!accepts(event)) return;
        event.preventDefault();
        leave();
        putIntoRoom(JSON.parse(event.dataTransfer.getData(dragType)), room);
    });
}

/**
 * Creates the editor of an object as text.
 *
 * @param {?string} name The name, or null for a new object.
 * @param {function(): void} onClose Is called when the edit is saved or given up.
 */
export function objectEditor(kind, name, onClose) {
    const title = h("input", { type: "text", value: name ?? "", required: true, maxlength: "64", autocomplete: "off",
        id: newID("name") });
    const problem = h("div", { id: newID("problem"), role: "alert" });
    const text = h("textarea.code", { id: newID("content"), spellcheck: "false", autocomplete: "off", rows: "6",
        "aria-describedby": problem.id });
    /** The content and the revision from which the edit was made. */
    let opened = { content: words.examples[kind], revision: undefined };
    const show = (content) => {
        text.value = content;
        text.rows = Math.min(24, content.split("\n").length + 2);
    };
    const path = () => `/api/v1/home/objects/${kind}/${encodeURIComponent(name)}`;
    const load = async () => {
        try {
            if (name !== null) opened = await get(path());
            show(opened.content);
            fill(problem);
        } catch (error) {
            fail(name, error);
        }
    };
    const save = async () => {
        const body = { kind, name: name ?? title.value.trim(), content: text.value, revision: opened.revision };
        await post("/api/v1/home/edit", { operation: name === null ? "add" : "replace", ...body });
        const newName = title.value.trim();
        if (name !== null && newName && newName !== name) {
            await post("/api/v1/home/edit", { operation: "rename", kind, name, newName });
        }
        announce(words.saved(newName));
        store.loadSoon("home");
        onClose();
    };
    const showProblem = async (error) => {
        if (!(error instanceof APIError)) return fail(title.value, error);
        if (error.code !== "changed" || name === null) return showErrors(error);
        const current = await get(path());
        if (current.content === opened.content) {
            // Another part of the home was changed.
            opened = current;
            return save();
        }
        fill(problem, h("p.field-error", {}, words.changedMeanwhile), h("pre", {}, current.content), h("div.buttons", {},
            h("button", { type: "button", onclick: load }, words.loadTheirs),
            h("button", { type: "button", onclick: () => {
                opened = current;
                submit();
            } }, words.saveMine)));
    };
    const showErrors = (error) => {
        const places = error.problem.diagnostics ?? [];
        fill(problem, places.length
            ? h("ul.field-error", {}, places.map(({ line, message }) =>
                h("li", {}, line ? `${words.line(line)}: ${message}` : message)))
            : h("p.field-error", {}, error.message));
        const line = places.find((place) => place.line)?.line;
        if (!line) return;
        const lines = text.value.split("\n");
        const start = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
        text.focus();
        text.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
    };
    const submit = () => save().catch(showProblem).catch((error) => fail(title.value, error));
    load();
    const element = h("form.object-editor", {
        onsubmit: (event) => {
            event.preventDefault();
            fill(problem);
            submit();
        },
    },
    h("div.field", {}, h("label", { for: title.id }, words.name), title),
    h("div.field", {}, h("label", { for: text.id }, words.content), text, h("span.quiet", {}, words.contentHelp)),
    problem,
    h("div.buttons", {}, h("button.primary", { type: "submit" }, words.save),
        h("button", { type: "button", onclick: onClose }, words.cancel),
        name !== null && h("button.danger", { type: "button", onclick: async () => {
            if (!confirm(words.removeQuestion(kind, name))) return;
            if (await edit({ operation: "remove", kind, name })) onClose();
        } }, words.remove)));
    return { element, focus: () => (name === null ? title : text).focus() };
}
