// The OpenAPI document, readable.

import { ask, byId, el, memory, report } from "./api.js";

/** @param {any} schema */
const kind = (schema) => schema?.$ref?.split("/").pop() ?? [schema?.type].flat().join(" or ");

/** @param {[string, string, string][]} rows */
const table = (rows) => el("table", {}, ...rows.map(([a, b, c]) => el("tr", {}, el("th", { scope: "row" }, el("code", {}, a)), el("td", {}, b), el("td", {}, c))));

/** @param {any} object */
const fields = (object) => table(Object.entries(object.properties).map(([name, s]) =>
  [name + (object.required?.includes(name) ? "" : "?"), kind(s), /** @type {any} */ (s).description]));

document.documentElement.dataset.theme = memory.get("theme", "auto");
try {
  const doc = await ask("openapi.json");
  const parts = [el("h1", {}, `${doc.info.title} API ${doc.info.version}`), el("p", {}, doc.info.description, " ", el("a", { href: "/api/v1/openapi.json" }, "OpenAPI 3.1 document"))];
  for (const [path, item] of Object.entries(doc.paths)) {
    for (const [method, op] of Object.entries(/** @type {Record<string, any>} */ (item))) {
      const body = op.requestBody?.content["application/json"].schema;
      const [status, answer] = Object.entries(/** @type {Record<string, any>} */ (op.responses))[0];
      const schema = Object.values(/** @type {Record<string, any>} */ (answer.content))[0].schema;
      parts.push(el("section", { className: "panel" }, el("h2", {}, el("code", {}, `${method.toUpperCase()} ${path}`)), el("p", {}, op.summary),
        ...(op.parameters.length ? [table(op.parameters.map((/** @type {any} */ p) => [p.name + (p.required ? "" : "?"), kind(p.schema), p.description]))] : []),
        ...(body ? [el("h3", {}, "Body"), fields(body)] : []),
        el("p", { className: "small" }, `Answers ${status}: ${kind(schema)}`)));
    }
  }
  parts.push(el("h1", {}, "Objects"));
  for (const [name, schema] of Object.entries(doc.components.schemas)) parts.push(el("section", { className: "panel" }, el("h2", {}, name), fields(schema)));
  byId("main").replaceChildren(...parts);
} catch (e) {
  report(e);
}
