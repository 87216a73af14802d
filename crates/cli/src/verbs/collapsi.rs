//! `collapsi`: record files, puzzles, the census of all deals.

use std::{
    collections::{BTreeMap, HashMap},
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

use clap::{Args as ClapArgs, Subcommand, ValueEnum};
use ludex_judge::{
    Cancel, InputError,
    collapsi::{
        Census, Collapsi as Game, ON_A_PAGE, Puzzle, Wanted, export, first_moves, measure, pack_table,
        puzzle,
        records::{INDEX_LAYOUTS, LAYOUTS, Record, RecordError, Records, Sets, check, read_index},
        rules, sheet, text_of,
    },
    open,
};
use serde_json::{Value as Json, json};

use crate::{
    exit::{Done, Exit},
    output::{json_line, thousands, time},
    questions::stopped_by_ctrl_c,
};

/// Records whose positions are looked up in one pass over the index.
const LISTED_AT_ONCE: u64 = 1 << 16;

/// `collapsi`.
#[derive(Debug, ClapArgs)]
pub struct Collapsi {
    #[command(subcommand)]
    action: Action,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Plot {
    Plies,
    Distance,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List the records of a file of solved positions
    Records {
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
        /// Text or JSON lines
        #[arg(long, value_enum, default_value = "text")]
        format: Format,
        /// Draw the boards (needs the index)
        #[arg(long)]
        board: bool,
        /// List the keys of the shifted positions (needs the folder or the index)
        #[arg(long)]
        raw_keys: bool,
    },
    /// Check a file of solved positions; exit 3 if anything is wrong
    Validate {
        /// The file
        file: PathBuf,
        /// Watch the first N records for zero keys, and show the first of them
        #[arg(default_value_t = 1000)]
        first: u64,
        /// The index: records that it knows are solved again
        #[arg(long, value_name = "FILE")]
        index: Option<PathBuf>,
        /// JSON
        #[arg(long)]
        json: bool,
    },
    /// Solve deals and write their records
    Export {
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
    },
    /// A deal with exactly one winning first move
    Puzzle {
        /// The puzzle's number (default: today's date)
        #[arg(long, value_name = "N")]
        seed: Option<u64>,
        /// The puzzle of a day, YYYY-MM-DD
        #[arg(long, value_name = "DATE", conflicts_with = "seed")]
        date: Option<String>,
        /// A win in this many plies
        #[arg(long, value_name = "N")]
        plies: Option<u32>,
        /// Tell the answer
        #[arg(long)]
        answer: bool,
        /// A page of this many puzzles to print, 1 to 12, as SVG
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=ON_A_PAGE))]
        sheet: Option<u64>,
        /// JSON
        #[arg(long)]
        json: bool,
    },
    /// Pack a table of all deals, three bits each, as it comes with the program
    Pack {
        /// The table, made by `ludex table build collapsi`
        table: PathBuf,
        /// The file to write
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Who wins how many of all deals, and how soon
    Census {
        /// A table made by `ludex table build collapsi…` (default: the one in the program)
        #[arg(long, value_name = "FILE")]
        table: Option<PathBuf>,
        /// A plot, as SVG: by the number of plies, or by the distance between the start cards
        #[arg(long, value_enum, value_name = "PLOT", num_args = 0..=1, default_missing_value = "plies")]
        svg: Option<Plot>,
        /// JSON
        #[arg(long, conflicts_with = "svg")]
        json: bool,
    },
    /// How many deals have how many winning first moves
    FirstMoves {
        /// The rules: collapsi, collapsi:joker=wild, collapsi:3x3 …
        #[arg(default_value = "collapsi")]
        spec: String,
        /// Look at one class of deals in N
        #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
        every: u64,
        /// JSON
        #[arg(long)]
        json: bool,
    },
}

impl Collapsi {
    /// Whether errors are wanted as JSON too.
    pub fn json(&self) -> bool {
        match &self.action {
            Action::Records { format, .. } => *format == Format::Json,
            Action::Validate { json, .. }
            | Action::Puzzle { json, .. }
            | Action::Census { json, .. }
            | Action::FirstMoves { json, .. } => *json,
            Action::Export { .. } | Action::Pack { .. } => false,
        }
    }
}

/// Run a verb.
pub fn run(collapsi: &Collapsi) -> Done {
    let mut out = io::stdout().lock();
    match &collapsi.action {
        Action::Records { file, index, norm2raw, start, limit, format, board, raw_keys } => {
            let mut records = Records::open(file).map_err(bad_file)?;
            let shown = Shown { json: *format == Format::Json, board: *board, raw_keys: *raw_keys, norm2raw };
            if !shown.json {
                writeln!(
                    out,
                    "{}: {} records of {}",
                    file.display(),
                    thousands(records.count),
                    records.layout.name
                )?;
            }
            records.seek(*start).map_err(bad_file)?;
            // A part at a time, so that a long list takes no more memory than a short one.
            let mut left = *limit;
            loop {
                let part = records.by_ref().take(left.min(LISTED_AT_ONCE) as usize);
                let listed = part.collect::<Result<Vec<_>, _>>().map_err(bad_file)?;
                if listed.is_empty() {
                    return Ok(Exit::Answered);
                }
                left -= listed.len() as u64;
                let positions = positions_of(index.as_deref(), &listed)?;
                for (number, record) in listed {
                    show(&mut out, &shown, number, &record, positions.get(&record.key))?;
                }
            }
        }
        Action::Validate { file, first, index, json } => {
            validate(&mut out, file, *first, index.as_deref(), *json)
        }
        Action::Export { out: file, layout, index, index_layout, norm2raw, seed, count, both } => {
            let no_layout = |n, sizes: &str| {
                InputError::new("bad_layout", format!("there is no layout of {n} bytes"), sizes)
            };
            let found = LAYOUTS.into_iter().find(|l| l.size == *layout);
            let layout = found.ok_or_else(|| no_layout(*layout, "the layouts have 24, 16 or 17 bytes"))?;
            let entries = INDEX_LAYOUTS.into_iter().find(|l| l.size == *index_layout);
            let entries =
                entries.ok_or_else(|| no_layout(*index_layout, "the layouts have 32 or 24 bytes"))?;
            let wanted = Wanted {
                out: (file, layout),
                index: index.as_deref().map(|path| (path, entries)),
                norm2raw: norm2raw.as_deref(),
                seed: *seed,
                count: *count,
                both: *both,
            };
            let written = export(&wanted).map_err(|error| {
                InputError::new(
                    "cannot_write",
                    format!("{}: {error}", file.display()),
                    "name files and a folder that can be written",
                )
            })?;
            writeln!(out, "{} records of {}", thousands(written.records), layout.name)?;
            Ok(Exit::Answered)
        }
        Action::Puzzle { seed, date, plies, answer, sheet: page, json } => {
            let number = match (seed, date) {
                (Some(seed), _) => *seed,
                (None, Some(date)) => day_number(date)?,
                (None, None) => today(),
            };
            puzzles(&mut out, number, *plies, *answer, *page, *json)
        }
        Action::Pack { table, out: file } => {
            let bytes = pack_table(table)?.ok_or_else(|| wrong_table(table, "4x4 deals in 7 to 14 plies"))?;
            fs::write(file, &bytes)?;
            writeln!(out, "{} bytes", thousands(bytes.len() as u64))?;
            Ok(Exit::Answered)
        }
        Action::Census { table, svg, json } => {
            let census = match table {
                None => Census::built_in(),
                Some(path) => Census::of_table(path)?.ok_or_else(|| wrong_table(path, "deals with plies"))?,
            };
            match svg {
                Some(Plot::Plies) => write!(out, "{}", census.plies_svg())?,
                Some(Plot::Distance) => write!(out, "{}", census.distance_svg())?,
                None if *json => json_line(&mut out, &census_json(&census))?,
                None => print_census(&mut out, &census)?,
            }
            Ok(Exit::Answered)
        }
        Action::FirstMoves { spec, every, json } => winning_first_moves(&mut out, spec, *every, *json),
    }
}

fn wrong_table(path: &Path, of: &str) -> InputError {
    InputError::new(
        "wrong_table",
        format!("{} is no table of Collapsi's {of}", path.display()),
        "make one: ludex table build collapsi --out FILE",
    )
}

fn bad_file(error: RecordError) -> InputError {
    let hint = match error {
        RecordError::Io { .. } => "name a file that can be read",
        RecordError::Foreign { .. } => "records have 24, 16 or 17 bytes, entries of an index 32 or 24",
    };
    InputError::new("bad_records", error.to_string(), hint)
}

/// The positions of the listed records, as far as the index knows them.
fn positions_of(index: Option<&Path>, listed: &[(u64, Record)]) -> anyhow::Result<HashMap<u64, Sets>> {
    let mut positions = HashMap::new();
    if let Some(index) = index {
        let wanted: std::collections::HashSet<u64> = listed.iter().map(|(_, r)| r.key).collect();
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

struct Shown<'a> {
    json: bool,
    board: bool,
    raw_keys: bool,
    norm2raw: &'a Option<PathBuf>,
}

fn show(
    out: &mut impl Write,
    shown: &Shown<'_>,
    number: u64,
    record: &Record,
    sets: Option<&Sets>,
) -> anyhow::Result<()> {
    let game = open("collapsi")?;
    let text = sets.and_then(|s| s.position().ok()).map(|p| text_of(&Game::new(4, false), &p));
    let cell = |c: u8| format!("{}{}", char::from(b'a' + c % 4), c / 4 + 1);
    let best =
        (record.best != 0xFF).then(|| format!("{}-{}", cell(record.best >> 4), cell(record.best & 15)));
    let raw = if shown.raw_keys { raw_keys(shown.norm2raw.as_deref(), record, sets)? } else { Vec::new() };
    let turn = ["X", "O"].get(usize::from(record.turn)).copied().unwrap_or("?");
    if shown.json {
        let mut line = json!({"type": "record", "number": number, "key": format!("{:016x}", record.key), "turn": record.turn,
            "win": record.win, "best": best, "plies": record.plies, "position": text});
        if shown.raw_keys {
            line["raw_keys"] = json!(raw);
        }
        json_line(out, &line)?;
        return Ok(());
    }
    let result = if record.win == 1 { "wins" } else { "loses" };
    let line = format!(
        "{number:>10}  {:016x}  {turn} {result} in {:>2}  best {:<6} {}",
        record.key,
        record.plies,
        best.as_deref().unwrap_or("-"),
        text.as_deref().unwrap_or_default()
    );
    writeln!(out, "{}", line.trim_end())?;
    if shown.board
        && let Some(text) = &text
    {
        write!(out, "{}", game.picture(text)?)?;
    }
    for key in raw {
        writeln!(out, "            {key}")?;
    }
    Ok(())
}

/// The keys of the sixteen shifts: from the folder, or computed where the index knows the position.
fn raw_keys(folder: Option<&Path>, record: &Record, sets: Option<&Sets>) -> anyhow::Result<Vec<String>> {
    if let Some(folder) = folder {
        let file = folder.join(format!("{:016x}-{}.txt", record.key, record.turn));
        if let Ok(text) = fs::read_to_string(&file) {
            return Ok(text.lines().map(str::to_owned).collect());
        }
    }
    Ok(sets.map_or_else(Vec::new, |s| {
        s.shifts().iter().map(|s| format!("{:016x}|{}", s.key(), s.turn)).collect()
    }))
}

fn validate(out: &mut impl Write, file: &Path, first: u64, index: Option<&Path>, json: bool) -> Done {
    let checked = check(file, index, first).map_err(bad_file)?;
    let (least, mean, most) = checked.plies;
    if json {
        let anomalies: Vec<Json> = checked
            .anomalies
            .iter()
            .map(|a| json!({"name": a.name, "count": a.count, "first": a.first}))
            .collect();
        let samples: Vec<Json> = checked
            .samples
            .iter()
            .map(|r| {
                json!({"key": format!("{:016x}", r.key), "turn": r.turn, "win": r.win, "best": r.best, "plies": r.plies})
            })
            .collect();
        json_line(
            out,
            &json!({"type": "records_checked", "file": file, "layout": checked.layout, "records": checked.count,
                "turns": checked.turns, "wins": checked.wins, "plies": {"min": least, "mean": mean, "max": most},
                "no_move": checked.no_move, "zero_keys_in_first": checked.zero_in_first, "anomalies": anomalies,
                "solved_again": checked.solved_again, "index_cut": checked.index_cut, "samples": samples,
                "sound": checked.sound()}),
        )?;
    } else {
        writeln!(out, "{}: {} records of {}", file.display(), thousands(checked.count), checked.layout)?;
        let [x, o, other] = checked.turns.map(thousands);
        writeln!(out, "to move  X {x}, O {o}, neither {other}")?;
        let [lost, won, other] = checked.wins.map(thousands);
        writeln!(out, "result   won {won}, lost {lost}, neither {other}")?;
        writeln!(
            out,
            "plies    {least} to {most}, {mean:.2} on average; {} without a best move",
            thousands(checked.no_move)
        )?;
        let (zero, of) = checked.zero_in_first;
        writeln!(out, "zero keys among the first {}: {zero}", thousands(of))?;
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
            writeln!(out, "{:>12} {}{at}", thousands(anomaly.count), anomaly.name)?;
        }
        writeln!(out, "{} positions known by the index and solved again", thousands(checked.solved_again))?;
        if checked.index_cut {
            writeln!(out, "the index is longer than is held at once: only its first entries were used")?;
        }
        writeln!(out, "{}", if checked.sound() { "nothing is wrong" } else { "WRONG" })?;
    }
    Ok(if checked.sound() { Exit::Answered } else { Exit::CheckFailed })
}

fn puzzles(
    out: &mut impl Write,
    number: u64,
    plies: Option<u32>,
    answer: bool,
    page: Option<u64>,
    json: bool,
) -> Done {
    let game = Game::new(4, false);
    if let Some(n) = plies.filter(|n| ![7, 9, 11, 13].contains(n)) {
        let message = format!("no deal is won in {n} plies");
        return Err(InputError::new("bad_plies", message, "7 (rare), 9, 11 or 13 plies").into());
    }
    let one = |number: u64| -> Result<Puzzle, InputError> {
        puzzle(&game, number, plies).ok_or_else(|| {
            InputError::new(
                "no_puzzle",
                "no deal in a million is such a puzzle",
                "wins in 7 plies are rare: take 9, 11 or 13",
            )
        })
    };
    if let Some(count) = page {
        let numbers = (0..count).map(|i| number.wrapping_add(i));
        let all: Result<Vec<(u64, Puzzle)>, InputError> = numbers.map(|n| Ok((n, one(n)?))).collect();
        write!(out, "{}", sheet(&game, &all?, "Collapsi puzzles"))?;
        return Ok(Exit::Answered);
    }
    let found = one(number)?;
    if json {
        json_line(
            out,
            &json!({"type": "puzzle", "number": number, "seed": found.seed, "game": format!("collapsi:{}", found.deal),
                "deal": found.deal, "plies": found.plies, "answer": found.answer}),
        )?;
        return Ok(Exit::Answered);
    }
    writeln!(out, "Puzzle {number}: X to move. One move wins, in {} plies.", found.plies)?;
    write!(out, "{}", open("collapsi")?.picture(&found.deal)?)?;
    writeln!(out, "{}", found.deal)?;
    if answer {
        writeln!(out, "answer {}", found.answer)?;
    } else {
        writeln!(out, "ludex analyze collapsi {} tells the answer", found.deal)?;
    }
    Ok(Exit::Answered)
}

fn winning_first_moves(out: &mut impl Write, spec: &str, every: u64, json: bool) -> Done {
    let game = rules(&spec.parse()?)?;
    let cancel = stopped_by_ctrl_c()?;
    let found = first_moves(&game, usize::try_from(every).unwrap_or(usize::MAX), &cancel);
    let rows = |counts: &BTreeMap<usize, u64>, name: &str| -> Vec<Json> {
        counts.iter().map(|(n, deals)| json!({name: n, "deals": deals})).collect()
    };
    if json {
        json_line(
            out,
            &json!({"type": "first_moves", "game": spec, "every": every, "classes": found.classes, "deals": found.deals,
                "by_winning": rows(&found.by_winning, "winning"), "by_moves": rows(&found.by_moves, "moves")}),
        )?;
    } else {
        let (deals, classes) = (thousands(found.deals), thousands(found.classes));
        let part = if every == 1 { String::new() } else { format!(", one class in {every}") };
        writeln!(out, "{spec}: {deals} deals of {classes} classes{part}")?;
        for (title, counts) in [("winning", &found.by_winning), ("moves", &found.by_moves)] {
            writeln!(out, "{title:>7} {:>14} {:>8}", "deals", "%")?;
            for (n, deals) in counts {
                let share = 100.0 * *deals as f64 / found.deals.max(1) as f64;
                writeln!(out, "{n:>7} {:>14} {share:>8.2}", thousands(*deals))?;
            }
        }
    }
    Ok(if cancel.is_cancelled() { Exit::Unanswered } else { Exit::Answered })
}

/// A date as a number, such as 20261115.
fn day_number(date: &str) -> Result<u64, InputError> {
    let bad = || InputError::new("bad_date", format!("'{date}' is not a date"), "a date such as 2026-11-15");
    let parts: Vec<u64> = date.split('-').map(|p| p.parse().map_err(|_| bad())).collect::<Result<_, _>>()?;
    match parts[..] {
        [year, month @ 1..=12, day @ 1..=31] => Ok(year * 10_000 + month * 100 + day),
        _ => Err(bad()),
    }
}

/// Today's date as a number, in universal time.
fn today() -> u64 {
    let days = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |t| t.as_secs() / 86_400);
    // Days to a civil date (Hinnant 2013), with years that begin in March.
    let z = days + 719_468;
    let (era, day_of_era) = (z / 146_097, z % 146_097);
    let year = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (year + era * 400 + u64::from(month <= 2)) * 10_000 + month * 100 + day
}

/// The census for programs.
pub fn census_json(census: &Census) -> Json {
    let plies: Vec<Json> = census
        .by_plies
        .iter()
        .map(|(plies, (deals, classes))| json!({"plies": plies, "deals": deals, "classes": classes}))
        .collect();
    let distances: Vec<Json> = census
        .by_distance
        .iter()
        .map(|(steps, (deals, won))| json!({"distance": steps, "deals": deals, "won": won}))
        .collect();
    json!({"type": "census", "game": census.game, "deals": census.deals, "classes": census.classes, "won": census.won,
        "by_plies": plies, "by_distance": distances})
}

/// The census for people.
pub fn print_census(out: &mut impl Write, census: &Census) -> io::Result<()> {
    let share = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
    writeln!(
        out,
        "{}: {} deals with X on a given cell and to move, {} classes; X wins {} ({:.2} %)",
        census.game,
        thousands(census.deals),
        thousands(census.classes),
        thousands(census.won),
        share(census.won, census.deals)
    )?;
    writeln!(out, "{:>5} {:>8} {:>14} {:>8} {:>12}", "plies", "winner", "deals", "%", "classes")?;
    for (plies, (deals, classes)) in &census.by_plies {
        let winner = if plies % 2 == 1 { "X" } else { "O" };
        let percent = share(*deals, census.deals);
        writeln!(
            out,
            "{plies:>5} {winner:>8} {:>14} {percent:>8.3} {:>12}",
            thousands(*deals),
            thousands(*classes)
        )?;
    }
    writeln!(out, "{:>5} {:>14} {:>14} {:>8}", "apart", "deals", "X wins", "%")?;
    for (steps, (deals, won)) in &census.by_distance {
        writeln!(
            out,
            "{steps:>5} {:>14} {:>14} {:>8.2}",
            thousands(*deals),
            thousands(*won),
            share(*won, *deals)
        )?;
    }
    Ok(())
}

/// Collapsi's part of `bench`.
pub fn bench(out: &mut impl Write, cancel: &Cancel, json: bool) -> anyhow::Result<()> {
    for row in measure(cancel) {
        let rate = row.deals as f64 / row.seconds.max(1e-9);
        if json {
            json_line(
                out,
                &json!({"type": "bench_deals", "case": row.case, "deals": row.deals, "won": row.won, "nodes": row.nodes,
                    "seconds": row.seconds, "rate": rate.round(), "classes_seconds": row.classes_seconds()}),
            )?;
        } else {
            let each = row.seconds / row.deals.max(1) as f64;
            let each = if each < 1e-5 { format!("{:.2} µs", each * 1e6) } else { time(each) };
            writeln!(
                out,
                "collapsi {:<28} {:>7} won {:>12} nodes {:>10} {:>9} deals/s, {each} each, all classes {}",
                row.case,
                row.won,
                thousands(row.nodes),
                time(row.seconds),
                thousands(rate as u64),
                time(row.classes_seconds())
            )?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        assert_eq!(day_number("2026-11-15").expect("a date"), 20_261_115);
        assert!(day_number("2026-13-01").is_err() && day_number("today").is_err());
        assert!(today() > 20_240_000);
    }
}
