// The definition that the builder edits: its content, its undo steps, and what the server says about it.

import { APIError, get, post, put, remove } from "./api.js";

const path = (file, rest = "") => `/api/v1/definitions/${encodeURIComponent(file)}${rest}`;

/** What the server knows: the types of the catalogue, examples, and whether it has a folder for definitions. */
export const workshop = { types: null, gallery: [], hasFolder: true };

/** A definition while it is edited. Each change is a step that can be taken back. */
export class Draft {
    /**
     * @param {object} start file, revision, text, definition and hasComments of a saved file, or only text or
     *     definition.
     */
    constructor(start, onChange) {
        this.file = start.file ?? null;
        /** The key of the server of the file, while there is one. */
        this.server = start.server ?? null;
        this.revision = start.revision ?? null;
        this.hasComments = start.hasComments ?? false;
        this.onChange = onChange;
        this.steps = [firstStep(start)];
        this.position = 0;
        this.savedStep = start.file ? this.step : null;
        this.isSaving = false;
        this.check = { diagnostics: [], accessories: null, summary: "" };
        /** The step that has been checked. */
        this.checkedStep = null;
        /** Ends the check that has become outdated. */
        this.checking = new AbortController();
        /** Whether the server did not answer, so that the draft must be checked again. */
        this.isCheckFailed = false;
    }

    get step() {
        return this.steps[this.position];
    }

    get definition() {
        return this.step.definition;
    }

    get isChanged() {
        return this.step !== this.savedStep;
    }

    /** Whether saving would lose the comments of the file, because a form has written the text. */
    get losesComments() {
        return this.hasComments && this.isChanged && this.step.isRewritten;
    }

    get errors() {
        return this.check.diagnostics.filter((diagnostic) => diagnostic.severity === "error");
    }

    edit(change, options) {
        const definition = structuredClone(this.definition);
        change(definition);
        this.push({ definition, text: null, isText: false, isRewritten: true }, options);
    }

    setText(text) {
        // A text that the form has written has lost its comments before.
        const { isRewritten } = this.step;
        if (text !== this.step.text) this.push({ definition: null, text, isText: true, isRewritten }, {});
    }

    push(step, { isQuiet = false } = {}) {
        this.steps.splice(this.position + 1);
        this.steps.push(step);
        if (this.steps.length > 200) this.steps.shift();
        this.position = this.steps.length - 1;
        this.validate(isQuiet);
    }

    move(by) {
        const position = this.position + by;
        if (position < 0 || position >= this.steps.length) return;
        this.position = position;
        this.validate(false);
    }

    /** Asks the server what it would serve. `isQuiet`: the form shows the change already. */
    async validate(isQuiet) {
        const { step } = this;
        this.checking.abort();
        this.checking = new AbortController();
        const { signal } = this.checking;
        this.onChange(isQuiet ? "state" : "form");
        const body = step.isText ? { text: step.text } : { definition: step.definition };
        if (this.file) body.file = this.file;
        let check;
        this.isCheckFailed = false;
        try {
            check = await post("/api/v1/definitions/check", body, signal);
        } catch (error) {
            // The server checks one definition at a time.
            if (error.status === 503) setTimeout(() => !signal.aborted && this.validate(isQuiet), 1000);
            const diagnostics = [{ severity: "error", message: error.message, path: "" }];
            check = { diagnostics, definition: step.definition };
        }
        if (signal.aborted) return;
        const hadForm = step.definition !== null;
        this.check = check;
        this.checkedStep = step;
        this.isCheckFailed = check.accessories === undefined;
        if (step.isText) step.definition = check.definition ?? null;
        else step.text = check.text ?? step.text;
        this.onChange(step.isText && (!isQuiet || !hadForm) ? "form" : "check");
    }

    /**
     * Saves the draft. Returns null, or the problem if the file has changed meanwhile. A file that is saved but cannot
     * be served is an error.
     */
    async save(file, { keepsCopy, revision = this.revision }) {
        const { step } = this;
        const body = step.isText ? { text: step.text } : { definition: step.definition };
        body.revision = file === this.file ? revision : null;
        body.keepCopy = keepsCopy;
        this.isSaving = true;
        this.onChange("state");
        try {
            const { revision: newRevision, hasComments, text } = await put(path(file), body);
            Object.assign(this, { file, revision: newRevision, hasComments, savedStep: step });
            step.text = text;
            return null;
        } catch (error) {
            if (!(error instanceof APIError)) throw error;
            if (error.code === "changed") return error;
            const { revision: savedRevision } = error.problem;
            if (savedRevision) Object.assign(this, { file, revision: savedRevision, savedStep: step });
            throw error;
        } finally {
            this.isSaving = false;
            this.onChange("state");
        }
    }

    /** Loads the file on disk as one step, so that undo returns to this draft. */
    async reload() {
        const saved = await loadFile(this.file);
        if (saved.revision !== this.revision || this.isChanged) this.adopt(saved);
    }

    /** Continues with the file on disk, as one step. */
    adopt(saved) {
        this.revision = saved.revision;
        this.hasComments = saved.hasComments;
        this.push(firstStep(saved), {});
        this.savedStep = this.step;
        this.onChange("state");
    }
}

/** Returns the step of a file as it is. Its text is kept, because the text of a definition has no comments. */
function firstStep({ text = null, definition = null }) {
    return { text, definition, isText: text !== null, isRewritten: false };
}

export const loadFile = (file) => get(path(file));
export const deleteFile = (file, revision) => remove(path(file, `?revision=${encodeURIComponent(revision)}`));
export const exportPath = (file, format) => path(file, `/export?format=${format}`);

export async function importFile(file) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    let binary = "";
    for (let start = 0; start < bytes.length; start += 0x8000) {
        binary += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
    }
    return post("/api/v1/definitions/import", { name: file.name, data: btoa(binary) });
}
