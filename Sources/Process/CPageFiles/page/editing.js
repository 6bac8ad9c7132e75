// Edits of the home in place: names, the rooms of accessories, and objects in the notation of home files.

import { h, fill, newID, selectLine, setText } from "./dom.js";
import { APIError, get, post } from "./api.js";
import { icon } from "./icons.js";
import { store } from "./store.js";
import { isShownInHomes } from "./types.js";
import { fail } from "./actions.js";
import { announce } from "./messages.js";
import { texts } from "./texts.js";

const words = texts.editing;
/** The choice of a room that does not exist yet. No room has this name, because a name has no line break. */
const newRoom = "\n";
/** The type of data that is dragged: the key of a service. */
const dragType = "application/x-hap-service";

export const isEditable = () => Boolean(store.home?.editable);

/** Edits an object of the home, and says what has changed, or `done`. Returns whether that was possible. */
async function edit(body, done) {
    try {
        const { message, effects } = await post("/api/v1/home/edit", body);
        announce(done ?? [message, ...body.operation === "remove" ? effects : []].join(" "));
        store.loadSoon("home");
        return true;
    } catch (error) {
        fail(body.name, error);
        return false;
    }
}

/** The event that a form for a name sends when it is closed. A view that was not rebuilt for it is rebuilt then. */
export const nameFormClosed = "name-form-closed";

/**
 * Creates a heading whose name is changed by a click, if the home has a file.
 *
 * @param {boolean=} options.isRemovable Whether the form has a button that removes the object.
 */
export function nameHeading(kind, name, { isRemovable = false, id } = {}) {
    const heading = h("h2", { id }, name);
    if (!isEditable()) return heading;
    const describe = () => {
        button.setAttribute("aria-label", words.rename(name));
        button.dataset.focus = `name ${kind} ${name}`;
    };
    const begin = () => {
        const input = h("input", { type: "text", value: name, "aria-label": words.newName(name), maxlength: "64",
            autocomplete: "off" });
        const save = h("button.primary", { type: "submit" }, words.save);
        const end = () => {
            form.remove();
            line.hidden = false;
            button.focus();
            element.dispatchEvent(new Event(nameFormClosed, { bubbles: true }));
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
                    save.disabled = true;
                    const isDone = await edit({ operation: "rename", kind, name, newName });
                    save.disabled = false;
                    if (!isDone) return;
                    name = newName;
                    setText(heading, name);
                    describe();
                }
                if (form.isConnected) end();
            },
        }, input, save, isRemovable && h("button.danger", { type: "button", onclick: async () => {
            if (!confirm(words.removeQuestion(kind, name))) return;
            if (await edit({ operation: "remove", kind, name })) end();
        } }, words.remove),
        h("button", { type: "button", onclick: end }, words.cancel));
        // A label of a dialog also counts if it is hidden.
        line.hidden = true;
        element.append(form);
        input.focus();
        input.select();
    };
    const button = h("button.icon-button.edit-name", { type: "button", onclick: begin }, icon("pencil"));
    describe();
    const line = h("div.named", {}, heading, button);
    const element = h("div", {}, line);
    return element;
}

/** Creates the button that adds a room. */
export function addRoomButton() {
    return h("button.add-room", { type: "button", onclick: () => {
        const name = prompt(words.newRoomName)?.trim();
        if (name) edit({ operation: "add", kind: "room", name });
    } }, words.addRoom);
}

/** The room in which a service is, or an empty text. */
const roomOf = ({ place }) => place && !place.isDefault ? place.room : "";

/** Puts a service, or its whole accessory, into a room. */
async function putIntoRoom(service, room) {
    if (room === newRoom) {
        const name = prompt(words.newRoomName)?.trim();
        if (!name || !await edit({ operation: "add", kind: "room", name })) return false;
        room = name;
    }
    const { place, accessory } = service;
    const content = JSON.stringify({ room });
    const done = words.isIn(place?.name ?? accessory.name, room);
    if (!place) return edit({ operation: "add", kind: "accessory", name: accessory.name, content }, done);
    if (room === roomOf(service)) return true;
    const isAlone = accessory.services.filter(isShownInHomes).length === 1;
    // The other services of the accessory stay in their room. Without a room, all of them are put into one.
    return place.hasOwnRoom || !(isAlone || place.isDefault)
        ? edit({ operation: "change", kind: "service", name: place.name, content }, done)
        : edit({ operation: "change", kind: "accessory", name: place.accessory, content }, done);
}

/** Creates the choice of the room of a service; `update` shows the current one. */
export function roomSelect(service) {
    let isKeyed = false;
    const commit = async () => {
        isKeyed = false;
        if (select.value && select.value !== roomOf(service) && !await putIntoRoom(service, select.value)) update();
    };
    const select = h("select", {
        "aria-label": words.roomOf(service.place?.name ?? service.accessory.name),
        // When the choice disappears, the tile gets the focus.
        "data-focus": service.key,
        // An arrow key chooses each room on its way.
        onkeydown: (event) => {
            isKeyed = event.key !== "Enter";
            if (!isKeyed) setTimeout(commit);
        },
        onpointerdown: () => { isKeyed = false; },
        onchange: () => isKeyed || commit(),
        onblur: commit,
    });
    const update = () => {
        if (document.activeElement === select && isKeyed) return;
        const option = (value, text) => h("option", { value }, text);
        const current = roomOf(service);
        fill(select, !current && option("", words.chooseRoom),
            store.home.rooms.slice(0, -1).map(({ name }) => option(name, name)), option(newRoom, words.newRoom));
        select.value = current;
    };
    update();
    return { element: select, update };
}

/** Lets a tile be dragged onto a room. */
export function makeDraggable(tile, service) {
    tile.draggable = true;
    tile.addEventListener("dragstart", (event) => {
        event.dataTransfer.setData(dragType, service.key);
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
        const key = event.dataTransfer.getData(dragType);
        const service = store.shownServices().find((each) => each.key === key);
        if (service) putIntoRoom(service, room);
    });
}

/**
 * Creates the editor of an object as text.
 *
 * @param {?string} name The name, or null for a new object.
 * @param {function(?string): void} onClose Is called when the edit is saved, with the name of the object, or given up.
 */
export function objectEditor(kind, name, onClose) {
    const title = h("input", { type: "text", value: name ?? "", required: true, maxlength: "64", autocomplete: "off",
        id: newID("name") });
    const problem = h("div", { id: newID("problem"), role: "alert" });
    const text = h("textarea", { id: newID("content"), spellcheck: "false", autocomplete: "off", rows: "6",
        "aria-describedby": problem.id });
    const saveButton = h("button.primary", { type: "submit" }, words.save);
    /** The content and the revision from which the edit was made; null until they are loaded. */
    let opened = name === null ? { content: words.examples[kind] } : null;
    const setBusy = (isBusy) => {
        saveButton.disabled = isBusy;
        text.readOnly = isBusy;
    };
    const show = () => {
        text.value = opened.content;
        text.rows = Math.min(24, opened.content.split("\n").length + 2);
        fill(problem);
        setBusy(false);
    };
    const path = () => `/api/v1/home/objects/${kind}/${encodeURIComponent(name)}`;
    const load = async () => {
        setBusy(true);
        try {
            opened = await get(path());
            show();
        } catch (error) {
            fail(name, error);
        }
    };
    const send = () => {
        const newName = title.value.trim();
        const body = { kind, content: text.value, revision: opened.revision };
        return post("/api/v1/home/edit", name === null ? { operation: "add", name: newName, ...body }
            : { operation: "replace", name, ...body, ...newName !== name && { newName } });
    };
    const submit = async () => {
        if (!opened) return;
        setBusy(true);
        try {
            await send();
            announce(words.saved(title.value.trim()));
            store.loadSoon("home");
            onClose(title.value.trim());
        } catch (error) {
            await showProblem(error).catch((other) => fail(title.value, other));
        } finally {
            setBusy(false);
        }
    };
    const showProblem = async (error) => {
        if (!(error instanceof APIError)) return fail(title.value, error);
        if (error.code !== "changed" || name === null) return showErrors(error);
        const current = await get(path());
        if (current.content === opened.content) {
            // Another part of the home was changed.
            opened = current;
            return submit();
        }
        fill(problem, h("p.field-error", {}, words.changedMeanwhile), h("pre", {}, current.content), h("div.buttons", {},
            h("button", { type: "button", onclick: () => {
                opened = current;
                show();
            } }, words.loadTheirs),
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
        if (line) selectLine(text, line);
    };
    if (opened) show();
    else load();
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
    h("div.buttons", {}, saveButton, h("button", { type: "button", onclick: () => onClose(name) }, words.cancel),
        name !== null && h("button.danger", { type: "button", onclick: async () => {
            if (!confirm(words.removeQuestion(kind, name))) return;
            if (await edit({ operation: "remove", kind, name })) onClose(null);
        } }, words.remove)));
    return {
        element,
        focus: () => (name === null ? title : text).focus(),
        isChanged: () => Boolean(opened) && (text.value !== opened.content || title.value !== (name ?? "")),
    };
}
