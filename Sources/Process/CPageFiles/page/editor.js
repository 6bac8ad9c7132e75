// The panel that edits a draft as a form or as text, and shows what the server says about it.

import { h, fill, isObject, keepFocus, newID, selectLine, setText } from "./dom.js";
import { APIError } from "./api.js";
import { deleteFile, exportPath, loadFile, workshop } from "./draft.js";
import { definitionForm, isNumericName, placeOf, showDiagnostics } from "./form.js";
import { fail } from "./actions.js";
import { isEditable, roomSelect } from "./editing.js";
import { pairing } from "./pairing.js";
import { store } from "./store.js";
import { isShownInHomes } from "./types.js";
import { announce } from "./messages.js";
import { texts } from "./texts.js";

const words = texts.builder;

export function editorPanel(draft, { onSaved, onDeleted }) {
    const form = h("div", { role: "tabpanel", id: newID("panel") });
    const text = h("textarea", { "aria-label": words.text, rows: "30", spellcheck: "false", oninput: () => {
        clearTimeout(typing);
        typing = setTimeout(flush, 300);
    } });
    const textPanel = h("div", { role: "tabpanel", id: newID("panel"), hidden: true }, text);
    const summary = h("p.quiet", { role: "status" });
    const diagnostics = h("ul.diagnostics");
    const notice = h("div");
    const noFolder = h("p.notice", {}, words.noFolder);
    const fileName = h("input", { type: "text", id: newID("file"), maxlength: "100", spellcheck: "false" });
    const save = h("button.primary", { type: "button", onclick: () => saveDraft() }, words.save);
    const move = (by) => {
        flush();
        draft.move(by);
    };
    const undo = h("button", { type: "button", onclick: () => move(-1) }, words.undo);
    const redo = h("button", { type: "button", onclick: () => move(1) }, words.redo);
    const keepsCopy = h("input", { type: "checkbox", id: newID("copy") });
    keepsCopy.checked = true;
    const comments = h("p.notice", { hidden: true }, h("span", {}, `${words.losesComments} `),
        h("label", { for: keepsCopy.id }, keepsCopy, ` ${words.keepCopy}`));
    const more = h("div.buttons");
    const served = h("div");
    /** Whether the draft was saved here, so that what comes next is shown. */
    let isSaved = false;
    let code = null;
    let typing = null;

    const field = () => form.contains(document.activeElement) ? document.activeElement : null;
    /** Whether a field has a value that is not a step yet. */
    const isTyping = () => Boolean(field()?.matches("input[type=text]")) && field().value !== field().defaultValue;
    /** Makes a step of what was typed, before another view or file is shown. */
    const leave = () => {
        if (isTyping()) field().blur();
        flush();
    };
    const flush = () => {
        if (typing === null) return;
        clearTimeout(typing);
        typing = null;
        draft.setText(text.value);
    };
    const tabs = [[words.form, form], [words.text, textPanel]].map(([title, shown], index) => h("button.tab", {
        type: "button", role: "tab", "aria-controls": shown.id, "aria-selected": String(index === 0),
        tabindex: index === 0 ? "0" : "-1",
        onclick: () => {
            flush();
            tabs.forEach((tab, other) => {
                tab.setAttribute("aria-selected", String(other === index));
                tab.tabIndex = other === index ? 0 : -1;
            });
            form.hidden = shown !== form;
            textPanel.hidden = shown !== textPanel;
        },
        onkeydown: (event) => {
            if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
            tabs[1 - index].focus();
            tabs[1 - index].click();
        },
    }, title));
    form.setAttribute("aria-label", words.form);
    textPanel.setAttribute("aria-label", words.text);
    const update = (what) => {
        if (what === "form") showForm();
        // A text that is being typed is newer than the draft. The text of a form arrives with its check.
        text.readOnly = draft.step.text === null;
        if (typing === null && !text.readOnly && text.value !== draft.step.text) text.value = draft.step.text;
        setText(summary, draft.check.summary ?? "");
        keepFocus(diagnostics, () => fill(diagnostics, draft.check.diagnostics.map(diagnosticRow)));
        showDiagnostics(form, draft.check.diagnostics);
        save.disabled = !workshop.hasFolder || draft.errors.length > 0 || !draft.isChanged || draft.isSaving;
        undo.disabled = draft.position === 0;
        redo.disabled = draft.position === draft.steps.length - 1;
        comments.hidden = !draft.losesComments;
        fileName.readOnly = draft.file !== null;
        if (draft.file) fileName.value = draft.file;
        else if (!fileName.dataset.isTyped) fileName.value = standardFileName(draft.definition);
        noFolder.hidden = workshop.hasFolder;
        if (isSaved) showServed();
        keepFocus(more, () => fill(more, draft.file && [
            draft.server && h("a.button", {
                href: `#/accessories/${encodeURIComponent(draft.server)}`, "data-focus": "served",
            }, words.showServed),
            Object.entries(words.exports).map(([format, title]) =>
                h("a.button", { href: exportPath(draft.file, format), download: true, "data-focus": format }, title)),
            h("button.danger", { type: "button", "data-focus": "delete", onclick: () => deleteDraft() }, words.delete),
        ]));
    };
    /** Shows how to pair the saved accessory, and the choice of its room, or of the rooms of a bridge's accessories. */
    const showServed = () => {
        const server = store.servers.get(draft.server);
        const services = isEditable() ? (server?.accessories ?? [])
            .map((accessory) => accessory.services.find(isShownInHomes)).filter(Boolean) : [];
        const now = JSON.stringify([server?.key, services.map(({ key, place }) => [key, place]), store.home?.rooms.length]);
        if (served.dataset.shown === now) return;
        served.dataset.shown = now;
        code?.end();
        code = server ? pairing(server) : null;
        keepFocus(served, () => fill(served, code?.element, services.map((service) => h("label.details-room", {},
            `${texts.editing.roomOf(service.accessory.name)} `, roomSelect(service).element))));
    };
    const diagnosticRow = (diagnostic) => {
        const { severity, file, path, line, message } = diagnostic;
        const place = [file, path, line && words.line(line)].filter(Boolean).join(", ") || words.whole;
        return h("li", { "data-severity": severity }, h("button.text-button", {
            type: "button", "data-focus": `${place} ${message}`, onclick: () => goTo(diagnostic),
        }, place), ` ${message}`);
    };
    const showForm = () => {
        const isWaiting = !workshop.types || (draft.definition === null && draft.checkedStep !== draft.step);
        const reason = isWaiting ? texts.loading : formProblem(draft.definition);
        keepFocus(form, () => fill(form, reason ? h("p.quiet", {}, reason) : definitionForm(draft, workshop.types)));
    };
    const goTo = (diagnostic) => {
        const { line } = diagnostic;
        const element = placeOf(form, diagnostic);
        if (element && textPanel.hidden) {
            for (let each = element; each && each !== form; each = each.parentElement) {
                if (each.matches("details")) each.open = true;
            }
            element.scrollIntoView({ block: "center" });
            element.querySelector("input, select, button")?.focus();
        } else if (line && !diagnostic.file) {
            tabs[1].click();
            selectLine(text, line);
        }
    };
    const saveDraft = async (options = {}) => {
        flush();
        if (draft.isSaving) return;
        const file = fileName.value.trim();
        try {
            const copies = draft.losesComments && keepsCopy.checked;
            const conflict = await draft.save(file, { keepsCopy: copies, ...options });
            if (conflict) return showConflict(conflict);
            fill(notice);
            announce(words.saved(file));
            isSaved = true;
            onSaved();
        } catch (error) {
            fail(file, error);
            // It may be saved, but not served.
            if (draft.file && !draft.isChanged) onSaved();
        }
    };
    const showConflict = (conflict) => {
        const current = conflict.problem.revision;
        if (!draft.file) {
            fill(notice, h("p.notice", { role: "alert" }, conflict.message));
            return;
        }
        // Without a revision, the file does not exist any more.
        fill(notice, h("div.notice", { role: "alert" },
            h("p", {}, current ? words.changedOnDisk(draft.file) : words.deletedOnDisk(draft.file)),
            h("div.buttons", {},
                current && h("button", { type: "button", onclick: () =>
                    draft.reload().then(() => fill(notice), (error) => fail(draft.file, error)) }, words.loadTheirs),
                h("button", { type: "button", onclick: () =>
                    saveDraft({ revision: current ?? null, keepsCopy: Boolean(current) }) },
                current ? words.saveMine : words.saveAgain))));
    };
    const checkDisk = async () => {
        if (!draft.file || draft.isSaving) return;
        flush();
        const before = draft.revision;
        try {
            const saved = await loadFile(draft.file);
            // The event of a save may arrive before its answer.
            if (draft.isSaving || draft.revision !== before) return;
            flush();
            if (saved.revision === before) fill(notice);
            else if (draft.isChanged || isTyping()) showConflict({ problem: { revision: saved.revision } });
            else draft.adopt(saved);
        } catch (error) {
            if (!(error instanceof APIError)) fail(draft.file, error);
            else if (error.status === 404) showConflict({ problem: {} });
        }
    };
    const deleteDraft = async () => {
        if (!confirm(words.deleteQuestion(draft.file))) return;
        draft.isSaving = true;
        try {
            await deleteFile(draft.file, draft.revision);
            announce(words.deleted(draft.file));
            onDeleted(draft);
        } catch (error) {
            draft.isSaving = false;
            fail(draft.file, error);
        }
    };
    fileName.addEventListener("input", () => { fileName.dataset.isTyped = "1"; });
    const element = h("div", {}, noFolder, notice,
        h("div.toolbar.sticky", {}, h("label", { for: fileName.id }, words.fileName), fileName, save, undo, redo),
        served, comments, summary, diagnostics,
        h("div.tabs", { role: "tablist", "aria-label": words.editor }, tabs), form, textPanel, more);
    return { element, update, checkDisk, leave, move, end: () => code?.end() };
}

function formProblem(definition) {
    const isList = (value) => value === undefined || (Array.isArray(value) && value.every(isObject));
    if (!isObject(definition) || !isList(definition.accessories)) return words.noForm;
    const accessories = [definition, ...definition.accessories ?? []];
    if (!accessories.every((each) => isList(each.services))) return words.noForm;
    const all = accessories.flatMap((each) => each.services ?? []).map((service) => service.characteristics ?? {});
    if (!all.every(isObject)) return words.noForm;
    // JavaScript sorts such keys before all others, but their order is the order of the characteristics.
    return all.some((characteristics) => Object.keys(characteristics).some(isNumericName)) ? words.numericNames : null;
}

function standardFileName(definition) {
    const name = definition?.accessory ?? definition?.bridge ?? "";
    const plain = String(name).toLowerCase().replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-|-$/g, "").slice(0, 60);
    return `${plain || "accessory"}.yaml`;
}
