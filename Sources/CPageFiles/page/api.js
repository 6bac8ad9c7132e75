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

async function send(method, path, body) {
    const options = { method, headers: {} };
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

async function json(method, path, body) {
    const response = await send(method, path, body);
    return response.status === 204 ? null : response.json();
}

export const get = (path) => json("GET", path);
export const put = (path, body) => json("PUT", path, body);
export const post = (path, body) => json("POST", path, body);
export const remove = (path) => json("DELETE", path);

/** Returns the content of an existing resource, or null for one that does not exist (404) or not here (409). */
export async function getIfAny(path) {
    try {
        return await get(path);
    } catch (error) {
        if (error instanceof APIError && (error.status === 404 || error.status === 409)) return null;
        throw error;
    }
}

/** Returns the path of a server. */
export const serverPath = (key, rest) => `/api/v1/servers/${encodeURIComponent(key)}/${rest}`;

/** Performs a command of the prompt, and returns its answer. */
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
    let response;
    try {
        response = await fetch(path, { signal, headers: { Accept: "text/event-stream" } });
    } catch (error) {
        throw new ConnectionError(error.message);
    }
    if (!response.ok) throw new APIError(response.status, await response.json().catch(() => ({})));
    onOpen();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
        const { done, value } = await reader.read().catch((error) => {
            throw new ConnectionError(error.message);
        });
        if (done) return;
        const blocks = (rest + value).split("\n\n");
        rest = blocks.pop();
        for (const block of blocks) {
            const event = { id: null, kind: "", data: "" };
            for (const line of block.split("\n")) {
                if (line.startsWith("id: ")) event.id = line.slice(4);
                else if (line.startsWith("event: ")) event.kind = line.slice(7);
                else if (line.startsWith("data: ")) event.data += line.slice(6);
            }
            if (event.id || event.kind) onEvent({ ...event, data: event.data ? JSON.parse(event.data) : null });
        }
    }
}
