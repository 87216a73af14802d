//! The OpenAPI 3.1 document, made from the table of [`endpoints`] and the schemas of the types that the handlers take and
//! answer.

use std::sync::LazyLock;

use ludex_judge::answer::ErrorLine;
use schemars::{Schema, SchemaGenerator, generate::SchemaSettings};
use serde_json::{Map, Value, json};

use crate::endpoints::{self, Content, Endpoint, Operation};

/// The document as text, made once.
#[must_use]
pub fn text() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| document().to_string());
    &TEXT
}

/// The document.
#[must_use]
pub fn document() -> Value {
    // What is sent to the server and what it sends differ in which fields must be there.
    let settings = SchemaSettings::draft2020_12().with(|s| s.definitions_path = "/components/schemas".into());
    let mut asked = settings.clone().for_deserialize().into_generator();
    let mut answered = settings.for_serialize().into_generator();
    let mut paths = Map::new();
    for endpoint in endpoints::all() {
        let mut item = Map::new();
        for operation in &endpoint.operations {
            let mut described = describe(&endpoint, operation, &mut asked, &mut answered);
            not_negative(&mut described);
            item.insert(operation.method.to_owned(), described);
        }
        paths.insert(endpoint.path.to_owned(), item.into());
    }
    let mut schemas = asked.take_definitions(true);
    schemas.extend(answered.take_definitions(true));
    schemas.sort_keys();
    schemas.values_mut().for_each(not_negative);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Ludex",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Who wins, how, and how soon. The objects are those of the command line's --json.",
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {"schemas": schemas},
    })
}

fn describe(
    endpoint: &Endpoint,
    operation: &Operation,
    asked: &mut SchemaGenerator,
    answered: &mut SchemaGenerator,
) -> Value {
    let mut parameters = operation.query.map_or_else(Vec::new, |query| parameters(&query(asked)));
    let has_id = endpoint.path.contains("{id}");
    if has_id {
        parameters.push(json!({"name": "id", "in": "path", "required": true, "description": "The job's number.", "schema": {"type": "string", "minLength": 1, "examples": ["1"]}}));
    }
    let (kind, schema) = match operation.answer {
        Content::Object(schema) => ("application/json", schema(answered).to_value()),
        Content::Document => ("application/json", of_documents()),
        Content::File => ("application/octet-stream", json!({})),
        Content::Events(schema) => ("text/event-stream", event(schema(answered).to_value())),
        Content::Text => ("text/plain", json!({"type": "string"})),
    };
    let header = |what: &str, schema: Value| json!({"description": what, "required": true, "schema": schema});
    let mut responses = Map::new();
    let mut answer = json!({"description": "The answer.", "content": {kind: {"schema": schema}}});
    if operation.status == 202 {
        let address = json!({"type": "string", "format": "uri-reference"});
        answer["headers"] = json!({"Location": header("Where to ask about it.", address)});
    }
    responses.insert(operation.status.to_string(), answer);
    let error = answered.subschema_for::<ErrorLine>().to_value();
    for status in errors(operation, has_id) {
        let content = json!({"application/json": {"schema": error}});
        let mut response = json!({"description": meaning(status), "content": content});
        match status {
            405 => {
                response["headers"] =
                    json!({"Allow": header("The methods there are.", json!({"type": "string"}))})
            }
            429 | 503 => {
                let seconds = json!({"type": "integer", "minimum": 1});
                response["headers"] =
                    json!({"Retry-After": header("Seconds until it is worth another try.", seconds)});
            }
            _ => {}
        }
        responses.insert(status.to_string(), response);
    }
    let mut described = json!({
        "operationId": operation.name,
        "summary": operation.what,
        "parameters": parameters,
        "responses": responses,
    });
    if let Some(body) = operation.body {
        let content = json!({"application/json": {"schema": body(asked).to_value()}});
        described["requestBody"] = json!({"required": true, "content": content});
    }
    if operation.file {
        let content = json!({"application/octet-stream": {"schema": {}}});
        described["requestBody"] = json!({"required": true, "content": content});
    }
    described
}

/// One server-sent event, field by field, as OpenAPI before 3.2 describes a stream.
fn event(data: Value) -> Value {
    json!({
        "type": "object",
        "description": "One event. Lines that begin with a colon keep the connection open and say nothing.",
        "properties": {
            "event": {"type": "string", "enum": ["progress", "done"], "description": "`done` is the last one."},
            "data": {"type": "string", "contentMediaType": "application/json", "contentSchema": data},
            "retry": {"type": "integer", "minimum": 0, "description": "Milliseconds until one who lost the connection comes back."},
        },
        "required": ["event", "data", "retry"],
        "additionalProperties": false,
    })
}

/// The schema of this document.
fn of_documents() -> Value {
    let object = json!({"type": "object", "additionalProperties": true});
    json!({
        "type": "object",
        "properties": {
            "openapi": {"type": "string", "const": "3.1.0"},
            "info": object,
            "servers": {"type": "array", "items": object},
            "paths": object,
            "components": object,
        },
        "required": ["openapi", "info", "servers", "paths", "components"],
        "additionalProperties": false,
    })
}

/// Everything that is counted or measured is zero or more. Only a score may be negative.
fn not_negative(schema: &mut Value) {
    let is_number = |kind: &Value| kind == "number" || kind == "integer";
    match schema {
        Value::Object(fields) => {
            let numeric = match fields.get("type") {
                Some(Value::Array(kinds)) => kinds.iter().any(is_number),
                Some(kind) => is_number(kind),
                None => false,
            };
            if numeric {
                fields.entry("minimum").or_insert(json!(0));
            }
            fields.iter_mut().filter(|(name, _)| *name != "score").for_each(|(_, inner)| not_negative(inner));
        }
        Value::Array(items) => items.iter_mut().for_each(not_negative),
        _ => {}
    }
}

/// The fields of a query's schema as parameters. In a query nothing is null: it is left out.
fn parameters(query: &Schema) -> Vec<Value> {
    let fields = query.get("properties").and_then(Value::as_object);
    let required = |name: &str| {
        query.get("required").and_then(Value::as_array).is_some_and(|all| all.iter().any(|n| n == name))
    };
    let parameter = |(name, schema): (&String, &Value)| {
        let mut schema = schema.clone();
        let description = schema.as_object_mut().and_then(|s| s.remove("description"));
        json!({"name": name, "in": "query", "required": required(name), "description": description, "schema": not_null(schema)})
    };
    fields.into_iter().flatten().map(parameter).collect()
}

/// A schema without the null it allows.
fn not_null(mut schema: Value) -> Value {
    // Not by index, which would add a field that is not there.
    let list = |schema: &'_ mut Value, name: &str| {
        schema.get_mut(name).and_then(Value::as_array_mut).map(std::mem::take)
    };
    if let Some(mut kinds) = list(&mut schema, "type") {
        kinds.retain(|kind| kind != "null");
        schema["type"] = if let [kind] = kinds.as_slice() { kind.clone() } else { kinds.into() };
    } else if let Some(mut choices) = list(&mut schema, "anyOf") {
        choices.retain(|choice| choice["type"] != "null");
        if let [choice] = choices.as_slice() {
            return choice.clone();
        }
        schema["anyOf"] = choices.into();
    }
    schema
}

/// The statuses of the errors of an operation: some follow from what it takes, others are its own.
fn errors(operation: &Operation, has_id: bool) -> Vec<u16> {
    // Any request can be no request at all, be too long, come from too busy an address, or come at a busy time.
    let mut all = vec![400, 405, 413, 414, 421, 429, 431, 500, 503];
    all.extend(operation.errors);
    if operation.body.is_some() {
        all.extend([408, 415]);
    }
    if operation.file {
        all.push(408);
    }
    if operation.method != "get" {
        all.push(403);
    }
    if has_id {
        all.push(404);
    }
    all.sort_unstable();
    all
}

fn meaning(status: u16) -> &'static str {
    match status {
        400 => "The question makes no sense: what was wrong, and what would be right.",
        403 => "A page of another site may not change anything here.",
        404 => "There is no such thing.",
        405 => "This address is not asked with this method; Allow names those that it is asked with.",
        408 => "The body takes too long to arrive.",
        413 => "The body is too large; said before it is read, if its length is declared.",
        414 => "The address is too long.",
        415 => "The body is not said to be JSON.",
        421 => "The server does not answer for this host name.",
        429 => "Too many unfinished jobs or connections of this client; Retry-After says when to come back.",
        431 => "The header of the request is too large.",
        503 => {
            "The server has too much to do, or a search did not end in its time; Retry-After says when to come back."
        }
        _ => "A fault of the server.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reference_leads_somewhere_and_every_operation_has_its_own_name() {
        let document = document();
        let text = document.to_string();
        let mut references = 0;
        for reference in text.split("\"$ref\":\"").skip(1).map(|t| &t[..t.find('"').unwrap()]) {
            let pointer = reference.strip_prefix('#').expect("a reference into the document");
            assert!(document.pointer(pointer).is_some(), "{reference}");
            references += 1;
        }
        assert!(references > 50, "{references}");
        let all = endpoints::all();
        let mut names: Vec<_> = all.iter().flat_map(|e| &e.operations).map(|o| o.name).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
    }

    /// All schemas of a document, with their places.
    fn each_schema(value: &Value, at: &str, see: &mut impl FnMut(&str, &Map<String, Value>)) {
        match value {
            Value::Object(fields) => {
                if fields.contains_key("type") && !at.ends_with("/properties") {
                    see(at, fields);
                }
                fields.iter().for_each(|(name, inner)| each_schema(inner, &format!("{at}/{name}"), see));
            }
            Value::Array(items) => items.iter().for_each(|inner| each_schema(inner, at, see)),
            _ => {}
        }
    }

    #[test]
    fn nothing_is_left_open() {
        let (mut seen, mut faults) = (0, Vec::new());
        each_schema(&document(), "", &mut |at, schema| {
            let is = |kind: &str| match &schema["type"] {
                Value::Array(kinds) => kinds.iter().any(|k| k == kind),
                one => one == kind,
            };
            let lacks = |names: &[&str]| names.iter().all(|name| !schema.contains_key(*name));
            let score = at.ends_with("/score");
            let open = is("array") && lacks(&["items"])
                || is("object") && lacks(&["properties", "additionalProperties"])
                || (is("integer") || is("number")) && !score && lacks(&["minimum"]);
            if open {
                faults.push(at.to_owned());
            }
            seen += 1;
        });
        assert!(seen > 300, "{seen}");
        assert!(faults.is_empty(), "{faults:#?}");
    }

    #[test]
    fn every_status_of_an_error_is_described() {
        let meanings: Vec<_> = endpoints::all()
            .iter()
            .flat_map(|endpoint| {
                endpoint.operations.iter().map(|o| errors(o, endpoint.path.contains("{id}")))
            })
            .flatten()
            .map(|status| (status, meaning(status)))
            .collect();
        for (status, what) in meanings {
            assert_eq!(status == 500, what == meaning(500), "{status} has no meaning of its own");
        }
    }

    #[test]
    fn what_may_be_left_out_is_said() {
        let document = document();
        let analyze = &document["paths"]["/api/v1/analyze"]["get"];
        let find = |name: &str| analyze["parameters"].as_array().unwrap().iter().find(|p| p["name"] == name);
        assert_eq!(find("game").unwrap()["required"], true);
        let seed = find("seed").unwrap();
        assert_eq!((&seed["required"], &seed["schema"]["type"]), (&json!(false), &json!("integer")));
        assert_eq!(find("goal").unwrap()["schema"]["$ref"], "#/components/schemas/GoalName");
        let analysis = &document["components"]["schemas"]["Analysis"];
        assert!(
            analysis["properties"]["score"].is_object() && analysis["properties"]["sentence"].is_object()
        );
    }
}
