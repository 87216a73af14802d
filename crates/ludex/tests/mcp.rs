//! A client of the Model Context Protocol that speaks to a real process over real pipes.
#![cfg(feature = "mcp")]

use std::{
    io::{BufRead as _, BufReader, Write as _},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    last: u64,
}

impl Client {
    /// Start a server and shake hands.
    fn new(arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_ludex"))
            .args(["mcp", "--no-db"])
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("ludex runs");
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().expect("a pipe")));
        let mut client = Self { child, input, output, last: 0 };
        let hello = client.ask(
            "initialize",
            json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}),
        );
        assert_eq!(hello["result"]["serverInfo"]["name"], "ludex", "{hello}");
        assert!(hello["result"]["capabilities"]["tools"].is_object(), "{hello}");
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        client
    }

    fn send(&mut self, message: &Value) {
        let input = self.input.as_mut().expect("an open pipe");
        writeln!(input, "{message}").expect("the server reads");
        input.flush().expect("the server reads");
    }

    fn read(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("the server answers");
        serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e}: {line}"))
    }

    fn post(&mut self, method: &str, parameters: Value) -> u64 {
        self.last += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": self.last, "method": method, "params": parameters}));
        self.last
    }

    fn ask(&mut self, method: &str, parameters: Value) -> Value {
        let id = self.post(method, parameters);
        let answer = self.read();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// Call a tool: the object and the text of the answer.
    fn call(&mut self, tool: &str, arguments: Value) -> (Value, String) {
        let answer = self.ask("tools/call", json!({"name": tool, "arguments": arguments}));
        let result = &answer["result"];
        assert_eq!(result["isError"], false, "{answer}");
        (
            result["structuredContent"].clone(),
            result["content"][0]["text"].as_str().expect("a text").to_owned(),
        )
    }

    /// Call a tool wrongly: what it says.
    fn wrong(&mut self, tool: &str, arguments: Value) -> String {
        let answer = self.ask("tools/call", json!({"name": tool, "arguments": arguments}));
        if let Some(message) = answer["error"]["message"].as_str() {
            return message.to_owned();
        }
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        answer["result"]["content"][0]["text"].as_str().expect("a text").to_owned()
    }

    /// Close the pipe; the server ends by itself.
    fn close(mut self) {
        drop(self.input.take());
        let began = Instant::now();
        while self.child.try_wait().expect("a child").is_none() {
            assert!(began.elapsed() < Duration::from_secs(20), "the server outlives its client");
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(self.child.wait().expect("a child").code(), Some(0));
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn every_tool_answers() {
    let mut client = Client::new(&[]);
    let listed = client.ask("tools/list", json!({}));
    let tools = listed["result"]["tools"].as_array().expect("tools").clone();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().expect("a name")).collect();
    let wanted = ["games", "show", "legal_moves", "play", "solve", "analyze", "explain", "puzzle", "review"];
    assert_eq!(names, wanted);
    for tool in &tools {
        assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
        assert!(tool["description"].as_str().is_some_and(|text| text.len() > 20), "{tool}");
    }

    let (games, text) = client.call("games", json!({}));
    assert!(
        games["games"].as_array().expect("games").iter().any(|game| game["name"] == "connect4"),
        "{games}"
    );
    assert!(text.contains("Connect Four"), "{text}");
    let (shown, text) = client.call("show", json!({"game": "mnk:3,3,3", "position": "x../.o./..."}));
    assert_eq!(
        (&shown["to_move"], &shown["over"], &shown["total_moves"]),
        (&json!("first"), &Value::Null, &json!(7))
    );
    assert!(text.contains("X to move"), "{text}");
    let (moves, text) = client.call("legal_moves", json!({"game": "connect4", "limit": 3}));
    let words: Vec<&Value> = moves["moves"].as_array().expect("moves").iter().map(|m| &m["move"]).collect();
    assert_eq!(
        (words, &moves["total_moves"]),
        (vec!["1", "2", "3"].into_iter().map(Value::from).collect::<Vec<_>>().iter().collect(), &json!(7))
    );
    assert!(text.contains("and 4 more"), "{text}");
    let (played, text) =
        client.call("play", json!({"game": "mnk:3,3,3", "moves": ["a1 b1", "a2", "b2", "a3"]}));
    assert_eq!(played["over"], "loss", "{played}");
    assert!(text.contains("over"), "{text}");
    let (verdict, text) = client.call("solve", json!({"game": "mnk:4,3,3", "goal": "distance"}));
    assert_eq!(
        (&verdict["type"], &verdict["outcome"], &verdict["plies"]),
        (&json!("verdict"), &json!("win"), &json!(7))
    );
    assert!(text.contains("X wins in 7"), "{text}");
    let (analysis, text) = client.call("analyze", json!({"game": "mnk:4,3,3"}));
    assert_eq!(
        (&analysis["moves"][0]["outcome"], &analysis["moves"][11]["plies"]),
        (&json!("win"), &json!(10))
    );
    assert!(text.contains("loss in 10 plies"), "{text}");
    let (why, text) = client.call("explain", json!({"game": "mnk:3,3,3", "position": "xx./oo./..."}));
    assert_eq!(why["type"], "explanation");
    assert!(text.contains("X wins"), "{text}");
    let (puzzle, text) = client.call("puzzle", json!({"game": "mnk:4,4,3", "seed": 3, "plies": 3}));
    assert_eq!(puzzle["plies"], 3);
    assert!(text.contains("One move wins"), "{text}");
    let (review, text) = client.call("review", json!({"game": "heap:5", "moves": ["2", "3"]}));
    assert_eq!(review["moves"][0]["mark"], "lost_win", "{review}");
    assert!(text.contains("lost win"), "{text}");
    client.close();
}

/// What is wrong is said, names what would be right, and the next call is answered.
#[test]
fn mistakes_are_answers() {
    let mut client = Client::new(&[]);
    for (tool, arguments, word) in [
        ("solve", json!({"game": "nosuch"}), "nosuch"),
        ("solve", json!({}), "game"),
        ("solve", json!({"game": "connect4", "depth": 3}), "depth"),
        ("solve", json!({"game": "connect4", "position": "9"}), "column"),
        ("solve", json!({"game": "connect4", "seconds": -1}), "seconds above zero"),
        ("solve", json!({"game": "connect4", "goal": "score"}), "score"),
        ("show", json!({"game": 4}), "string"),
        ("play", json!({"game": "mnk:3,3,3", "moves": ["a1", "a1"]}), "move 2"),
        ("play", json!({"game": "mnk:3,3,3"}), "no moves"),
        ("review", json!({"game": "mnk:3,3,3"}), "no game"),
        ("solve", json!({"game": "positional:/etc/passwd"}), "file"),
        ("nosuch", json!({}), "there is no tool 'nosuch'"),
    ] {
        let said = client.wrong(tool, arguments.clone());
        assert!(said.to_lowercase().contains(word), "{tool} {arguments}: {said}");
    }
    assert_eq!(client.ask("nosuch/method", json!({}))["error"]["code"], -32601);
    assert_eq!(client.call("solve", json!({"game": "heap:5"})).0["outcome"], "win");
    client.close();
}

/// A call keeps to its time, can be called off, and ends with its client.
#[test]
fn limits_hold() {
    let mut client = Client::new(&["--time", "300ms", "--at-once", "2"]);
    let began = Instant::now();
    let (verdict, _) = client.call("solve", json!({"game": "mnk:8,8,5", "seconds": 1000}));
    assert_eq!(verdict["status"], "out_of_time", "{verdict}");
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    client.close();

    let mut client = Client::new(&["--time", "10m", "--at-once", "2"]);
    let long = client.post("tools/call", json!({"name": "solve", "arguments": {"game": "mnk:8,8,5"}}));
    // Others are answered meanwhile.
    let (shown, _) = client.call("show", json!({"game": "connect4"}));
    assert_eq!(shown["to_move"], "first");
    client
        .send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": long}}));
    assert_eq!(client.call("solve", json!({"game": "heap:5"})).0["outcome"], "win");
    client.post("tools/call", json!({"name": "solve", "arguments": {"game": "mnk:8,8,5"}}));
    std::thread::sleep(Duration::from_millis(50));
    client.close();
}
