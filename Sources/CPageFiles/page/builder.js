// The view in which accessories are built: a form and the text of a definition, checked while one types.

import { h, fill, newID, setText } from "./dom.js";
import { APIError, get } from "./api.js";
import { store } from "./store.js";
import { Draft, deleteFile, exportPath, importFile, loadFile } from "./draft.js";
import { definitionForm, showDiagnostics } from "./form.js";
import { fail } from "./actions.js";
import { announce } from "./messages.js";
import { texts } from "./texts.js";

const words = texts.builder;

/** The draft stays when another view is shown. */
let draft = null;
let types = null;
let gallery = [];
/** Whether there is a folder in which definitions are saved. */
let hasFolder = true;

addEventListener("beforeunload", (event) => {
    if (draft?.isChanged) event.preventDefault();
});

export function builderView([file]) {
    const list = h("ul.server-list");
    const panel = h("div.builder");
    const element = h("div.split", {}, h("nav", { "aria-label": words.files },
        h("h1", {}, texts.views.builder), list), panel);
    let files = [];
    let editor = null;
    let isEnded = false;

    const showList = () => fill(list,
        h("li", {}, h("a", { href: "#/builder", "aria-current": !draft && "page" }, words.newAccessory)),
        draft && !draft.file && h("li", {}, h("a", { href: "#/builder/new", "aria-current": "page" }, words.unsaved)),
        files.map((entry) => h("li", {}, h("a", {
            href: `#/builder/${encodeURIComponent(entry.file)}`, "aria-current": draft?.file === entry.file && "page",
        }, h("span", {}, entry.name ?? entry.file), h("span.quiet", {}, fileNote(entry))))));
    const loadList = async () => {
        try {
            files = await get("/api/v1/definitions");
            hasFolder = true;
        } catch (error) {
            if (!(error instanceof APIError) || error.status !== 409) fail(words.files, error);
            hasFolder = false;
        }
        if (!isEnded) showList();
    };
    const edit = (start) => {
        draft = new Draft(start, (what) => editor?.update(what));
        showEditor();
        draft.validate(false);
    };
    const showEditor = () => {
        editor = editorPanel({ onSaved: () => {
            loadList();
            history.replaceState(null, "", `#/builder/${encodeURIComponent(draft.file)}`);
        }, onDeleted: () => {
            draft = null;
            location.hash = "#/builder";
            loadList();
        } });
        draft.onChange = (what) => editor?.update(what);
        fill(panel, editor.element);
        editor.update("form");
        showList();
    };
    const showStart = () => {
        editor = null;
        fill(panel, startPanel(edit));
        showList();
    };
    const show = ([name]) => {
        if (name === "new" && draft && !draft.file) showEditor();
        else if (name && name === draft?.file) showEditor();
        else if (name) {
            if (!mayLeave()) return true;
            loadFile(name).then(edit, (error) => {
                fail(name, error);
                draft = null;
                showStart();
            });
        } else {
            if (!mayLeave()) return true;
            draft = null;
            showStart();
        }
        return true;
    };
    const mayLeave = () => !draft?.isChanged || confirm(words.discardQuestion);

    // A draft that was left with another view is shown again.
    if (draft && !file) showEditor();
    else show([file]);
    loadList();
    loadTypes().then(() => {
        if (isEnded) return;
        if (editor) editor.update("form");
        else showStart();
    }, (error) => fail(words.files, error));
    const end = store.on("definitions", () => {
        loadList();
        editor?.checkDisk();
    });
    return {
        element,
        show,
        title: () => draft?.file ? [draft.file] : [],
        end: () => {
            isEnded = true;
            editor = null;
            if (draft) draft.onChange = () => {};
            end();
        },
    };
}

async function loadTypes() {
    if (types) return;
    [types, gallery] = await Promise.all([get("/api/v1/types"), get("/api/v1/gallery")]);
}

function fileNote(entry) {
    if (entry.errors) return words.errorCount(entry.errors);
    return entry.server ? entry.file : `${entry.file} · ${words.notServed}`;
}

/** What one begins with: nothing, an example, or a file. */
function startPanel(edit) {
    const search = h("input", { type: "search", "aria-label": words.searchGallery, placeholder: words.searchGallery,
        oninput: () => show(search.value.trim().toLowerCase()) });
    const examples = h("div.tiles.gallery");
    const show = (wanted) => fill(examples, gallery
        .filter((entry) => `${entry.title} ${entry.name}`.toLowerCase().includes(wanted))
        .map((entry) => h("button.example", { type: "button", onclick: () => edit({ text: entry.text }) }, entry.title)));
    show("");
    const input = h("input", { type: "file", id: newID("file"), multiple: true,
        onchange: () => importAll([...input.files], edit, imported) });
    const imported = h("div");
    const zone = h("div.drop", {
        ondragover: (event) => {
            event.preventDefault();
            zone.classList.add("is-over");
        },
        ondragleave: () => zone.classList.remove("is-over"),
        ondrop: (event) => {
            event.preventDefault();
            zone.classList.remove("is-over");
            importAll([...event.dataTransfer.files], edit, imported);
        },
    }, h("label", { for: input.id }, words.importHelp), input);
    return h("div", {},
        !hasFolder && h("p.notice", {}, words.noFolder),
        h("h2", {}, words.fromNothing),
        h("div.buttons", {},
            h("button", { type: "button", onclick: () => edit({ definition: {
                accessory: words.standardName, services: [{ type: "Switch", characteristics: { On: false } }],
            } }) }, words.emptyAccessory),
            h("button", { type: "button", onclick: () => edit({ definition: {
                bridge: words.standardBridge,
                accessories: [{ accessory: words.standardName, services: [{ type: "Switch", characteristics: { On: false } }] }],
            } }) }, words.emptyBridge)),
        h("h2", {}, words.fromFile), zone, imported,
        h("h2", {}, words.fromGallery), search, examples);
}

async function importAll(files, edit, list) {
    const found = [];
    for (const file of files) {
        try {
            found.push(...await importFile(file));
        } catch (error) {
            fail(file.name, error);
        }
    }
    if (found.length === 1) edit({ text: found[0].text });
    else {
        fill(list, found.length > 0 && h("p", {}, words.chooseDevice), h("div.buttons", {}, found.map((entry) =>
            h("button", { type: "button", onclick: () => edit({ text: entry.text }) }, entry.title))));
    }
}

/** The form, the text and what the server says. */
function editorPanel({ onSaved, onDeleted }) {
    const form = h("div", { role: "tabpanel" });
    const text = h("textarea", { "aria-label": words.text, rows: "30", spellcheck: "false", oninput: () => {
        clearTimeout(typing);
        typing = setTimeout(() => draft.setText(text.value), 300);
    } });
    const textPanel = h("div", { role: "tabpanel", hidden: true }, text);
    const summary = h("p.quiet", { role: "status" });
    const diagnostics = h("ul.diagnostics");
    const notice = h("div");
    const fileName = h("input", { type: "text", id: newID("file"), maxlength: "100", spellcheck: "false" });
    const save = h("button.primary", { type: "button", onclick: () => saveDraft() }, words.save);
    const undo = h("button", { type: "button", onclick: () => draft.move(-1) }, words.undo);
    const redo = h("button", { type: "button", onclick: () => draft.move(1) }, words.redo);
    const keepsCopy = h("input", { type: "checkbox", id: newID("copy") });
    keepsCopy.checked = true;
    const comments = h("p.notice", { hidden: true }, h("span", {}, `${words.losesComments} `),
        h("label", { for: keepsCopy.id }, keepsCopy, ` ${words.keepCopy}`));
    const more = h("div.buttons");
    let typing = null;

    const tabs = [[words.form, form], [words.text, textPanel]].map(([title, shown], index) => h("button.tab", {
        type: "button", role: "tab", "aria-selected": String(index === 0), onclick: (event) => {
            for (const tab of event.target.parentElement.children) tab.setAttribute("aria-selected", String(tab === event.target));
            form.hidden = shown !== form;
            textPanel.hidden = shown !== textPanel;
        },
    }, title));
    const update = (what) => {
        if (what === "form") showForm();
        if (document.activeElement !== text || what === "form") text.value = draft.step.text ?? "";
        setText(summary, draft.check.summary ?? "");
        fill(diagnostics, draft.check.diagnostics.map((diagnostic) => h("li", { "data-severity": diagnostic.severity },
            h("button.text-button", { type: "button", onclick: () => goTo(diagnostic) },
                [diagnostic.path, diagnostic.line && words.line(diagnostic.line)].filter(Boolean).join(", ") || words.whole),
            ` ${diagnostic.message}`)));
        showDiagnostics(form, draft.check.diagnostics);
        save.disabled = !hasFolder || draft.errors.length > 0 || !draft.isChanged;
        undo.disabled = draft.position === 0;
        redo.disabled = draft.position === draft.steps.length - 1;
        comments.hidden = !draft.losesComments;
        fileName.readOnly = draft.file !== null;
        if (draft.file) fileName.value = draft.file;
        else if (!fileName.dataset.isTyped) fileName.value = standardFileName(draft.definition);
        fill(more, draft.file && [
            ["yaml", "hasaccessory", "json"].map((format) =>
                h("a.button", { href: exportPath(draft.file, format), download: true }, words.export(format))),
            h("button.danger", { type: "button", onclick: () => deleteDraft() }, words.delete),
        ]);
    };
    const showForm = () => {
        const focus = document.activeElement?.closest?.("[data-path]")?.dataset.path;
        if (draft.definition && types) fill(form, definitionForm(draft, types));
        else fill(form, h("p.quiet", {}, types ? words.noForm : texts.loading));
        if (focus) form.querySelector(`[data-path="${CSS.escape(focus)}"] :is(input, select, button)`)?.focus();
    };
    const goTo = ({ path, line }) => {
        const element = path && [...form.querySelectorAll("[data-path]")].findLast((each) => path.startsWith(each.dataset.path));
        if (element && textPanel.hidden) {
            element.scrollIntoView({ block: "center" });
            element.querySelector("input, select, button")?.focus();
        } else if (line) {
            tabs[1].click();
            const start = text.value.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
            text.focus();
            text.setSelectionRange(start, start);
        }
    };
    const saveDraft = async (options = {}) => {
        const file = fileName.value.trim();
        try {
            const conflict = await draft.save(file, { keepsCopy: draft.losesComments && keepsCopy.checked, ...options });
            if (conflict) return showConflict(conflict);
            fill(notice);
            announce(words.saved(file));
            onSaved();
        } catch (error) {
            fail(file, error);
        }
    };
    const showConflict = (conflict) => {
        const current = conflict.problem.revision;
        if (!draft.file) {
            fill(notice, h("p.notice", { role: "alert" }, conflict.message));
            return;
        }
        fill(notice, h("div.notice", { role: "alert" }, h("p", {}, words.changedOnDisk(draft.file)),
            h("div.buttons", {},
                h("button", { type: "button", onclick: () => draft.reload().then(() => fill(notice), (e) => fail(draft.file, e)) },
                    words.loadTheirs),
                current && h("button", { type: "button", onclick: () => saveDraft({ revision: current, keepsCopy: true }) },
                    words.saveMine))));
    };
    const checkDisk = async () => {
        if (!draft.file) return;
        try {
            const saved = await loadFile(draft.file);
            if (saved.revision === draft.revision) return;
            if (draft.isChanged) showConflict({ problem: { revision: saved.revision } });
            else await draft.reload();
        } catch (error) {
            if (!(error instanceof APIError)) fail(draft.file, error);
        }
    };
    const deleteDraft = async () => {
        if (!confirm(words.deleteQuestion(draft.file))) return;
        try {
            await deleteFile(draft.file, draft.revision);
            announce(words.deleted(draft.file));
            onDeleted();
        } catch (error) {
            fail(draft.file, error);
        }
    };
    fileName.addEventListener("input", () => { fileName.dataset.isTyped = "1"; });
    const element = h("div", { onkeydown: (event) => {
        // In a field, the browser takes back what was typed there.
        if (!(event.ctrlKey || event.metaKey) || event.target.matches("textarea, input[type=text]")) return;
        if (event.key === "z" && !event.shiftKey) draft.move(-1);
        else if (event.key === "y" || (event.key === "z" && event.shiftKey)) draft.move(1);
        else return;
        event.preventDefault();
    } },
    !hasFolder && h("p.notice", {}, words.noFolder), notice,
    h("div.toolbar.sticky", {}, h("label", { for: fileName.id }, words.fileName), fileName, save, undo, redo),
    comments, summary, diagnostics,
    h("div.tabs", { role: "tablist", "aria-label": words.form }, tabs), form, textPanel, more);
    return { element, update, checkDisk };
}

function standardFileName(definition) {
    const name = definition?.accessory ?? definition?.bridge ?? "";
    const plain = String(name).toLowerCase().replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-|-$/g, "").slice(0, 60);
    return `${plain || "accessory"}.yaml`;
}
