// The form of a definition. Each field changes the draft as one step; paths are those of the server's diagnostics.

import { h, fill, isObject, newID, setText } from "./dom.js";
import { exactNumber } from "./api.js";
import { icon } from "./icons.js";
import { kindOf } from "./types.js";
import { texts } from "./texts.js";

const words = texts.builder;

/** The keys of an accessory that are shown at once, and those behind "more". */
const shownKeys = ["manufacturer", "model", "serialNumber", "firmware"];
const serverKeys = ["setupCode", "setupID", "deviceID"];
const requiredKeys = new Set(["accessory", "bridge"]);
const metadataKeys = [
    "range", "step", "validValues", "unit", "maxLength", "permissions", "description", "format", "type",
];

export const newAccessory = () =>
    ({ accessory: words.standardName, services: [{ type: "Switch", characteristics: { On: false } }] });

export function definitionForm(draft, types) {
    const context = { draft, types };
    const definition = draft.definition;
    const root = accessoryCard(context, definition, (d) => d, "", true);
    if (!definition.accessories) return root;
    const accessories = definition.accessories.map((entry, index) => {
        const find = (d) => d.accessories[index];
        const path = `accessories[${index}]`;
        const buttons = listButtons(draft, (d) => d.accessories, index, definition.accessories.length,
            entry.include ?? entry.accessory ?? path, "accessories");
        if (entry.include === undefined) return accessoryCard(context, entry, find, path, false, buttons);
        return h("section.card", { "data-path": path }, h("h3", {}, words.included(entry.include)), buttons);
    });
    return h("div", {}, root, h("h2", {}, words.accessories), accessories, h("button", {
        type: "button", "data-focus": "accessories+",
        onclick: () => draft.edit((d) => d.accessories.push(newAccessory())),
    }, words.addAccessory));
}

function accessoryCard(context, accessory, find, path, isRoot, buttons) {
    const { draft, types } = context;
    const nameKey = accessory.bridge !== undefined ? "bridge" : "accessory";
    const keyField = (key) => textField(draft, find, key, join(path, key), accessory[key]);
    const services = accessory.services ?? [];
    return h("div", {}, h("section.card", { "data-path": path || "accessory-root" },
        buttons,
        h("div.fields", {},
            textField(draft, find, nameKey, join(path, nameKey), accessory[nameKey], words.keys[nameKey]),
            selectField(draft, find, "category", join(path, "category"), accessory.category, ["", ...types.categories]),
            shownKeys.map(keyField)),
        accessory.driver !== undefined && driverFields(context, accessory.driver, find, join(path, "driver")),
        h("details", {}, h("summary", {}, words.more),
            h("div.fields", {}, ["id", ...isRoot ? serverKeys : []].map(keyField),
                accessory.driver === undefined && driverField(context, "", find, join(path, "driver"))))),
    h("h2", {}, words.services),
    services.map((service, index) => serviceCard(context, service, (d) => find(d).services[index],
        join(path, `services[${index}]`),
        listButtons(draft, (d) => find(d).services, index, services.length,
            serviceType(types, service.type)?.name ?? service.type, join(path, "services")))),
    addServiceForm(context, find, join(path, "services")));
}

/** The name of the driver. Another one has other parameters, so the form is built again. */
function driverField({ draft, types }, name, find, path) {
    const names = new Set(["", ...Object.keys(types.driver?.properties ?? {}), name]);
    const select = h("select", { onchange: ({ target: { value } }) =>
        set(draft, find, "driver", value ? { [value]: {} } : undefined, { isQuiet: false }) },
    [...names].map((each) => h("option", { value: each }, each || words.noDriver)));
    select.value = name;
    return field(words.keys.driver, select, path);
}

/** The driver of an accessory with its parameters, which the JSON Schema describes. */
function driverFields(context, driver, find, path) {
    const { draft, types } = context;
    if (!isObject(driver) || Object.keys(driver).length !== 1) {
        return h("div.fields", {}, textField(draft, find, "driver", path, driver, undefined, parsed));
    }
    const [[name, given]] = Object.entries(driver);
    const parameters = types.driver?.properties?.[name]?.properties ?? {};
    const findParameters = (d) => find(d).driver[name] ??= {};
    const keys = [...new Set([...Object.keys(parameters), ...Object.keys(isObject(given) ? given : {})])];
    return h("div.fields", {}, driverField(context, name, find, path), keys.map((key) => {
        const { type, description } = parameters[key] ?? {};
        const value = given?.[key];
        const convert = type === "array" ? listOf : [type].flat().includes("string") ? undefined : parsed;
        return textField(draft, findParameters, key, join(path, `${name}.${key}`),
            type === "array" ? listText(value) : value, key, convert, description);
    }));
}

/** Returns a list as words with spaces between them, or as JSON if a word has a space. */
export const listText = (value) => Array.isArray(value) && value.every((each) => /^[^\s[]\S*$/.test(each))
    ? value.join(" ") : shownText(value);

/** Returns the list of a text: words with spaces between them, or JSON. */
export function listOf(text) {
    const value = parsed(text);
    return Array.isArray(value) ? value : text.split(/\s+/).filter(Boolean);
}

function serviceCard(context, service, find, path, buttons) {
    const { draft, types } = context;
    const type = serviceType(types, service.type);
    const entries = Object.entries(service.characteristics ?? {});
    const simulations = ["", "none", ...type?.simulations ?? []];
    const given = service.simulate;
    return h("section.card.service-card", { "data-path": path },
        h("div.card-head", {}, icon(kindOf({ type: type?.type }).icon), h("h3", {}, type?.name ?? service.type),
            buttons),
        h("div.fields", {},
            textField(draft, find, "name", join(path, "name"), service.name),
            typeof given === "object" && given !== null
                ? textField(draft, find, "simulate", join(path, "simulate"), given, undefined, parsed)
                : selectField(draft, find, "simulate", join(path, "simulate"), given, simulations),
            checkField(draft, find, "primary", join(path, "primary"), service.primary),
            checkField(draft, find, "hidden", join(path, "hidden"), service.hidden)),
        h("ul.characteristics", {}, entries.map(([key, value], index) =>
            characteristicRow(context, key, value, find, join(path, `characteristics.${key}`), index, entries.length))),
        addCharacteristicForm(context, type, service, find, join(path, "characteristics")));
}

function characteristicRow(context, key, content, findService, path, index, count) {
    const { draft, types } = context;
    const type = characteristicType(types, key);
    const isMap = isObject(content);
    const value = (isMap ? content.value : content) ?? undefined;
    const edit = (change, options) => draft.edit((d) => change(findService(d).characteristics), options);
    const setValue = (given) => edit((all) => {
        // Null is the default value; without it, JSON omits the characteristic.
        if (!isObject(all[key])) all[key] = given ?? null;
        else if (given === undefined) delete all[key].value;
        else all[key].value = given;
    }, { isQuiet: true });
    const setMetadata = (name, given) => edit((all) => {
        if (!isObject(all[key])) all[key] = all[key] === null ? {} : { value: all[key] };
        if (given === undefined) delete all[key][name];
        else all[key][name] = given;
        // The format decides how the value is shown.
    }, { isQuiet: name !== "format" });
    const name = type?.name ?? key;
    const move = (by) => draft.edit((d) => {
        const service = findService(d);
        const entries = Object.entries(service.characteristics);
        const [entry] = entries.splice(index, 1);
        if (by !== null) entries.splice(index + by, 0, entry);
        service.characteristics = Object.fromEntries(entries);
    });
    return h("li.characteristic", { "data-path": path },
        h("div.card-head", {}, h("span.characteristic-name", {}, name),
            h("span.quiet", {}, ["range", "unit"].map((each) => (isMap && content[each]) || standardText(type, each))
                .filter((text) => typeof text === "string").join(" ")),
            valueField(type, isMap ? content : {}, name, value, setValue, `${path}=`),
            rowButtons(move, index, count, name, () => path, join(path.slice(0, -key.length - 1), "+"))),
        h("details", { open: path === openDetails, ontoggle: (event) => {
            if (event.target.open) openDetails = path;
            else if (openDetails === path) openDetails = null;
        } }, h("summary", {}, words.metadata), h("div.fields", {}, metadataKeys.map((metadataKey) => {
            const shown = isMap ? content[metadataKey] : undefined;
            return field(words.keys[metadataKey] ?? metadataKey, h("input", {
                type: "text", value: Array.isArray(shown) ? shown.join(", ") : shownText(shown),
                placeholder: standardText(type, metadataKey), onchange: (event) =>
                    setMetadata(metadataKey, metadataValue(metadataKey, event.target.value)),
            }), join(path, metadataKey));
        }))));
}

/** The path of the characteristic whose metadata was opened last, so that it stays open. */
let openDetails = null;

function valueField(type, given, name, value, set, focus) {
    const label = words.valueOf(name);
    const format = given.format ?? type?.format;
    if (format === "bool") {
        const input = h("input.switch", { type: "checkbox", role: "switch", "aria-label": label, "data-focus": focus,
            onchange: () => set(input.checked) });
        input.checked = [true, "on", "yes", 1].includes(value);
        return input;
    }
    const names = type?.valueNames ?? [];
    if (names.length && (typeof value !== "object")) {
        const known = names.find((each) => each.value === value || plain(value) === plain(each.name));
        const choices = names.map((each) => h("option", { value: String(each.value) }, each.name));
        // A value that is not allowed is shown beside its error.
        if (!known && value !== undefined) choices.push(h("option", { value: String(value) }, String(value)));
        const select = h("select", { "aria-label": label, "data-focus": focus,
            onchange: () => set(select.value === "" ? undefined : exactNumber(select.value)) },
        h("option", { value: "" }, words.standard), choices);
        select.value = String(known?.value ?? value ?? "");
        return select;
    }
    const isNumber = format && !["string", "tlv8", "data"].includes(format);
    return h("input", {
        type: "text", "aria-label": label, value: shownText(value), placeholder: words.standard, "data-focus": focus,
        onchange: (event) => {
            const text = event.target.value;
            if (text === "") set(format === "string" ? "" : undefined);
            else set(isNumber ? exactNumber(text) : text);
        },
    });
}

function standardText(type, key) {
    if (!type) return "";
    switch (key) {
    case "range": return type.maximum === undefined ? "" : `${type.minimum ?? 0}...${type.maximum}`;
    case "step": return type.step === undefined ? "" : String(type.step);
    case "unit": return type.unit ?? "";
    case "permissions": return type.permissions.join(", ");
    case "format": return type.format;
    case "type": return type.type;
    case "maxLength": return type.maximumLength === undefined ? "" : String(type.maximumLength);
    default: return "";
    }
}

function metadataValue(key, text) {
    const value = text.trim();
    if (value === "") return undefined;
    if ((key === "permissions" || key === "validValues") && value !== "none") {
        return value.split(/[\s,]+/).map((part) => key === "validValues" ? exactNumber(part) : part);
    }
    return ["step", "maxLength"].includes(key) && Number.isFinite(Number(value)) ? Number(value) : value;
}

function addServiceForm({ draft, types }, find, path) {
    const add = (text) => {
        const type = serviceType(types, text);
        draft.edit((d) => {
            const accessory = find(d);
            accessory.services ??= [];
            const service = { type: type?.id ?? text };
            if (type && accessory.services.some((other) => other.type === type.id)) service.name = type.name;
            // The required characteristics are added by the reader; the form shows them so that they can be changed.
            const required = (type?.required ?? []).map((name) => characteristicType(types, name)).filter(Boolean);
            if (required.length) {
                service.characteristics = Object.fromEntries(required.map((each) => [each.id, standardValue(each)]));
            }
            accessory.services.push(service);
        });
    };
    const addTyped = (input) => {
        const text = input.value.trim();
        const isKnown = serviceType(types, text) || isUUID(text);
        input.setCustomValidity(isKnown ? "" : words.unknownService(text));
        if (input.reportValidity()) add(text);
    };
    const isUnique = ({ name }) => types.services.filter((other) => other.name === name).length === 1;
    return h("div.add", {},
        addForm(words.addService, words.serviceExample, `${path}+`, types.services, addTyped),
        h("details", {}, h("summary", {}, words.allServices), h("div.chips", {}, types.services.map((each) =>
            chip(each, [icon(kindOf(each).icon), isUnique(each) ? each.name : each.id], () => add(each.id))))));
}

function addForm(label, example, focus, entries, add) {
    const input = h("input", { type: "text", id: newID("add"), placeholder: example, "data-focus": focus,
        oninput: () => input.setCustomValidity("") });
    offerNames(input, entries);
    return h("form.toolbar", { onsubmit: (event) => {
        event.preventDefault();
        if (!input.value.trim()) return;
        input.focus();
        add(input);
    } }, h("label", { for: input.id }, label), input, h("button", { type: "submit" }, words.add));
}

const chip = ({ name }, content, onclick) =>
    h("button.chip", { type: "button", "aria-label": words.addNamed(name), onclick }, content);

function addCharacteristicForm({ draft, types }, type, service, find, path) {
    const present = new Set(Object.keys(service.characteristics ?? {}));
    const wanted = [...type?.required ?? [], ...type?.optional ?? []].map((name) => characteristicType(types, name))
        .filter((each) => each && !present.has(each.id));
    const add = (key, content) => draft.edit((d) => {
        const target = find(d);
        target.characteristics ??= {};
        target.characteristics[key] = content;
    });
    const addTyped = (input) => {
        const text = input.value.trim();
        const chosen = characteristicType(types, text);
        const key = chosen?.id ?? text;
        input.setCustomValidity(isNumericName(key) ? words.numericName
            : present.has(key) ? words.hasCharacteristic(key) : "");
        if (!input.reportValidity()) return;
        add(key, chosen ? standardValue(chosen)
            : isUUID(text) ? { format: "int" } : { type: newUUID(), format: "int" });
    };
    return h("div.add", {},
        h("div.chips", {}, wanted.filter(({ format }) => format !== "tlv8").map((each) =>
            chip(each, `+ ${each.name}`, () => add(each.id, standardValue(each))))),
        addForm(words.addCharacteristic, words.characteristicExample, `${path}.+`,
            [...wanted, ...types.characteristics.filter((each) => !wanted.includes(each))], addTyped));
}

/** Whether JavaScript sorts a key before the names of the same map, so that their order would be lost. */
export const isNumericName = (name) => /^(0|[1-9]\d*)$/.test(name);

/** Returns a random UUID. `crypto.randomUUID` exists only for https and for this machine. */
function newUUID() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("").toUpperCase();
    return digits.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, "$1-$2-$3-$4-$5");
}

const isUUID = (text) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

function standardValue(type) {
    if (type.format === "bool") return Boolean(type.first);
    if (["string", "tlv8", "data"].includes(type.format)) return "";
    return type.first ?? type.minimum ?? 0;
}

/** The names that the field with the focus offers. */
let nameList = null;

function offerNames(input, entries) {
    nameList ??= h("datalist", { id: "type-names" });
    input.setAttribute("list", nameList.id);
    input.addEventListener("focus", () => {
        if (!nameList.isConnected) document.body.append(nameList);
        fill(nameList, entries.map((entry) => h("option", { value: entry.name })));
    });
}

const plain = (text) => String(text).replaceAll(/[\s_.-]/g, "").toLowerCase();

function findType(entries, text) {
    return entries.find((entry) => entry.id === text) ?? entries.find((entry) =>
        [entry.id, entry.name, entry.type].some((name) => plain(name) === plain(text)));
}

const serviceType = (types, text) => findType(types.services, text);
const characteristicType = (types, text) => findType(types.characteristics, text);

/** Returns the text of a value. A list or a map where none belongs is shown as it is, beside its error. */
const shownText = (value) => typeof value === "object" && value !== null ? JSON.stringify(value) : String(value ?? "");

function parsed(text) {
    try {
        return JSON.parse(text);
    } catch {
        return text;
    }
}

const join = (path, key) => path ? `${path}.${key}` : key;

function field(name, input, path, help = "") {
    const id = newID("field");
    input.id = id;
    input.dataset.focus = path;
    input.setAttribute("aria-describedby", `${help && `${id}-help `}${id}-error`);
    return h("div.field", { "data-path": path }, h("label", { for: id }, name), input,
        help && h("span.quiet", { id: `${id}-help` }, help),
        h("span.field-error", { id: `${id}-error`, role: "alert" }));
}

function textField(draft, find, key, path, value, label = words.keys[key] ?? key, convert = (text) => text,
    help = "") {
    return field(label, h("input", { type: "text", value: shownText(value), onchange: (event) => set(draft, find, key,
        event.target.value === "" && !requiredKeys.has(key) ? undefined : convert(event.target.value)) }), path, help);
}

function selectField(draft, find, key, path, value, choices) {
    const known = choices.includes(value ?? "") ? choices : [...choices, String(value)];
    const select = h("select", { onchange: () => set(draft, find, key, select.value || undefined) },
        known.map((choice) => h("option", { value: choice }, choice || words.standard)));
    select.value = value ?? "";
    return field(words.keys[key] ?? key, select, path);
}

function checkField(draft, find, key, path, value) {
    const input = h("input.switch", {
        type: "checkbox", role: "switch", onchange: () => set(draft, find, key, input.checked || undefined),
    });
    input.checked = value === true;
    return field(words.keys[key] ?? key, input, path);
}

function set(draft, find, key, value, options = { isQuiet: true }) {
    draft.edit((d) => {
        const object = find(d);
        if (value !== undefined) object[key] = value;
        else if (object[key] !== undefined) delete object[key];
        // A file reads best with its lists last.
        for (const list of ["services", "accessories", "characteristics"]) {
            if (!(list in object)) continue;
            const content = object[list];
            delete object[list];
            object[list] = content;
        }
    }, options);
}

/** The buttons that move or remove an element of a list with a path. */
function listButtons(draft, findList, index, count, name, path) {
    const move = (by) => {
        // The paths of the elements change.
        openDetails = null;
        draft.edit((d) => {
            const [entry] = findList(d).splice(index, 1);
            if (by !== null) findList(d).splice(index + by, 0, entry);
        });
    };
    return rowButtons(move, index, count, name, (newIndex) => `${path}[${newIndex}]`, `${path}+`);
}

/** `pathAt`: the path of an element with an index. `adding`: what receives the focus when the element is removed. */
function rowButtons(move, index, count, name, pathAt, adding) {
    const button = (symbol, label, by, isDisabled) => h("button.icon-button", {
        type: "button", "aria-label": label, title: label, disabled: isDisabled,
        "data-focus": `${pathAt(index)} ${symbol}`,
        onclick: (event) => {
            event.currentTarget.dataset.focus = by === null ? adding : `${pathAt(index + by)} ${symbol}`;
            move(by);
        },
    }, symbol);
    return h("span.row-buttons", {}, button("↑", words.moveUp(name), -1, index === 0),
        button("↓", words.moveDown(name), 1, index === count - 1), button("✕", words.remove(name), null, false));
}

export function showDiagnostics(form, diagnostics) {
    const messages = new Map();
    for (const diagnostic of diagnostics) {
        const place = diagnostic.severity === "error" ? placeOf(form, diagnostic) : null;
        if (place) messages.set(place, [messages.get(place), diagnostic.message].filter(Boolean).join(" "));
    }
    for (const place of form.querySelectorAll("[data-path]")) {
        const message = messages.get(place) ?? "";
        let note = place.querySelector(":scope > .field-error");
        if (!note && message) {
            note = h("span.field-error", { role: "alert" });
            place.append(note);
        }
        // Screen readers read what changes, so an error that is still there stays.
        if (note) setText(note, message);
        place.classList.toggle("has-error", message !== "");
        const input = place.querySelector(":scope > :is(input, select), :scope > .card-head > :is(input, select)");
        if (message) input?.setAttribute("aria-invalid", "true");
        else input?.removeAttribute("aria-invalid");
    }
}

/** Returns the innermost element of a form for a diagnostic, or undefined. */
export function placeOf(form, { path, file }) {
    // The paths of an included file are its own.
    if (!path || file) return undefined;
    // The longest path: a name may contain a period, so Fade.Rate may stand beside Fade.
    return [...form.querySelectorAll("[data-path]")].filter(({ dataset }) => path === dataset.path
        || path.startsWith(`${dataset.path}.`) || path.startsWith(`${dataset.path}[`))
        .reduce((best, each) => best && best.dataset.path.length > each.dataset.path.length ? best : each, undefined);
}
