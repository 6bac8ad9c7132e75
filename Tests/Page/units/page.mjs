// What the tests share: a server that answers with given contents, and frames that are drawn at once.

const page = "../../../Sources/Process/CPageFiles/page/";

export const load = (module) => import(`${page}${module}.js`);

/** Answers requests with the contents by method and path; a function gets the body. Records all requests. */
export function serve(answers) {
    const requests = [];
    globalThis.fetch = async (path, { method = "GET", body } = {}) => {
        const key = `${method} ${path.split("?")[0]}`;
        requests.push({ key, body: body && JSON.parse(body) });
        const answer = answers[key];
        if (answer === undefined) return new Response(JSON.stringify({ detail: `no ${key}` }), { status: 404 });
        const content = typeof answer === "function" ? answer(body && JSON.parse(body)) : answer;
        if (content instanceof Response) return content;
        return new Response(JSON.stringify(content), { headers: { "Last-Event-ID": String(answers.lastEventID ?? 0) } });
    };
    return requests;
}

// Node.js 18 does not have it.
AbortSignal.any ??= (signals) => {
    const controller = new AbortController();
    for (const signal of signals) signal.addEventListener("abort", () => controller.abort(signal.reason));
    return controller.signal;
};

const frames = [];
globalThis.requestAnimationFrame = (draw) => frames.push(draw);

/** Draws the frames that wait. */
export const draw = () => frames.splice(0).forEach((each) => each());
