//! `prove`, `check`, `proof` and `explain FILE`: certificates.

use std::{
    fs,
    io::{self, BufRead as _, Write as _},
    path::{Path, PathBuf},
    time::Instant,
};

use clap::{Args as ClapArgs, Subcommand};
use indicatif::HumanCount;
use ludex_core::{Error, ErrorCode, Side};
use ludex_judge::Question;
use ludex_proof::{
    ANY, Book, Checked, Claim, Fault, Header, check_by,
    rules::{self, Rules},
    walk::{self, Walk},
};

use crate::{
    args::{Effort, PositionArgs},
    assemble,
    chores::Through,
    context::Context,
    exit::{Done, Exit, Failure, failed},
    objects::{Certificate, Line},
    output::json_line,
    questions,
};

/// `prove`.
#[derive(Debug, ClapArgs)]
pub struct Prove {
    #[command(flatten)]
    at: PositionArgs,
    /// What to prove: first-wins, first-draws, second-wins or second-draws, perhaps with ,within=N moves; several times for several claims [default: what
    /// the position is worth]
    #[arg(long, value_name = "CLAIM")]
    claim: Vec<String>,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// How hard to try for a small file, from 0
    #[arg(long = "effort", value_name = "N", default_value_t = 2)]
    tries: u32,
    /// Cut positions with more stored steps than this below them off into chunks of their own
    #[arg(long, value_name = "STEPS")]
    chunk: Option<usize>,
    #[command(flatten)]
    through: Through,
    /// Moves of the claimant that are chosen before the rest goes to the farm
    #[arg(long, value_name = "N", default_value_t = 2, requires = "farm")]
    moves: u32,
    #[command(flatten)]
    limits: Effort,
}

/// `check`.
#[derive(Debug, ClapArgs)]
pub struct Check {
    /// The certificates
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

/// `proof`.
#[derive(Debug, ClapArgs)]
pub struct Proof {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// What certificates claim, and how large they are
    Stats {
        /// The certificates
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Look for a smaller certificate of the same claims
    Trim {
        /// The certificate
        file: PathBuf,
        /// The file to write
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// How hard to try, from 0
        #[arg(long = "effort", value_name = "N", default_value_t = 3)]
        tries: u32,
        #[command(flatten)]
        limits: Effort,
    },
    /// Cut a certificate into chunks that can be checked apart
    Split {
        /// The certificate
        file: PathBuf,
        /// The file to write
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// Positions with more stored steps than this below them get a chunk of their own
        #[arg(long, value_name = "STEPS", default_value_t = 2000)]
        chunk: usize,
    },
    /// Join certificates of one position: all their claims in one file, one chunk for each
    Merge {
        /// The certificates
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// The file to write
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
}

/// Read a claim.
fn claim(text: &str) -> Result<Claim, Error> {
    let hint = "first-wins, first-draws, second-wins or second-draws, perhaps with ,within=N after a win";
    let bad = || Error::new(ErrorCode::BadArguments, format!("'{text}' is no claim"), hint);
    let (what, within) = match text.split_once(",within=") {
        Some((what, moves)) => {
            (what, moves.parse().ok().filter(|&moves: &u32| moves < 1000).ok_or_else(bad)?)
        }
        None => (text, ANY),
    };
    let (side, win) = match what {
        "first-wins" => (Side::First, true),
        "first-draws" => (Side::First, false),
        "second-wins" => (Side::Second, true),
        "second-draws" => (Side::Second, false),
        _ => return Err(bad()),
    };
    if !win && within != ANY {
        return Err(bad());
    }
    Ok(Claim { side, win, within })
}

/// Write a certificate.
pub fn prove(context: &Context, asked: &Prove) -> Done {
    let claims = asked.claim.iter().map(|text| claim(text)).collect::<Result<Vec<_>, _>>()?;
    let farm = asked.through.farm.as_deref();
    let farm = farm.map(|url| assemble::Asked { url, moves: asked.moves, effort: asked.tries });
    write(context, &asked.at, &claims, (asked.tries, asked.chunk), &asked.limits, (&asked.out, farm))?;
    Ok(Exit::Answered)
}

/// Write a certificate, check it, and say what it proves.
pub fn write(
    context: &Context,
    at: &PositionArgs,
    claims: &[Claim],
    (tries, chunk): (u32, Option<usize>),
    limits: &Effort,
    (out, farm): (&Path, Option<assemble::Asked<'_>>),
) -> Result<(), Failure> {
    let game = context.open(&at.spec)?;
    let question = Question { position: at.position.clone(), seed: at.seed, ..questions::question(limits) };
    let start = Instant::now();
    let mut file = match farm {
        Some(farm) => assemble::prove(context, &*game, &question, claims, &farm)?,
        None => game.prove(&question, claims, tries, &context.terms()?)?,
    };
    if let Some(most) = chunk {
        file = ludex_proof::rewrite(&[file], &|header| open(context, header), most)?;
    }
    let seconds = start.elapsed().as_secs_f64();
    save(context, out, &file)?;
    if !context.json {
        writeln!(io::stdout(), "Written in {seconds:.1} s.")?;
    }
    Ok(())
}

/// Check a certificate, write it to its file, and report it.
fn save(context: &Context, out: &Path, file: &[u8]) -> Result<(), Failure> {
    let (report, fault) = report(context, out, file);
    if let Some(fault) = fault {
        let message = format!("the certificate that was written is refused: {fault}");
        return Err(Error::contradiction(message).into());
    }
    fs::write(out, file).map_err(failed(format!("cannot write {}", out.display())))?;
    show(context, &report)
}

fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(file).map_err(failed(format!("cannot read {}", file.display())))
}

/// The rules for a certificate: the checker's own, or those of a game that only this program knows.
fn open(context: &Context, header: &Header) -> Option<Box<dyn Rules>> {
    let own = rules::open(&header.spec, header.sheet.as_deref());
    own.or_else(|| {
        let family = header.spec.split(':').next()?;
        if rules::FAMILIES.contains(&family) { None } else { Some(context.open(&header.spec).ok()?.rules()) }
    })
}

/// What is to be told of a certificate, and what is wrong with it.
fn report(context: &Context, path: &Path, file: &[u8]) -> (Certificate, Option<Fault>) {
    let start = Instant::now();
    let checked = check_by(file, |header| open(context, header));
    let seconds = start.elapsed().as_secs_f64();
    let (checked, fault) = match checked {
        Ok(checked) => (Some(checked), None),
        Err(fault) => (None, Some(fault)),
    };
    let header = checked.as_ref().map(|checked| checked.header.clone());
    let header = header.or_else(|| Header::read(file).ok().map(|(header, _)| header));
    let text = |f: &dyn Fn(&Header) -> String| header.as_ref().map_or_else(String::new, f);
    let number = |f: &dyn Fn(&Checked) -> u64| checked.as_ref().map_or(0, f);
    let rules = |h: &Header| h.here.iter().chain(&h.after).map(ToString::to_string).collect();
    let certificate = Certificate {
        file: path.to_owned(),
        valid: fault.is_none(),
        fault: fault.as_ref().map(ToString::to_string),
        line: fault.as_ref().map_or_else(Vec::new, |fault| fault.line.clone()),
        game: text(&|h| h.spec.clone()),
        position: text(&|h| format!("{} {}", h.board, h.side)),
        claims: header.as_ref().map_or_else(Vec::new, |h| h.claims.iter().map(ToString::to_string).collect()),
        level: text(&|h| if h.strategy { "strategy" } else { "position" }.to_owned()),
        rules: header.as_ref().map_or_else(Vec::new, rules),
        chunks: header.as_ref().map_or(0, |h| h.chunks.len()),
        moves: number(&|c| c.moves),
        leaves: number(&|c| c.leaves),
        positions: number(&|c| c.positions),
        bytes: file.len() as u64,
        sha256: text(&|h| h.digest()),
        seconds,
    };
    (certificate, fault)
}

/// A number of things.
fn counted(n: u64, one: &str, more: &str) -> String {
    format!("{} {}", HumanCount(n), if n == 1 { one } else { more })
}

fn show(context: &Context, c: &Certificate) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    if context.json {
        return Ok(json_line(&mut out, &Line::Certificate(c.clone()))?);
    }
    let name = c.file.display();
    match &c.fault {
        Some(fault) => writeln!(out, "{name}: refused: {fault}")?,
        None => writeln!(
            out,
            "{name}: valid: {} {}: {}. {}, {}, {}, {} checked in {:.2} s; sha256 {}",
            c.game,
            c.position,
            c.claims.join(", "),
            counted(c.moves, "move", "moves"),
            counted(c.leaves, "rule applied", "rules applied"),
            counted(c.bytes, "byte", "bytes"),
            counted(c.positions, "position", "positions"),
            c.seconds,
            c.sha256
        )?,
    }
    Ok(())
}

/// Check certificates.
pub fn check(context: &Context, asked: &Check) -> Done {
    let mut exit = Exit::Answered;
    for path in &asked.files {
        let (certificate, fault) = report(context, path, &read(path)?);
        show(context, &certificate)?;
        if fault.is_some() {
            exit = Exit::CheckFailed;
        }
    }
    Ok(exit)
}

/// Work on certificates.
pub fn proof(context: &Context, asked: &Proof) -> Done {
    match &asked.action {
        Action::Stats { files } => return stats(context, files),
        Action::Trim { file, out, tries, limits } => trim(context, file, out, *tries, limits)?,
        Action::Split { file, out, chunk } => rewrite(context, std::slice::from_ref(file), out, *chunk)?,
        Action::Merge { files, out } => rewrite(context, files, out, usize::MAX)?,
    }
    Ok(Exit::Answered)
}

fn rewrite(context: &Context, files: &[PathBuf], out: &Path, most: usize) -> Result<(), Failure> {
    let files = files.iter().map(|file| read(file)).collect::<Result<Vec<_>, _>>()?;
    let written = ludex_proof::rewrite(&files, &|header| open(context, header), most)?;
    save(context, out, &written)
}

/// Prove the claims of a certificate again, and keep the smaller file.
fn trim(context: &Context, file: &Path, out: &Path, tries: u32, limits: &Effort) -> Result<(), Failure> {
    let old = read(file)?;
    let checked = check_by(&old, |header| open(context, header));
    let header =
        checked.map_err(|fault| Error::new(ErrorCode::BadCertificate, fault.to_string(), ""))?.header;
    let game = context.open(&header.spec)?;
    let position = Some(format!("{} {}", header.board, header.side));
    let question = Question { position, ..questions::question(limits) };
    let new = game.prove(&question, &header.claims, tries, &context.terms()?)?;
    save(context, out, if new.len() < old.len() { &new } else { &old })
}

fn stats(context: &Context, files: &[PathBuf]) -> Done {
    let mut exit = Exit::Answered;
    for path in files {
        let (certificate, fault) = report(context, path, &read(path)?);
        if context.json || fault.is_some() {
            show(context, &certificate)?;
            exit = if fault.is_some() { Exit::CheckFailed } else { exit };
            continue;
        }
        let mut out = io::stdout().lock();
        writeln!(out, "{}", path.display())?;
        let rows = [
            ("game", certificate.game),
            ("position", certificate.position),
            ("claims", certificate.claims.join(", ")),
            ("level", certificate.level),
            ("rules", certificate.rules.join(" ")),
            ("chunks", certificate.chunks.to_string()),
            ("moves", HumanCount(certificate.moves).to_string()),
            ("rules applied", HumanCount(certificate.leaves).to_string()),
            ("positions checked", HumanCount(certificate.positions).to_string()),
            ("bytes", HumanCount(certificate.bytes).to_string()),
            ("seconds", format!("{:.3}", certificate.seconds)),
            ("sha256", certificate.sha256),
        ];
        for (name, value) in rows {
            writeln!(out, "  {name:<18}{value}")?;
        }
    }
    Ok(exit)
}

/// Whether an argument names a certificate, and not a game.
pub fn is_certificate(argument: &str) -> bool {
    let mut begin = [0; 18];
    let read = fs::File::open(argument).and_then(|mut file| io::Read::read_exact(&mut file, &mut begin));
    read.is_ok() && &begin == b"ludex certificate "
}

/// Walk through a certificate: the moves of the opponent are read from standard input, or from `moves:…`.
pub fn explain(context: &Context, at: &PositionArgs) -> Done {
    let file = read(Path::new(&at.spec))?;
    let refused = |fault: Fault| walk::refused(&fault);
    let (header, _) = Header::read(&file).map_err(refused)?;
    let game = open(context, &header)
        .ok_or_else(|| Error::spec(format!("there is no game '{}'", header.spec), "see ludex games"))?;
    let (checked, books) = Book::read(&file, &*game).map_err(refused)?;
    let named = context.open(&header.spec).ok();
    let sides = named.as_ref().map_or(["First", "Second"], |game| game.side_names());
    let (claim, book) = (checked.header.claims[0], &books[0]);
    let start = game.read(&header.board, header.side);
    let start = start.ok_or_else(|| Error::position("the certificate has no position", ""))?;
    let walk = Walk { game: &*game, book, claim, sides };
    let given = at.position.as_deref().and_then(|text| text.strip_prefix("moves:"));
    let mut given = given.map(|moves| moves.split(',').map(str::to_owned).collect::<Vec<_>>().into_iter());
    let mut out = io::stdout().lock();
    let stored = counted(checked.moves, "move is", "moves are");
    writeln!(out, "{}: {claim}. {stored} stored.", header.spec)?;
    let mut place = walk.along(&start, &[])?;
    loop {
        let p = &place.position;
        writeln!(out, "{} {}", game.write(p), p.side)?;
        writeln!(out, "{}", place.reason.said)?;
        if game.result(p).is_some() {
            return Ok(Exit::Answered);
        }
        if p.side == claim.side {
            let Some(m) = place.play else { return Ok(Exit::Answered) };
            let text = game.text(p, m);
            if place.settled {
                writeln!(out, "{} plays {text}.", sides[claim.side.index()])?;
            }
            place = walk.step(&place, &text)?;
            continue;
        }
        let texts: Vec<String> = game.moves(p).iter().map(|&m| game.text(p, m)).collect();
        write!(out, "Reply ({}): ", texts.join(" "))?;
        out.flush()?;
        let text = match &mut given {
            Some(given) => given.next(),
            None => io::stdin().lock().lines().next().transpose()?,
        };
        writeln!(out)?;
        let Some(text) = text else { return Ok(Exit::Answered) };
        place = walk.step(&place, text.trim())?;
    }
}
