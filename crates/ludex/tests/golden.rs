//! Version 1 of the machine interface and the signatures of the searches, held against the files in `tests/golden`.
//!
//! Fields may be added; none goes, and none changes its meaning: what a golden answer says has to be in the answer of
//! today, at the same place and with the same value, node counts included. `golden/record` says how the files read and
//! what of an answer is not held. `LUDEX_GOLDEN_PROGRAM` names another program to hold to them.

use std::{
    collections::VecDeque,
    ffi::OsString,
    fmt::Write as _,
    fs::{self, File},
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    path::Path,
    process::{Child, Command, Stdio},
    sync::Mutex,
    thread,
    time::{Duration, Instant},
};

use ludex::cli::objects::Printed;
use serde_json::{Number, Value, json};

/// The golden file of requests; the others are of commands.
const SERVER: &str = "server.txt";

/// Differences of one answer that are listed; more say no more.
const LISTED: usize = 8;

/// What a step asks and what it was answered.
#[derive(Debug, Default, PartialEq, Eq)]
struct Step {
    line: String,
    headers: Vec<String>,
    code: i32,
    answer: Vec<String>,
}

/// Steps that build on each other, and the files they find.
#[derive(Debug, Default, PartialEq, Eq)]
struct Case {
    name: String,
    files: Vec<(String, String)>,
    steps: Vec<Step>,
}

fn read(name: &str, text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut answered = true;
    for (number, line) in text.lines().enumerate() {
        let at = || format!("golden/{name}, line {}: '{line}'", number + 1);
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(title) = line.strip_prefix("== ") {
            cases.push(Case { name: format!("{name}, {title}"), ..Case::default() });
            continue;
        }
        let case = cases.last_mut().unwrap_or_else(|| panic!("{}: before the first case", at()));
        if let Some(file) = line.strip_prefix("file ") {
            case.files.push((file.to_owned(), String::new()));
            answered = false;
            continue;
        }
        if line.starts_with("$ ") || line.starts_with("> ") {
            case.steps.push(Step { line: line.to_owned(), ..Step::default() });
            answered = true;
            continue;
        }
        if let (false, Some(text)) = (answered, line.strip_prefix('|')) {
            let (_, file) = case.files.last_mut().expect("a file was named");
            *file += text.strip_prefix(' ').unwrap_or(text);
            file.push('\n');
            continue;
        }
        let step = case.steps.last_mut().unwrap_or_else(|| panic!("{}: before the first step", at()));
        if let Some(header) = line.strip_prefix("+ ") {
            step.headers.push(header.to_owned());
        } else if let Some(code) = line.strip_prefix("? ") {
            step.code = code.parse().unwrap_or_else(|_| panic!("{}: no number", at()));
            step.answer.push(line.to_owned());
        } else if line.starts_with(['{', '|']) && !step.answer.is_empty() {
            step.answer.push(line.to_owned());
        } else {
            panic!("{}: what is this?", at());
        }
    }
    for case in &mut cases {
        for step in &mut case.steps {
            assert!(!step.answer.is_empty(), "{}: {}: not recorded; see golden/record", case.name, step.line);
            step.answer.remove(0);
        }
    }
    cases
}

/// The cases of the golden files whose names fulfil a condition.
fn golden(wanted: impl Fn(&str) -> bool) -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let entries = fs::read_dir(&folder).expect("the folder of golden files");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.retain(|name| name.ends_with(".txt") && wanted(name));
    names.sort();
    assert!(!names.is_empty(), "no golden file in {}", folder.display());
    let text = |name: &str| fs::read_to_string(folder.join(name)).expect("a golden file");
    names.iter().flat_map(|name| read(name, &text(name))).collect()
}

/// All that `wanted` says and `found` does not, each with its path.
fn lacks(wanted: &Value, found: &Value, path: &str, differences: &mut Vec<String>) {
    let held = match (wanted, found) {
        (Value::Object(wanted), Value::Object(found)) => {
            for (key, wanted) in wanted {
                let path = format!("{path}/{key}");
                match found.get(key) {
                    Some(found) => lacks(wanted, found, &path, differences),
                    None => differences.push(format!("{path}: {wanted} expected, but the key is gone")),
                }
            }
            return;
        }
        (Value::Array(wanted), Value::Array(found)) if wanted.len() == found.len() => {
            for (i, (wanted, found)) in wanted.iter().zip(found).enumerate() {
                lacks(wanted, found, &format!("{path}/{i}"), differences);
            }
            return;
        }
        (Value::Number(wanted), Value::Number(found)) => same(wanted, found),
        (Value::String(wanted), found) if wanted.starts_with('<') => stands_for(wanted, found),
        (wanted, found) => wanted == found,
    };
    if !held {
        differences.push(format!("{path}: {wanted} expected, {found} found"));
    }
}

/// Whether two numbers are the same: counts exactly, fractions as far as platforms compute and print alike.
fn same(wanted: &Number, found: &Number) -> bool {
    if let (Some(wanted), Some(found)) = (wanted.as_i128(), found.as_i128()) {
        return wanted == found;
    }
    match (wanted.as_f64(), found.as_f64()) {
        (Some(a), Some(b)) => (a - b).abs() <= 1e-9 * a.abs().max(b.abs()),
        _ => false,
    }
}

/// Whether a value is one that a word such as `<number>` stands for.
fn stands_for(word: &str, found: &Value) -> bool {
    let inside = word.trim_start_matches('<').trim_end_matches('>');
    let (kind, rest) = inside.split_once(' ').unwrap_or((inside, ""));
    match kind {
        "any" => true,
        "number" => found.is_number(),
        "string" => found.is_string(),
        "text" => found.as_str().is_some_and(|text| !text.is_empty()),
        "about" => {
            let about: f64 = rest.parse().expect("a number in the golden file");
            found.as_f64().is_some_and(|n| about / 2.0 <= n && n <= about * 2.0)
        }
        "svg" => found.as_str().is_some_and(|drawing| {
            rest.split(' ').all(|cell| cell.is_empty() || drawing.contains(&format!("data-cell=\"{cell}\"")))
        }),
        _ => found == word,
    }
}

/// What is different between the lines of two answers.
fn differences(wanted: &[String], found: &[String]) -> Vec<String> {
    let mut list = Vec::new();
    if wanted.len() != found.len() {
        list.push(format!("{} lines expected, {} found", wanted.len(), found.len()));
        list.extend(found.last().map(|line| format!("the last one: {line}")));
    }
    for (i, (wanted, found)) in wanted.iter().zip(found).enumerate() {
        let line = format!("line {}", i + 1);
        if let Some(text) = wanted.strip_prefix('|') {
            let text = text.strip_prefix(' ').unwrap_or(text);
            if text != found {
                list.push(format!("{line}: '{text}' expected, '{found}' found"));
            }
            continue;
        }
        let wanted = serde_json::from_str(wanted).expect("JSON in the golden file");
        match serde_json::from_str(found) {
            Ok(found) => lacks(&wanted, &found, &line, &mut list),
            Err(_) => list.push(format!("{line}: JSON expected, '{found}' found")),
        }
    }
    list
}

/// A report of a step whose answer differs.
fn complain(case: &Case, step: &Step, list: &[String]) -> String {
    let mut report = format!("golden/{}\n  {}\n", case.name, step.line);
    for difference in list.iter().take(LISTED) {
        writeln!(report, "    {difference}").expect("written");
    }
    if list.len() > LISTED {
        writeln!(report, "    and {} more", list.len() - LISTED).expect("written");
    }
    report
}

fn no_complaints(complaints: &[String]) {
    assert!(
        complaints.is_empty(),
        "{} answers are not those of version 1:\n\n{}",
        complaints.len(),
        complaints.join("\n")
    );
}

/// The program in a folder, with nothing of this machine's: no database, no tables.
fn ludex(folder: &Path, home: &Path) -> Command {
    let program = std::env::var_os("LUDEX_GOLDEN_PROGRAM")
        .unwrap_or_else(|| OsString::from(env!("CARGO_BIN_EXE_ludex")));
    let mut command = Command::new(program);
    command.current_dir(folder).env_remove("LUDEX_TABLES");
    for name in ["HOME", "XDG_DATA_HOME", "APPDATA"] {
        command.env(name, home);
    }
    command
}

/// The words of a command line; single quotes keep a word together.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = line.trim_start();
    while !rest.is_empty() {
        let (word, after) = match rest.strip_prefix('\'') {
            Some(quoted) => quoted.split_once('\'').expect("a quote that ends"),
            None => rest.split_once(' ').unwrap_or((rest, "")),
        };
        words.push(word.to_owned());
        rest = after.trim_start();
    }
    words
}

/// Run the commands of a case; what is not as it was.
fn run(case: &Case) -> Vec<String> {
    let (folder, home) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a home"));
    for (name, text) in &case.files {
        fs::write(folder.path().join(name), text).expect("written");
    }
    let mut complaints = Vec::new();
    for step in &case.steps {
        let mut words = words(&step.line[2..]);
        let silent = words.ends_with(&[">".to_owned(), "/dev/null".to_owned()]);
        words.truncate(words.len() - if silent { 2 } else { 0 });
        let mut command = ludex(folder.path(), home.path());
        command.stdin(Stdio::null());
        if let [.., sign, file] = &words[..]
            && sign == "<"
        {
            command.stdin(File::open(folder.path().join(file)).expect("a file to be fed"));
            words.truncate(words.len() - 2);
        }
        let output = command.args(&words).output().expect("the program runs");
        let found = String::from_utf8_lossy(&output.stdout);
        let found: Vec<String> = found.lines().filter(|_| !silent).map(str::to_owned).collect();
        let mut list = Vec::new();
        if output.status.code() != Some(step.code) {
            list.push(format!("exit code {} expected, {:?} found", step.code, output.status.code()));
            list.extend(String::from_utf8_lossy(&output.stderr).lines().take(3).map(|l| format!("says {l}")));
        }
        list.extend(differences(&step.answer, &found));
        list.extend(found.iter().filter(|line| line.starts_with('{')).filter_map(|line| untyped(line)));
        if !list.is_empty() {
            complaints.push(complain(case, step, &list));
        }
    }
    complaints
}

/// What is wrong with a printed object if it is none of those whose schema `ludex schema` prints, or has fields that are
/// in none.
fn untyped(line: &str) -> Option<String> {
    let object: Printed = match serde_json::from_str(line) {
        Ok(object) => object,
        Err(fault) => return Some(format!("{fault}: {line}")),
    };
    let again = serde_json::to_value(&object).expect("an object");
    let printed: Value = serde_json::from_str(line).expect("JSON");
    let mut lost = Vec::new();
    lacks(&printed, &again, "read back", &mut lost);
    (!lost.is_empty()).then(|| lost.join("; "))
}

#[test]
fn commands_answer_as_in_version_1() {
    let mut cases = golden(|name| name != SERVER);
    // The long ones first, so that neither thread is left with one at the end.
    cases.sort_by_key(|case| !case.name.starts_with("bench"));
    let queue = Mutex::new(VecDeque::from(cases));
    let next = || queue.lock().expect("no panic").pop_front();
    let work = || std::iter::from_fn(next).flat_map(|case| run(&case)).collect::<Vec<_>>();
    let mut complaints = thread::scope(|scope| {
        let threads = [scope.spawn(work), scope.spawn(work)];
        threads.map(|thread| thread.join().expect("no panic")).concat()
    });
    complaints.sort();
    no_complaints(&complaints);
}

/// A server on a free port, which ends with this.
struct Served {
    child: Child,
    address: String,
    _home: tempfile::TempDir,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The status of an answer, and its body.
struct Answer {
    status: i32,
    kind: String,
    body: String,
}

impl Served {
    fn start() -> Self {
        let home = tempfile::tempdir().expect("a home");
        let mut child = ludex(home.path(), home.path())
            .args(["serve", "--listen", "127.0.0.1:0", "--no-db"])
            .args(["--analyze-time", "30s", "--move-time", "30s"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("piped");
        BufReader::new(stdout).read_line(&mut line).expect("an address");
        let address = line.trim().strip_prefix("http://").expect("an address").to_owned();
        Self { child, address, _home: home }
    }

    fn send(&self, method: &str, path: &str, body: &str, headers: &[String]) -> Answer {
        let mut request = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        if headers.iter().all(|h| !h.starts_with("Host: ")) {
            write!(request, "Host: {}\r\n", self.address).expect("written");
        }
        if !body.is_empty() {
            let length = body.len();
            write!(request, "Content-Type: application/json\r\nContent-Length: {length}\r\n")
                .expect("written");
        }
        for header in headers {
            write!(request, "{header}\r\n").expect("written");
        }
        let mut stream = TcpStream::connect(&self.address).expect("a server");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time limit");
        write!(stream, "{request}\r\n{body}").expect("sent");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("an answer");
        let answer = String::from_utf8(answer).expect("UTF-8");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
        let status = head.split(' ').nth(1).and_then(|s| s.parse().ok()).expect("a status");
        let header = |wanted: &str| {
            let mut headers = head.lines().filter_map(|l| l.split_once(": "));
            headers.find(|(name, _)| name.eq_ignore_ascii_case(wanted)).map_or("", |(_, value)| value)
        };
        let chunked = header("transfer-encoding") == "chunked";
        let body = if chunked { join_chunks(body) } else { body.to_owned() };
        Answer { status, kind: header("content-type").to_owned(), body }
    }

    /// Send a request of a golden file; `WAIT` asks until the job is done.
    fn ask(&self, step: &Step) -> Answer {
        let mut parts = step.line[2..].splitn(3, ' ');
        let mut part = || parts.next().unwrap_or_default();
        let (method, path, body) = (part(), part(), part());
        if method != "WAIT" {
            return self.send(method, path, body, &step.headers);
        }
        let start = Instant::now();
        loop {
            let answer = self.send("GET", path, body, &step.headers);
            let job: Value = serde_json::from_str(&answer.body).unwrap_or_default();
            if !matches!(job["state"].as_str(), Some("queued" | "running"))
                || start.elapsed() > Duration::from_secs(60)
            {
                return answer;
            }
            thread::sleep(Duration::from_millis(20));
        }
    }
}

/// The body of an answer that came in chunks.
fn join_chunks(mut body: &str) -> String {
    let mut whole = String::new();
    while let Some((length, rest)) = body.split_once("\r\n") {
        let length = usize::from_str_radix(length, 16).expect("the length of a chunk");
        whole += &rest[..length];
        body = rest[length..].strip_prefix("\r\n").expect("the end of a chunk");
    }
    whole
}

/// The lines of an answer that are held.
fn lines(answer: &Answer, wanted: &[String]) -> Vec<String> {
    let lines = answer.body.lines();
    if answer.kind.starts_with("text/event-stream") {
        let data = |line: &str| line.strip_prefix("data: ").unwrap_or(line).to_owned();
        lines.filter(|line| !line.is_empty()).map(data).collect()
    } else if answer.kind.starts_with("text/plain") {
        // More counters may be there.
        lines.filter(|&line| wanted.iter().any(|w| w[1..].trim_start() == line)).map(str::to_owned).collect()
    } else {
        vec![answer.body.clone()]
    }
}

#[test]
fn the_server_answers_as_in_version_1() {
    let server = Served::start();
    let mut complaints = Vec::new();
    for case in golden(|name| name == SERVER) {
        for step in &case.steps {
            let answer = server.ask(step);
            let mut list = Vec::new();
            if answer.status != step.code {
                list.push(format!("status {} expected, {} found", step.code, answer.status));
            }
            list.extend(differences(&step.answer, &lines(&answer, &step.answer)));
            if !list.is_empty() {
                complaints.push(complain(&case, step, &list));
            }
        }
    }
    no_complaints(&complaints);
}

/// Progress comes and goes with the time, so it is held here by its form.
#[test]
fn progress_has_the_fields_of_version_1() {
    let value = json!({"outcome": "<text>", "plies": "<any>"});
    let progress = |more: Value| {
        let mut form =
            json!({"type": "progress", "nodes": "<number>", "seconds": "<number>", "rate": "<number>"});
        let form_of = form.as_object_mut().expect("an object");
        form_of.extend(more.as_object().expect("an object").clone());
        form
    };
    let bounds = json!({"lower": value, "upper": value});
    let moves = json!({"lower": value, "upper": value, "moves": {"done": "<number>", "of": "<number>"}});
    let proof = json!({"lower": value, "upper": value, "proof": "<number>", "disproof": "<number>"});
    for (verb, solver, more) in
        [("solve", "alphabeta", &bounds), ("analyze", "alphabeta", &moves), ("solve", "dfpn", &proof)]
    {
        let folder = tempfile::tempdir().expect("a folder");
        let output = ludex(folder.path(), folder.path())
            .args([verb, "mnk:7,7,6", "--without", "pairing,es", "--solver", solver])
            .args(["--time", "1s", "--progress", "json", "--json", "--no-db"])
            .output()
            .expect("the program runs");
        let told = String::from_utf8_lossy(&output.stderr);
        let told: Vec<String> = told.lines().map(str::to_owned).collect();
        assert!(!told.is_empty(), "{verb} by {solver} reports nothing in a second");
        let wanted = vec![progress(more.clone()).to_string(); told.len()];
        assert_eq!(differences(&wanted, &told), Vec::<String>::new(), "{verb} by {solver}");
        assert_eq!(output.status.code(), Some(1), "{verb} by {solver}");
        let answer: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
        assert_eq!(answer["status"], "out_of_time", "{verb} by {solver}");
    }
}

fn lacking(wanted: &Value, found: &Value) -> Vec<String> {
    let mut list = Vec::new();
    lacks(wanted, found, "", &mut list);
    list
}

#[test]
fn what_is_contained_is_held() {
    for (wanted, found) in [
        (json!({"a": 1}), json!({"a": 1, "new": 2})),
        (json!({"a": {"b": [1, {"c": null}]}}), json!({"a": {"b": [1, {"c": null, "d": 0}]}, "e": []})),
        (json!(0.1), json!(0.100_000_000_000_01)),
        (json!(2), json!(2.0)),
        (json!(u64::MAX), json!(u64::MAX)),
        (json!({"seconds": "<number>"}), json!({"seconds": 0.25})),
        (json!("<text>"), json!("words")),
        (json!("<string>"), json!("")),
        (json!("<any>"), json!(null)),
        (json!("<about 1000>"), json!(1900)),
        (json!("<about 0>"), json!(0)),
        (json!("<svg a1 b1>"), json!("<svg><g data-cell=\"b1\"/><g data-cell=\"a1\"/></svg>")),
    ] {
        assert_eq!(lacking(&wanted, &found), Vec::<String>::new(), "{wanted} in {found}");
    }
}

#[test]
fn what_is_not_contained_is_found() {
    for (wanted, found, path) in [
        (json!({"a": 1}), json!({"b": 1}), "/a"),
        (json!({"stats": {"nodes": 41}}), json!({"stats": {"nodes": 42}}), "/stats/nodes"),
        (json!({"a": null}), json!({"a": 0}), "/a"),
        (json!({"a": {}}), json!({"a": []}), "/a"),
        (json!([1, 2]), json!([1, 2, 3]), ""),
        (json!([1, {"m": "x"}]), json!([1, {"m": "y"}]), "/1/m"),
        (json!(u64::MAX), json!(u64::MAX - 1), ""),
        (json!(0.1), json!(0.100_001), ""),
        (json!(1), json!("1"), ""),
        (json!("draw"), json!("win"), ""),
        (json!("<number>"), json!("1"), ""),
        (json!("<text>"), json!(""), ""),
        (json!("<string>"), json!(null), ""),
        (json!("<about 1000>"), json!(499), ""),
        (json!("<about 1000>"), json!(2001), ""),
        (json!("<svg a1 b1>"), json!("<svg><g data-cell=\"a1\"/></svg>"), ""),
    ] {
        let list = lacking(&wanted, &found);
        assert_eq!(list.len(), 1, "{wanted} in {found}: {list:?}");
        assert!(list[0].starts_with(&format!("{path}: ")), "{list:?}");
    }
    let line = |text: &str| vec![text.to_owned()];
    assert_eq!(differences(&line("{}"), &[]).len(), 1);
    assert_eq!(differences(&[], &line("{}")).len(), 2);
    assert_eq!(differences(&line("{}"), &line("no JSON")).len(), 1);
    assert_eq!(differences(&line("| a"), &line("b")).len(), 1);
    assert_eq!(differences(&line("| a"), &line("a")).len(), 0);
}

#[test]
fn a_wrong_exit_code_and_a_wrong_answer_are_found() {
    let case = |code: i32, nodes: u64| {
        let text = format!("== three\n$ perft mnk:3,3,3 0 --json\n? {code}\n{{\"nodes\":{nodes}}}\n");
        run(&read("this", &text)[0])
    };
    assert_eq!(case(0, 1), Vec::<String>::new());
    let complaints = case(3, 2);
    assert_eq!(complaints.len(), 1);
    for part in ["$ perft mnk:3,3,3 0 --json", "exit code 3 expected", "line 1/nodes: 2 expected, 1 found"] {
        assert!(complaints[0].contains(part), "{part}: {}", complaints[0]);
    }
}

#[test]
fn golden_files_are_read_as_they_are_written() {
    let text = "# a comment\n== one\nfile f\n| a\n|\n| b\n$ show 'a b' < f\n? 2\n{}\n|\n| c\n\n== two\n> GET /\n+ H: i\n? 200\n";
    let [one, two] = &read("x", text)[..] else { panic!("two cases") };
    assert_eq!(one.files, [("f".to_owned(), "a\n\nb\n".to_owned())]);
    assert_eq!((one.steps.len(), one.steps[0].code), (1, 2));
    assert_eq!(one.steps[0].answer, ["{}", "|", "| c"]);
    assert_eq!(words(&one.steps[0].line[2..]), ["show", "a b", "<", "f"]);
    assert_eq!(two.steps[0].headers, ["H: i"]);
    assert_eq!(join_chunks("3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"), "abcde");
}
