// The details of a service: its main controls, a chart, and all values, in a dialog.

import { fill, focusOn, h, newID, setText } from "./dom.js";
import { icon } from "./icons.js";
import { store } from "./store.js";
import { C, kindOf } from "./types.js";
import { characteristicControls, isCharted, isName, isReadOnly, personalName } from "./characteristics.js";
import { colorWheel } from "./controls.js";
import { chart } from "./chart.js";
import { act } from "./actions.js";
import { driverPanels } from "./drivers.js";
import { isEditable, nameHeading, roomSelect } from "./editing.js";
import { messageArea } from "./messages.js";
import { stateText } from "./tile.js";
import { texts } from "./texts.js";

const words = texts.accessories;

export function showDetails(service, name = service.name) {
    const title = newID("title");
    const state = h("p.quiet", { role: "status" });
    const main = mainCharacteristics(service);
    // The part of a driver shows the readings of its accessory.
    const controls = characteristicControls(service, main,
        { hasReadings: !service.server.drivers.has(service.accessory.aid) });
    const rows = characteristicControls(service, service.characteristics
        .filter((each) => !main.includes(each) && !isName(each)), { hasReadings: false });
    const wheel = colorWheel(service);
    const history = serviceChart(service);
    const actions = deviceActions(service);
    const drivers = driverPanels(service.server, service.accessory.aid);
    const close = () => dialog.close();
    const heading = service.place ? nameHeading("service", service.place.name, { id: title })
        : h("h2", { id: title }, name);
    const room = isEditable() ? roomSelect(service) : null;
    const dialog = h("dialog.details", { "aria-labelledby": title },
        h("div.dialog-head", {}, h("div", {}, heading, state),
            h("button.icon-button", { type: "button", "aria-label": texts.close, onclick: close, autofocus: true },
                icon("close"))),
        wheel?.element, h("div.main-controls", {}, controls.element), actions?.element, drivers.element,
        history?.element, rows.count > 0 && h("details.all-values", {}, h("summary", {}, words.otherValues(rows.count)), rows.element),
        room && h("label.details-room", {}, `${texts.editing.room} `, room.element),
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
        drivers.end,
        () => history?.end(), store.on("home", () => room?.update()),
        () => removeEventListener("hashchange", close),
    ];
    dialog.addEventListener("close", () => {
        ends.forEach((end) => end());
        document.body.append(messageArea);
        dialog.remove();
        // An edit may have built the tile again.
        if (document.activeElement === document.body) focusOn(service.key);
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
    const settable = service.characteristics.filter((each) => !isReadOnly(each) && !isName(each));
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
