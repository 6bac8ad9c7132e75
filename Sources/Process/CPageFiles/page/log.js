// The view of the events: a request and its response are one row, and a row opens to its JSON.

import { h, setText } from "./dom.js";
import { store } from "./store.js";
import { exactTimeText, texts, timeZoneName, valueName } from "./texts.js";

const words = texts.log;
const maximumShown = 500;
/** The kinds that are shown only on request. */
const quietKinds = {
    connections: new Set(["connection-opened", "connection-closed", "closed", "pair-setup-started"]),
    store: new Set(["store-written"]),
};

export function logView() {
    const filters = { server: "", kind: "", controller: "", text: "" };
    const list = h("ol.events", { "aria-label": texts.views.log });
    const count = h("p.quiet");
    // Screen readers read the count after a filter has changed, but not with every event.
    const status = h("p.visually-hidden", { role: "status" });
    let first = 0;
    /** The shown entries by their order. A request whose response has arrived gets a new row. */
    let rows = new Map();
    const hidden = new Set(Object.values(quietKinds).flatMap((kinds) => [...kinds]));
    let isScheduled = false;

    const matches = (event) => (!filters.server || event.server === filters.server)
        && (filters.kind ? event.kind === filters.kind : !hidden.has(event.kind))
        && (!filters.controller || event.controller === filters.controller)
        && (!filters.text || text(event).toLowerCase().includes(filters.text));

    const update = () => {
        isScheduled = false;
        const all = store.events.filter((event) => event.order > first);
        const found = all.filter(matches);
        const shown = found.slice(-maximumShown);
        setText(count, found.length ? words.count(found.length, all.length, timeZoneName()) : words.empty);
        const before = rows;
        rows = new Map(shown.map((event) => {
            const known = before.get(event.order);
            if (known && known.isAnswered === Boolean(event.response)) return [event.order, known];
            const element = row(event);
            if (known?.element.firstChild.open) element.firstChild.open = true;
            known?.element.replaceWith(element);
            return [event.order, { element, isAnswered: Boolean(event.response) }];
        }));
        for (const [order, { element }] of before) if (!rows.has(order)) element.remove();
        // The newest entry is on top, so that nothing moves while one reads further down.
        list.prepend(...[...rows.values()].map(({ element }) => element).filter((each) => each.parentNode !== list)
            .reverse());
        updateChoices(all);
    };
    const schedule = () => {
        if (isScheduled || !follow.checked) return;
        isScheduled = true;
        setTimeout(update, 200);
    };
    const restart = () => {
        list.replaceChildren();
        rows.clear();
        update();
        setText(status, count.textContent);
    };
    const choices = {};
    const choice = (name, title) => {
        choices[name] = h("select", { onchange: (event) => {
            filters[name] = event.target.value;
            restart();
        } }, h("option", { value: "" }, words.all));
        return h("label", {}, `${title} `, choices[name]);
    };
    const updateChoices = (all) => {
        for (const [name, select] of Object.entries(choices)) {
            const known = new Set([...select.options].map((option) => option.value));
            const values = new Set(all.map((event) => event[name]).filter((value) => value && !known.has(value)));
            if (!values.size) continue;
            select.append(...[...values].sort().map((value) => h("option", { value }, value)));
        }
    };
    const follow = h("input.switch", { type: "checkbox", role: "switch", onchange: schedule });
    follow.checked = true;
    const search = h("input", { type: "search", "aria-label": words.filter, placeholder: words.filter, oninput: () => {
        filters.text = search.value.trim().toLowerCase();
        restart();
    } });
    const clear = h("button", { type: "button", onclick: () => {
        first = store.events.at(-1)?.order ?? 0;
        restart();
    } }, words.clear);
    const quiet = (name) => h("label", {}, h("input.switch", {
        type: "checkbox", role: "switch", onchange: (event) => {
            for (const kind of quietKinds[name]) event.target.checked ? hidden.delete(kind) : hidden.add(kind);
            restart();
        },
    }), ` ${words[name]}`);
    const element = h("div", {}, h("h1", {}, texts.views.log),
        h("div.toolbar", {}, search, choice("server", words.server), choice("kind", words.kind),
            choice("controller", words.controller), quiet("connections"), quiet("store"),
            h("label", {}, follow, ` ${words.follow}`), clear),
        count, status, list);
    update();
    const ends = [store.on("events", schedule), store.followMessages()];
    return { element, end: () => ends.forEach((end) => end()) };
}

function text(event) {
    return [event.kind, event.server, event.controller, event.name, message(event)].filter(Boolean).join(" ");
}

function row(event) {
    const details = h("details", { ontoggle: () => {
        if (!details.open || details.childElementCount > 1) return;
        details.append(...[event, event.response].filter(Boolean).flatMap((each) => {
            const note = missingBody(each);
            return [note && h("p.quiet", {}, note), h("pre", {}, JSON.stringify(content(each), null, 2))];
        }).filter(Boolean));
    } }, h("summary", {}, h("time", { datetime: event.time }, exactTimeText(event.time)),
        h("span.kind", {}, event.kind), h("span.event-text", {}, message(event)),
        event.server && h("span.quiet", {}, event.server)));
    return h("li", { "data-order": event.order }, details);
}

function content({ order, response, milliseconds, ...event }) {
    return event;
}

/** Says why a message has no body, if it may have had one. */
function missingBody({ kind, id, body, hiddenBytes }) {
    if (!["request", "response"].includes(kind) || body !== undefined) return null;
    if (hiddenBytes !== undefined) return words.hiddenBody(hiddenBytes);
    // Only decrypted messages have bodies, and only events have ids.
    return id ? words.noBody : null;
}

/** Returns what a row of the log says. */
export function message(event) {
    if (event.message) return event.message;
    if (event.kind === "gap") return words.gap(event.missed);
    const { response, milliseconds } = event;
    const connection = event.connection ?? event.session;
    const isDriver = event.kind === "received" || event.kind === "sent";
    const parts = [isDriver && `${event.from} → ${event.to}`, isDriver && event.body?.type, event.method, event.path && [event.path, event.query].filter(Boolean).join("?"), event.status,
        response?.status, milliseconds === undefined ? null : words.milliseconds(milliseconds),
        event.name, event.valueText, event.count, ...characteristicTexts(event),
        connection === undefined ? null : words.connection(connection)];
    return [...new Set(parts)].filter((part) => part !== undefined && part !== null && part !== false).join(" · ");
}

/** Returns the names of the characteristics in a message, with what it and its response say about them. */
function characteristicTexts({ response, ...event }) {
    if (!response) return messageTexts(event);
    const answer = messageTexts({ ...response, server: event.server });
    // A response to a read has the values of what the request names.
    return event.method === "GET" && answer.length ? answer : [...messageTexts(event), ...answer];
}

function messageTexts({ kind, server, query, body }) {
    const known = store.servers.get(server)?.characteristics;
    const items = body?.characteristics
        ?? [...(query ?? "").matchAll(/(\d+)\.(\d+)/g)].map(([, aid, iid]) => ({ aid, iid }));
    if (!Array.isArray(items)) return [];
    const names = items.slice(0, 4).flatMap((item) => {
        const { aid, iid, value, ev, status } = item ?? {};
        const id = `${brief(aid)}.${brief(iid)}`;
        const { service, characteristic } = known?.get(id) ?? {};
        const name = service ? `${service.name}/${characteristic.name}` : id;
        if (status) return words.refused(name, brief(status));
        return [
            kind === "request" && ev !== undefined && words.subscription(name, ev),
            value === undefined ? ev === undefined && name
                : `${name} = ${characteristic ? valueName(characteristic, value) : brief(value)}`,
        ].filter(Boolean);
    });
    return items.length > 4 ? [...names, words.more(items.length - 4)] : names;
}

/** Returns a value as a short text. A peer may have sent anything: also objects, which need not have a text. */
function brief(value) {
    return value === undefined || (value && typeof value === "object") ? "?" : String(value).slice(0, 80);
}
