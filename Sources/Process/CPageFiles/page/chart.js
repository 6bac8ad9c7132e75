// The chart of a characteristic's latest values.

import { h, fill } from "./dom.js";
import { getWithEventID, serverPath } from "./api.js";
import { store } from "./store.js";
import { clockText, clockTimeText, texts, valueName } from "./texts.js";

const width = 600;
const height = 120;
/** The periods: their length in seconds, and the time that they are measured in. */
const periods = {
    hour: { length: 3600 }, day: { length: 86400 }, all: { length: Infinity },
    simulatedDay: { length: 86400, isSimulated: true },
};

/** Creates a chart, which follows the values until `end` is called. */
export function chart(service, characteristic) {
    const element = h("div.chart");
    let period = "hour";
    let time = realTime;
    const select = h("select", { "aria-label": texts.chart.range, onchange: (event) => {
        period = event.target.value;
        load();
    } }, Object.keys(periods).map((name) => h("option", { value: name }, texts.chart[name])));
    const figure = h("div");
    const rows = h("tbody");
    const table = h("details", { hidden: true, ontoggle: () => draw() }, h("summary", {}, texts.chart.table),
        h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, texts.chart.time),
            h("th", { scope: "col" }, texts.chart.value))), rows));
    fill(element, h("div.chart-head", {}, select), figure, table);

    const draw = () => {
        const shown = points(characteristic, periods[period]);
        if (!shown) return;
        time = periods[period].isSimulated ? clockText : realTime;
        table.hidden = shown.line.length < 2;
        fill(figure, table.hidden ? h("p.quiet", {}, texts.chart.none) : drawing(characteristic, shown, time));
        if (table.open) fill(rows, tableRows(characteristic, shown.changes, time));
    };
    const load = async () => {
        try {
            const { content, lastEventID } = await getWithEventID(
                serverPath(service.server.key, `characteristics/${characteristic.id}/history`));
            const later = (characteristic.history ?? []).filter(({ id }) => id > lastEventID);
            characteristic.history = [...content, ...later];
            draw();
        } catch (error) {
            if (!characteristic.history) fill(figure, h("p.quiet", {}, error.message));
        }
    };
    load();
    let loading = null;
    // Only the server knows the simulated time of a value.
    const follow = () => {
        if (!periods[period].isSimulated) draw();
        else loading ??= setTimeout(() => {
            loading = null;
            load();
        }, 500);
    };
    // While the connection was lost, values were missed.
    const ends = [store.on(`service:${service.key}`, follow), store.on("loaded", load), () => clearTimeout(loading)];
    return { element, end: () => ends.forEach((end) => end()) };
}

/**
 * Returns the changes in a period with their times in seconds, and the line that they draw with the value before them
 * and the current one; null before they are loaded.
 */
function points({ history, value }, { length, isSimulated }) {
    if (!history) return null;
    const now = isSimulated ? store.simulatedSeconds() ?? 0 : Date.now() / 1000;
    const all = history
        .map((entry) => ({ time: isSimulated ? entry.elapsed : Date.parse(entry.time) / 1000,
            value: Number(entry.value), raw: entry.value }))
        .filter((point) => Number.isFinite(point.value) && Number.isFinite(point.time) && point.raw !== null);
    const start = now - length;
    const changes = all.filter((point) => point.time >= start);
    const before = all.findLast((point) => point.time < start);
    const line = [...before && Number.isFinite(start) ? [{ ...before, time: start }] : [], ...changes];
    if (line.length && value !== null) line.push({ value: Number(value), time: Math.max(now, line.at(-1).time) });
    return { line, changes };
}

function drawing(characteristic, { line: entries, changes }, time) {
    const values = entries.map((entry) => entry.value);
    const least = Math.min(...values);
    const greatest = Math.max(...values);
    const start = entries[0].time;
    const span = Math.max(entries.at(-1).time - start, 1);
    const x = (time) => (time - start) / span * width;
    const y = (value) => height - 4 - (greatest === least ? 0.5 : (value - least) / (greatest - least)) * (height - 8);
    let line = "";
    entries.forEach((entry, index) => {
        // A value applies until the next one, so the line has steps.
        line += index === 0 ? `M${x(entry.time).toFixed(1)} ${y(entry.value).toFixed(1)}`
            : `H${x(entry.time).toFixed(1)}V${y(entry.value).toFixed(1)}`;
    });
    const text = (value) => valueName(characteristic, value);
    const summary = texts.chart.summary(characteristic.name, changes.length, text(least), text(greatest),
        text(values.at(-1)));
    return [
        h("div.chart-values", { "aria-hidden": "true" }, h("span", {}, text(greatest)),
            greatest > least && h("span", {}, text(least))),
        h("svg.chart-drawing", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": summary,
            preserveAspectRatio: "none" }, h("path", { d: line })),
        h("div.chart-axis", { "aria-hidden": "true" },
            h("span", {}, time(start)), h("span", {}, `${text(least)} … ${text(greatest)}`),
            h("span", {}, time(entries.at(-1).time))),
    ];
}

function tableRows(characteristic, changes, time) {
    return changes.slice(-60).reverse().map((entry) =>
        h("tr", {}, h("td", {}, time(entry.time)), h("td", {}, valueName(characteristic, entry.value))));
}

const realTime = (seconds) => clockTimeText(seconds * 1000);
