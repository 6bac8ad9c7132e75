// The view of the servers: pairing, sessions, and every characteristic with a control.

import { h, fill, keepFocus, setText } from "./dom.js";
import { APIError, get, post, remove, serverPath } from "./api.js";
import { icon } from "./icons.js";
import { kindOf } from "./types.js";
import { store } from "./store.js";
import { characteristicRows, deviceActions } from "./details.js";
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
    const qr = h("img.qr", { alt: words.qr(server.name), width: "148", height: "148" });
    const pairings = h("div", {}, h("p.quiet", {}, texts.loading));
    const sessions = h("div", {}, h("p.quiet", {}, texts.loading));
    let writer = "controller";
    const list = serviceList(server, () => writer);

    let updates = 0;
    const update = async () => {
        updates += 1;
        const count = updates;
        fill(facts, fact(words.setupCode, h("code.setup-code", {}, server.setupCode)),
            fact(words.port, String(server.port)), fact(words.deviceID, server.deviceID),
            fact(words.configuration, String(server.configurationNumber)),
            fact(words.advertiser, server.advertiser.message));
        // A definition may have another setup code now.
        const source = `${serverPath(server.key, "qr.svg")}#${server.setupCode}`;
        if (qr.getAttribute("src") !== source) qr.src = source;
        try {
            const [pairedControllers, connections] = await Promise.all([
                get(serverPath(server.key, "pairings")), get(serverPath(server.key, "sessions")),
            ]);
            if (count !== updates || isEnded) return;
            keepFocus(pairings, () => fill(pairings, pairedControllers.length
                ? [h("ul.rows", {}, pairedControllers.map((pairing) => h("li", {}, h("code", {}, pairing.controller),
                    pairing.admin && h("span.quiet", {}, words.admin)))),
                h("button.danger", {
                    type: "button", "data-focus": "remove", onclick: () => removePairings(server),
                }, words.removePairings)]
                : h("p.quiet", {}, words.noPairings)));
            fill(sessions, connections.length
                ? h("ul.rows", {}, connections.map((session) => h("li", {},
                    h("code", {}, session.controller ?? words.unverified),
                    h("span.quiet", {}, `${session.peer} · ${words.idle(durationText(session.idle))} · `
                        + words.subscriptions(session.subscriptions.length)))))
                : h("p.quiet", {}, words.noSessions));
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
        // Their controls follow.
        for (const { key } of server.services.values()) store.change(`service:${key}`);
    } },
        h("option", { value: "controller" }, texts.controls.asController),
        h("option", { value: "device" }, texts.controls.asDevice));
    // What follows pairings and sessions is shown after them, so that nothing moves.
    const rest = h("div", { hidden: true },
        h("div.toolbar", {}, list.search, h("label", {}, `${words.writeAs} `, chooseWriter)), list.element);
    update();
    const end = store.on(`server:${server.key}`, update);
    return {
        element: h("div", {},
            h("h2", {}, server.name),
            h("div.pairing", {},
                qr, h("div", {}, facts, identify)),
            h("div.columns", {}, h("section", {}, h("h3", {}, words.pairings), pairings),
                h("section", {}, h("h3", {}, words.sessions), sessions)),
            rest),
        end: () => {
            isEnded = true;
            end();
            list.end();
        },
    };
}

function fact(name, value) {
    return h("div", {}, h("dt", {}, name), h("dd", {}, value));
}

async function removePairings(server) {
    if (!confirm(words.removePairingsQuestion(server.name))) return;
    try {
        await remove(serverPath(server.key, "pairings"));
        announce(words.removed(server.name));
        store.loadSoon("sessions", server.key);
    } catch (error) {
        fail(server.name, error);
    }
}

/** All services of a server. The characteristics of a service are created when it is opened. */
function serviceList(server, writer) {
    const sections = server.accessories.flatMap((accessory) => accessory.services.map((service) => {
        let rows = null;
        const body = h("div");
        const notes = [
            service.typeName !== service.name && service.typeName,
            service.primary && words.primary, service.hidden && words.hidden, service.simulated && words.simulated,
        ];
        const details = h("details.service", { ontoggle: () => {
            if (details.open && !rows) {
                rows = characteristicRows(service, { writer });
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
