// The OpenAPI document, readable.

import { ask, byId, el, memory, report } from "./api.js";

/** The name of a schema, or what it allows. @param {any} s @returns {string} */
function kind(s) {
  if (s?.$ref) return s.$ref.split("/").pop();
  const choices = s?.anyOf ?? s?.oneOf;
  if (choices) return choices.map(kind).join(" or ");
  if (s?.const != null) return JSON.stringify(s.const);
  if (s?.enum) return s.enum.map((/** @type {unknown} */ e) => JSON.stringify(e)).join(" or ");
  if (s?.type === "array") return `list of ${kind(s.items)}`;
  return [s?.type ?? "anything"].flat().join(" or ");
}

/** @param {[string, string, string][]} rows */
const table = (rows) => el("table", {}, ...rows.map(([a, b, c]) => el("tr", {}, el("th", { scope: "row" }, el("code", {}, a)), el("td", {}, b), el("td", {}, c))));

/** The fields of an object, or the words of a list. @param {any} schema */
function fields(schema) {
  if (schema.properties) return table(Object.entries(schema.properties).map(([name, s]) =>
    [name + (schema.required?.includes(name) ? "" : "?"), kind(s), /** @type {any} */ (s).description ?? ""]));
  const choices = schema.oneOf ?? schema.anyOf ?? [schema];
  return table(choices.map((/** @type {any} */ s) => [kind(s), [s.type ?? "object"].flat().join(" or "), s.description ?? ""]));
}

document.documentElement.dataset.theme = memory.get("theme", "auto");
try {
  const doc = await ask("openapi.json");
  const parts = [el("h1", {}, `${doc.info.title} API ${doc.info.version}`), el("p", {}, doc.info.description, " ", el("a", { href: "/api/v1/openapi.json" }, "OpenAPI 3.1 document"))];
  for (const [path, item] of Object.entries(doc.paths)) {
    for (const [method, op] of Object.entries(/** @type {Record<string, any>} */ (item))) {
      const body = op.requestBody?.content["application/json"].schema;
      const [[status, answer], ...errors] = Object.entries(/** @type {Record<string, any>} */ (op.responses));
      const schema = Object.values(/** @type {Record<string, any>} */ (answer.content))[0].schema;
      parts.push(el("section", { className: "panel" }, el("h2", {}, el("code", {}, `${method.toUpperCase()} ${path}`)), el("p", {}, op.summary),
        ...(op.parameters.length ? [table(op.parameters.map((/** @type {any} */ p) => [p.name + (p.required ? "" : "?"), kind(p.schema), p.description]))] : []),
        ...(body ? [el("h3", {}, "Body"), fields(doc.components.schemas[kind(body)])] : []),
        el("p", { className: "small" }, `Answers ${status}: ${kind(schema)}; errors: ${errors.map(([s]) => s).join(", ")}`)));
    }
  }
  parts.push(el("h1", {}, "Objects"));
  for (const [name, schema] of Object.entries(doc.components.schemas)) parts.push(el("section", { className: "panel" }, el("h2", {}, name), fields(schema)));
  byId("main").replaceChildren(...parts);
} catch (e) {
  report(e);
}
