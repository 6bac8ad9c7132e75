// The view of the events: filters by server, kind and controller; an entry opens to its JSON.

import { h, fill, setText } from "./dom.js";
import { store } from "./store.js";
import { texts } from "./texts.js";

const words = texts.log;
const maximumShown = 500;

export function logView() {
    const filters = { server: "", kind: "", controller: "", text: "" };
    const list = h("ol.events", { "aria-label": texts.views.log });
    const count = h("p.quiet");
    // Screen readers read the count after a filter has changed, but not with every event.
    const status = h("p.visually-hidden", { role: "status" });
    let first = 0;
    let shownIDs = new Set();
    let isScheduled = false;

    const matches = (event) => (!filters.server || event.server === filters.server)
        && (!filters.kind || event.kind === filters.kind)
        && (!filters.controller || event.controller === filters.controller)
        && (!filters.text || text(event).toLowerCase().includes(filters.text));

    const update = () => {
        isScheduled = false;
        const all = store.events.filter((event) => event.order > first);
        const found = all.filter(matches);
        const shown = found.slice(-maximumShown);
        setText(count, found.length ? words.count(found.length, all.length) : words.empty);
        const added = shown.filter((event) => !shownIDs.has(event.order));
        const ids = new Set(shown.map((event) => event.order));
        for (const row of [...list.children]) if (!ids.has(Number(row.dataset.order))) row.remove();
        // The newest entry is on top, so that nothing moves while one reads further down.
        list.prepend(...added.map(row).reverse());
        shownIDs = ids;
        updateChoices(all);
    };
    const schedule = () => {
        if (isScheduled || !follow.checked) return;
        isScheduled = true;
        setTimeout(update, 200);
    };
    const restart = () => {
        list.replaceChildren();
        shownIDs.clear();
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
    const element = h("div", {}, h("h1", {}, texts.views.log),
        h("div.toolbar", {}, search, choice("server", words.server), choice("kind", words.kind),
            choice("controller", words.controller), h("label", {}, follow, ` ${words.follow}`), clear),
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
        if (details.open && !json.textContent) json.textContent = JSON.stringify(content(event), null, 2);
    } }, h("summary", {}, h("time", { datetime: event.time }, new Date(event.time).toLocaleTimeString()),
        h("span.kind", {}, event.kind), h("span.event-text", {}, message(event)),
        event.server && h("span.quiet", {}, event.server)));
    const json = h("pre");
    details.append(json);
    return h("li", { "data-order": event.order }, details);
}

function content({ order, ...event }) {
    return event;
}

function message(event) {
    if (event.message) return event.message;
    if (event.kind === "gap") return words.gap(event.missed);
    const connection = event.connection ?? event.session;
    const parts = [event.method, event.path && [event.path, event.query].filter(Boolean).join("?"), event.status,
        event.name, event.valueText, event.count, ...characteristicTexts(event),
        connection === undefined ? null : words.connection(connection)];
    return parts.filter((part) => part !== undefined && part !== null).join(" · ");
}

/** Returns the names of the characteristics in a message, with what it says about them. */
function characteristicTexts({ kind, server, query, body }) {
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
            value === undefined ? ev === undefined && name : `${name} = ${brief(value)}`,
        ].filter(Boolean);
    });
    return items.length > 4 ? [...names, words.more(items.length - 4)] : names;
}

/** Returns a value as a short text. A peer may have sent anything: also objects, which need not have a text. */
function brief(value) {
    return value === undefined || (value && typeof value === "object") ? "?" : String(value).slice(0, 80);
}
