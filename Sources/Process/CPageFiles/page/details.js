// The details of a service: its main controls, a chart, and all values, in a dialog.

import { fill, h, newID, setText } from "./dom.js";
import { icon } from "./icons.js";
import { store } from "./store.js";
import { C, kindOf } from "./types.js";
import { colorWheel, control } from "./controls.js";
import { chart } from "./chart.js";
import { act } from "./actions.js";
import { messageArea } from "./messages.js";
import { stateText, valueText } from "./tile.js";
import { texts } from "./texts.js";

const words = texts.accessories;

export function showDetails(service, name = service.name) {
    const title = newID("title");
    const state = h("p.quiet", { role: "status" });
    const main = mainCharacteristics(service);
    const controls = characteristicRows(service, { isBrief: true, shown: (each) => main.includes(each) });
    const rows = characteristicRows(service, { isBrief: true, shown: (each) => !main.includes(each) });
    const wheel = colorWheel(service);
    const history = serviceChart(service);
    const actions = deviceActions(service);
    const close = () => dialog.close();
    const dialog = h("dialog.details", { "aria-labelledby": title },
        h("div.dialog-head", {}, h("div", {}, h("h2", { id: title }, name), state),
            h("button.icon-button", { type: "button", "aria-label": texts.close, onclick: close }, icon("close"))),
        wheel?.element, h("div.main-controls", {}, controls.element), actions?.element, history?.element,
        rows.count > 0 && h("details.all-values", {}, h("summary", {}, words.otherValues(rows.count)), rows.element),
        h("p", {}, h("a", { href: `#/accessories/${encodeURIComponent(service.server.key)}`, onclick: close },
            words.showAll(service.accessory.name))));
    const update = () => {
        setText(state, [service.typeName, stateText(service)].filter(Boolean).join(" · "));
        wheel?.update();
    };
    update();
    // The service has been removed, or its server has other services now.
    const closeIfGone = () => {
        if (store.servers.get(service.server.key)?.services.get(service.id) !== service) close();
    };
    addEventListener("hashchange", close);
    const ends = [
        store.on(`service:${service.key}`, update), store.on("servers", closeIfGone), rows.end, controls.end,
        () => history?.end(),
        () => removeEventListener("hashchange", close),
    ];
    dialog.addEventListener("close", () => {
        ends.forEach((end) => end());
        document.body.append(messageArea);
        dialog.remove();
    });
    // A slider may be released outside of the dialog, so only what begins outside closes it.
    dialog.addEventListener("pointerdown", (event) => {
        const box = dialog.getBoundingClientRect();
        const isInside = event.clientX >= box.left && event.clientX <= box.right
            && event.clientY >= box.top && event.clientY <= box.bottom;
        if (event.target === dialog && !isInside) close();
    });
    document.body.append(dialog);
    // Everything outside of a modal dialog is inert, also messages.
    dialog.append(messageArea);
    dialog.showModal();
}

/** What a person sets most often comes first; what a device only reports is among the other values. */
function mainCharacteristics(service) {
    const order = kindOf(service).main ?? [];
    const settable = service.characteristics.filter((each) => !isReadOnly(each) && !names.has(each.type));
    const listed = order.map((type) => service.find(type)).filter((each) => settable.includes(each));
    return listed.length ? listed : settable.slice(0, 3);
}

/** The latest values of one characteristic, which can be chosen. */
function serviceChart(service) {
    const choices = service.characteristics.filter(isCharted);
    if (!choices.length) return null;
    const state = kindOf(service).state.map((type) => service.find(type));
    const first = state.find((each) => choices.includes(each)) ?? choices[0];
    const place = h("div");
    let shown = null;
    const show = (characteristic) => {
        shown?.end();
        shown = chart(service, characteristic);
        fill(place, shown.element);
    };
    const select = h("select", {
        "aria-label": words.historyOf(service.name), onchange: () => show(choices[Number(select.value)]),
    }, choices.map((each, index) => h("option", { value: String(index) }, personalName(each))));
    select.value = String(choices.indexOf(first));
    show(first);
    return {
        element: h("section.service-chart", { "aria-label": words.history },
            choices.length > 1 ? select : h("h3", {}, personalName(first)), place),
        end: () => shown.end(),
    };
}

const personalName = (characteristic) => texts.names[characteristic.type] ?? characteristic.name;

/** Creates the rows of a service's characteristics, which follow the values until `end` is called. */
export function characteristicRows(service, { isBrief = false, writer, shown = () => true } = {}) {
    const rows = service.characteristics
        .filter((characteristic) => shown(characteristic) && !(isBrief && names.has(characteristic.type)))
        .map((characteristic) => characteristicRow(service, characteristic, isBrief, writer));
    const readings = h("p.readings");
    const update = () => {
        rows.forEach((row) => row.update());
        const values = service.readings.map(({ name, value, unit }) =>
            `${name} ${Math.round(value * 10) / 10} ${unit}`);
        setText(readings, values.length ? `${words.readings}: ${values.join(", ")}` : "");
    };
    update();
    const unsubscribe = store.on(`service:${service.key}`, update);
    return {
        count: rows.length,
        element: h("div", {}, h("ul.characteristics", {}, rows.map((row) => row.element)), readings),
        end: () => {
            unsubscribe();
            rows.forEach((row) => row.end());
        },
    };
}

function characteristicRow(service, characteristic, isBrief, writer) {
    const value = h("span.value");
    const subscribers = h("span.quiet");
    const label = isBrief ? personalName(characteristic) : characteristic.name;
    const field = isReadOnly(characteristic) && isBrief ? null
        : control(service, characteristic, { writer, label, isLarge: isBrief });
    const history = h("details.history", { ontoggle: () => {
        if (history.open && !shown) {
            shown = chart(service, characteristic);
            history.append(shown.element);
        } else if (!history.open && shown) {
            shown.end();
            shown.element.remove();
            shown = null;
        }
    } }, h("summary", { "aria-label": words.historyOf(characteristic.name) }, words.history));
    let shown = null;
    const permissions = characteristic.permissions.map((name) => texts.permissions[name] ?? name).join(", ");
    const element = h("li.characteristic", { "data-id": characteristic.id },
        h("div.characteristic-head", {}, h("span.characteristic-name", {}, label), value),
        field && h("div.control", {}, field.element),
        h("div.characteristic-foot", {}, !isBrief && h("span.quiet", {}, `${characteristic.id} · ${permissions}`),
            !isBrief && subscribers, !isBrief && isCharted(characteristic) && history));
    return {
        element,
        name: characteristic.name,
        update: () => {
            if (!field?.showsValue) setText(value, valueText(characteristic));
            setText(subscribers, words.subscribers(characteristic.subscribers));
            field?.update();
        },
        end: () => shown?.end(),
    };
}

const names = new Set([C.name, C.configuredName]);

function isCharted({ permissions, format }) {
    return permissions.includes("ev") && !["string", "data", "tlv8"].includes(format);
}

function isReadOnly(characteristic) {
    return !characteristic.permissions.includes("pw") && characteristic.type !== C.press;
}

/** The buttons for what people do to a device, such as standing in the way of a door. */
export function deviceActions(service) {
    if (!service.simulated) return null;
    const buttons = [];
    const add = (...actions) => buttons.push(...actions.map((action) =>
        h("button", { type: "button", onclick: () => act(service, action) }, texts.simulation[action])));
    if (service.find(C.obstruction)) add("obstruct", "clearObstruction");
    if (service.find(C.targetDoor) || service.find(C.targetPosition)) add("stop");
    if (service.find(C.currentVisibility) || service.find(C.outletInUse) || service.find(C.chargingState)) {
        add("plug", "unplug");
    }
    return buttons.length ? { element: h("div.buttons", {}, buttons) } : null;
}
