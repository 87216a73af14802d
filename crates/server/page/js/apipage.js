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

/** Values that make a request which works. */
const EXAMPLES = /** @type {Record<string, any>} */ ({ game: "mnk:3,3,3", position: "xx./oo./...", play: "", seed: 7, plies: 4, goal: "distance", time: 500, move: "c3", positions: ["xx./oo./...", "x../.o./..."], level: "level:2", kind: "analyze" });

/** A line for a terminal. @param {string} method @param {string} path @param {any} op @param {any} doc */
function curl(method, path, op, doc) {
  const address = location.origin + path.replace("{id}", "1");
  const body = op.requestBody?.content["application/json"]?.schema;
  const wanted = (/** @type {string} */ n, /** @type {boolean} */ required) => EXAMPLES[n] != null && EXAMPLES[n] !== "" && (required || n === "position");
  if (body) {
    const { properties, required = [] } = doc.components.schemas[kind(body)];
    const given = Object.fromEntries(Object.keys(properties).filter((n) => wanted(n, required.includes(n))).map((n) => [n, EXAMPLES[n]]));
    return `curl -X POST '${address}' -H 'content-type: application/json' -d '${JSON.stringify(given)}'`;
  }
  const file = op.requestBody ? "--data-binary @proof.ludex " : "";
  const query = op.parameters.filter((/** @type {any} */ p) => p.in === "query" && wanted(p.name, p.required)).map((/** @type {any} */ p) => `${p.name}=${EXAMPLES[p.name]}`).join("&");
  return `curl ${file || (method === "get" ? "" : `-X ${method.toUpperCase()} `)}'${address}${query ? "?" + query : ""}'`;
}

document.documentElement.dataset.theme = memory.get("theme", "auto");
try {
  const doc = await ask("openapi.json");
  const contents = el("ul", { className: "contents" });
  const parts = [el("h1", {}, `${doc.info.title} API ${doc.info.version}`), el("p", {}, doc.info.description, " ", el("a", { href: "api/v1/openapi.json" }, "OpenAPI 3.1 document")), el("nav", { className: "panel", "aria-label": "Contents" }, el("h2", {}, "Contents"), contents)];
  for (const [path, item] of Object.entries(doc.paths)) {
    for (const [method, op] of Object.entries(/** @type {Record<string, any>} */ (item))) {
      const body = op.requestBody?.content["application/json"]?.schema;
      const [[status, answer], ...errors] = Object.entries(/** @type {Record<string, any>} */ (op.responses));
      const schema = Object.values(/** @type {Record<string, any>} */ (answer.content))[0].schema;
      contents.append(el("li", {}, el("a", { href: "#" + op.operationId }, el("code", {}, `${method.toUpperCase()} ${path}`)), ` ${op.summary}`));
      parts.push(el("section", { className: "panel", id: op.operationId }, el("h2", {}, el("code", {}, `${method.toUpperCase()} ${path}`)), el("p", {}, op.summary), el("pre", { tabIndex: 0, "aria-label": "Example" }, curl(method, path, op, doc)),
        ...(op.parameters.length ? [table(op.parameters.map((/** @type {any} */ p) => [p.name + (p.required ? "" : "?"), kind(p.schema), p.description]))] : []),
        ...(body ? [el("h3", {}, "Body"), fields(doc.components.schemas[kind(body)])] : op.requestBody ? [el("p", {}, "Body: the file.")] : []),
        el("p", { className: "small" }, `Answers ${status}: ${kind(schema)}; errors: ${errors.map(([s]) => s).join(", ")}`)));
    }
  }
  parts.push(el("h1", {}, "Objects"));
  for (const [name, schema] of Object.entries(doc.components.schemas)) parts.push(el("section", { className: "panel" }, el("h2", {}, name), fields(schema)));
  byId("main").replaceChildren(...parts);
} catch (e) {
  report(e);
}
