// The state that the views show: a snapshot of the API, which the event stream keeps up to date.

import { APIError, get, getIfAny, getWithEventID, readEvents, serverPath } from "./api.js";
import { isShownInHomes } from "./types.js";
import { setTimeZone } from "./texts.js";

class Service {
    constructor(server, accessory, json) {
        Object.assign(this, json);
        this.server = server;
        this.accessory = accessory;
        this.id = `${accessory.aid}.${json.iid}`;
        this.key = `${server.key}/${this.id}`;
        this.byType = new Map(this.characteristics.map((c) => [c.type, c]));
    }

    find(type) {
        return this.byType.get(type);
    }

    value(type) {
        return this.byType.get(type)?.value ?? null;
    }

    number(type) {
        const value = this.value(type);
        return typeof value === "boolean" ? Number(value) : value;
    }

    /** Whether controllers get its values: only the device behind a driver may be out of reach. */
    get isReachable() {
        return !this.driven || this.server.drivers.get(this.accessory.aid)?.reachable !== false;
    }

    /** Returns a value of the simulated device that no characteristic shows. */
    reading(name) {
        return this.readings.find((reading) => reading.name === name)?.value;
    }
}

/** The kinds of events that are followed by a new request, with what to load. */
const reloads = {
    "session-verified": "sessions", "connection-opened": "sessions", "connection-closed": "sessions",
    "pairing-added": "sessions", "pairing-removed": "sessions", "advertiser": "sessions",
    "configuration": "server", "server-added": "everything", "server-removed": "everything",
    "gap": "everything", "command": "simulation", "time-changed": "simulation", "scenario": "scenario",
    "driver-event": "drivers",
};

/** The kinds of events that a decrypted message describes in more detail. */
const messageKinds = new Set(["request", "response", "event-sent"]);

/** The members of accessories that change while their structure stays. */
const volatileKeys = new Set(["value", "valueText", "subscribers", "readings"]);

/** The maximum number of events that the log remembers. A decrypted message has up to 16 KiB. */
const maximumEvents = 2000;

class Store {
    constructor() {
        /** connecting, live, lost, or denied (no session). */
        this.connection = "connecting";
        this.status = null;
        this.servers = new Map();
        this.home = null;
        this.faults = [];
        this.scenario = null;
        this.time = null;
        this.events = [];
        this.order = 0;
        this.lastRecordedID = 0;
        this.messages = null;
        /** The requests without a response by server and connection, in their order. */
        this.unanswered = new Map();
        this.lastEventID = null;
        this.listeners = new Map();
        this.changed = new Set();
        this.pending = new Map();
        this.moving = new Map();
        /** The latest load; the next one begins after it. */
        this.loading = Promise.resolve();
    }

    /** Calls a function after changes of a topic, at most once per frame. Returns the function that ends this. */
    on(topic, listener) {
        if (!this.listeners.has(topic)) this.listeners.set(topic, new Set());
        this.listeners.get(topic).add(listener);
        return () => {
            const listeners = this.listeners.get(topic);
            listeners?.delete(listener);
            if (listeners?.size === 0) this.listeners.delete(topic);
        };
    }

    change(topic) {
        if (this.changed.size === 0) requestAnimationFrame(() => this.notify());
        this.changed.add(topic);
    }

    notify() {
        const topics = [...this.changed];
        this.changed.clear();
        for (const topic of topics) {
            for (const listener of [...(this.listeners.get(topic) ?? [])]) {
                // An error in one part of the page must not stop the others.
                try {
                    listener();
                } catch (error) {
                    console.error(error);
                }
            }
        }
    }

    /** Loads everything and follows the events, until the page is closed. */
    async run() {
        for (let delay = 500; ; delay = Math.min(delay * 2, 5000)) {
            try {
                await this.load();
                // The clock of a new process may be behind that of the former one.
                this.lastRecordedID = Math.min(this.lastRecordedID, this.lastEventID);
                const path = `/api/v1/events?after=${this.lastEventID}`;
                await readEvents(path, undefined, () => {
                    this.setConnection("live");
                    delay = 500;
                }, (event) => this.receive(event));
            } catch (error) {
                if (error instanceof APIError && error.status === 401) {
                    this.setConnection("denied");
                    return;
                }
                if (!(error instanceof Error)) throw error;
                console.warn(error);
            }
            this.setConnection("lost");
            await new Promise((resolve) => setTimeout(resolve, delay));
        }
    }

    setConnection(state) {
        if (this.connection === state) return;
        this.connection = state;
        this.change("connection");
    }

    /** Loads everything. Loads do not overlap, so that a late answer does not replace a later one. */
    load() {
        this.loading = this.loading.catch(() => {}).then(() => this.loadNow());
        return this.loading;
    }

    async loadNow() {
        const status = await get("/api/v1/status");
        this.lastEventID = status.lastEventID;
        const [servers, home, faults, scenario, events] = await Promise.all([
            get("/api/v1/servers"),
            status.home === undefined ? null : getIfAny("/api/v1/home"),
            getIfAny("/api/v1/faults"),
            status.scenario === undefined ? null : getIfAny("/api/v1/scenario"),
            get(`/api/v1/events/latest?limit=500&after=${this.lastRecordedID}`),
        ]);
        // What is newer is part of the stream, and the stream may have recorded some of these events meanwhile.
        const isNew = ({ id, kind }) => id > this.lastRecordedID && id <= status.lastEventID
            && !(this.messages && messageKinds.has(kind));
        events.filter(isNew).forEach((event) => this.record(event));
        const answers = await Promise.all(servers.map(({ key }) => Promise.all([
            getWithEventID(serverPath(key, "accessories")), getWithEventID(serverPath(key, "drivers")),
        ]).catch((error) => {
            // The server has been removed meanwhile; an event follows.
            if (error instanceof APIError && error.status === 404) return null;
            throw error;
        })));
        const before = [...this.servers.keys()].join("\n");
        this.servers = new Map(servers.flatMap((info, index) => {
            if (!answers[index]) return [];
            const known = this.servers.get(info.key)
                ?? { accessories: [], services: new Map(), characteristics: new Map(), drivers: new Map() };
            const { accessories } = known;
            return [[info.key, Object.assign(known, info, { accessories, answerID: 0, driversID: 0 })]];
        }));
        servers.forEach(({ key }, index) => {
            if (!answers[index]) return;
            const [accessories, drivers] = answers[index];
            this.setAccessories(this.servers.get(key), accessories);
            this.setDrivers(this.servers.get(key), drivers);
        });
        if (!this.isLoaded || before !== [...this.servers.keys()].join("\n")) this.change("servers");
        Object.assign(this, { status, faults: faults ?? [], scenario });
        this.setHome(home);
        this.setTime(status.time);
        this.isLoaded = true;
        const topics = ["server-list", "values", "home", "faults", "scenario", "events", "definitions", "loaded"];
        for (const { key } of servers) topics.push(`server:${key}`, `sessions:${key}`);
        for (const topic of topics) this.change(topic);
    }

    /** Shows new values of the accessories of a server, or all accessories again if their structure has changed. */
    setAccessories(server, { content: accessories, lastEventID }) {
        // A later answer has been faster.
        if (lastEventID < server.answerID) return;
        server.answerID = lastEventID;
        const structure = JSON.stringify(accessories, (key, value) => volatileKeys.has(key) ? undefined : value);
        if (structure === server.structure) {
            this.updateValues(server, accessories, lastEventID);
            return;
        }
        server.structure = structure;
        server.accessories = accessories;
        this.change("servers");
        server.services.clear();
        server.characteristics.clear();
        for (const accessory of accessories) {
            accessory.services = accessory.services.map((json) => new Service(server, accessory, json));
            for (const service of accessory.services) {
                server.services.set(service.id, service);
                for (const characteristic of service.characteristics) {
                    server.characteristics.set(characteristic.id, { characteristic, service });
                }
            }
        }
    }

    updateValues(server, accessories, lastEventID) {
        for (const accessory of accessories) {
            for (const json of accessory.services) {
                const service = server.services.get(`${accessory.aid}.${json.iid}`);
                service.readings = json.readings;
                json.characteristics.forEach(({ value, valueText }, index) => {
                    const characteristic = service.characteristics[index];
                    // An event may have arrived before this answer, which is older.
                    if (!(characteristic.eventID > lastEventID)) Object.assign(characteristic, { value, valueText });
                });
                this.change(`service:${service.key}`);
            }
        }
    }

    /** Shows what the drivers of a server do, by the ids of their accessories. */
    setDrivers(server, { content: drivers, lastEventID }) {
        // A later answer has been faster.
        if (lastEventID < server.driversID) return;
        server.driversID = lastEventID;
        server.drivers = new Map(drivers.map((driver) => [driver.aid, driver]));
        this.change(`drivers:${server.key}`);
        for (const service of server.services.values()) if (service.driven) this.change(`service:${service.key}`);
    }

    setHome(home) {
        this.home = home && { ...home, at: performance.now() };
        setTimeZone(home?.timeZone);
        for (const server of this.servers.values()) {
            for (const service of server.services.values()) {
                service.shownType = undefined;
                service.place = undefined;
            }
        }
        const servers = new Map([...this.servers.values()].map((server) => [server.deviceID, server]));
        home?.rooms.forEach(({ name: room, services }, index) => services.forEach((listed) => {
            const service = servers.get(listed.deviceID)?.services.get(`${listed.aid}.${listed.iid}`);
            if (!service) return;
            // A home can show an outlet as a light.
            service.shownType = listed.typeID;
            /** Where the service is in the home. The last room is the one for services without another one. */
            service.place = {
                room, name: listed.name, accessory: listed.accessory, isDefault: index === home.rooms.length - 1,
                hasOwnRoom: Boolean(listed.ownRoom),
            };
        }));
    }

    /** Returns the service of a home on one of the servers, or undefined. */
    homeService(service) {
        for (const server of this.servers.values()) {
            if (server.deviceID !== service.deviceID) continue;
            return server.services.get(`${service.aid}.${service.iid}`);
        }
        return undefined;
    }

    shownServices() {
        return [...this.servers.values()].flatMap((server) =>
            server.accessories.flatMap((accessory) => accessory.services.filter(isShownInHomes)));
    }

    receive({ id, kind, data }) {
        if (id) this.lastEventID = id;
        if (!kind) return;
        // A load may have recorded it already.
        if (data?.id > this.lastRecordedID) {
            // The messages describe the same in more detail.
            if (!(this.messages && messageKinds.has(data.kind))) this.record(data);
            this.lastRecordedID = data.id;
        }
        if (kind === "value") this.receiveValue(data);
        // A write may be a subscription.
        const isWrite = kind === "request" && data.method === "PUT";
        if (isWrite && this.isShown(data.server)) this.loadSoon("sessions", data.server);
        if (kind.startsWith("definition-") || kind === "server-added" || kind === "server-removed") {
            this.change("definitions");
        }
        if (kind.startsWith("home-")) this.loadSoon("home");
        // A step of a scenario may change the time or a fault.
        if (kind.startsWith("fault") || kind === "scenario") this.loadSoon("simulation");
        const reload = reloads[kind];
        if (reload) this.loadSoon(reload, data.server);
    }

    record(entry) {
        if (entry.id) this.lastRecordedID = entry.id;
        if (this.joinRequest(entry)) return;
        this.order += 1;
        entry.order = this.order;
        this.events.push(entry);
        if (this.events.length > maximumEvents + 500) this.events.splice(0, 500);
        this.change("events");
    }

    /** Adds a response to its request; the requests of a connection are answered in turn. Returns whether there is one. */
    joinRequest(entry) {
        const { kind, server, connection, session } = entry;
        const key = `${server} ${connection ?? session}`;
        if (kind === "gap") this.unanswered.clear();
        if (kind === "connection-closed") this.unanswered.delete(key);
        const waiting = this.unanswered.get(key) ?? [];
        if (kind === "request") this.unanswered.set(key, [...waiting, entry].slice(-10));
        const request = kind === "response" && waiting.shift();
        if (!request) return false;
        request.response = entry;
        request.milliseconds = Date.parse(entry.time) - Date.parse(request.time);
        this.change("events");
        return true;
    }

    /** Records decrypted messages, until the returned function is called. */
    followMessages() {
        const controller = new AbortController();
        const { signal } = controller;
        const follow = async () => {
            while (!signal.aborted) {
                await readEvents("/api/v1/messages", signal, () => {
                    this.messages = controller;
                }, ({ data, kind }) => {
                    if (kind === "message") this.record(data);
                    if (kind === "gap") this.record({ kind, time: new Date().toISOString(), missed: data.missed });
                }).catch(() => {});
                if (this.messages === controller) this.messages = null;
                await new Promise((resolve) => setTimeout(resolve, 1000));
            }
        };
        follow();
        return () => controller.abort();
    }

    receiveValue({ server: key, characteristic: id, value, valueText, time, id: eventID }) {
        const server = this.servers.get(key);
        const found = server?.characteristics.get(id);
        if (!found) return;
        const { characteristic, service } = found;
        Object.assign(characteristic, { value: value ?? null, valueText, eventID });
        characteristic.history?.push({ id: eventID, time, value: value ?? null });
        if (characteristic.history?.length > 1200) characteristic.history.splice(0, 200);
        this.change(`service:${service.key}`);
        this.change("values");
        if (service.readings.length) this.followReadings(service);
    }

    /** Loads something within half a second, once for all requests until then. */
    loadSoon(what, server) {
        const key = `${what} ${server ?? ""}`;
        if (this.pending.has(key)) return;
        this.pending.set(key, setTimeout(async () => {
            this.pending.delete(key);
            try {
                await this.reload(what, server);
            } catch (error) {
                console.warn(error);
            }
        }, 400));
    }

    async reload(what, key) {
        const server = this.servers.get(key);
        switch (what) {
        case "everything":
            await this.load();
            break;
        case "server":
        case "sessions":
            if (!server) return;
            const { accessories, ...info } = await get(`/api/v1/servers/${encodeURIComponent(key)}`);
            Object.assign(server, info);
            this.change("server-list");
            this.change(`server:${key}`);
            this.change(`sessions:${key}`);
            if (what === "sessions" && !this.isShown(key)) return;
            this.setAccessories(server, await getWithEventID(serverPath(key, "accessories")));
            this.setHome(this.home);
            if (what === "server") this.loadSoon("drivers", key);
            break;
        case "drivers":
            if (!server) return;
            // The device of a driver may be a simulated one.
            if (server.drivers.size) await this.loadReadings(server);
            this.setDrivers(server, await getWithEventID(serverPath(key, "drivers")));
            break;
        case "home":
            this.setHome(await getIfAny("/api/v1/home"));
            this.change("home");
            break;
        case "scenario":
            this.scenario = await getIfAny("/api/v1/scenario");
            this.change("scenario");
            break;
        case "simulation":
            this.faults = await getIfAny("/api/v1/faults") ?? [];
            this.setTime(await getIfAny("/api/v1/time"));
            this.change("faults");
            if (this.home) this.loadSoon("home");
            break;
        }
    }

    /** Returns whether the sessions of a server are shown. */
    isShown(key) {
        return this.listeners.has(`sessions:${key}`);
    }

    setTime(time) {
        this.time = time && { ...time, at: performance.now() };
        this.change("time");
    }

    simulatedSeconds() {
        if (!this.time) return null;
        if (this.time.paused) return this.time.elapsed;
        return this.time.elapsed + (performance.now() - this.time.at) / 1000 * this.time.scale;
    }

    /** Returns the milliseconds by which the time of the home is ahead of this machine's. */
    homeAhead() {
        if (!this.home?.now) return 0;
        const passed = performance.now() - this.home.at;
        return Date.parse(this.home.now) + passed * (this.time?.paused ? 0 : this.time?.scale ?? 1) - Date.now();
    }

    /** Reads values that no event reports, such as the position of a door, as long as they change. */
    followReadings(service) {
        if (!this.moving.has(service.server.key)) {
            this.moving.set(service.server.key, 0);
            setTimeout(() => this.readReadings(service.server), 50);
        } else {
            this.moving.set(service.server.key, 0);
        }
    }

    /** Loads the readings of a server. Returns whether they have changed, or null if the server does not answer. */
    async loadReadings(server) {
        const readings = await getIfAny(serverPath(server.key, "readings")).catch(() => null);
        let hasChanged = false;
        for (const item of readings ?? []) {
            const service = server.services.get(`${item.aid}.${item.iid}`);
            if (!service || JSON.stringify(service.readings) === JSON.stringify(item.readings)) continue;
            service.readings = item.readings;
            hasChanged = true;
            this.change(`service:${service.key}`);
        }
        return readings && hasChanged;
    }

    async readReadings(server) {
        const hasChanged = await this.loadReadings(server);
        // Four equal answers: the movement has ended, or simulated time stands still.
        const equal = hasChanged ? 0 : (this.moving.get(server.key) ?? 0) + 1;
        if (hasChanged === null || equal >= 4) {
            this.moving.delete(server.key);
        } else {
            this.moving.set(server.key, equal);
            setTimeout(() => this.readReadings(server), document.hidden ? 2000 : 200);
        }
    }
}

export const store = new Store();
