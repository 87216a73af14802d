//! The OpenAPI document against what the server really answers, and the types of the page against the document.
//!
//! `UPDATE=1 cargo test -p ludex-server --test document` writes the types of the page anew.

mod common;

use std::{collections::BTreeSet, fmt::Write as _};

use common::{Answer, Served};
use ludex_server::{Config, openapi::document};
use serde_json::{Map, Value, json};

/// What is wrong with a value by a schema of the document. Stricter than the standard: a field that is not declared is
/// wrong.
fn fault(document: &Value, schema: &Value, value: &Value) -> Option<String> {
    if let Some(reference) = schema["$ref"].as_str() {
        return fault(document, document.pointer(&reference[1..]).expect("a schema"), value);
    }
    if let Some(choices) = schema["anyOf"].as_array().or(schema["oneOf"].as_array()) {
        let faults: Vec<_> = choices.iter().map_while(|choice| fault(document, choice, value)).collect();
        return (faults.len() == choices.len()).then(|| faults.join("; or "));
    }
    let allowed =
        schema.get("const").map(std::slice::from_ref).or(schema["enum"].as_array().map(Vec::as_slice));
    if let Some(allowed) = allowed
        && !allowed.contains(value)
    {
        return Some(format!("{value} is none of {allowed:?}"));
    }
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(n) if n.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let kinds: Vec<_> = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        one => one.as_str().into_iter().collect(),
    };
    let fits = kinds.contains(&kind) || kind == "integer" && kinds.contains(&"number");
    if !fits {
        return Some(format!("{value} is no {kinds:?}"));
    }
    if let (Some(number), Some(least)) = (value.as_f64(), schema["minimum"].as_f64())
        && number < least
    {
        return Some(format!("{value} is less than {least}"));
    }
    if let Value::Array(items) = value {
        return items.iter().find_map(|item| fault(document, &schema["items"], item));
    }
    let fields = value.as_object()?;
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let missing = required.into_iter().find(|name| !fields.contains_key(*name));
    let wrong = || {
        fields.iter().find_map(|(name, value)| match schema["properties"].get(name) {
            // A search may have counters of its own, of a kind that is declared.
            None => match schema.get("additionalProperties").filter(|extra| extra.is_object()) {
                Some(extra) => fault(document, extra, value).map(|fault| format!("{name}: {fault}")),
                None => Some(format!("{name} is not declared")),
            },
            Some(schema) => fault(document, schema, value).map(|fault| format!("{name}: {fault}")),
        })
    };
    missing.map(|name| format!("{name} is missing")).or_else(wrong)
}

/// Check an answer against what the document says of an operation.
fn check(document: &Value, path: &str, method: &str, answer: &Answer) {
    let operation = &document["paths"][path][method];
    let response = &operation["responses"][answer.status.to_string()];
    assert!(response.is_object(), "{method} {path} answers {}: {}", answer.status, answer.body);
    let Some(schema) = response["content"].get("application/json").map(|c| &c["schema"]) else { return };
    if schema.get("$ref").is_some()
        && let Some(fault) = fault(document, schema, &answer.json())
    {
        panic!("{method} {path}: {fault}\n{}", answer.body);
    }
}

/// Check every event of a stream, and the object in its data.
fn check_events(document: &Value, answer: &Answer) {
    let responses = &document["paths"]["/api/v1/solve/{id}/events"]["get"]["responses"];
    let schema = &responses["200"]["content"]["text/event-stream"]["schema"];
    let mut names = Vec::new();
    // What is left besides are the lengths of the pieces in which it was sent.
    for block in answer.body.split("\n\n").filter(|block| block.contains(": ")) {
        let lines =
            block.lines().filter_map(|line| line.split_once(": ")).filter(|(name, _)| !name.is_empty());
        let event = lines.map(|(name, text)| {
            let value = if name == "retry" { text.parse().expect("a number") } else { json!(text) };
            (name.to_owned(), value)
        });
        let event = Value::Object(event.collect());
        assert_eq!(fault(document, schema, &event), None, "{event}");
        let data = serde_json::from_str(event["data"].as_str().unwrap()).unwrap();
        assert_eq!(fault(document, &schema["properties"]["data"]["contentSchema"], &data), None, "{data}");
        names.push(event["event"].as_str().unwrap().to_owned());
    }
    assert_eq!(names.last().map(String::as_str), Some("done"), "{names:?}");
}

#[test]
fn every_answer_is_as_the_document_says() {
    let server = Served::start(Config::default());
    let document = document();
    let mut seen = BTreeSet::new();
    let mut get = |path: &str, query: &str| {
        let answer = server.get(&format!("/{path}?{query}"));
        let path = format!("/{path}");
        check(&document, &path, "get", &answer);
        seen.insert(format!("get {path} {}", answer.status));
    };
    for query in ["game=mnk:3,3,3", "game=connect4&position=17273", "game=collapsi&seed=1", "game=chess"] {
        for path in ["game", "rules", "position", "analyze", "explain", "random", "puzzle", "review"] {
            get(&format!("api/v1/{path}"), &format!("{query}&time=50"));
        }
    }
    // Not solved in time; over; with reasons.
    for path in ["position", "analyze", "explain"] {
        get(&format!("api/v1/{path}"), "game=mnk:7,7,5&time=20");
        get(&format!("api/v1/{path}"), "game=mnk:3,3,3&position=xxx/oo./...%20o");
        get(&format!("api/v1/{path}"), "game=nex:3x3&play=a1");
    }
    get("api/v1/puzzle", "game=mnk:2,2,3");
    get("api/v1/certificate", "game=mnk:3,3,3");
    get("api/v1/certificate", "game=mnk:9,9,5&time=20");
    get("api/v1/review", "game=mnk:3,3,3&play=a1%20b1%20a3&time=500");
    for path in ["api/v1/games", "api/v1/tables", "api/v1/openapi.json", "healthz", "metrics"] {
        get(path, "");
    }
    let file = server.get("/api/v1/certificate?game=mnk:3,3,3&position=xx./oo./...").bytes;
    for (path, file) in [("?play=c3", &*file), ("?play=z9", &file), ("", b"no certificate")] {
        let answer = server.upload(&format!("/api/v1/certificate{path}"), file);
        check(&document, "/api/v1/certificate", "post", &answer);
        seen.insert(format!("post /api/v1/certificate {}", answer.status));
    }
    let mut post = |path: &str, body: Value| {
        let answer = server.post(path, &body);
        check(&document, path, "post", &answer);
        seen.insert(format!("post {path} {}", answer.status));
        answer
    };
    post("/api/v1/import", json!({ "text": "(;GM[11]SZ[5];B[c2];W[d1])" }));
    post("/api/v1/import", json!({ "text": "no game" }));
    post("/api/v1/play", json!({"game": "mnk:3,3,3", "move": "a1"}));
    post("/api/v1/play", json!({"game": "mnk:3,3,3", "move": "z9"}));
    post("/api/v1/analyze", json!({"game": "mnk:3,3,3", "positions": ["xx./oo./... x", "nonsense"]}));
    post("/api/v1/choose", json!({"game": "mnk:3,3,3", "level": "greedy"}));
    let mut ids = Vec::new();
    for wish in [
        json!({"game": "mnk:3,3,3"}),
        json!({"game": "connect4:5x4", "kind": "analyze"}),
        json!({"game": "mnk:9,9,5"}),
    ] {
        ids.push(post("/api/v1/solve", wish).ok()["id"].as_str().unwrap().to_owned());
    }
    let path = "/api/v1/solve/{id}";
    for id in &ids {
        std::thread::sleep(std::time::Duration::from_millis(300));
        let place = format!("/api/v1/solve/{id}");
        check(&document, path, "get", &server.get(&place));
        let ended = server.send("DELETE", &place, "", "");
        check(&document, path, "delete", &ended);
        assert_eq!(ended.ok()["state"], "done");
    }
    check(&document, path, "get", &server.get("/api/v1/solve/999"));
    let events = server.get(&format!("/api/v1/solve/{}/events", ids[0]));
    check(&document, "/api/v1/solve/{id}/events", "get", &events);
    check_events(&document, &events);
    for (path, item) in document["paths"].as_object().unwrap() {
        for method in item.as_object().unwrap().keys().filter(|_| !path.contains("{id}")) {
            let asked = seen.iter().any(|s| s.starts_with(&format!("{method} {path} 20")));
            assert!(asked, "{method} {path} was not answered");
        }
    }
}

/// A schema as a type of TypeScript.
fn typed(schema: &Value) -> String {
    if let Some(reference) = schema["$ref"].as_str() {
        return reference.rsplit('/').next().unwrap_or_default().to_owned();
    }
    let union = |choices: &[Value], each: &dyn Fn(&Value) -> String| {
        choices.iter().map(each).collect::<Vec<_>>().join(" | ")
    };
    if let Some(choices) = schema["anyOf"].as_array().or(schema["oneOf"].as_array()) {
        return union(choices, &typed);
    }
    if let Some(only) = schema.get("const") {
        return only.to_string();
    }
    if let Some(words) = schema["enum"].as_array() {
        return union(words, &Value::to_string);
    }
    if let Some(kinds) = schema["type"].as_array() {
        let one = |kind: &Value| {
            let mut schema = schema.clone();
            schema["type"] = kind.clone();
            typed(&schema)
        };
        return union(kinds, &one);
    }
    match schema["type"].as_str() {
        Some("integer" | "number") => "number".into(),
        Some("array") => {
            let item = typed(&schema["items"]);
            match (schema["minItems"].as_u64(), schema["maxItems"].as_u64()) {
                (Some(least), Some(most)) if least == most => {
                    format!("[{}]", vec![item; most as usize].join(", "))
                }
                _ if item.contains(" | ") => format!("({item})[]"),
                _ => format!("{item}[]"),
            }
        }
        Some("object") if schema["properties"].is_null() && schema["additionalProperties"].is_object() => {
            format!("Record<string, {}>", typed(&schema["additionalProperties"]))
        }
        Some("object") => format!("{{ {} }}", fields(schema).join("; ")),
        Some(word) => word.into(),
        None => "unknown".into(),
    }
}

fn fields(schema: &Value) -> Vec<String> {
    let none = Map::new();
    let required =
        |name: &str| schema["required"].as_array().is_some_and(|all| all.iter().any(|n| n == name));
    let properties = schema["properties"].as_object().unwrap_or(&none);
    let field = |(name, schema): (&String, &Value)| {
        format!("{name}{}: {}", if required(name) { "" } else { "?" }, typed(schema))
    };
    properties.iter().map(field).collect()
}

#[test]
fn the_types_of_the_page_are_those_of_the_document() {
    let mut text = String::from(
        "// The objects of the API, for the type checker only: nothing of this is served.\n\
         // Made from the types of the server: UPDATE=1 cargo test -p ludex-server --test document\n",
    );
    for (name, schema) in document()["components"]["schemas"].as_object().unwrap() {
        if schema["properties"].is_object() {
            let fields: String = fields(schema).iter().map(|field| format!("  {field};\n")).collect();
            let _ = writeln!(text, "export interface {name} {{\n{fields}}}");
        } else {
            let _ = writeln!(text, "export type {name} = {};", typed(schema));
        }
    }
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/page/js/types.d.ts");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(file, &text).unwrap();
    }
    assert!(
        std::fs::read_to_string(file).unwrap() == text,
        "types.d.ts lags behind: UPDATE=1 writes it anew"
    );
}
