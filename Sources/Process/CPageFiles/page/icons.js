// Icons of services: strokes in a square of 24.

import { h } from "./dom.js";

const paths = {
    air: "M4 9h10a2.5 2.5 0 1 0-2.5-2.5M4 13h14a2.5 2.5 0 1 1-2.5 2.5M4 17h7a2 2 0 1 1-2 2",
    battery: "M3 8h15v8H3zM18 11h2.5v2H18M6 11v2M9 11v2M12 11v2",
    bell: "M6 17V11a6 6 0 0 1 12 0v6l1.5 1.5h-15zM10 20.5a2 2 0 0 0 4 0",
    blinds: "M4 4h16M5 4v16M19 4v16M5 8h14M5 12h14M5 16h14M5 20h14",
    box: "M4 8l8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8",
    bulb: "M9 18h6M10 21h4M8.5 14.5a5.5 5.5 0 1 1 7 0c-.7.7-1 1.5-1 2.5h-5c0-1-.3-1.8-1-2.5z",
    button: "M5 5h14v14H5zM12 9.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 1 1 0-5",
    contact: "M4 4h7v16H4zM15 4h5v16h-5M8 12h.01",
    door: "M6 21V3h12v18M3 21h18M14.5 12h.01",
    drop: "M12 3.5c4 5 6 7.5 6 10.5a6 6 0 0 1-12 0c0-3 2-5.5 6-10.5z",
    fan: "M12 12c0-4-1-8 2-8s3 6-2 8c4 0 8-1 8 2s-6 3-8-2c0 4 1 8-2 8s-3-6 2-8c-4 0-8 1-8-2s6-3 8 2z",
    filter: "M4 5h16l-6 8v6l-4-2v-4z",
    garage: "M3 11l9-7 9 7M5 10v10h14V10M8 20v-8h8v8M8 16h8",
    leak: "M12 3c3 4 5 6 5 9a5 5 0 0 1-10 0c0-3 2-5 5-9zM3 21h18",
    lock: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3M12 15v2",
    motion: "M13 4.5a1.5 1.5 0 1 1-.01 0M9 21l2-6-2-2 1-5 3 1 2 3h3M8 12l1-3 2-1M13 15l2 6",
    outlet: "M4 4h16v16H4zM9 9v4M15 9v4M11 17h2",
    pencil: "M4 20l1-5L16 4l4 4L9 19zM14 6l4 4",
    person: "M12 4a4 4 0 1 1-.01 0M4.5 20.5c0-4 3.5-6.5 7.5-6.5s7.5 2.5 7.5 6.5",
    group: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
    clock: "M12 3a9 9 0 1 1-.01 0M12 7v5l3.5 2",
    "scene-homeArrival": "M3.5 11L12 4l8.5 7M6 9.5V20h12V9.5M12 11v6M9.5 14.5L12 17l2.5-2.5",
    "scene-homeDeparture": "M4 4h9v16H4zM10 12h10M16.5 8.5L20 12l-3.5 3.5",
    "scene-sleep": "M19.5 14.5A8 8 0 1 1 9.5 4.5a6.5 6.5 0 0 0 10 10z",
    "scene-wakeUp": "M3 19h18M6 19a6 6 0 0 1 12 0M12 5v4M4.5 10.5l2 2M19.5 10.5l-2 2",
    "scene-userDefined": "M12 3l2.6 6 6.4.6-4.8 4.3 1.4 6.3-5.6-3.3-5.6 3.3 1.4-6.3L3 9.6 9.4 9z",
    shield: "M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6z",
    smoke: "M5 16a7 7 0 0 1 14 0zM3 20h18M9 6c0-2 3-1 3-3M13 8c0-2 3-1 3-3",
    speaker: "M7 3h10v18H7zM12 7h.01M12 11.5a3 3 0 1 1-.01 0",
    sun: "M12 8a4 4 0 1 1-.01 0M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.5 1.5M17.5 17.5L19 19M19 5l-1.5 1.5M6.5 17.5L5 19",
    switch: "M8 6h8a6 6 0 0 1 0 12H8A6 6 0 0 1 8 6zM16 9a3 3 0 1 1-.01 0",
    television: "M3 5h18v12H3zM8 21h8",
    thermometer: "M10 14V5a2 2 0 0 1 4 0v9a4 4 0 1 1-4 0zM12 9v7",
    thermostat: "M12 3a9 9 0 1 1-.01 0M12 12l4-4M12 7v.01M7 12h.01M17 12h.01",
    valve: "M4 10h9a4 4 0 0 1 4 4v3h-4v-2H4zM9 10V6M6 6h6M15 20v1",
    window: "M4 3h16v18H4zM12 3v18M4 12h16",
    home: "M3.5 11L12 4l8.5 7M6 9.5V20h12V9.5M10 20v-6h4v6",
    list: "M5 6h.01M5 12h.01M5 18h.01M9 6h11M9 12h11M9 18h11",
    wrench: "M14 7a4 4 0 0 1 5.5-3.5L17 6l1 2 2.5.5A4 4 0 0 1 15 11.5L7 20l-3-3 8.5-8.5A4 4 0 0 1 14 7z",
    more: "M6 12h.01M12 12h.01M18 12h.01",
    copy: "M8 8h12v12H8zM4 16V4h12",
    close: "M6 6l12 12M18 6L6 18",
};

/** Returns an icon, which screen readers skip. */
export function icon(name) {
    return h("svg.icon", { viewBox: "0 0 24 24", "aria-hidden": "true" }, h("path", { d: paths[name] ?? paths.box }));
}
