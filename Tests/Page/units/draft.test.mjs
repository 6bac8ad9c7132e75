import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { load, serve } from "./page.mjs";

const { Draft } = await load("draft");
const { isNumericName, listOf, listText, newAccessory } = await load("form");

const check = { diagnostics: [], accessories: [], summary: "1 accessory", text: "accessory: Lamp\n" };
const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

beforeEach(() => serve({ "POST /api/v1/definitions/check": check }));

test("each edit is a step that is undone and redone, and a new one removes those that were undone", async () => {
    const draft = new Draft({ definition: { accessory: "A" } }, () => {});
    draft.edit((definition) => { definition.accessory = "B"; });
    draft.edit((definition) => { definition.accessory = "C"; });
    draft.move(-1);
    assert.equal(draft.definition.accessory, "B");
    draft.move(1);
    draft.move(1);
    assert.equal(draft.definition.accessory, "C");
    draft.move(-1);
    draft.edit((definition) => { definition.accessory = "D"; });
    assert.deepEqual(draft.steps.map((step) => step.definition.accessory), ["A", "B", "D"]);
    await settled();
    assert.equal(draft.step.text, "accessory: Lamp\n");
});

test("a form that has changed a file with comments loses them; a changed text does not", async () => {
    const saved = { file: "lamp.yaml", revision: "1", text: "# Mine\naccessory: A\n", definition: { accessory: "A" }, hasComments: true };
    const draft = new Draft(saved, () => {});
    assert.equal(draft.isChanged, false);
    draft.setText("# Mine\naccessory: B\n");
    assert.equal(draft.losesComments, false);
    draft.move(-1);
    draft.edit((definition) => { definition.accessory = "C"; });
    assert.equal(draft.losesComments, true);
    draft.setText("accessory: D\n");
    assert.equal(draft.losesComments, true);
});

test("a check that arrives after a later edit does not count", async () => {
    let finish;
    serve({ "POST /api/v1/definitions/check": () => check });
    const answer = globalThis.fetch;
    globalThis.fetch = (path, options) => options.body.includes("Slow")
        ? new Promise((resolve) => { finish = () => resolve(answer(path, options)); }) : answer(path, options);
    const draft = new Draft({ definition: { accessory: "A" } }, () => {});
    draft.edit((definition) => { definition.accessory = "Slow"; });
    const slow = draft.step;
    draft.edit((definition) => { definition.accessory = "Fast"; });
    await settled();
    finish();
    await settled();
    assert.equal(draft.checkedStep, draft.step);
    assert.equal(slow.text, null);
});

test("a file that has changed on disk is not replaced", async () => {
    const problem = new Response(JSON.stringify({ code: "changed", revision: "2" }), { status: 409 });
    const requests = serve({ "POST /api/v1/definitions/check": check, "PUT /api/v1/definitions/lamp.yaml": () => problem });
    const draft = new Draft({ file: "lamp.yaml", revision: "1", text: "accessory: A\n", definition: { accessory: "A" } }, () => {});
    draft.setText("accessory: B\n");
    const conflict = await draft.save("lamp.yaml", { keepsCopy: false });
    assert.equal(conflict.problem.revision, "2");
    assert.equal(requests.findLast(({ key }) => key.startsWith("PUT")).body.revision, "1");
    assert.ok(draft.isChanged && !draft.isSaving);
});

test("names that are numbers are told from others, because JavaScript moves them", () => {
    assert.deepEqual(["0", "12", "01", "1a", "", "-1"].map(isNumericName), [true, true, false, false, false, false]);
    assert.equal(newAccessory().services[0].type, "Switch");
});

test("a list is words, or JSON if a word has a space", () => {
    for (const list of [["./set.sh", "Switch.On", "5"], ["/my devices/set.sh", ""], ["[x"], []]) assert.deepEqual(listOf(listText(list)), list);
    assert.equal(listText(["python3", "gpio_switch.py"]), "python3 gpio_switch.py");
    assert.equal(listText(["/my devices/set.sh"]), '["/my devices/set.sh"]');
    assert.deepEqual(listOf(" overheated  cold "), ["overheated", "cold"]);
    assert.deepEqual([undefined, "x", { a: 1 }].map(listText), ["", "x", '{"a":1}']);
});
