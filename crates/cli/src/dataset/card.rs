//! A finished dataset: the file, made of the rows in one go, and the card beside it that says what it is.

use std::{
    fmt::Write as _,
    fs::File,
    io::{self, BufWriter, Write},
    path::Path,
};

use indicatif::HumanCount;
use ludex_core::{Error, ErrorCode, Outcome, Status};
use sha2::{Digest as _, Sha256};

use super::{
    journal::{Journal, beside, differs},
    rows,
};
use crate::{
    exit::{Failure, failed},
    objects::{Dataset, DatasetOrder, DatasetRow, Part},
};

/// Of zstd: rows are alike, and they are compressed once and read often.
const LEVEL: i32 = 12;

/// Where the machine's half of a card begins and ends.
const FENCE: (&str, &str) = ("```json\n", "\n```");

/// The dataset, if it is there and was made by this order.
pub fn finished(out: &Path, order: &DatasetOrder) -> Result<Option<Dataset>, Failure> {
    if !out.exists() {
        return Ok(None);
    }
    let card = beside(out, ".card.md");
    let text = std::fs::read_to_string(&card).unwrap_or_default();
    let object = text.split_once(FENCE.0).and_then(|(_, rest)| rest.split_once(FENCE.1));
    let Some(done) = object.and_then(|(object, _)| serde_json::from_str::<Dataset>(object).ok()) else {
        let message =
            format!("{} is there already, and {} does not say what it is", out.display(), card.display());
        return Err(Error::new(ErrorCode::CannotWrite, message, "name another file, or delete it").into());
    };
    if done.order == *order { Ok(Some(done)) } else { Err(differs(out, &done.order, order)) }
}

/// A writer that knows the digest of what it has written.
struct Digested<W> {
    inner: W,
    digest: Sha256,
    bytes: u64,
}

impl<W: Write> Write for Digested<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.digest.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Make the file and its card.
pub fn finish(
    out: &Path,
    command: String,
    order: &DatasetOrder,
    journal: Journal,
) -> Result<Dataset, Failure> {
    let mut done = Dataset {
        command,
        order: order.clone(),
        rows: 0,
        unsolved: 0,
        left_out: 0,
        won: 0,
        drawn: 0,
        lost: 0,
        train: order.split.map(|_| 0),
        test: order.split.map(|_| 0),
        bytes: 0,
        sha256: String::new(),
    };
    let part = beside(out, ".tmp");
    let unwritten = || failed(format!("cannot write {}", out.display()));
    let file = File::create(&part).map_err(unwritten())?;
    let mut digested = Digested { inner: BufWriter::new(file), digest: Sha256::new(), bytes: 0 };
    if order.format.ends_with(".zst") {
        let mut writer = zstd::Encoder::new(&mut digested, LEVEL).map_err(unwritten())?;
        writer.include_checksum(true).map_err(unwritten())?;
        write_rows(&mut writer, &mut done, &journal)?;
        writer.finish().map_err(unwritten())?;
    } else {
        write_rows(&mut digested, &mut done, &journal)?;
    }
    digested.flush().map_err(unwritten())?;
    digested.inner.get_ref().sync_all().map_err(unwritten())?;
    done.bytes = digested.bytes;
    done.sha256 = digested.digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    // The card first: a file with no card could not be told from somebody else's.
    let card = beside(out, ".card.md");
    std::fs::write(&card, text(out, &done)).map_err(failed(format!("cannot write {}", card.display())))?;
    std::fs::rename(&part, out).map_err(unwritten())?;
    journal.remove()?;
    Ok(done)
}

fn write_rows(out: &mut impl Write, done: &mut Dataset, journal: &Journal) -> Result<(), Failure> {
    let csv = done.order.format.starts_with("csv");
    if csv {
        writeln!(out, "{}", rows::HEADER)?;
    }
    for line in journal.read()? {
        let line = line?;
        let row: DatasetRow = serde_json::from_str(&line).map_err(|e| {
            Error::new(ErrorCode::Damaged, format!("a row cannot be read: {e}"), "begin again")
        })?;
        if row.status != Status::Solved {
            if done.order.only_solved {
                done.left_out += 1;
                continue;
            }
            done.unsolved += 1;
        }
        done.rows += 1;
        match row.outcome {
            Some(Outcome::Win) => done.won += 1,
            Some(Outcome::Draw) => done.drawn += 1,
            Some(Outcome::Loss) => done.lost += 1,
            None => {}
        }
        match row.split {
            Some(Part::Train) => done.train = done.train.map(|n| n + 1),
            Some(Part::Test) => done.test = done.test.map(|n| n + 1),
            None => {}
        }
        if csv {
            out.write_all(rows::csv(&row).as_bytes())?;
        } else {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}

/// What is in a dataset, for people.
pub fn print(out: &mut impl Write, file: &Path, done: &Dataset) -> io::Result<()> {
    let Dataset { rows, won, drawn, lost, unsolved, left_out, bytes, .. } = *done;
    let count = HumanCount;
    write!(out, "{}: {} positions of {}; ", file.display(), count(rows), done.order.game)?;
    writeln!(out, "for the side to move {} won, {} drawn, {} lost", count(won), count(drawn), count(lost))?;
    if unsolved + left_out > 0 {
        writeln!(out, "{} with bounds only, {} left out", count(unsolved), count(left_out))?;
    }
    if let (Some(train), Some(test)) = (done.train, done.test) {
        writeln!(out, "{} to train, {} to test", count(train), count(test))?;
    }
    writeln!(out, "{} bytes, sha256 {}", count(bytes), done.sha256)
}

fn text(out: &Path, done: &Dataset) -> String {
    let order = &done.order;
    let name = out.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut text = format!("# {name}\n\n");
    // Writing to a string does not fail.
    let mut say = |line: String| {
        let _ = writeln!(text, "{line}");
    };
    say(format!("Positions of `{}` with exact values, made by {}:\n", order.game, order.program));
    say(format!("```sh\n{}\n```\n", done.command));
    say("| | |\n|---|---|".into());
    say(format!("| rows | {} |", done.rows));
    say(format!("| won, drawn, lost for the side to move | {}, {}, {} |", done.won, done.drawn, done.lost));
    say(format!("| of which with bounds only | {} |", done.unsolved));
    say(format!("| left out, not solved within {} nodes | {} |", order.nodes, done.left_out));
    if let (Some(train), Some(test)) = (done.train, done.test) {
        say(format!("| train, test | {train}, {test} |"));
    }
    say(format!("| bytes | {} |", done.bytes));
    say(format!("| SHA-256 | {} |\n", done.sha256));
    say(match order.sample.as_str() {
        "random" => "Each position is one of a game in which every legal move was as likely as any other.".to_owned(),
        "play" => "Each position is one of a game in which both sides took a win at once where there was one, did not let the \
                   other side win with its next move if they could help it, and otherwise moved at random."
            .to_owned(),
        "all" => "All positions that can be reached and in which the game goes on, those after fewer moves first.".to_owned(),
        from => format!("The positions of a file, whose SHA-256 is {}.", from.trim_start_matches("from ")),
    });
    say(match order.distinct.as_str() {
        "none" => "A position can be there several times.".to_owned(),
        "symmetry" => {
            "Of positions that differ by no more than a symmetry of the board only one is there.".to_owned()
        }
        _ => "Every position is there once.".to_owned(),
    });
    if order.split.is_some() {
        say("Positions that differ by no more than a symmetry are all in the same part.".into());
    }
    say("\nOutcome, plies and score are for the side to move; those of a move for the side that makes it, plies counted from the \
         position before it. Values are exact; where the limits did not suffice, there are bounds that hold. The difficulty is the share of \
         the legal moves that do not keep the outcome. The same command with the same version gives the same bytes.\n"
        .into());
    let object = serde_json::to_string_pretty(done).unwrap_or_default();
    say(format!("{}{object}{}", FENCE.0, FENCE.1));
    text
}
