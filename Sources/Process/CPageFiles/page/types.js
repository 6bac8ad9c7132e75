// Apple's types of services and characteristics that the page treats in a special way, by their short UUIDs.
// HAP: Accessory Protocol Specification, chapters 8 and 9.

export const C = {
    active: "B0", airQuality: "95", ambientLight: "6B", batteryLevel: "68", brightness: "8", chargingState: "8F",
    carbonDioxideDetected: "92", carbonDioxideLevel: "93", carbonMonoxideDetected: "69", carbonMonoxideLevel: "90",
    colorTemperature: "CE", configuredName: "E3", contactState: "6A", coolingThreshold: "D", currentDoor: "E",
    currentHeaterCooler: "B1", currentHeatingCooling: "F", currentHumidity: "10", currentPosition: "6D",
    currentTemperature: "11", currentVisibility: "135", filterLife: "AB", firmware: "52", heatingThreshold: "12", hue: "13", leak: "70",
    lockCurrent: "1D", lockTarget: "1E", manufacturer: "20", model: "21", motion: "22", mute: "11A", name: "23", obstruction: "24", occupancy: "71",
    on: "25", outletInUse: "26", press: "73", remainingDuration: "D4", rotationSpeed: "29", saturation: "2F",
    securityCurrent: "66", securityTarget: "67", smoke: "76", statusLowBattery: "79", targetDoor: "32", targetHeaterCooler: "B2", targetHeatingCooling: "33", targetPosition: "7C", targetTemperature: "35",
    volume: "119",
};

const infrastructure = new Set(["3E", "A2", "55", "CC", "129", "44", "125", "122"]);

/**
 * What the page does with a type of service.
 *
 * icon: the name of the icon. category: the word in the summary.
 * action: what a click does: toggle between two values of a characteristic, press, or sense (report as the device).
 * main: the characteristics whose controls come first. active: whether the tile is highlighted. state: the characteristics that the tile shows.
 */
const kinds = {
    43: { main: [C.on, C.brightness, C.colorTemperature],
        icon: "bulb", category: "lights", action: toggle(C.on, true, false), state: [C.on, C.brightness] },
    49: { main: [C.on], icon: "switch", category: "switches", action: toggle(C.on, true, false), state: [C.on] },
    47: { main: [C.on], icon: "outlet", category: "switches", action: toggle(C.on, true, false), state: [C.on] },
    40: { main: [C.on, C.rotationSpeed],
        icon: "fan", category: "fans", action: toggle(C.on, true, false), state: [C.on, C.rotationSpeed] },
    B7: { main: [C.active, C.rotationSpeed],
        icon: "fan", category: "fans", action: toggle(C.active, 1, 0), state: [C.active, C.rotationSpeed] },
    41: { main: [C.targetDoor, C.lockTarget], icon: "garage", category: "doors", action: toggle(C.targetDoor, 0, 1),
        active: (s) => s.number(C.currentDoor) !== 1, state: [C.currentDoor, C.obstruction] },
    45: { main: [C.lockTarget], icon: "lock", category: "locks", action: toggle(C.lockTarget, 0, 1),
        active: isUnlocked, state: [C.lockCurrent] },
    81: { main: [C.targetPosition],
        icon: "door", category: "doors", action: toggle(C.targetPosition, 100, 0), active: isOpen,
        state: [C.currentPosition] },
    "8B": { main: [C.targetPosition],
        icon: "window", category: "windows", action: toggle(C.targetPosition, 100, 0), active: isOpen,
        state: [C.currentPosition] },
    "8C": { main: [C.targetPosition],
        icon: "blinds", category: "blinds", action: toggle(C.targetPosition, 100, 0), active: isOpen,
        state: [C.currentPosition] },
    85: { icon: "motion", category: "sensors", action: sense(C.motion, true, false), state: [C.motion] },
    80: { icon: "contact", category: "sensors", action: sense(C.contactState, 1, 0), state: [C.contactState] },
    83: { icon: "leak", category: "sensors", action: sense(C.leak, 1, 0), state: [C.leak] },
    86: { icon: "person", category: "sensors", action: sense(C.occupancy, 1, 0), state: [C.occupancy] },
    87: { icon: "smoke", category: "sensors", action: sense(C.smoke, 1, 0), state: [C.smoke] },
    "7F": { icon: "smoke", category: "sensors", action: sense(C.carbonMonoxideDetected, 1, 0),
        state: [C.carbonMonoxideDetected, C.carbonMonoxideLevel] },
    97: { icon: "air", category: "sensors", action: sense(C.carbonDioxideDetected, 1, 0),
        state: [C.carbonDioxideDetected, C.carbonDioxideLevel] },
    "8A": { icon: "thermometer", state: [C.currentTemperature] },
    82: { icon: "drop", state: [C.currentHumidity] },
    84: { icon: "sun", state: [C.ambientLight] },
    "8D": { icon: "air", state: [C.airQuality] },
    96: { icon: "battery", state: [C.batteryLevel, C.chargingState, C.statusLowBattery] },
    89: { icon: "button", action: { kind: "press" }, state: [] },
    121: { icon: "bell", action: { kind: "press" }, state: [] },
    "7E": { main: [C.securityTarget],
        icon: "shield", category: "alarms", active: (s) => s.number(C.securityCurrent) !== 3,
        state: [C.securityCurrent] },
    "4A": { main: [C.targetHeatingCooling, C.targetTemperature, C.heatingThreshold, C.coolingThreshold],
        icon: "thermostat", category: "devices", active: (s) => s.number(C.currentHeatingCooling) > 0,
        state: [C.currentTemperature, C.targetHeatingCooling, C.targetTemperature] },
    BC: { main: [C.active, C.targetHeaterCooler, C.heatingThreshold, C.coolingThreshold],
        icon: "thermostat", category: "devices", action: toggle(C.active, 1, 0),
        state: [C.currentTemperature, C.currentHeaterCooler] },
    BD: { icon: "drop", category: "devices", action: toggle(C.active, 1, 0), state: [C.active, C.currentHumidity] },
    BB: { main: [C.active, C.rotationSpeed],
        icon: "air", category: "devices", action: toggle(C.active, 1, 0), state: [C.active, C.rotationSpeed] },
    D0: { icon: "valve", category: "devices", action: toggle(C.active, 1, 0), state: [C.active, C.remainingDuration] },
    D7: { icon: "valve", category: "devices", action: toggle(C.active, 1, 0), state: [C.active] },
    CF: { icon: "valve", category: "devices", action: toggle(C.active, 1, 0), state: [C.active] },
    D8: { icon: "television", category: "devices", action: toggle(C.active, 1, 0), state: [C.active] },
    113: { main: [C.mute, C.volume], icon: "speaker", action: toggle(C.mute, false, true), active: (s) => s.value(C.mute) === false,
        state: [C.mute, C.volume] },
    228: { icon: "speaker", state: [C.volume] },
    BA: { icon: "filter", state: [C.filterLife] },
};

function toggle(type, on, off) {
    return { kind: "toggle", type, on, off };
}

function sense(type, on, off) {
    return { kind: "sense", type, on, off };
}

function isOpen(service) {
    return (service.number(C.currentPosition) ?? 0) > 0;
}

export function isUnlocked(service) {
    return service.number(C.lockCurrent) !== 1;
}

const standard = { icon: "box", state: [] };

export function kindOf(service) {
    return kinds[service.shownType ?? service.type] ?? standard;
}

/** Returns whether a service is part of what people see of a home. */
export function isShownInHomes(service) {
    return !service.hidden && !infrastructure.has(service.type);
}

/** The types with one value, which have a small tile. */
const compact = new Set(["7F", "80", "82", "83", "84", "85", "86", "87", "89", "8A", "8D", "96", "97", "BA"]);

export const isCompact = (service) => compact.has(service.shownType ?? service.type);

/** Returns whether a service is a battery of a device, on whose tile it is shown. */
export function isBadge(service) {
    return service.type === "96" && service.accessory.services.some((other) =>
        isShownInHomes(other) && other.type !== "96");
}

export function isActive(service) {
    const kind = kindOf(service);
    if (kind.active) return kind.active(service);
    return kind.action?.type !== undefined && service.value(kind.action.type) == kind.action.on;
}
