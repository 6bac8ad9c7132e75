// The view of the home: its state, people, a line for phrases, scenes, groups, and rooms with tiles.

import { h, fill, keepFocus, setText } from "./dom.js";
import { APIError, post } from "./api.js";
import { icon } from "./icons.js";
import { C, isActive, isBadge, isCompact, isShownInHomes, isUnlocked, kindOf } from "./types.js";
import { store } from "./store.js";
import { tile } from "./tile.js";
import { showDetails } from "./details.js";
import { change, fail, write } from "./actions.js";
import { addRoomButton, isEditable, makeDraggable, makeDropTarget, nameFormClosed, nameHeading, roomSelect } from "./editing.js";
import { pairing } from "./pairing.js";
import { announce } from "./messages.js";
import { texts } from "./texts.js";

const words = texts.home;

export function homeView() {
    const element = h("div.home");
    let parts = [];
    // What is typed stays when servers are added.
    const line = phraseLine();
    // The answer to a refused phrase does not stay beside what is done next.
    element.addEventListener("click", (event) => {
        if (!line.element.contains(event.target)) line.clearError();
    });
    const build = () => element.querySelector(".rename") || keepFocus(element, () => {
        parts.forEach((part) => part.end?.());
        parts = store.home ? homeParts(line) : serverParts();
        fill(element, parts.map((part) => part.element));
    });
    // A form for a name stays until it is closed.
    element.addEventListener(nameFormClosed, () => build());
    build();
    // The structure of the home. Values are followed by the tiles.
    let shape = shapeText();
    const rebuildIfChanged = () => {
        const now = shapeText();
        if (now === shape) return;
        shape = now;
        build();
    };
    const ends = [store.on("servers", () => {
        shape = shapeText();
        build();
    }), store.on("home", rebuildIfChanged)];
    return {
        element,
        title: () => store.home ? [store.home.name] : [],
        end: () => [...ends, ...parts.map((part) => part.end)].forEach((end) => end?.()),
    };
}

function shapeText() {
    const home = store.home;
    return home && JSON.stringify([home.name, home.rooms, home.groups, home.scenes, home.users.map(({ name }) => name)]);
}

function homeParts(line) {
    const home = store.home;
    const isInHome = new Set(home.rooms.flatMap((room) => room.services.map((service) => store.homeService(service))));
    const others = store.shownServices().filter((service) => !isInHome.has(service));
    return [
        head(home.name, [line]), quickActions([scenes(home), groups(home)].filter(Boolean)),
        rooms([
            // The last room is the one for services without another one.
            ...home.rooms.map(({ name, services }, index) => [name, services, index < home.rooms.length - 1])
                .filter(([, services, isRoom]) => services.length || isRoom)
                .map(([name, services, isRoom]) =>
                    section(name, services.map((each) => [each.name, store.homeService(each)]), isRoom)),
            others.length ? section(words.others, others.map((service) => [fullName(service), service]), false) : null,
        ]),
        isEditable() && { element: h("div.home-end", {}, addRoomButton()) },
    ].filter(Boolean);
}

/** The view without a home: a section for each accessory, and how to pair the only server. */
function serverParts() {
    const servers = [...store.servers.values()];
    const accessories = servers.flatMap((server) => server.accessories);
    const sections = accessories
        .map((accessory) => [accessory, accessory.services.filter(isShownInHomes)])
        .filter(([, services]) => services.length)
        .map(([accessory, services]) => section(accessory.name, services.map((service) => [service.name, service])));
    const only = servers.length === 1 ? servers[0] : null;
    return [
        head(only?.name ?? words.noHome, []),
        rooms([...sections, only && pairing(only)]),
        { element: h("p.quiet.home-help", {}, sections.length ? words.noHomeHelp : words.nothing) },
    ].filter(Boolean);
}

function rooms(sections) {
    const shown = sections.filter(Boolean);
    return {
        element: h("div.rooms", {}, shown.map((each) => each.element)),
        end: () => shown.forEach((each) => each.end?.()),
    };
}

/** The name, the state and the people of a home on one line with what is typed. */
function head(name, lines) {
    const state = summary();
    return {
        element: h("div.home-head", {}, h("div.home-title", {}, h("h1", {}, name), state.element),
            lines.map((line) => line.element)),
        end: state.end,
    };
}

function quickActions(parts) {
    return parts.length ? {
        element: h("div.quick", {}, parts.map((part) => part.element)),
        end: () => parts.forEach((part) => part.end?.()),
    } : null;
}

/** The name of a service that stands alone: a service without a name has that of its accessory. */
function fullName({ name, typeName, accessory }) {
    if (name !== typeName) return name;
    return accessory.services.filter(isShownInHomes).length === 1 ? accessory.name : `${accessory.name} · ${name}`;
}

/**
 * A part of the home with its tiles.
 *
 * @param {?boolean} isRoom Whether it is a room, into which accessories can be put; false for what has no room, which
 *     can be put into one; undefined without a home.
 */
function section(name, services, isRoom) {
    const canMove = isRoom !== undefined && isEditable();
    const shown = services.filter(([, service]) => !service || isShownInHomes(service) && !isBadge(service));
    const tiles = shown.map(([title, service]) => service
        ? {
            ...movable(tile(service, { name: title, onDetails: () => showDetails(service, title) }), service, {
                canMove, hasRoom: isRoom,
            }),
            isCompact: isCompact(service),
        }
        : { element: absentTile(title), end: null });
    if (!tiles.length && services.length) return null;
    const [large, compact] = [tiles.filter((each) => !each.isCompact), tiles.filter((each) => each.isCompact)];
    const count = Math.max(1, Math.min(large.length, 4));
    const elements = (list) => list.map((each) => each.element);
    const element = h("section.room", { "aria-label": name, style: { "--count": String(count) } },
        isRoom ? nameHeading("room", name, { isRemovable: true }) : h("h2", {}, name),
        large.length > 0 && h("div.tiles", {}, elements(large)),
        compact.length > 0 && h("div.tiles.is-compact", {}, elements(compact)),
        !tiles.length && h("p.quiet", {}, words.emptyRoom));
    if (canMove && isRoom) makeDropTarget(element, name);
    return { element, end: () => tiles.forEach((each) => each.end?.()) };
}

/** A tile that can be dragged into a room; below one without a room, the room is chosen. */
function movable({ element, end }, service, { canMove, hasRoom }) {
    if (!canMove) return { element, end };
    makeDraggable(element, service);
    const needsRoom = !hasRoom && service.accessory.services.find(isShownInHomes) === service;
    return { element: needsRoom ? h("div.placing", {}, element, roomSelect(service).element) : element, end };
}

function absentTile(name) {
    return h("div.tile.is-absent", {}, h("div.tile-button", {},
        h("span.tile-icon", {}, icon("box")),
        h("span.tile-texts", {}, h("span.tile-name", {}, name), h("span.tile-state", {}, words.unreachable))));
}

/** What is on, open or unlocked, and who is at home. */
function summary() {
    const element = h("p.summary", { role: "group", "aria-label": words.summary });
    const update = () => {
        const counts = new Map();
        const low = [];
        const unlocked = [];
        const count = (category, isCounted) => counts.set(category, (counts.get(category) ?? 0) + Number(isCounted));
        for (const service of store.shownServices()) {
            const { category } = kindOf(service);
            if (category) count(category, isActive(service));
            // Its tile shows the door, and not its lock.
            if (category !== "locks" && service.find(C.lockCurrent) && isUnlocked(service)) {
                unlocked.push(service.place?.name ?? service.name);
            }
            if (service.value(C.statusLowBattery)) low.push(service.accessory.name);
        }
        const chips = [...counts].filter(([, number]) => number)
            .map(([category, number]) => words.counted(number, words.categories[category]));
        if (unlocked.length) chips.push(words.unlocked(unlocked.join(", ")));
        if (low.length) chips.push(words.lowBattery(low.join(", ")));
        const faults = new Set(store.faults.map(({ target }) => target));
        const rest = new Set([...counts.keys()].map((category) => words.categories[category][2]).filter(Boolean));
        if (!chips.length && rest.size) chips.push(words.allQuiet([...rest]));
        const users = store.home?.users ?? [];
        const text = JSON.stringify([chips, users, [...faults]]);
        if (element.dataset.text === text) return;
        element.dataset.text = text;
        keepFocus(element, () => fill(element, chips.map((chip) => h("span.chip", {}, chip)),
            faults.size > 0 && h("a.chip.is-error", { href: "#/simulation" }, words.faults([...faults].join(", "))),
            users.map(person)));
    };
    update();
    const ends = ["values", "home", "faults"].map((topic) => store.on(topic, update));
    return { element, end: () => ends.forEach((end) => end()) };
}

/** A user: a click says that the user has left, or has come home. */
function person(user) {
    const state = user.home === undefined ? words.isUnknown : user.home ? words.isHome : words.isAway;
    return h("button.chip.person", {
        type: "button", "aria-pressed": String(user.home === true), "data-focus": `person ${user.name}`,
        title: words.setPresence(user.name, !user.home),
        onclick: () => change(user, "home", !user.home, `/api/v1/home/users/${encodeURIComponent(user.name)}`),
    }, icon("person"), `${user.name} ${state}`);
}

function phraseLine() {
    const answer = h("p.answer", { role: "status" });
    const show = (text, isError) => {
        setText(answer, text);
        answer.classList.toggle("is-error", isError);
    };
    const clearError = () => {
        if (answer.classList.contains("is-error")) show("", false);
    };
    const input = h("input", {
        oninput: clearError, type: "text", "aria-label": words.say, placeholder: words.sayExample, maxlength: "1024",
        autocomplete: "off",
        enterkeyhint: "send",
    });
    const form = h("form.phrase", { onsubmit: async (event) => {
        event.preventDefault();
        const phrase = input.value.trim();
        if (!phrase) return;
        clearError();
        try {
            const said = await post("/api/v1/home/say", { phrase });
            show(said.answer ?? doneText(said), false);
            input.select();
        } catch (error) {
            if (!(error instanceof APIError)) return fail(phrase, error);
            show(error.message, true);
        }
    } }, input, h("button.primary", { type: "submit" }, words.saySend));
    return { element: h("div.say", {}, form, answer), clearError };
}

function doneText({ results, unchanged }) {
    const failed = failures(results);
    if (failed) return failed;
    if (!results.length) return words.emptyScene;
    return words.done(results.map((result) => result.action).join(", "), unchanged);
}

function failures(results) {
    return results.filter((result) => result.outcome !== "done")
        .map((result) => result.message ? `${result.action}: ${result.message}` : result.action).join(", ");
}

/** The scenes: a click runs one. Those are pressed whose values apply. */
function scenes(home) {
    if (!home.scenes.length) return null;
    const buttons = home.scenes.map((scene) => h("button.scene", {
        type: "button", "aria-label": words.runScene(scene.name),
        title: scene.actions.map(({ action }) => action).join("\n"),
        onclick: async () => {
            try {
                const { results } = await post(`/api/v1/home/scenes/${encodeURIComponent(scene.name)}/run`);
                const failed = failures(results);
                if (failed) announce(words.sceneFailed(scene.name, failed), { isError: true });
                else announce(words.sceneRun(scene.name));
            } catch (error) {
                fail(scene.name, error);
            }
        },
    }, icon(`scene-${scene.kind}`), scene.name));
    const update = () => home.scenes.forEach((scene, index) => {
        const isOn = scene.actions.length > 0 && scene.actions.every(isInEffect);
        buttons[index].setAttribute("aria-pressed", String(isOn));
    });
    update();
    return {
        element: h("section", { "aria-label": words.scenes }, h("div.chips", {}, buttons)),
        end: store.on("values", update),
    };
}

/** Returns whether a characteristic has the value of an action. */
function isInEffect({ deviceID, aid, iid, to }) {
    const server = [...store.servers.values()].find((each) => each.deviceID === deviceID);
    const value = server?.characteristics.get(`${aid}.${iid}`)?.characteristic.value;
    return value !== undefined && value !== null && (value === to || Number(value) === Number(to));
}

/** The groups of switchable services: a click turns all of them on or off. */
function groups(home) {
    const listed = home.rooms.flatMap((room) => room.services);
    const shown = home.groups.map((group) => ({
        name: group.name,
        services: group.services.map((name) => listed.find((service) => service.name === name))
            .map((service) => service && store.homeService(service)).filter(Boolean),
    })).map((group) => ({ ...group, switches: group.services
        .map((service) => [service, service.find(C.on) ?? service.find(C.active)])
        .filter(([, characteristic]) => characteristic?.permissions.includes("pw")) }))
        .filter((group) => group.switches.length);
    if (!shown.length) return null;
    const updates = [];
    const buttons = shown.map((group) => {
        const state = h("span.tile-state");
        const { switches } = group;
        const button = h("button.scene", { type: "button", onclick: () => {
            const isOn = switches.some(([, characteristic]) => characteristic.value);
            for (const [service, characteristic] of switches) {
                write(service, characteristic, characteristic.format === "bool" ? !isOn : Number(!isOn), "controller");
            }
        } }, icon("group"), h("span", {}, group.name), state);
        updates.push(() => {
            const active = group.services.filter(isActive).length;
            button.setAttribute("aria-pressed", String(active > 0));
            setText(state, words.groupState(active, group.services.length));
        });
        return button;
    });
    const update = () => updates.forEach((each) => each());
    update();
    return {
        element: h("section", { "aria-label": words.groups }, h("div.chips", {}, buttons)),
        end: store.on("values", update),
    };
}
