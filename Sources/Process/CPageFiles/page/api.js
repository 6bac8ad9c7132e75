// The client of the API. Its description is /openapi.json.

/** An error of the API with its problem document (RFC 9457). */
export class APIError extends Error {
    constructor(status, problem) {
        super(problem.detail ?? problem.title ?? `HTTP ${status}`);
        this.status = status;
        this.code = problem.code;
        this.problem = problem;
    }
}

/** An error for a server that does not answer. */
export class ConnectionError extends Error {}

/** The time within which the server answers, in milliseconds. An answer may wait for accessories or simulated time. */
const answerTime = 60_000;
/** The time within which a stream sends something, in milliseconds. The server sends a comment every 15 s. */
const silentTime = 40_000;

/**
 * Parses JSON. An integer that a number of JavaScript cannot represent becomes a text, which the API accepts in its
 * place.
 */
function parse(text) {
    if (!/\d{16}/.test(text)) return JSON.parse(text);
    return JSON.parse(text, (key, value, context) => typeof value === "number" && !Number.isSafeInteger(value)
        && /^-?\d+$/.test(context?.source ?? "") ? context.source : value);
}

/** Returns the number that a text stands for, or the text if a number cannot represent it. */
export function exactNumber(text) {
    const value = Number(text);
    return text.trim() === "" || !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))
        ? text.trim() : value;
}

/** Returns the arguments of a text such as `level=5 room="Living Room"`, or null if a part is something else. */
export function argumentsOf(text) {
    const parts = text.match(/[^\s=]+="[^"]*"|\S+/g) ?? [];
    const pairs = parts.map((part) => /^([^=]+)=(.*)$/.exec(part));
    if (pairs.includes(null)) return null;
    return Object.fromEntries(pairs.map(([, name, value]) => [name, value.replace(/^"(.*)"$/, "$1")]));
}

async function send(method, path, body, signal) {
    const timeout = AbortSignal.timeout(answerTime);
    const options = { method, headers: {}, signal: signal ? AbortSignal.any([signal, timeout]) : timeout };
    if (body !== undefined) {
        options.headers["Content-Type"] = "application/json";
        options.body = JSON.stringify(body);
    }
    let response;
    try {
        response = await fetch(path, options);
    } catch (error) {
        throw new ConnectionError(error.message);
    }
    if (response.ok) return response;
    const problem = await response.json().catch(() => ({}));
    throw new APIError(response.status, problem);
}

async function json(method, path, body, signal) {
    const response = await send(method, path, body, signal);
    return (await answer(response)).content;
}

/** Returns the content of a response, and the id of the latest event at that time. */
async function answer(response) {
    const lastEventID = Number(response.headers.get("Last-Event-ID") ?? Infinity);
    try {
        return { content: response.status === 204 ? null : parse(await response.text()), lastEventID };
    } catch (error) {
        throw error instanceof SyntaxError ? error : new ConnectionError(error.message);
    }
}

export const getWithEventID = async (path) => answer(await send("GET", path));

export const get = (path) => json("GET", path);
export const put = (path, body) => json("PUT", path, body);
/** @param {AbortSignal=} signal Ends the request. */
export const post = (path, body, signal) => json("POST", path, body, signal);
export const remove = (path) => json("DELETE", path);

/** Returns the content of a resource, or null if it does not exist (404) or the process does not have it (409). */
export async function getIfAny(path) {
    try {
        return await get(path);
    } catch (error) {
        if (error instanceof APIError && (error.status === 404 || error.status === 409)) return null;
        throw error;
    }
}

export const serverPath = (key, rest) => `/api/v1/servers/${encodeURIComponent(key)}/${rest}`;

export const command = async (text) => (await post("/api/v1/commands", { command: text })).message;

/**
 * Reads server-sent events until the connection ends.
 *
 * @param {string} path The path of the stream.
 * @param {AbortSignal} signal Ends the stream.
 * @param {function(): void} onOpen Is called when the stream is open.
 * @param {function({id: ?string, kind: string, data: object}): void} onEvent Is called for each event.
 */
export async function readEvents(path, signal, onOpen, onEvent) {
    const silence = new AbortController();
    let timer = setTimeout(() => silence.abort(), silentTime);
    try {
        const response = await fetch(path, {
            signal: signal ? AbortSignal.any([signal, silence.signal]) : silence.signal,
            headers: { Accept: "text/event-stream" },
        });
        if (!response.ok) throw new APIError(response.status, await response.json().catch(() => ({})));
        onOpen();
        const restart = () => {
            clearTimeout(timer);
            timer = setTimeout(() => silence.abort(), silentTime);
        };
        await readBlocks(response.body, restart, onEvent);
    } catch (error) {
        throw error instanceof APIError ? error : new ConnectionError(error.message, { cause: error });
    } finally {
        clearTimeout(timer);
        silence.abort();
    }
}

async function readBlocks(body, onData, onEvent) {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        onData();
        const blocks = (rest + value).split("\n\n");
        rest = blocks.pop();
        for (const block of blocks) {
            const event = { id: null, kind: "", data: "" };
            for (const line of block.split("\n")) {
                if (line.startsWith("id: ")) event.id = line.slice(4);
                else if (line.startsWith("event: ")) event.kind = line.slice(7);
                else if (line.startsWith("data: ")) event.data += line.slice(6);
            }
            if (event.id || event.kind) onEvent({ ...event, data: event.data ? parse(event.data) : null });
        }
    }
}
