//! Where the processes of a build are.

use std::{collections::BTreeMap, fs, path::Path};

use ludex_core::{Error, ErrorCode};

fn bad(path: &Path, what: &str) -> Error {
    Error::new(
        ErrorCode::BadFile,
        format!("{}: {what}", path.display()),
        "write one line HOST:PORT for each process, process 0 first",
    )
}

/// Read a hosts file: one line `HOST:PORT` for each process, the first for process 0; `#` begins a comment.
///
/// # Errors
/// If it cannot be read, names another number of processes than there are, a line is no address, or two are the same.
pub fn read_hosts(path: &Path, processes: usize) -> Result<Vec<String>, Error> {
    let text = fs::read_to_string(path).map_err(|e| bad(path, &e.to_string()))?;
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or("").trim());
    let (mut hosts, mut seen) = (Vec::new(), BTreeMap::new());
    for (number, line) in (1..).zip(lines).filter(|(_, line)| !line.is_empty()) {
        let port = line.rsplit_once(':').filter(|(host, _)| !host.is_empty());
        if port.and_then(|(_, port)| port.parse::<u16>().ok()).is_none_or(|port| port == 0) {
            return Err(bad(path, &format!("line {number}, '{line}', is no address")));
        }
        if let Some(first) = seen.insert(line, number) {
            return Err(bad(path, &format!("lines {first} and {number} are both '{line}'")));
        }
        hosts.push(line.to_owned());
    }
    if hosts.len() < processes {
        let (names, first) = (hosts.len(), hosts.len());
        return Err(bad(
            path,
            &format!("{names} of {processes} processes are named; process {first} is missing"),
        ));
    }
    if hosts.len() > processes {
        return Err(bad(path, &format!("{} processes are named, and there are {processes}", hosts.len())));
    }
    Ok(hosts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("hosts.txt");
        let read = |text: &str, processes| {
            fs::write(&path, text).unwrap();
            read_hosts(&path, processes).map_err(|e| e.message)
        };
        assert_eq!(read("# two\n127.0.0.1:1\n\n[::1]:2 # here\n", 2).unwrap(), ["127.0.0.1:1", "[::1]:2"],);
        for (text, processes, said) in [
            ("a:1\n", 2, "1 of 2 processes are named; process 1 is missing"),
            ("a:1\nb:2\nc:3\n", 2, "3 processes are named"),
            ("a:1\na:1\n", 2, "lines 1 and 2 are both 'a:1'"),
            ("a\nb:1\n", 2, "line 1, 'a', is no address"),
            (":1\nb:1\n", 2, "no address"),
            ("a:0\nb:1\n", 2, "no address"),
            ("a:70000\nb:1\n", 2, "no address"),
        ] {
            let message = read(text, processes).unwrap_err();
            assert!(message.contains(said), "{message}");
        }
        assert_eq!(read_hosts(&folder.path().join("none"), 1).unwrap_err().code, ErrorCode::BadFile);
    }
}
