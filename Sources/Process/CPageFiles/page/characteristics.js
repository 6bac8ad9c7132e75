// The characteristics of a service: as controls for people, and as a table with everything.

import { h, setText } from "./dom.js";
import { store } from "./store.js";
import { C } from "./types.js";
import { control } from "./controls.js";
import { chart } from "./chart.js";
import { valueText } from "./tile.js";
import { readingText, texts } from "./texts.js";

const words = texts.accessories;
const names = new Set([C.name, C.configuredName]);

export const isName = ({ type }) => names.has(type);

/** What people call a characteristic. */
export const personalName = (characteristic) => texts.names[characteristic.type] ?? characteristic.name;

export function isCharted({ permissions, format }) {
    return permissions.includes("ev") && !["string", "data", "tlv8"].includes(format);
}

export function isReadOnly(characteristic) {
    return !characteristic.permissions.includes("pw") && characteristic.type !== C.press;
}

/** Keeps rows and the readings of the device up to date until `end` is called. */
function followed(service, rows, container, { hasReadings = true } = {}) {
    const readings = h("p.readings");
    const update = () => {
        rows.forEach((row) => row.update());
        const values = service.readings.map((reading) => `${reading.name} ${readingText(reading)}`);
        setText(readings, hasReadings && values.length ? `${words.readings}: ${values.join(", ")}` : "");
    };
    update();
    const unsubscribe = store.on(`service:${service.key}`, update);
    return {
        count: rows.length,
        element: h("div", {}, container, readings),
        end: () => {
            unsubscribe();
            rows.forEach((row) => row.end?.());
        },
    };
}

/** Creates the controls of a service's characteristics for people. */
export function characteristicControls(service, characteristics, options) {
    const rows = characteristics.map((characteristic) => {
        const value = h("span.value");
        const label = personalName(characteristic);
        const field = isReadOnly(characteristic) ? null : control(service, characteristic, { label, isLarge: true });
        return {
            element: h("li.characteristic", { "data-id": characteristic.id },
                h("div.characteristic-head", {}, h("span.characteristic-name", {}, label), value),
                field && h("div.control", {}, field.element)),
            update: () => {
                if (!field?.showsValue) setText(value, valueText(characteristic));
                field?.update();
            },
        };
    });
    return followed(service, rows, h("ul.characteristics", {}, rows.map((row) => row.element)), options);
}

/**
 * Creates a table of a service's characteristics.
 *
 * @param {function(): string} options.writer Who sets values: controller or device.
 * @param {function(object): string[]} options.subscribers Returns the names of those who receive events.
 */
export function characteristicTable(service, { writer, subscribers }) {
    const rows = service.characteristics.map((characteristic) =>
        characteristicRow(service, characteristic, writer, subscribers));
    return followed(service, rows, h("table.characteristics", {}, h("thead.visually-hidden", {}, h("tr", {},
        [words.characteristic, texts.chart.value, words.idAndPermissions, words.subscribersTitle, words.history]
            .map((title) => h("th", { scope: "col" }, title)))),
    rows.map((row) => row.element)));
}

function characteristicRow(service, characteristic, writer, subscribers) {
    const { id, name, permissions, type } = characteristic;
    const value = h("td.control");
    const subscriberCell = h("td.quiet.subscribers");
    let field = null;
    let isSettable = null;
    let shown = null;
    const history = h("tr.history-row", { hidden: true }, h("td", { colspan: "5" }));
    const historyButton = isCharted(characteristic) && h("button.text-button", {
        type: "button", "aria-label": words.historyOf(name), "aria-expanded": "false",
        onclick: () => {
            if (shown) shown.end();
            shown = shown ? null : chart(service, characteristic);
            history.hidden = !shown;
            history.firstChild.replaceChildren(...(shown ? [shown.element] : []));
            historyButton.setAttribute("aria-expanded", String(Boolean(shown)));
        },
    }, words.history);
    const rights = permissions.map((each) => texts.permissions[each] ?? each).join(", ");
    return {
        element: h("tbody", {}, h("tr.characteristic", { "data-id": id }, h("th", { scope: "row" }, name), value,
            h("td.quiet", {}, h("code", {}, id), " ", rights), subscriberCell,
            h("td", {}, historyButton)), history),
        update: () => {
            const canSet = writer() === "device" || permissions.includes("pw") || type === C.press;
            if (canSet !== isSettable) {
                isSettable = canSet;
                field = canSet ? control(service, characteristic, { writer }) : null;
                value.replaceChildren(field?.element ?? h("span.value"));
            }
            if (!field) setText(value.firstChild, valueText(characteristic));
            field?.update();
            const current = subscribers(characteristic);
            setText(subscriberCell, current.length ? words.subscribedBy(current) : "");
        },
        end: () => shown?.end(),
    };
}
