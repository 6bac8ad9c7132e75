// Starts the page: exchanges the token of the link for a cookie, shows a view for the address, and follows the events.

import { h, fill, setText } from "./dom.js";
import { APIError, post } from "./api.js";
import { icon } from "./icons.js";
import { announce, clearErrors, messageArea } from "./messages.js";
import { store } from "./store.js";
import { dayTimeText, texts, timeZoneName } from "./texts.js";
import { homeView } from "./home.js";
import { automationsView } from "./automations.js";
import { accessoriesView } from "./accessories.js";
import { simulationView } from "./simulation.js";
import { logView } from "./log.js";
import { builderView } from "./builder.js";

/** The views by the first part of the address. Each returns its element, its title and how it ends. */
const views = {
    home: homeView, automations: automationsView, accessories: accessoriesView, simulation: simulationView, log: logView,
    builder: builderView,
};
const viewIcons = {
    home: "home", automations: "clock", accessories: "box", simulation: "wrench", log: "list", builder: "pencil",
};

const main = h("main", { id: "content", tabindex: "-1" });
const links = new Map(Object.keys(views).map((name) => [name, h("a", { href: `#/${name}` },
    icon(viewIcons[name]), h("span", {}, texts.views[name]))]));
const connection = h("p.connection", { role: "status" });
const clock = h("span.clock");
const zone = h("span.zone");
const skip = h("a.skip", { href: "#content", onclick: (event) => {
    event.preventDefault();
    main.focus();
} }, texts.skip);
const header = h("header", {},
    h("a.brand", { href: "#/home" }, h("img", { src: "/page/icon.svg", alt: "", width: "28", height: "28" }),
        h("span", {}, texts.product)),
    h("nav", { "aria-label": texts.navigation }, [...links.values()]),
    h("div.header-state", {}, clock, zone, connection));

let current = null;

function addressParts() {
    try {
        return location.hash.replace(/^#\/?/, "").split("/").filter(Boolean).map(decodeURIComponent);
    } catch {
        // A percent sign that encodes nothing.
        return [];
    }
}

function route({ isFirst = false } = {}) {
    const parts = addressParts();
    const name = parts[0] && Object.hasOwn(views, parts[0]) ? parts[0] : "home";
    if (current?.name === name && current.show?.(parts.slice(1))) {
        showTitle();
        return;
    }
    current?.end();
    const view = { name };
    const onTitle = () => {
        if (current === view) showTitle();
    };
    current = Object.assign(view, views[name](parts.slice(1), { onTitle }));
    main.dataset.view = name;
    fill(main, current.element);
    for (const [other, link] of links) {
        if (other === name) link.setAttribute("aria-current", "page");
        else link.removeAttribute("aria-current");
    }
    showTitle();
    if (!isFirst) {
        clearErrors();
        main.focus({ preventScroll: true });
        scrollTo(0, 0);
    }
}

function showTitle() {
    document.title = texts.title([...(current.title?.() ?? []), texts.views[current.name]]);
}

function showAccess() {
    const input = h("input", { type: "password", autocomplete: "off", required: true, id: "token" });
    const problem = h("p.field-error", { role: "alert" });
    const form = h("form.access", { onsubmit: async (event) => {
        event.preventDefault();
        try {
            if (!await begin(input.value.trim())) {
                setText(problem, texts.connection.wrongToken);
                return;
            }
        } catch {
            setText(problem, texts.connection.lost);
            return;
        }
        // The page is not loaded again, because a draft of the builder is only in its memory.
        showPage();
        store.run();
    } },
    h("h1", {}, texts.connection.deniedTitle), h("p", {}, texts.connection.denied),
    h("label", { for: "token" }, texts.connection.token), input,
    h("button.primary", { type: "submit" }, texts.connection.open), problem);
    current?.end();
    current = null;
    fill(document.body, h("main", { id: "content" }, form));
    document.title = texts.title([texts.connection.deniedTitle]);
    input.focus();
}

async function begin(token) {
    try {
        await post("/api/v1/session", { token });
        return true;
    } catch (error) {
        if (error instanceof APIError) return false;
        throw error;
    }
}

/** Shows the page around the views, and the view of the address as soon as there is something to show. */
function showPage() {
    fill(document.body, skip, header, main, messageArea);
    if (store.isLoaded) route({ isFirst: true });
    else fill(main, h("p.loading", { role: "status" }, texts.loading));
}

function showConnection() {
    if (store.connection === "denied") {
        showAccess();
        return;
    }
    const wasLost = connection.dataset.state === "lost";
    connection.dataset.state = store.connection;
    setText(connection, texts.connection[store.connection]);
    document.body.classList.toggle("is-lost", store.connection === "lost");
    if (wasLost && store.connection === "live") announce(texts.connection.back);
}

function showClock() {
    const time = store.time;
    clock.hidden = !time || (time.scale === 1 && !time.paused);
    if (!clock.hidden) setText(clock, time.paused ? texts.simulation.paused : texts.simulation.scale(time.scale));
}

/** Returns the token of the link with which the page was opened, or null. */
function linkToken() {
    return new URLSearchParams(location.hash.slice(1)).get("token");
}

async function start() {
    const token = linkToken();
    if (token) {
        // The token must not stay in the address bar or in the history.
        history.replaceState(null, "", "/#/home");
        await begin(token).catch((error) => console.warn(error));
    }
    showPage();
    store.on("connection", showConnection);
    store.on("time", showClock);
    const showZone = () => {
        const ahead = store.homeAhead();
        setText(zone, Math.abs(ahead) > 90_000
            ? texts.homeTime(dayTimeText(Date.now() + ahead), timeZoneName()) : texts.timeZone(timeZoneName()));
    };
    store.on("home", () => {
        links.get("automations").hidden = !store.home;
        showZone();
    });
    setInterval(showZone, 10_000);
    let isShown = false;
    const showFirst = () => {
        if (isShown || !store.isLoaded) return;
        isShown = true;
        route({ isFirst: true });
        addEventListener("hashchange", () => {
            if (current && !linkToken()) route();
        });
    };
    store.on("servers", showFirst);
    showConnection();
    await store.run();
}

// The printed link may be opened in a tab that shows the page already.
addEventListener("hashchange", () => {
    if (linkToken()) location.reload();
});
// A file that is dropped beside its place must not replace the page.
for (const kind of ["dragover", "drop"]) {
    addEventListener(kind, (event) => {
        if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
    });
}

start();
