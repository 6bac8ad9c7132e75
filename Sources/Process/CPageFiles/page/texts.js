// All texts of the page. Names and values of accessories come from the API.

const plural = (count, one, many = one + (one.endsWith("ch") ? "es" : "s")) => `${count} ${count === 1 ? one : many}`;

const capitalized = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Joins words, such as "off, closed and locked". */
const joined = (words) => [words.slice(0, -1).join(", "), words.at(-1)].filter(Boolean).join(" and ");

export const texts = {
    product: "hap",
    title: (parts) => [...parts, "hap"].join(" – "),
    navigation: "Views",
    skip: "Skip to the content",
    views: { home: "Home", automations: "Automations", accessories: "Accessories", simulation: "Simulation", log: "Log", builder: "Builder" },
    loading: "Loading…",
    connection: {
        connecting: "Connecting…",
        live: "Connected",
        lost: "The connection is lost. Values may be out of date; the page connects again by itself.",
        back: "The connection is back.",
        deniedTitle: "This browser has no access",
        denied: "Open the link that hap has printed. It contains a token, which this page exchanges for a cookie. "
            + "The token is also in the file console.token in the state folder.",
        token: "Token",
        open: "Open",
        wrongToken: "This is not the token of this process.",
    },
    timeZone: (name) => `Times in ${name}`,
    homeTime: (time, zone) => `${time}, ${zone}`,
    close: "Close",
    details: (name) => `Details of ${name}`,
    failed: (what, why) => `${what}: ${why}`,

    home: {
        noHome: "Without a home",
        noHomeHelp: "Each accessory has a section. Start hap with --home FILE to see rooms, scenes and automations.",
        nothing: "No service to show. Start hap with a file, such as: hap serve lamp.yaml",
        summary: "Summary",
        // The kind, its state that the summary counts, and the other one.
        categories: {
            lights: ["light", "on", "off"], switches: ["switch", "on", "off"], fans: ["fan", "on", "off"],
            doors: ["door", "open", "closed"], windows: ["window", "open", "closed"],
            blinds: ["blind", "open", "closed"], locks: ["lock", "unlocked", "locked"], sensors: ["sensor", "triggered"],
            alarms: ["alarm", "armed", "disarmed"], devices: ["other device", "on", "off"],
        },
        counted: (count, [kind, state]) => `${plural(count, kind)} ${state}`,
        allQuiet: (states) => `Everything is ${joined(states)}.`,
        unlocked: (names) => `Unlocked: ${names}`,
        lowBattery: (names) => `Low battery: ${names}`,
        faults: (names) => `Simulated fault: ${names}`,
        say: "Say what to do, or ask",
        sayExample: "For example: lights off",
        saySend: "Send",
        done: (actions, unchanged) => `Done: ${actions}.`
            + (unchanged.length ? ` Not changed: ${unchanged.join(", ")}.` : ""),
        emptyScene: "This scene has no actions.",
        scenes: "Scenes",
        runScene: (name) => `Run the scene ${name}`,
        sceneRun: (name) => `${name} has run.`,
        sceneFailed: (name, failures) => `${name} has run; these actions failed: ${failures}`,
        groups: "Groups",
        groupState: (active, count) => active === 0 ? "off" : active === count ? "on" : `${active} of ${count} on`,
        isHome: "is at home",
        isAway: "is away",
        isUnknown: "may be at home",
        setPresence: (name, isHome) => `Say that ${name} ${isHome ? "is at home" : "has left"}`,
        pair: "Pair",
        pairHelp: "Scan the code with a home app on this network, or type it there:",
        unreachable: "not served here",
        emptyRoom: "This room has no services.",
        others: "Not in a room of this home",
    },

    automations: {
        title: "Automations",
        none: {
            automation: "This home has no automations.",
            scene: "This home has no scenes.",
        },
        add: { automation: "Add an automation", scene: "Add a scene" },
        edit: "Edit",
        editOne: (name) => `Edit ${name}`,
        gone: (name) => `${name} has been removed or renamed by another page or program. This text is not lost.`,
        sceneSentence: (actions) => actions.length ? `${capitalized(joined(actions))}.` : "It does nothing yet.",
        enabled: (name) => `${name} is enabled`,
        sentence: ({ triggers, condition, run, end }) => `${capitalized(triggers.join(", or "))}`
            + `${condition ? `, but only if ${condition}` : ""}: ${run}.${end ? ` It ends ${end}.` : ""}`,
        last: (time, message) => `${time}: ${message}`,
        never: "It has not run yet.",
    },

    editing: {
        name: "Name",
        content: "Content",
        contentHelp: "As in a home file. A characteristic is written as Service/Characteristic, such as Garage Light/On.",
        examples: {
            automation: "when: { time: \"07:00\", on: workdays }\nrun: [Good Morning]\n",
            scene: "- { set: Garage Light/On, to: true }\n",
        },
        save: "Save",
        cancel: "Cancel",
        remove: "Remove",
        saved: (name) => `${name} is saved.`,
        removeQuestion: (kind, name) => `Remove the ${kind} ${name} from the home?`,
        line: (line) => `Line ${line}`,
        changedMeanwhile: "It has been changed by another page or program. Nothing was overwritten; it now is:",
        loadTheirs: "Edit this version",
        saveMine: "Replace it with mine",
        rename: (name) => `Rename ${name}`,
        newName: (name) => `New name of ${name}`,
        addRoom: "Add a room",
        newRoom: "New room…",
        newRoomName: "Name of the new room",
        room: "Room",
        roomOf: (name) => `Room of ${name}`,
        chooseRoom: "Put into a room…",
        isIn: (name, room) => `${name} is now in ${room}.`,
    },

    tile: {
        turnOn: "turn on", turnOff: "turn off", open: "open", close: "close", lock: "lock", unlock: "unlock",
        press: "press", trigger: "trigger", reset: "reset", details: "show details",
        hint: (action) => `Click: ${action}. Enter or a long press: details.`,
        pressed: (name) => `${name} was pressed.`,
        obstructed: "obstructed",
        unreachable: "Not reachable",
        target: (temperature) => `target ${temperature}`,
        battery: "Battery",
        yes: "Yes",
        no: "No",
    },

    // What people say for a value, where Apple's name is another word: by type, then by value.
    values: {
        "1D": ["Unlocked", "Locked", "Jammed", "Unknown"], // Lock Current State
        "1E": ["Unlocked", "Locked"], // Lock Target State
        25: ["Off", "On"], B0: ["Off", "On"], // On, Active
        "11A": ["Sound on", "Muted"], // Mute
        66: ["At home", "Away", "Night", "Disarmed", "Alarm"], // Security System Current State
        67: ["At home", "Away", "Night", "Disarmed"], // Security System Target State
        24: ["Clear", "Obstructed"], // Obstruction Detected
        26: ["Nothing plugged in", "In use"], // Outlet In Use
        79: ["Normal", "Low"], // Status Low Battery
        22: ["No motion", "Motion"], 71: ["Nobody there", "Occupied"], 70: ["Dry", "Leak"],
        76: ["No smoke", "Smoke"], "6A": ["Closed", "Open"], 69: ["Normal", "Abnormal"], 92: ["Normal", "Abnormal"],
    },

    units: { celsius: " °C", percentage: " %", arcdegrees: "°", lux: " lx", seconds: " s" },

    // What people call a characteristic, where Apple's name is technical, by type.
    names: {
        "1D": "Lock", "1E": "Lock", 25: "Power", B0: "Power", E: "Door", 32: "Door", F: "Heating and cooling now",
        33: "Mode", B1: "Heating and cooling now", B2: "Mode", 35: "Temperature", 11: "Temperature now",
        12: "Heats below", D: "Cools above", 10: "Humidity now", 34: "Humidity", "6D": "Position now", "7C": "Position",
        66: "Alarm", 67: "Alarm", 24: "Obstruction", 26: "In use", "8F": "Charging", 79: "Battery", 68: "Battery level",
        72: "Movement", 29: "Speed", CE: "Color temperature", 36: "Unit of temperatures",
    },

    controls: {
        less: "Less",
        more: "More",
        hex: "Bytes as hexadecimal digits",
        wrongHex: "Write pairs of the digits 0-9 and a-f.",
        asDevice: "as the device",
        asController: "as a controller",
    },

    permissions: {
        pr: "read", pw: "write", ev: "events", aa: "authorized", tw: "timed", hd: "hidden", wr: "write response",
    },

    accessories: {
        servers: "Servers",
        showAll: (name) => `Setup code, pairings and all values of ${name}`,
        none: "This process serves no accessories.",
        paired: "paired",
        notPaired: "not paired",
        setupCode: "Setup code",
        qr: (name) => `QR code for pairing ${name}`,
        address: "Address",
        payload: "Setup payload",
        model: "Model",
        firmware: "Firmware",
        copy: (name) => `Copy: ${name}`,
        copied: (name) => `${name} is copied.`,
        notCopied: (value) => `The browser does not allow to copy. This is the text: ${value}`,
        deviceID: "Device ID",
        configuration: "Configuration number",
        advertiser: "Network",
        pairings: "Pairings",
        noPairings: "No controller is paired. Scan the code with a home app, or enter it there.",
        admin: "administrator",
        remove: "Remove",
        removePairing: (controller) => `Remove the pairing of ${controller}`,
        removePairingQuestion: (controller, isLastAdmin) => `Remove the pairing of ${controller}?`
            + (isLastAdmin ? " It is the only administrator, so all other pairings are removed, too." : ""),
        removedOne: (controller) => `The pairing of ${controller} is removed.`,
        removePairings: "Remove all pairings",
        removePairingsQuestion: (name) => `Remove all pairings of ${name}? Its controllers lose access to it.`,
        removed: (name) => `The pairings of ${name} are removed.`,
        sessions: "Sessions",
        noSessions: "No controller is connected.",
        idle: (seconds) => `last request ${seconds} ago`,
        subscriptions: (count) => plural(count, "subscription"),
        unverified: "not verified",
        identify: "Identify",
        identified: (name) => `${name} identifies itself.`,
        search: "Find a service or a characteristic",
        noMatch: "No service or characteristic has this name.",
        characteristic: "Characteristic",
        idAndPermissions: "Id and permissions",
        subscribersTitle: "Subscribers",
        subscribedBy: (names) => `events to ${names.join(", ")}`,
        history: "History",
        otherValues: (count) => plural(count, "other value"),
        historyOf: (name) => `History of ${name}`,
        simulated: "simulated",
        driven: "has a driver",
        primary: "primary",
        hidden: "hidden",
        readings: "Simulated device",
        writeAs: "Set values",
    },

    drivers: {
        title: (accessory, driver) => `Driver of ${accessory}: ${driver}`,
        states: { running: "Running", waiting: "Waiting", stopped: "Stopped" },
        state: (state, reason) => reason ? `${state}: ${reason}` : state,
        reachable: "The device is reachable.",
        unreachable: "The device is not reachable.",
        endpoints: "Listens on",
        argument: (name, action) => `${name} of ${action}`,
        arguments: "Arguments",
        argumentsExample: "key=value key=value",
        wrongArguments: "Write arguments as key=value, with a space between them.",
        done: (action) => `${action} is done.`,
        events: "Latest events",
        progress: "Progress",
    },

    chart: {
        none: "The value has not changed since the start.",
        range: "Period",
        hour: "Last hour",
        day: "Last day",
        all: "Everything",
        simulatedDay: "Simulated day",
        summary: (name, count, least, greatest, last) =>
            `${name}: ${plural(count, "change")}, from ${least} to ${greatest}, now ${last}.`,
        table: "As a table",
        time: "Time",
        value: "Value",
    },

    simulation: {
        time: "Simulated time",
        since: (text) => `${text} since the start`,
        scale: (scale) => `${scale} × real time`,
        paused: "Time is paused",
        pause: "Pause",
        resume: "Resume",
        speed: "Speed",
        advance: "Advance",
        minute: "1 min",
        tenMinutes: "10 min",
        hour: "1 h",
        day: "1 day",
        advanced: (text) => `Simulated time was advanced by ${text}.`,
        faults: "Faults",
        noFaults: "No fault is active.",
        inject: "Inject a fault",
        fault: "Fault",
        target: "Affects",
        everything: "everything",
        whole: (name) => `all of ${name}`,
        times: "Number of times",
        seconds: "Duration in seconds",
        noLimit: "no limit",
        injectNow: "Inject",
        clear: "Clear",
        clearAll: "Clear all",
        remaining: (count) => `${plural(count, "time")} left`,
        devices: "Devices",
        noDevices: "No service is simulated.",
        obstruct: "Obstruct",
        clearObstruction: "Remove the obstruction",
        plug: "Plug in",
        unplug: "Unplug",
        stop: "Stop",
        press: "Press",
        doublePress: "Double press",
        longPress: "Long press",
        command: "Command",
        commandExample: "help",
        send: "Send",
        scenario: "Scenario",
        noScenario: "No scenario was named. Start one with: hap serve --scenario FILE",
        run: "Run",
        runScenario: (name) => `Run ${name}`,
        progress: (done, count) => `${done} of ${plural(count, "step")}`,
        passed: "The scenario has passed.",
        scenarioFailed: "The scenario has failed.",
        running: "The scenario is running.",
        outcome: { passed: "passed", failed: "failed", interrupted: "interrupted", skipped: "skipped" },
        line: (line) => `line ${line}`,
        current: "runs now",
        standardValue: (value) => value === undefined ? "default" : `default: ${value}`,
    },

    builder: {
        files: "Files",
        newAccessory: "Create or import",
        unsaved: "Not saved yet",
        notServed: "not served",
        errorCount: (count) => plural(count, "error"),
        noFolder: "This process has no folder for definitions, so nothing can be saved. Start it with: "
            + "hap serve --accessories DIR",
        discardQuestion: "Discard the changes that are not saved?",
        fromNothing: "From nothing",
        emptyAccessory: "An accessory",
        emptyBridge: "A bridge with accessories",
        fromFile: "From a file",
        importHelp: "Drop a definition, a .hasaccessory export or the dump of a device here, or choose one:",
        chooseDevice: "The file has several devices:",
        fromGallery: "What do you want to build?",
        searchGallery: "Find a kind, such as lamp, blind or plug",
        // The kinds of the examples, where their names are not everyday words.
        kinds: {
            garage: "Garage with a light", "ground-floor": "Bridge with accessories", "heater-cooler": "Air conditioner",
            "window-covering": "Blinds", faucet: "Shower", "color-temperature-light": "Warm and cold light",
            "color-light": "Color light",
        },
        // What people also call them.
        kindWords: {
            "color-light": "lamp bulb rgb", "color-temperature-light": "lamp bulb white", "dimmable-light": "lamp bulb dimmer",
            outlet: "plug socket", "power-strip": "plug socket outlet", "window-covering": "blind shade shutter curtain",
            switch: "relay", lock: "door deadbolt", "heater-cooler": "heater cooler ac climate", thermostat: "heating climate",
            "radiator-valve": "heating radiator", television: "tv screen", "smart-speaker": "music audio", faucet: "water tap",
            irrigation: "sprinkler water garden", "security-system": "alarm burglar", "contact-sensor": "door window open",
            "occupancy-sensor": "presence person", "motion-sensor": "movement pir", "light-sensor": "lux brightness",
            "leak-sensor": "water flood", garage: "door kilgo", "ground-floor": "hub several", remote: "buttons",
            "carbon-dioxide-sensor": "co2 air", "carbon-monoxide-sensor": "co gas", humidifier: "moisture air",
            "air-purifier": "filter fan", doorbell: "bell ring", button: "press",
        },
        standardName: "New Accessory",
        standardBridge: "New Bridge",
        form: "Form",
        text: "Text",
        editor: "Ways to edit",
        noForm: "The text cannot be shown as a form until its errors are fixed.",
        numericNames: "The form cannot keep the order of characteristics whose names are numbers. Edit the text.",
        numericName: "A name must not be a number. Begin it with a letter.",
        hasCharacteristic: (name) => `The service has the characteristic ${name} already.`,
        fileName: "File",
        save: "Save and serve",
        undo: "Undo",
        redo: "Redo",
        saved: (file) => `${file} is saved and served.`,
        losesComments: "The form has changed the definition, so saving removes the comments of the file. "
            + "To keep them, undo the changes and edit the text.",
        keepCopy: "Keep a copy of the file",
        changedOnDisk: (file) => `${file} has been changed by another page or program. Nothing was overwritten.`,
        loadTheirs: "Load the changed file (Undo brings this draft back)",
        saveMine: "Save this draft, and keep a copy of the changed file",
        deletedOnDisk: (file) => `${file} has been deleted by another page or program. This draft is not lost.`,
        saveAgain: "Save this draft as the file again",
        delete: "Delete",
        deleteQuestion: (file) => `Delete ${file}? A copy with the ending .bak remains in the folder.`,
        deleted: (file) => `${file} is deleted.`,
        exports: {
            yaml: "Export as YAML", hasaccessory: "Export for Apple's simulator (.hasaccessory)",
            json: "Export as JSON",
        },
        showServed: "Setup code and values",
        unknownService: (text) => `There is no service named "${text}". Choose one of all services.`,
        line: (line) => `line ${line}`,
        whole: "The definition",
        services: "Services",
        accessories: "Bridged accessories",
        addAccessory: "Add an accessory",
        included: (file) => `Included from ${file}`,
        more: "More",
        metadata: "Metadata",
        standard: "default",
        noDriver: "none",
        valueOf: (name) => `Value of ${name}`,
        addService: "Add a service",
        serviceExample: "Lightbulb, or a vendor's UUID",
        addCharacteristic: "Add a characteristic",
        characteristicExample: "A type, a name of your own, or a UUID",
        add: "Add",
        addNamed: (name) => `Add ${name}`,
        allServices: "All services",
        moveUp: (name) => `Move ${name} up`,
        moveDown: (name) => `Move ${name} down`,
        remove: (name) => `Remove ${name}`,
        keys: {
            accessory: "Name", bridge: "Name of the bridge", category: "Category", manufacturer: "Manufacturer",
            model: "Model", serialNumber: "Serial number", firmware: "Firmware version", id: "Id",
            setupCode: "Setup code", setupID: "Setup ID", deviceID: "Device ID", name: "Name", simulate: "Simulation", driver: "Driver",
            primary: "Primary service", hidden: "Hidden from users", range: "Range", step: "Step",
            validValues: "Allowed values", unit: "Unit", maxLength: "Maximum length", permissions: "Permissions",
            description: "Description", format: "Format", type: "Type (UUID)",
        },
    },

    log: {
        follow: "Follow",
        filter: "Find",
        server: "Server",
        kind: "Kind",
        controller: "Controller",
        all: "all",
        empty: "No event matches.",
        count: (shown, all, zone) => `${shown === all ? plural(all, "event") : `${shown} of ${plural(all, "event")} shown`}, `
            + `times in ${zone}`,
        connections: "Show connections",
        store: "Show the store",
        milliseconds: (count) => `${count} ms`,
        hiddenBody: (bytes) => `Its body of ${plural(bytes, "byte")} is not shown: it belongs to pairing, or is not JSON.`,
        noBody: "It has no body here: bodies are recorded only while this view is open.",
        clear: "Clear this list",
        gap: (missed) => `${plural(missed, "message")} missed, because this page was too slow`,
        connection: (id) => `connection ${id}`,
        subscription: (name, isOn) => `${isOn ? "subscribes to" : "no longer subscribes to"} ${name}`,
        refused: (name, status) => `${name}: status ${status}`,
        more: (count) => `${count} more`,
    },
};

/** Returns a duration in words, such as 2 h 5 min. */
export function durationText(seconds) {
    if (seconds < 60) return `${Math.round(seconds)} s`;
    const minutes = Math.floor(seconds / 60);
    if (minutes < 60) return `${minutes} min`;
    const hours = Math.floor(minutes / 60);
    if (hours < 24) return minutes % 60 ? `${hours} h ${minutes % 60} min` : `${hours} h`;
    return hours % 24 ? `${Math.floor(hours / 24)} d ${hours % 24} h` : `${Math.floor(hours / 24)} d`;
}

/** Returns seconds as the time of a clock. */
export function clockText(seconds) {
    const whole = Math.floor(seconds);
    const days = Math.floor(whole / 86400);
    const hours = Math.floor(whole / 3600) % 24;
    const minutes = Math.floor(whole / 60) % 60;
    const clock = [hours, minutes, whole % 60].map((part) => String(part).padStart(2, "0")).join(":");
    return days ? `${days} d ${clock}` : clock;
}

let formats;

/** Sets the zone of all times on the page: that of the home, or that of this browser if it does not know the zone. */
export function setTimeZone(timeZone) {
    const format = (options) => new Intl.DateTimeFormat([], { ...options, timeZone });
    try {
        formats = {
            full: format({ dateStyle: "medium", timeStyle: "short", hourCycle: "h23" }),
            day: format({ weekday: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" }),
            clock: format({ timeStyle: "medium", hourCycle: "h23" }),
            exact: format({
                hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3, hourCycle: "h23",
            }),
        };
    } catch {
        setTimeZone(undefined);
    }
}
setTimeZone(undefined);

export const timeZoneName = () => formats.clock.resolvedOptions().timeZone;

/** Returns a date and a time. */
export const timeText = (time) => formats.full.format(new Date(time));

/** Returns a time with its day of the week. */
export const dayTimeText = (time) => formats.day.format(new Date(time));

/** Returns a time of day, exact to the second. */
export const clockTimeText = (time) => formats.clock.format(new Date(time));

/** Returns a time of day, exact to the millisecond. */
export const exactTimeText = (time) => formats.exact.format(new Date(time));

/** Returns the value of a reading with its unit. */
export const readingText = ({ value, unit }) =>
    `${typeof value === "number" ? Math.round(value * 100) / 100 : value ?? "–"} ${unit}`.trim();

/** Returns a value in people's words. A peer may have sent anything, also an object. */
export function valueName({ type, valueNames, unit }, value) {
    const number = Number(typeof value === "object" ? NaN : value);
    const name = texts.values[type]?.[number] ?? valueNames?.find((named) => named.value === number)?.name;
    if (name) return name;
    if (typeof value === "number") return `${Math.round(value * 100) / 100}${texts.units[unit] ?? ""}`;
    return value === null || typeof value === "object" ? "?" : String(value).slice(0, 80);
}
