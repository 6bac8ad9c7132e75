// The view of the home: rooms with tiles, scenes, groups, people, automations, and a line for phrases.

import { h, fill, keepFocus, setText } from "./dom.js";
import { APIError, post, put } from "./api.js";
import { icon } from "./icons.js";
import { C, isActive, isShownInHomes, isUnlocked, kindOf } from "./types.js";
import { store } from "./store.js";
import { tile } from "./tile.js";
import { showDetails } from "./details.js";
import { fail, write } from "./actions.js";
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
    const build = () => keepFocus(element, () => {
        parts.forEach((part) => part.end?.());
        parts = store.home ? homeParts(line) : serverParts();
        fill(element, parts.map((part) => part.element));
    });
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
    return home && JSON.stringify([home.name, home.rooms, home.groups, home.scenes,
        home.automations.map((automation) => automation.name), home.users.map((user) => user.name)]);
}

function homeParts(line) {
    const home = store.home;
    const isInHome = new Set(home.rooms.flatMap((room) => room.services.map((service) => store.homeService(service))));
    const others = store.shownServices().filter((service) => !isInHome.has(service));
    return [
        { element: h("h1", {}, home.name) },
        summary(), line, scenes(home),
        ...home.rooms
            // The last room is the default room, for services without another one.
            .filter((room, index) => room.services.length || index < home.rooms.length - 1)
            .map(({ name, services }) => section(name, services.map((each) => [each.name, store.homeService(each)]))),
        others.length ? section(words.others, others.map((service) => [fullName(service), service])) : null,
        groups(home), people(), automations(),
    ].filter(Boolean);
}

/** The sections without a home: one for each accessory. */
function serverParts() {
    const accessories = [...store.servers.values()].flatMap((server) => server.accessories);
    const sections = accessories
        .map((accessory) => [accessory, accessory.services.filter(isShownInHomes)])
        .filter(([, services]) => services.length)
        .map(([accessory, services]) => section(accessory.name, services.map((service) => [service.name, service])));
    return [
        { element: h("h1", {}, words.noHome) },
        { element: h("p.quiet", {}, sections.length ? words.noHomeHelp : words.nothing) },
        summary(), ...sections,
    ];
}

/** The name of a service that stands alone: a service without a name has that of its accessory. */
function fullName({ name, typeName, accessory }) {
    if (name !== typeName) return name;
    return accessory.services.filter(isShownInHomes).length === 1 ? accessory.name : `${accessory.name} · ${name}`;
}

function section(name, services) {
    const shown = services.filter(([, service]) => !service || isShownInHomes(service));
    const tiles = shown.map(([title, service]) => service
        ? tile(service, { name: title, onDetails: () => showDetails(service, title) })
        : { element: absentTile(title), end: null });
    if (!tiles.length && services.length) return null;
    return {
        element: h("section.room", { "aria-label": name }, h("h2", {}, name),
            tiles.length ? h("div.tiles", {}, tiles.map((shownTile) => shownTile.element))
                : h("p.quiet", {}, words.emptyRoom)),
        end: () => tiles.forEach((shownTile) => shownTile.end?.()),
    };
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
        const count = (category, isCounted) => counts.set(category, (counts.get(category) ?? 0) + Number(isCounted));
        for (const service of store.shownServices()) {
            const { category } = kindOf(service);
            if (category) count(category, isActive(service));
            // The lock of a garage door is a part of the door.
            if (category !== "locks" && service.find(C.lockCurrent)) count("locks", isUnlocked(service));
            if (service.value(C.statusLowBattery)) low.push(service.accessory.name);
        }
        const chips = [...counts].filter(([, number]) => number)
            .map(([category, number]) => words.counted(number, words.categories[category]));
        if (low.length) chips.push(words.lowBattery(low.join(", ")));
        const rest = new Set([...counts.keys()].map((category) => words.categories[category][2]).filter(Boolean));
        if (!chips.length && rest.size) chips.push(words.allQuiet([...rest]));
        chips.push(...(store.home?.users ?? []).filter((user) => user.home)
            .map((user) => words.presence(user.name, true)));
        const text = chips.join(" · ");
        if (element.dataset.text === text) return;
        element.dataset.text = text;
        fill(element, chips.map((chip) => h("span.chip", {}, chip)));
    };
    update();
    const ends = [store.on("values", update), store.on("home", update)];
    return { element, end: () => ends.forEach((end) => end()) };
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

function scenes(home) {
    if (!home.scenes.length) return null;
    return { element: h("section", {}, h("h2", {}, words.scenes), h("div.chips", {}, home.scenes.map((scene) =>
        h("button.scene", {
            type: "button", "aria-label": words.runScene(scene.name), title: scene.actions.map(({ action }) => action).join("\n"),
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
        }, icon("scene"), scene.name)))) };
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
        } }, h("span", {}, group.name), state);
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
        element: h("section", {}, h("h2", {}, words.groups), h("div.chips", {}, buttons)),
        end: store.on("values", update),
    };
}

function homeList(title, items, row) {
    if (!items().length) return null;
    const list = h("ul.rows");
    let shown = "";
    const update = () => {
        const now = JSON.stringify(items());
        if (now === shown) return;
        shown = now;
        keepFocus(list, () => fill(list, items().map(row)));
    };
    update();
    return { element: h("section", {}, h("h2", {}, title), list), end: store.on("home", update) };
}

function people() {
    return homeList(words.people, () => store.home?.users ?? [], (user) => {
        const choices = [true, false].map((value) => h("button.scene", {
            type: "button", "aria-label": words.presence(user.name, value), "aria-pressed": String(user.home === value),
            "data-focus": `${user.name} ${value}`,
            onclick: () => change(user, "home", value, `/api/v1/home/users/${encodeURIComponent(user.name)}`),
        }, value ? words.isHome : words.isAway));
        return h("li", {}, h("div", {}, h("strong", {}, user.name),
            user.home === undefined && h("span.quiet", {}, words.isUnknown)), h("div.buttons", {}, choices));
    });
}

function automations() {
    return homeList(words.automations, () => store.home?.automations ?? [], (automation) => {
        const input = h("input.switch", {
            type: "checkbox", role: "switch", "aria-label": words.enabled(automation.name),
            "data-focus": automation.name,
            onchange: async () => {
                const path = `/api/v1/home/automations/${encodeURIComponent(automation.name)}`;
                if (!await change(automation, "enabled", input.checked, path)) input.checked = automation.enabled;
            },
        });
        input.checked = automation.enabled;
        const last = automation.lastMessage
            ? `${new Date(automation.lastTime).toLocaleString()}: ${automation.lastMessage}` : words.never;
        const facts = [[words.triggers, automation.triggers.join("; ")], [words.condition, automation.condition],
            [words.end, automation.end]].filter(([, text]) => text);
        return h("li", {}, h("div", {}, h("strong", {}, automation.name),
            facts.map(([title, text]) => h("span.quiet", {}, `${title} ${text}`)),
            h("span.quiet.last", {}, last)), input);
    });
}

/** Changes a member of a user or an automation. Returns whether that was possible. */
async function change(item, key, value, path) {
    try {
        await put(path, { [key]: value });
        item[key] = value;
        store.change("home");
        store.loadSoon("home");
        return true;
    } catch (error) {
        fail(item.name, error);
        return false;
    }
}
