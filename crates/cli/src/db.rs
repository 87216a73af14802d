//! `db`: the database of verdicts, for people.

use std::io::{self, Write};

use etcetera::base_strategy::{BaseStrategy as _, choose_native_strategy};
use indicatif::HumanCount;
use ludex_core::{Error, ErrorCode};
use ludex_judge::{Filter, Row, Store, words};

use crate::{
    args::{Db, DbAction, Which},
    context::Context,
    exit::{Done, Exit, Failure, failed},
    objects::{self, DbChecked, Line, Purged},
    output::json_line,
};

/// The usual database, in the platform's data directory; none if there is no such directory.
pub fn default_store() -> Result<Option<Store>, Failure> {
    let Ok(platform) = choose_native_strategy() else { return Ok(None) };
    let folder = platform.data_dir().join("ludex");
    std::fs::create_dir_all(&folder).map_err(failed(format!("cannot make {}", folder.display())))?;
    Ok(Some(Store::open(folder.join("ludex.db"))?))
}

/// Query, purge or check.
pub fn db(context: &Context, db: &Db) -> Done {
    let store = match &db.db {
        Some(path) => Some(Store::open(path)?),
        None => default_store()?,
    };
    let store = store.ok_or_else(|| {
        Error::new(
            ErrorCode::NoDatabase,
            "this platform names no data directory",
            "name a database with --db FILE",
        )
    })?;
    let mut out = io::stdout().lock();
    match &db.action {
        DbAction::Query(which) => {
            let rows = store.query(&filter(which))?;
            for row in &rows {
                if context.json {
                    json_line(&mut out, &Line::Row(object(row)))?;
                } else {
                    print(&mut out, row)?;
                }
            }
            if !context.json {
                writeln!(out, "{} of {} verdicts", rows.len(), store.count()?)?;
            }
        }
        DbAction::Check => return check(&mut out, context, &store),
        DbAction::Purge { which, all, damaged } => {
            let filter = filter(which);
            if filter == Filter::default() && !all && !damaged {
                let hint = "say which (--game, --solver, --made-by, …), or --all for every one";
                return Err(Error::new(ErrorCode::NothingNamed, "nothing says what to forget", hint).into());
            }
            let rows = if *damaged { store.purge_damaged()? } else { store.purge(&filter)? };
            if context.json {
                json_line(&mut out, &Line::Purged(Purged { rows }))?;
            } else {
                writeln!(out, "{} verdicts forgotten", HumanCount(rows))?;
            }
        }
    }
    Ok(Exit::Answered)
}

/// Say which verdicts are not what was written.
fn check(out: &mut impl Write, context: &Context, store: &Store) -> Done {
    let (rows, damaged) = (store.count()?, store.damaged()?);
    if damaged.is_empty() {
        store.check()?;
    }
    let sound = damaged.is_empty();
    if context.json {
        let damaged = damaged.into_iter().map(objects::DamagedRow::from).collect();
        json_line(out, &Line::DbChecked(DbChecked { rows, damaged }))?;
    } else {
        for row in &damaged {
            writeln!(out, "damaged: {row}")?;
        }
        let (bad, rows) = (HumanCount(damaged.len() as u64), HumanCount(rows));
        if sound {
            writeln!(out, "{rows} verdicts, all as they were written")?;
        } else {
            writeln!(out, "{bad} of {rows} verdicts are damaged; ludex db purge --damaged deletes them")?;
        }
    }
    Ok(if sound { Exit::Answered } else { Exit::CheckFailed })
}

fn print(out: &mut impl Write, row: &Row) -> io::Result<()> {
    let Row { spec, position, to_move, solver, version, switches, .. } = row;
    let (value, best) = (words::value(row.bounds), row.best.as_deref().unwrap_or("-"));
    let without = if switches.is_empty() { String::new() } else { format!(" without {switches}") };
    let nodes = HumanCount(row.nodes);
    writeln!(
        out,
        "{spec} {position} {to_move}: {value}, best {best} ({nodes} nodes, {solver} {version}{without})"
    )
}

fn object(row: &Row) -> objects::Row {
    let row = row.clone();
    objects::Row {
        game: row.spec,
        position: row.position,
        to_move: row.to_move,
        value: words::value(row.bounds),
        bounds: row.bounds,
        best: row.best,
        pv: row.pv,
        nodes: row.nodes,
        seconds: row.seconds,
        version: row.version,
        solver: row.solver,
        without: row.switches,
        created: row.created,
    }
}

fn filter(which: &Which) -> Filter {
    Filter {
        game: which.game.clone(),
        position: which.position.clone(),
        version: which.made_by.clone(),
        solver: which.solver.clone(),
        with_rule: which.with_rule.clone(),
        limit: which.limit,
        ..Filter::default()
    }
}
