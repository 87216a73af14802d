//! `collapsi records`, `validate` and `export`: files of solved positions.

use std::{
    collections::{HashMap, HashSet},
    fs,
    io::Write,
    path::{Path, PathBuf},
};

use clap::{Args as ClapArgs, ValueEnum};
use indicatif::HumanCount;
use ludex_core::{Error, ErrorCode, Notation as _};
use ludex_studies::collapsi::{
    Collapsi as Game, Wanted,
    records::{Checked, INDEX_LAYOUTS, LAYOUTS, Record, RecordError, Records, Sets, check, read_index},
};

use crate::{
    context::Context,
    exit::{Done, Exit, Failure},
    objects::{Anomaly, CheckedRecord, DealRecord, Line, PliesRange, RecordsChecked},
    output::{count, json_line},
};

/// Records whose positions are looked up in one pass over the index.
const LISTED_AT_ONCE: u64 = 1 << 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

/// `records`.
#[derive(Debug, ClapArgs)]
pub struct Listing {
    /// The file (its layout of 24, 16 or 17 bytes a record is detected)
    file: PathBuf,
    /// The index that tells the positions of the keys
    #[arg(long, value_name = "FILE")]
    index: Option<PathBuf>,
    /// The folder that tells the keys of the shifted positions
    #[arg(long, value_name = "DIR")]
    norm2raw: Option<PathBuf>,
    /// Begin with this record
    #[arg(long, value_name = "N", default_value_t = 0)]
    start: u64,
    /// List at most this many
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: u64,
    /// Text or JSON lines; json is the same as --json
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Draw the boards (needs the index)
    #[arg(long)]
    board: bool,
    /// List the keys of the shifted positions (needs the folder or the index)
    #[arg(long)]
    raw_keys: bool,
}

impl Listing {
    /// Whether JSON is asked for.
    pub fn json(&self) -> bool {
        self.format == Format::Json
    }
}

/// `export`.
#[derive(Debug, ClapArgs)]
pub struct Exporting {
    /// The record file to write
    out: PathBuf,
    /// Bytes of a record: 24, 16 or 17
    #[arg(long, default_value_t = 24)]
    layout: usize,
    /// Write the index too
    #[arg(long, value_name = "FILE")]
    index: Option<PathBuf>,
    /// Bytes of an index entry: 32 or 24
    #[arg(long, default_value_t = 32)]
    index_layout: usize,
    /// Write the keys of the shifted positions into this folder
    #[arg(long, value_name = "DIR")]
    norm2raw: Option<PathBuf>,
    /// The first deal's seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// How many deals
    #[arg(long, value_name = "N", default_value_t = 100)]
    count: u64,
    /// Each deal with O to move as well
    #[arg(long)]
    both: bool,
}

/// List records.
pub fn list(context: &Context, out: &mut impl Write, listing: &Listing) -> Done {
    let file = &listing.file;
    let mut records = Records::open(file).map_err(bad_file)?;
    if !context.json {
        let (records, layout) = (HumanCount(records.count), records.layout.name);
        writeln!(out, "{}: {records} records of {layout}", file.display())?;
    }
    records.seek(listing.start).map_err(bad_file)?;
    // A part at a time, so that a long list takes no more memory than a short one.
    let mut left = listing.limit;
    loop {
        let part = records.by_ref().take(left.min(LISTED_AT_ONCE) as usize);
        let listed = part.collect::<Result<Vec<_>, _>>().map_err(bad_file)?;
        if listed.is_empty() {
            return Ok(Exit::Answered);
        }
        left -= listed.len() as u64;
        let positions = positions_of(listing.index.as_deref(), &listed)?;
        for (number, record) in listed {
            show(context, out, listing, number, &record, positions.get(&record.key))?;
        }
    }
}

fn bad_file(error: RecordError) -> Error {
    let hint = match error {
        RecordError::Io { .. } => "name a file that can be read",
        RecordError::Foreign { .. } => "records have 24, 16 or 17 bytes, entries of an index 32 or 24",
    };
    Error::new(ErrorCode::BadRecords, error.to_string(), hint)
}

/// The positions of the listed records, as far as the index knows them.
fn positions_of(index: Option<&Path>, listed: &[(u64, Record)]) -> Result<HashMap<u64, Sets>, Error> {
    let mut positions = HashMap::new();
    if let Some(index) = index {
        let wanted: HashSet<u64> = listed.iter().map(|(_, r)| r.key).collect();
        read_index(index, |entry| {
            if wanted.contains(&entry.key) {
                positions.insert(entry.key, entry.sets);
            }
            positions.len() < wanted.len()
        })
        .map_err(bad_file)?;
    }
    Ok(positions)
}

fn show(
    context: &Context,
    out: &mut impl Write,
    listing: &Listing,
    number: u64,
    record: &Record,
    sets: Option<&Sets>,
) -> Result<(), Failure> {
    let game = Game::new(4, false);
    let position = sets.and_then(|s| s.position().ok());
    let text = position.map(|p| game.position_text(&p));
    let cell = |c: u8| format!("{}{}", char::from(b'a' + c % 4), c / 4 + 1);
    let best =
        (record.best != 0xFF).then(|| format!("{}-{}", cell(record.best >> 4), cell(record.best & 15)));
    let raw = listing.raw_keys.then(|| raw_keys(listing.norm2raw.as_deref(), record, sets));
    if context.json {
        let object = DealRecord {
            number,
            key: format!("{:016x}", record.key),
            turn: record.turn,
            win: record.win,
            best,
            plies: record.plies,
            position: text,
            raw_keys: raw,
        };
        return Ok(json_line(out, &Line::Record(object))?);
    }
    let turn = ["X", "O"].get(usize::from(record.turn)).copied().unwrap_or("?");
    let result = if record.win == 1 { "wins" } else { "loses" };
    let line = format!(
        "{number:>10}  {:016x}  {turn} {result} in {:>2}  best {:<6} {}",
        record.key,
        record.plies,
        best.as_deref().unwrap_or("-"),
        text.as_deref().unwrap_or_default()
    );
    writeln!(out, "{}", line.trim_end())?;
    if let (true, Some(text)) = (listing.board, &text) {
        write!(out, "{}", context.open("collapsi")?.picture(text)?)?;
    }
    for key in raw.unwrap_or_default() {
        writeln!(out, "            {key}")?;
    }
    Ok(())
}

/// The keys of the sixteen shifts: from the folder, or computed where the index knows the position.
fn raw_keys(folder: Option<&Path>, record: &Record, sets: Option<&Sets>) -> Vec<String> {
    if let Some(folder) = folder {
        let file = folder.join(format!("{:016x}-{}.txt", record.key, record.turn));
        if let Ok(text) = fs::read_to_string(&file) {
            return text.lines().map(str::to_owned).collect();
        }
    }
    sets.map_or_else(Vec::new, |s| {
        s.shifts().iter().map(|s| format!("{:016x}|{}", s.key(), s.turn)).collect()
    })
}

/// Check a record file.
pub fn validate(
    context: &Context,
    out: &mut impl Write,
    file: &Path,
    first: Option<u64>,
    index: Option<&Path>,
) -> Done {
    let checked = check(file, index, first).map_err(bad_file)?;
    if context.json {
        json_line(out, &Line::RecordsChecked(object(file, &checked)))?;
    } else {
        print(out, file, &checked)?;
    }
    Ok(if checked.sound() { Exit::Answered } else { Exit::CheckFailed })
}

fn object(file: &Path, checked: &Checked) -> RecordsChecked {
    let (min, mean, max) = checked.plies;
    let anomaly = |a: &ludex_studies::collapsi::records::Anomaly| Anomaly {
        name: a.name.to_owned(),
        count: a.count,
        first: a.first.clone(),
    };
    let sample = |r: &Record| CheckedRecord {
        key: format!("{:016x}", r.key),
        turn: r.turn,
        win: r.win,
        best: r.best,
        plies: r.plies,
    };
    RecordsChecked {
        file: file.to_owned(),
        layout: checked.layout.to_owned(),
        records: checked.count,
        checked: checked.looked_at,
        turns: checked.turns,
        wins: checked.wins,
        plies: PliesRange { min, mean, max },
        no_move: checked.no_move,
        zero_keys_in_first: checked.zero_in_first,
        anomalies: checked.anomalies.iter().map(anomaly).collect(),
        solved_again: checked.solved_again,
        index_cut: checked.index_cut,
        samples: checked.samples.iter().map(sample).collect(),
        sound: checked.sound(),
    }
}

fn print(out: &mut impl Write, file: &Path, checked: &Checked) -> Result<(), Failure> {
    let (least, mean, most) = checked.plies;
    writeln!(out, "{}: {} records of {}", file.display(), HumanCount(checked.count), checked.layout)?;
    if checked.looked_at < checked.count {
        writeln!(out, "only the first {} are checked", HumanCount(checked.looked_at))?;
    }
    let [x, o, other] = checked.turns.map(HumanCount);
    writeln!(out, "to move  X {x}, O {o}, neither {other}")?;
    let [lost, won, other] = checked.wins.map(HumanCount);
    writeln!(out, "result   won {won}, lost {lost}, neither {other}")?;
    writeln!(
        out,
        "plies    {least} to {most}, {mean:.2} on average; {} without a best move",
        HumanCount(checked.no_move)
    )?;
    let (zero, of) = checked.zero_in_first;
    writeln!(out, "zero keys among the first {}: {zero}", HumanCount(of))?;
    for record in &checked.samples {
        writeln!(
            out,
            "sample   {:016x} turn {} win {} best {:02x} plies {}",
            record.key, record.turn, record.win, record.best, record.plies
        )?;
    }
    for anomaly in &checked.anomalies {
        let first: Vec<String> = anomaly.first.iter().map(u64::to_string).collect();
        let at = if first.is_empty() { String::new() } else { format!(", first at {}", first.join(" ")) };
        writeln!(out, "{:>12} {}{at}", count(anomaly.count), anomaly.name)?;
    }
    writeln!(out, "{} positions known by the index and solved again", HumanCount(checked.solved_again))?;
    if checked.index_cut {
        writeln!(out, "the index is longer than is held at once: only its first entries were used")?;
    }
    writeln!(out, "{}", if checked.sound() { "nothing is wrong" } else { "WRONG" })?;
    Ok(())
}

/// Solve deals and write their records.
pub fn export(out: &mut impl Write, wanted: &Exporting) -> Done {
    let no_layout =
        |n, sizes: &str| Error::new(ErrorCode::BadLayout, format!("there is no layout of {n} bytes"), sizes);
    let layout = LAYOUTS.into_iter().find(|l| l.size == wanted.layout);
    let layout = layout.ok_or_else(|| no_layout(wanted.layout, "the layouts have 24, 16 or 17 bytes"))?;
    let entries = INDEX_LAYOUTS.into_iter().find(|l| l.size == wanted.index_layout);
    let entries = entries.ok_or_else(|| no_layout(wanted.index_layout, "the layouts have 32 or 24 bytes"))?;
    let order = Wanted {
        out: (&wanted.out, layout),
        index: wanted.index.as_deref().map(|path| (path, entries)),
        norm2raw: wanted.norm2raw.as_deref(),
        seed: wanted.seed,
        count: wanted.count,
        both: wanted.both,
    };
    let written = ludex_studies::collapsi::export(&order).map_err(|error| {
        Error::new(
            ErrorCode::CannotWrite,
            format!("{}: {error}", wanted.out.display()),
            "name files and a folder that can be written",
        )
    })?;
    writeln!(out, "{} records of {}", HumanCount(written.records), layout.name)?;
    Ok(Exit::Answered)
}
