// The view of the simulation: actions of devices, time, scenarios, faults and commands.

import { h, fill, keepFocus, newID, setText } from "./dom.js";
import { exactNumber, get, post, put, remove } from "./api.js";
import { store } from "./store.js";
import { C, kindOf } from "./types.js";
import { icon } from "./icons.js";
import { deviceActions } from "./details.js";
import { control } from "./controls.js";
import { fail, fullName, run } from "./actions.js";
import { announce } from "./messages.js";
import { clockText, durationText, texts } from "./texts.js";

const words = texts.simulation;

export function simulationView() {
    // What follows the choices of faults is shown after them, so that nothing moves.
    const rest = h("div", { hidden: true });
    const parts = [devicePart(), timePart(), scenarioPart(), faultPart(() => { rest.hidden = false; }), commandPart()];
    const [devices, time, scenario, ...others] = parts.map((part) => part.element);
    fill(rest, others);
    return {
        element: h("div", {}, h("h1", {}, texts.views.simulation), devices, time, scenario, rest),
        end: () => parts.forEach((part) => part.end?.()),
    };
}

function timePart() {
    const since = h("span.since");
    const pause = h("button", { type: "button", onclick: () => set({ paused: !store.time?.paused }) });
    const speed = h("select", { onchange: () => set({ scale: Number(speed.value) }) });
    const set = async (change) => {
        try {
            store.setTime(await put("/api/v1/time", change));
        } catch (error) {
            fail(words.time, error);
        }
    };
    const advance = (text, seconds) => h("button", { type: "button", onclick: async () => {
        try {
            store.setTime(await post("/api/v1/time/advance", { seconds }));
            announce(words.advanced(text));
        } catch (error) {
            fail(words.advance, error);
        }
    } }, `+ ${text}`);
    const update = () => {
        const time = store.time;
        if (!time) return;
        setText(pause, time.paused ? words.resume : words.pause);
        const scales = [...new Set([1, 10, 60, 600, 3600, time.scale])].sort((a, b) => a - b).map(String);
        // A list that is open does not change.
        if (scales.join() !== [...speed.options].map((option) => option.value).join()) {
            fill(speed, scales.map((scale) => h("option", { value: scale }, words.scale(scale))));
        }
        speed.value = String(time.scale);
        tick();
    };
    const tick = () => setText(since, words.since(clockText(store.simulatedSeconds() ?? 0)));
    update();
    const timer = setInterval(tick, 1000);
    const end = store.on("time", update);
    return {
        element: h("section.card", {}, h("h2", {}, words.time), h("div.toolbar", {}, since, pause,
            h("label", {}, `${words.speed} `, speed), advance(words.minute, 60), advance(words.tenMinutes, 600),
            advance(words.hour, 3600), advance(words.day, 86400))),
        end: () => {
            end();
            clearInterval(timer);
        },
    };
}

function scenarioPart() {
    const title = h("h2");
    const bar = h("progress", { "aria-label": words.scenario });
    // Screen readers read an element again only if it stays.
    const status = h("p", { role: "status", tabindex: "-1" });
    const steps = h("ol.steps");
    const none = h("p.quiet", { hidden: true }, words.noScenario);
    const choices = h("ul.rows");
    let named = [];
    const showChoices = () => keepFocus(choices, () => fill(choices, named.map(({ name, path }) => h("li", {},
        h("div", {}, h("strong", {}, name), h("span.quiet", {}, path)),
        h("button", {
            type: "button", "aria-label": words.runScenario(name), "data-focus": name,
            disabled: Boolean(store.scenario && !store.scenario.finished), onclick: () => start(name),
        }, words.run)))));
    const start = async (name) => {
        try {
            await post(`/api/v1/scenarios/${encodeURIComponent(name)}/run`);
            await store.reload("scenario");
            status.focus();
        } catch (error) {
            fail(name, error);
        }
    };
    const load = () => get("/api/v1/scenarios").then((found) => {
        named = found;
        none.hidden = named.length > 0 || Boolean(store.scenario);
        showChoices();
    }, (error) => fail(words.scenario, error));
    load();
    const update = () => {
        const scenario = store.scenario;
        for (const part of [bar, status, steps]) part.hidden = !scenario;
        showChoices();
        setText(title, scenario ? `${words.scenario}: ${scenario.name}` : words.scenario);
        if (!scenario) return;
        const state = !scenario.finished ? words.running : scenario.passed ? words.passed : words.scenarioFailed;
        bar.max = scenario.steps;
        bar.value = scenario.done.length;
        setText(status, `${words.progress(scenario.done.length, scenario.steps)}. ${state}`);
        fill(steps, scenario.done.map((step) => h("li", { "data-outcome": step.outcome },
            h("strong", {}, step.title),
            h("span.quiet", {}, [words.outcome[step.outcome] ?? step.outcome, clockText(step.endSeconds),
                step.line ? words.line(step.line) : null].filter(Boolean).join(" · ")),
            step.message && h("span.step-message", {}, step.message))),
        scenario.pending.map((step, index) => h("li.pending", { "aria-current": index === 0 && "step" }, step.title,
            h("span.quiet", {}, index === 0 && !scenario.finished ? words.current : ""))));
    };
    update();
    const ends = [store.on("scenario", update), store.on("loaded", load)];
    return { element: h("section.card", {}, title, choices, bar, status, steps, none), end: () => ends.forEach((end) => end()) };
}

function faultPart(onReady) {
    const active = h("div");
    const form = h("form.fault-form", { onsubmit: inject });
    let kinds = [];
    let shown = "";
    const update = () => {
        const now = JSON.stringify(store.faults);
        if (now === shown) return;
        shown = now;
        keepFocus(active, () => fill(active, store.faults.length
            ? [h("ul.rows", {}, store.faults.map(faultRow)),
                h("button", { type: "button", "data-focus": "all", onclick: () => clear("") }, words.clearAll)]
            : h("p.quiet", {}, words.noFaults)));
    };
    const faultRow = (fault) => h("li", {},
        h("div", {}, h("strong", {}, fault.name), h("span.quiet", {}, [fault.target,
            fault.remaining === undefined ? null : words.remaining(fault.remaining)].filter(Boolean).join(" · "))),
        h("button", {
            type: "button", "aria-label": `${words.clear}: ${fault.name}`, "data-focus": "all",
            onclick: () => {
                const { name, server, aid, iid } = fault;
                clear(`?${new URLSearchParams({ name, server, ...aid && { aid }, ...iid && { iid } })}`);
            },
        }, words.clear));
    const fields = h("div.fields");
    const select = h("select", { onchange: showParameters });
    const target = h("select");
    const times = h("input", { type: "number", min: "1", max: "1000000", placeholder: words.noLimit });
    const seconds = h("input", { type: "number", min: "0.001", max: "86400", step: "any", placeholder: words.noLimit });
    const summary = h("p.quiet");

    async function clear(query) {
        try {
            announce((await remove(`/api/v1/faults${query}`)).message);
            await store.reload("simulation");
        } catch (error) {
            fail(words.faults, error);
        }
    }
    function showParameters() {
        const kind = kinds.find((each) => each.name === select.value);
        setText(summary, kind?.summary ?? "");
        times.placeholder = kind?.count === undefined ? words.noLimit : String(kind.count);
        updateTargets();
        fill(fields, (kind?.parameters ?? []).map(({ name, summary: help, choices, default: standard }) => field(name,
            choices
                ? h("select", { name }, ["", ...choices].map((choice) =>
                    h("option", { value: choice }, choice || words.standardValue(standard))))
                : h("input", { type: "text", name, placeholder: words.standardValue(standard) }), help)));
    }
    async function inject(event) {
        event.preventDefault();
        const parameters = {};
        for (const { name, value } of fields.querySelectorAll("input, select")) if (value) parameters[name] = value;
        const body = { name: select.value, parameters, ...JSON.parse(target.value) };
        if (times.value) body.count = Number(times.value);
        if (seconds.value) body.seconds = Number(seconds.value);
        try {
            announce((await post("/api/v1/faults", body)).message);
            await store.reload("simulation");
        } catch (error) {
            fail(select.value, error);
        }
    }
    fill(form, h("h3", {}, words.inject), h("div.fields", {}, field(words.fault, select), field(words.target, target),
        field(words.times, times), field(words.seconds, seconds)), summary, fields,
    h("button.primary", { type: "submit" }, words.injectNow));
    const load = async () => {
        if (kinds.length) return;
        try {
            kinds = await get("/api/v1/fault-kinds");
            fill(select, [...Map.groupBy(kinds, ({ group }) => group)].map(([group, members]) =>
                h("optgroup", { label: group }, members.map(({ name }) => h("option", { value: name }, name)))));
            showParameters();
        } catch (error) {
            fail(words.faults, error);
        } finally {
            onReady();
        }
    };
    /** What the chosen fault can affect: servers, and accessories, services and characteristics on them. */
    function updateTargets() {
        const chosen = target.value;
        const scopes = new Set(kinds.find((each) => each.name === select.value)?.scopes);
        const option = (place, name) => h("option", { value: JSON.stringify(place) }, name);
        const parts = ({ key: server, accessories }) => accessories.flatMap((accessory) => [
            scopes.has("accessory") && option({ server, aid: accessory.aid }, words.whole(accessory.name)),
            ...accessory.services.filter((service) => service.simulated).flatMap((service) => [
                scopes.has("service") && option({ server, aid: accessory.aid, iid: service.iid }, fullName(service)),
                ...scopes.has("characteristic") ? service.characteristics.map((characteristic) => option(
                    { server, aid: accessory.aid, iid: exactNumber(characteristic.id.split(".")[1]) },
                    `${fullName(service)} · ${characteristic.name}`)) : [],
            ]),
        ]);
        fill(target, option({}, words.everything), [...store.servers.values()].map((server) =>
            h("optgroup", { label: server.name }, option({ server: server.key }, words.whole(server.name)), parts(server))));
        target.value = chosen;
        if (!target.value) target.value = "{}";
    }
    load();
    updateTargets();
    update();
    const ends = [
        store.on("faults", update), store.on("servers", updateTargets), store.on("loaded", load),
    ];
    return {
        element: h("section.card", {}, h("h2", {}, words.faults), active, form),
        end: () => ends.forEach((end) => end()),
    };
}

function field(name, input, help) {
    const id = newID("field");
    input.id = id;
    return h("div.field", {}, h("label", { for: id }, name), input, help && h("span.quiet", {}, help));
}

function commandPart() {
    const answer = h("pre.answer", { role: "status" });
    const input = h("input", { type: "text", "aria-label": words.command, placeholder: words.commandExample,
        autocomplete: "off", spellcheck: "false", maxlength: "4096" });
    const form = h("form.phrase", { onsubmit: async (event) => {
        event.preventDefault();
        if (!input.value.trim()) return;
        const text = await run(input.value);
        if (text !== null) {
            setText(answer, text);
            input.select();
        }
    } }, input, h("button.primary", { type: "submit" }, words.send));
    return { element: h("section.card", {}, h("h2", {}, words.command), form, answer) };
}

/** The services that people act on: buttons, sensors, and movements that can be obstructed. */
function devicePart() {
    const element = h("section.card");
    let ends = [];
    const build = () => {
        ends.forEach((end) => end());
        ends = [];
        const rows = [...store.servers.values()].flatMap((server) => server.accessories)
            .flatMap((accessory) => accessory.services).filter((service) => service.simulated)
            .map(deviceRow).filter(Boolean);
        keepFocus(element, () => fill(element, h("h2", {}, words.devices),
            rows.length ? h("ul.rows", {}, rows) : h("p.quiet", {}, words.noDevices)));
    };
    const deviceRow = (service) => {
        const kind = kindOf(service);
        const actions = deviceActions(service)?.element;
        const type = kind.action?.kind === "sense" ? kind.action.type : kind.action?.kind === "press" ? C.press : null;
        const characteristic = type ? service.find(type) : null;
        if (!actions && !characteristic) return null;
        const input = characteristic && control(service, characteristic);
        input?.update();
        if (input) ends.push(store.on(`service:${service.key}`, input.update));
        return h("li", {}, icon(kind.icon), h("div.grow", {}, h("strong", {}, service.place?.name ?? service.name),
            service.accessory.name !== service.name && h("span.quiet", {}, service.accessory.name)),
        input?.element, actions);
    };
    build();
    let names = null;
    const buildIfRenamed = () => {
        const now = JSON.stringify(store.shownServices().map(({ place }) => place?.name));
        if (now !== names) build();
        names = now;
    };
    const followed = [store.on("servers", build), store.on("home", buildIfRenamed)];
    return { element, end: () => [...followed, ...ends].forEach((each) => each()) };
}
