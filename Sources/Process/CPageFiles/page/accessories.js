// The view of the servers: pairing, sessions, and every characteristic with a control.

import { h, fill, keepFocus, setText } from "./dom.js";
import { APIError, get, post, remove, serverPath } from "./api.js";
import { icon } from "./icons.js";
import { C, kindOf } from "./types.js";
import { store } from "./store.js";
import { characteristicTable } from "./characteristics.js";
import { showCode } from "./pairing.js";
import { deviceActions } from "./details.js";
import { driverPanels } from "./drivers.js";
import { fail } from "./actions.js";
import { announce } from "./messages.js";
import { durationText, texts } from "./texts.js";

const words = texts.accessories;
/** A bridge with more services shows only the heads of its services at first. */
const manyServices = 12;

export function accessoriesView([key], { onTitle }) {
    const list = h("ul.server-list");
    const panel = h("div.server");
    const element = h("div.split", {},
        h("nav", { "aria-label": words.servers }, h("h1", {}, texts.views.accessories), list), panel);
    let shownKey = null;
    let shown = null;
    /** The accessories that the panel shows; another list if the structure of the server has changed. */
    let shownAccessories = null;

    const show = ([newKey]) => {
        const server = store.servers.get(newKey) ?? [...store.servers.values()][0];
        const isShown = server && server.key === shownKey && server.accessories === shownAccessories;
        shownKey = server?.key ?? null;
        updateList();
        if (isShown) return true;
        shown?.end();
        shown = server ? serverPanel(server) : null;
        shownAccessories = server?.accessories;
        fill(panel, shown?.element ?? h("p.quiet", {}, words.none));
        return true;
    };
    const updateList = () => keepFocus(list, () => fill(list, [...store.servers.values()].map((server) =>
        h("li", {}, h("a", {
            href: `#/accessories/${encodeURIComponent(server.key)}`, "aria-current": server.key === shownKey && "page",
            "data-focus": server.key,
        }, h("span", {}, server.name), h("span.quiet", {}, server.paired ? words.paired : words.notPaired))))));
    show([key]);
    const ends = [store.on("servers", () => {
        show([shownKey]);
        onTitle();
    }), store.on("server-list", updateList)];
    return {
        element,
        show,
        title: () => store.servers.has(shownKey) ? [store.servers.get(shownKey).name] : [],
        end: () => {
            ends.forEach((end) => end());
            shown?.end();
        },
    };
}

function serverPanel(server) {
    const facts = h("dl.facts");
    const qr = h("img.qr", { alt: words.qr(server.name), width: "132", height: "132" });
    const pairings = h("div", {}, h("p.quiet", {}, texts.loading));
    const sessions = h("div", {}, h("p.quiet", {}, texts.loading));
    let writer = "controller";
    /** The names of the subscribed controllers by characteristic. */
    let subscribers = new Map();
    const list = serviceList(server, { writer: () => writer, subscribers: ({ id }) => subscribers.get(id) ?? [] });
    // The controls and the subscribers of its services follow.
    const changeServices = () => {
        for (const { key } of server.services.values()) store.change(`service:${key}`);
    };
    const information = server.accessories[0]?.services.find(({ type }) => type === "3E");

    let updates = 0;
    const update = async () => {
        updates += 1;
        const count = updates;
        keepFocus(facts, () => fill(facts,
            fact(words.setupCode, server.setupCode, { isCode: true, isCopied: true }),
            fact(words.address, `${location.hostname}:${server.port}`, { isCopied: true }),
            fact(words.payload, server.setupURI, { isCopied: true }),
            fact(words.deviceID, server.deviceID, { isCopied: true }),
            fact(words.model, [information?.value(C.manufacturer), information?.value(C.model)].filter(Boolean)
                .join(" · ")),
            fact(words.firmware, information?.value(C.firmware)),
            fact(words.configuration, String(server.configurationNumber)),
            fact(words.advertiser, server.advertiser.message)));
        showCode(qr, server);
        try {
            const [pairedControllers, connections] = await Promise.all([
                get(serverPath(server.key, "pairings")), get(serverPath(server.key, "sessions")),
            ]);
            if (count !== updates || isEnded) return;
            keepFocus(pairings, () => fill(pairings, pairingList(server, pairedControllers)));
            fill(sessions, sessionList(connections));
            subscribers = subscriberNames(connections);
            changeServices();
        } catch (error) {
            // The loss of the connection and the removal of the server are shown otherwise.
            if (!isEnded && error instanceof APIError && error.status !== 404) fail(server.name, error);
        } finally {
            if (count === updates) rest.hidden = false;
        }
    };
    let isEnded = false;
    const identify = h("button", { type: "button", onclick: async () => {
        try {
            await post(serverPath(server.key, "identify"), {});
            announce(words.identified(server.name));
        } catch (error) {
            fail(server.name, error);
        }
    } }, words.identify);
    const chooseWriter = h("select", { onchange: (event) => {
        writer = event.target.value;
        changeServices();
    } },
        h("option", { value: "controller" }, texts.controls.asController),
        h("option", { value: "device" }, texts.controls.asDevice));
    const drivers = driverPanels(server);
    // What follows pairings and sessions is shown after them, so that nothing moves.
    const rest = h("div", { hidden: true }, drivers.element,
        h("div.toolbar", {}, list.search, h("label", {}, `${words.writeAs} `, chooseWriter)), list.element);
    update();
    const end = store.on(`sessions:${server.key}`, update);
    return {
        element: h("div", {},
            h("div.server-head", {}, h("h2", {}, server.name), identify),
            h("div.pairing", {}, qr, facts),
            h("div.columns", {}, h("section", {}, h("h3", {}, words.pairings), pairings),
                h("section", {}, h("h3", {}, words.sessions), sessions)),
            rest),
        end: () => {
            isEnded = true;
            end();
            list.end();
            drivers.end();
        },
    };
}

function fact(name, value, { isCode = false, isCopied = false } = {}) {
    if (!value) return null;
    return h("div", {}, h("dt", {}, name), h("dd", {}, isCode ? h("code.setup-code", {}, value) : value,
        isCopied && h("button.icon-button.copy", {
            type: "button", "aria-label": words.copy(name), "data-focus": `copy ${name}`,
            onclick: () => copy(name, value),
        }, icon("copy"))));
}

async function copy(name, value) {
    try {
        await navigator.clipboard.writeText(value);
    } catch {
        // A page that was loaded over the network without encryption has no clipboard.
        const text = h("textarea", { "aria-hidden": "true" }, value);
        document.body.append(text);
        const focused = document.activeElement;
        text.select();
        const isCopied = document.execCommand("copy");
        text.remove();
        focused?.focus();
        if (!isCopied) return announce(words.notCopied(value), { isError: true });
    }
    announce(words.copied(name));
}

function pairingList(server, pairings) {
    if (!pairings.length) return h("p.quiet", {}, words.noPairings);
    const ask = async (path, question, done) => {
        if (!confirm(question)) return;
        try {
            await remove(serverPath(server.key, path));
            announce(done);
            store.loadSoon("sessions", server.key);
        } catch (error) {
            fail(server.name, error);
        }
    };
    const row = ({ controller, admin }) => {
        const isLastAdmin = admin && pairings.filter((each) => each.admin).length === 1 && pairings.length > 1;
        return h("li", {}, h("div", {}, h("code", {}, controller), admin && h("span.quiet", {}, words.admin)),
            h("button.danger", {
                type: "button", "aria-label": words.removePairing(controller), "data-focus": "remove",
                onclick: () => ask(`pairings/${encodeURIComponent(controller)}`,
                    words.removePairingQuestion(controller, isLastAdmin), words.removedOne(controller)),
            }, words.remove));
    };
    return [h("ul.rows", {}, pairings.map(row)), pairings.length > 1 && h("button.danger", {
        type: "button", "data-focus": "remove",
        onclick: () => ask("pairings", words.removePairingsQuestion(server.name), words.removed(server.name)),
    }, words.removePairings)];
}

/** The name of a controller on a line with others: identifiers are UUIDs. */
const shortName = (session) => session.controller ? session.controller.split("-")[0] : session.peer;

function sessionList(sessions) {
    if (!sessions.length) return h("p.quiet", {}, words.noSessions);
    return h("ul.rows", {}, sessions.map((session) => h("li", {}, h("div", {},
        h("code", {}, session.controller ?? words.unverified),
        h("span.quiet", {}, `${session.peer} · ${words.idle(durationText(session.idle))} · `
            + words.subscriptions(session.subscriptions.length))))));
}

function subscriberNames(sessions) {
    const names = new Map();
    for (const session of sessions) {
        for (const id of session.subscriptions) {
            if (!names.has(id)) names.set(id, []);
            names.get(id).push(shortName(session));
        }
    }
    return names;
}

/** All services of a server. The characteristics of a service are created when it is opened. */
function serviceList(server, options) {
    const sections = server.accessories.flatMap((accessory) => accessory.services.map((service) => {
        let rows = null;
        const body = h("div");
        const notes = [
            service.typeName !== service.name && service.typeName,
            service.primary && words.primary, service.hidden && words.hidden, service.simulated && words.simulated,
            service.driven && words.driven,
        ];
        const details = h("details.service", { ontoggle: () => {
            if (details.open && !rows) {
                rows = characteristicTable(service, options);
                fill(body, rows.element, deviceActions(service)?.element);
            } else if (!details.open && rows) {
                rows.end();
                rows = null;
                body.replaceChildren();
            }
        } }, h("summary", {}, icon(kindOf(service).icon),
            h("span", {}, server.accessories.length > 1 ? `${accessory.name} · ${service.name}` : service.name),
            h("span.quiet", {}, notes.filter(Boolean).join(" · "))), body);
        return {
            details, service, end: () => rows?.end(),
            text: [accessory.name, service.name, service.typeName, ...service.characteristics.map((c) => c.name)]
                .join("\n").toLowerCase(),
        };
    }));
    if (sections.length <= manyServices) {
        for (const { details, service } of sections) details.open = service.type !== "3E" && service.type !== "A2";
    }
    const nothing = h("p.quiet", { role: "status" });
    const search = h("input", { type: "search", "aria-label": words.search, placeholder: words.search, oninput: () => {
        const wanted = search.value.trim().toLowerCase();
        let count = 0;
        for (const { details, text } of sections) {
            details.hidden = !text.includes(wanted);
            if (!details.hidden) count += 1;
        }
        setText(nothing, count ? "" : words.noMatch);
    } });
    return {
        element: h("div.services", {}, sections.map((section) => section.details), nothing),
        search,
        end: () => sections.forEach((section) => section.end()),
    };
}
