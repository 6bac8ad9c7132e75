// The drivers of accessories: what they do, what they read and report, and what they can be asked to do.

import { fill, h, keepFocus, setText } from "./dom.js";
import { ask } from "./actions.js";
import { argumentsOf, serverPath } from "./api.js";
import { announce } from "./messages.js";
import { store } from "./store.js";
import { clockTimeText, readingText, texts } from "./texts.js";

const words = texts.drivers;
const shownEvents = 5;
/** The time between two requests for readings, of which no event reports a change, in milliseconds. */
const readingTime = 2000;

/** Shows the drivers of a server, or only that of an accessory, until `end` is called. */
export function driverPanels(server, aid) {
    const element = h("div");
    let panels = new Map();
    const update = () => {
        const drivers = [...server.drivers.values()].filter((driver) => aid === undefined || driver.aid === aid);
        const before = panels;
        panels = new Map(drivers.map((driver) => {
            // The form of an action stays, so that nothing is lost that is being typed.
            const key = JSON.stringify([driver.aid, driver.driver, driver.actions]);
            return [key, before.get(key) ?? driverPanel(server, driver)];
        }));
        const all = [...panels.values()];
        drivers.forEach((driver, index) => all[index].update(driver));
        if (String([...panels.keys()]) === String([...before.keys()])) return;
        keepFocus(element, () => fill(element, all.map((panel) => panel.element)));
    };
    update();
    const timer = setInterval(() => {
        const isFollowed = panels.size > 0 && !document.hidden && store.connection === "live";
        if (isFollowed) store.loadSoon("drivers", server.key);
    }, readingTime);
    const end = store.on(`drivers:${server.key}`, update);
    return {
        element,
        end: () => {
            end();
            clearInterval(timer);
        },
    };
}

function driverPanel(server, { aid, driver: name, actions }) {
    const accessory = server.accessories.find((each) => each.aid === aid)?.name ?? server.name;
    const title = words.title(accessory, name);
    const state = h("p", { role: "status" });
    const picture = h("img.artwork", { hidden: true });
    const progress = h("progress", { hidden: true, "aria-label": words.progress });
    const facts = h("dl.facts");
    const events = h("ul.quiet");
    const eventPart = h("div", {}, h("h4", {}, words.events), events);
    const fact = (key, value) => h("div", {}, h("dt", {}, key), h("dd", {}, value));
    return {
        element: h("section.driver", { "aria-label": title }, h("h3", {}, title), state, picture, progress, facts,
            actions.map((action) => actionForm(server, aid, action)), eventPart),
        update: ({ state: word, reason, reachable, endpoints, readings, picture: number }) => {
            const services = server.accessories.find((each) => each.aid === aid)?.services ?? [];
            // A simulated device behind a receiver cannot be out of reach, and has readings of its own.
            const isDriven = services.some((service) => service.driven);
            setText(state, [
                words.state(words.states[word], reason?.replace(/\.$/, "")),
                ...isDriven ? [reachable ? words.reachable : words.unreachable] : [],
            ].join(" · "));
            const all = [...services.flatMap((service) => service.readings), ...readings];
            const value = (name) => all.find((reading) => reading.name === name)?.value;
            const source = number === null
                ? null : `${serverPath(server.key, `accessories/${aid}/picture`)}#${number}`;
            picture.hidden = !source;
            if (source && picture.getAttribute("src") !== source) {
                picture.src = source;
                picture.alt = String(value("title") ?? "");
            }
            progress.hidden = !(value("duration") > 0);
            if (!progress.hidden) Object.assign(progress, { max: value("duration"), value: value("position") ?? 0 });
            show(facts, [...endpoints.length ? [fact(words.endpoints, endpoints.join(", "))] : [],
                ...all.map((reading) => fact(reading.name, readingText(reading)))]);
            const latest = store.events.filter((event) => event.kind === "driver-event" && event.server === server.key
                && event.accessory === aid).slice(-shownEvents).reverse();
            eventPart.hidden = !latest.length;
            show(events, latest.map(({ time, message }) => h("li", {}, `${clockTimeText(time)} ${message}`)));
        },
    };
}

/** Shows elements whose texts are others than before: a text that is being copied stays. */
function show(element, children) {
    if (element.textContent !== children.map((child) => child.textContent).join("")) fill(element, children);
}

/** The button of an action, with a field for each argument, or one for arguments of any names. */
function actionForm(server, aid, { name, summary, fields }) {
    const input = (label, more) => h("input", { type: "text", maxlength: "4096", autocomplete: "off", ...more,
        oninput: ({ target }) => target.setCustomValidity(""), "aria-label": words.argument(label, name) });
    const inputs = fields?.map((field) => input(field)) ?? [input(words.arguments, { placeholder: words.argumentsExample })];
    return h("form.toolbar", { onsubmit: async (event) => {
        event.preventDefault();
        const given = fields ? Object.fromEntries(fields.map((field, index) => [field, inputs[index].value])
            .filter(([, value]) => value)) : argumentsOf(inputs[0].value);
        inputs[0]?.setCustomValidity(given ? "" : words.wrongArguments);
        if (!given) return void inputs[0].reportValidity();
        const answer = await ask(server, aid, name, given);
        if (answer !== null) announce(answer || words.done(name));
    } }, h("button", { type: "submit", title: summary }, name),
    fields ? fields.map((field, index) => h("label", {}, `${field} `, inputs[index])) : inputs);
}
