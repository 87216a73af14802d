//! Messages of the nexC protocol.
//!
//! The players that exist end no message: what one read returns is one. A stream keeps no such borders, so here a message
//! ends where its form says, or at a line end. The forms are few enough for that:
//!
//! | from | messages |
//! |---|---|
//! | the server | `rR-cC#` `rR-cC-B#` `;` `?` `Move?` `>MOVE` `+` `-` `#` `!` `$`, and moves of a start |
//! | a player | `ok`, moves |
//!
//! Only two ends cannot be seen: that of a column's number that might have one more digit, and that of a single stone. They
//! are taken for ends if nothing follows for a while.

use std::{
    io::Read,
    time::{Duration, Instant},
};

use crate::{chunks::Chunks, lines::LONGEST, player::Fault};

/// How long a number may take to go on. A clock forgives as much.
const DIGIT: Duration = Duration::from_millis(100);
/// How long the rest of a message may take where it would be strange that nothing follows.
const REST: Duration = Duration::from_secs(2);

/// Who sends the messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Speaker {
    Server,
    Player,
}

/// Where the first message ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scan {
    /// After so many bytes.
    Whole(usize),
    /// After so many bytes if nothing else comes for this time.
    Open(usize, Duration),
    /// It is not whole yet.
    Part,
    /// It is no message.
    Foreign,
}

impl Scan {
    /// The same with one more byte in front.
    fn after_mark(self) -> Self {
        match self {
            Self::Whole(n) => Self::Whole(n + 1),
            Self::Open(n, quiet) => Self::Open(n + 1, quiet),
            other => other,
        }
    }
}

fn literal(bytes: &[u8], word: &[u8]) -> Scan {
    if bytes.starts_with(word) {
        Scan::Whole(word.len())
    } else if word.starts_with(bytes) {
        Scan::Part
    } else {
        Scan::Foreign
    }
}

fn scan(bytes: &[u8], speaker: Speaker, columns: usize) -> Scan {
    let Some(first) = bytes.first() else { return Scan::Part };
    match (speaker, first) {
        (Speaker::Player, b'o') => literal(bytes, b"ok"),
        (Speaker::Player, _) => scan_move(bytes, columns),
        (Speaker::Server, b'M') => literal(bytes, b"Move?"),
        (Speaker::Server, b';' | b'?' | b'+' | b'-' | b'#' | b'!' | b'$') => Scan::Whole(1),
        (Speaker::Server, b'r') => {
            let inner = bytes.iter().take_while(|b| b.is_ascii_digit() || b"rc-BW".contains(b)).count();
            match bytes.get(inner) {
                Some(b'#') => Scan::Whole(inner + 1),
                None => Scan::Part,
                Some(_) => Scan::Foreign,
            }
        }
        (Speaker::Server, b'>') => scan_move(&bytes[1..], columns).after_mark(),
        (Speaker::Server, b'B' | b'W') => scan_move(bytes, columns),
        (Speaker::Server, _) => Scan::Foreign,
    }
}

/// A move is stones, each `B`, `W` or `?` with a cell: `Ba1?c2`, `Ba2Bc2?a1`. The neutral one is the last, except in the
/// other order that some write, and where the last cell of a board is filled by a single stone.
fn scan_move(bytes: &[u8], columns: usize) -> Scan {
    if bytes.first() == Some(&b's') {
        return literal(bytes, b"swap");
    }
    let (mut at, mut own, mut neutral) = (0, 0, 0);
    loop {
        let Some(kind) = bytes.get(at) else {
            return if own == 0 { Scan::Part } else { Scan::Open(at, REST) };
        };
        match kind {
            b'?' => neutral += 1,
            b'B' | b'W' | b'b' | b'w' => own += 1,
            _ if own > 0 => return Scan::Whole(at),
            _ => return Scan::Foreign,
        }
        match bytes.get(at + 1) {
            None => return Scan::Part,
            Some(row) if row.is_ascii_alphabetic() => {}
            Some(_) => return Scan::Foreign,
        }
        let digits = bytes[at + 2..].iter().take_while(|b| b.is_ascii_digit()).count();
        let end = at + 2 + digits;
        match (digits, bytes.get(end)) {
            (0, None) => return Scan::Part,
            (0, Some(_)) | (4.., _) => return Scan::Foreign,
            _ => {}
        }
        if *kind == b'?' && own > 0 {
            let number = bytes[at + 2..end].iter().fold(0, |n, b| 10 * n + usize::from(b - b'0'));
            let may_go_on = end == bytes.len() && 10 * number <= columns;
            return if may_go_on { Scan::Open(end, DIGIT) } else { Scan::Whole(end) };
        }
        if own + neutral == 3 {
            return Scan::Whole(end);
        }
        at = end;
    }
}

/// A move as the players that exist write it: own stones first, the neutral one last. What is no move stays as it is.
pub(crate) fn canonical(text: &str) -> String {
    let mut stones: Vec<String> = Vec::new();
    for c in text.chars() {
        match c {
            'B' | 'b' | 'W' | 'w' | '?' if stones.last().is_none_or(|s| s.len() > 2) => {
                stones.push(c.to_ascii_uppercase().into());
            }
            _ => match stones.last_mut() {
                Some(stone) => stone.push(c.to_ascii_lowercase()),
                None => return text.to_owned(),
            },
        }
    }
    let is_stone = |s: &String| {
        let mut rest = s[1..].chars();
        rest.next().is_some_and(|row| row.is_ascii_lowercase()) && rest.all(|c| c.is_ascii_digit())
    };
    if !stones.iter().all(is_stone) {
        return text.to_owned();
    }
    stones.sort_by_key(|stone| stone.starts_with('?'));
    stones.concat()
}

/// The messages of a stream.
#[derive(Debug)]
pub(crate) struct Messages {
    chunks: Chunks,
    speaker: Speaker,
    /// Columns of the board, which say how long a number can be.
    columns: usize,
    pending: Vec<u8>,
    fault: Option<Fault>,
}

impl Messages {
    /// What a player says.
    pub(crate) fn of_player(stream: impl Read + Send + 'static) -> Self {
        Self::new(stream, Speaker::Player)
    }

    /// What a server says.
    pub(crate) fn of_server(stream: impl Read + Send + 'static) -> Self {
        Self::new(stream, Speaker::Server)
    }

    fn new(stream: impl Read + Send + 'static, speaker: Speaker) -> Self {
        Self { chunks: Chunks::new(stream), speaker, columns: 99, pending: Vec::new(), fault: None }
    }

    /// The board has so many columns.
    pub(crate) fn set_columns(&mut self, columns: usize) {
        self.columns = columns;
    }

    /// The next message, within a time.
    ///
    /// # Errors
    /// If it does not come in time, is too long, or is not text.
    pub(crate) fn next(&mut self, time: Option<Duration>) -> Result<String, Fault> {
        let deadline = time.map(|time| Instant::now() + time);
        let mut blank = 0;
        loop {
            let skip = self.pending.iter().take_while(|b| b.is_ascii_whitespace()).count();
            self.pending.drain(..skip);
            blank += skip;
            if self.pending.len().max(blank) > LONGEST {
                self.fault = Some(Fault::TooLong(LONGEST));
                self.pending.clear();
            }
            let line = self.pending.iter().position(|&b| b == b'\n');
            let (end, quiet) = match scan(&self.pending, self.speaker, self.columns) {
                Scan::Whole(end) => return self.take(end),
                Scan::Open(end, quiet) => (end, Some(quiet)),
                Scan::Part => (0, None),
                Scan::Foreign => match line {
                    Some(end) => return self.take(end),
                    None => (self.pending.len(), Some(REST)),
                },
            };
            let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            let more = match &self.fault {
                Some(fault) => Err(fault.clone()),
                None => self.chunks.next(left.into_iter().chain(quiet).min()),
            };
            match more {
                Ok(more) => self.pending.extend(more),
                Err(fault) => {
                    if fault != Fault::TimedOut {
                        self.fault = Some(fault.clone());
                    }
                    return if quiet.is_some() { self.take(end) } else { Err(fault) };
                }
            }
        }
    }

    /// The message that ends here.
    fn take(&mut self, end: usize) -> Result<String, Fault> {
        let bytes = self.pending.drain(..end).collect();
        String::from_utf8(bytes).map(|text| text.trim_end().to_owned()).map_err(|_| {
            self.fault = Some(Fault::NotText);
            self.pending.clear();
            Fault::NotText
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes in given portions.
    struct Portions(Vec<Vec<u8>>);

    impl Read for Portions {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            if self.0.is_empty() {
                return Ok(0);
            }
            let portion = self.0.remove(0);
            buffer[..portion.len()].copy_from_slice(&portion);
            Ok(portion.len())
        }
    }

    fn all(portions: Vec<Vec<u8>>, speaker: Speaker, columns: usize) -> (Vec<String>, Fault) {
        let mut messages = Messages::new(Portions(portions), speaker);
        messages.set_columns(columns);
        let mut seen = Vec::new();
        loop {
            match messages.next(Some(Duration::from_secs(20))) {
                Ok(text) => seen.push(text),
                Err(fault) => return (seen, fault),
            }
        }
    }

    /// However a stream is cut, the messages are the same.
    #[test]
    fn cuts_make_no_difference() {
        let cases: [(&[u8], Speaker, &[&str]); 4] = [
            (
                b"r3-c3-B#Ba1?c2;Wb1?b2;Move?>Wa2Wc2?b1Move?+r3-c3-W#;>Ba1?c2-$",
                Speaker::Server,
                &[
                    "r3-c3-B#",
                    "Ba1?c2",
                    ";",
                    "Wb1?b2",
                    ";",
                    "Move?",
                    ">Wa2Wc2?b1",
                    "Move?",
                    "+",
                    "r3-c3-W#",
                    ";",
                    ">Ba1?c2",
                    "-",
                    "$",
                ],
            ),
            (b"r12-c9#??>Ba1?c2?#", Speaker::Server, &["r12-c9#", "?", "?", ">Ba1?c2", "?", "#"]),
            (b"r3-c3#\r\n?\n>Bb2?a1\n?\n!\n", Speaker::Server, &["r3-c3#", "?", ">Bb2?a1", "?", "!"]),
            (
                b"okokBa1?c2okBa2Bc2?a1ok\nBc3\n?c2Ba1\nok",
                Speaker::Player,
                &["ok", "ok", "Ba1?c2", "ok", "Ba2Bc2?a1", "ok", "Bc3", "?c2Ba1", "ok"],
            ),
        ];
        for (bytes, speaker, expected) in cases {
            let whole = all(vec![bytes.to_vec()], speaker, 9);
            assert_eq!(whole, (expected.iter().map(|s| (*s).to_owned()).collect(), Fault::Left));
            for cut in 1..bytes.len() {
                let (a, b) = bytes.split_at(cut);
                assert_eq!(all(vec![a.to_vec(), b.to_vec()], speaker, 9), whole, "cut at {cut}");
            }
            let single = bytes.iter().map(|b| vec![*b]).collect();
            assert_eq!(all(single, speaker, 9), whole, "byte by byte");
        }
    }

    #[test]
    fn a_number_may_go_on_only_if_the_board_is_that_wide() {
        for (bytes, columns, end) in [
            (&b"Ba1?c1"[..], 9, Scan::Whole(6)),
            (b"Ba1?c1", 10, Scan::Open(6, DIGIT)),
            (b"Ba1?c2", 19, Scan::Whole(6)),
            (b"Ba1?c12", 19, Scan::Whole(7)),
            (b"Ba1?c1M", 19, Scan::Whole(6)),
            (b"Ba1", 9, Scan::Open(3, REST)),
            (b"Ba", 9, Scan::Part),
            (b"Ba1?", 9, Scan::Part),
            (b"hello", 9, Scan::Foreign),
            (b"swap", 9, Scan::Whole(4)),
        ] {
            assert_eq!(scan(bytes, Speaker::Player, columns), end, "{}", String::from_utf8_lossy(bytes));
        }
    }

    #[test]
    fn bad_streams_end_with_their_fault() {
        let player = |bytes: &[u8]| all(bytes.chunks(4096).map(<[u8]>::to_vec).collect(), Speaker::Player, 9);
        assert_eq!(player(&vec![b'x'; 1 << 20]), (vec![], Fault::TooLong(LONGEST)));
        assert_eq!(player(&vec![b'\n'; 1 << 20]), (vec![], Fault::TooLong(LONGEST)));
        assert_eq!(player(b"ok\xff\xfe\nmore"), (vec!["ok".into()], Fault::NotText));
        assert_eq!(player(b"flood\nflood\n").0, ["flood", "flood"]);
        assert_eq!(player(b"Ba1?"), (vec![], Fault::Left));
    }

    #[test]
    fn moves_are_passed_on_in_one_order() {
        for (given, told) in [
            ("Ba1?c2", "Ba1?c2"),
            ("?c2Ba1", "Ba1?c2"),
            ("?A1bC2bA2", "Bc2Ba2?a1"),
            ("bb12?w1", "Bb12?w1"),
            ("swap", "swap"),
            ("Ba?", "Ba?"),
        ] {
            assert_eq!(canonical(given), told);
        }
    }
}
