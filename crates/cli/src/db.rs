//! `db`: the database of verdicts, for people.

use std::io::{self, Write};

use anyhow::Context as _;
use etcetera::base_strategy::{BaseStrategy as _, choose_native_strategy};
use ludex_judge::{Filter, InputError, Store, words};
use serde_json::json;

use crate::{
    args::{Db, DbAction, Which},
    exit::{Done, Exit},
    output::{json_line, thousands},
};

/// The usual database, in the platform's data directory; none if there is no such directory.
pub fn default_store() -> anyhow::Result<Option<Store>> {
    let Ok(platform) = choose_native_strategy() else { return Ok(None) };
    let folder = platform.data_dir().join("ludex");
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    Ok(Some(Store::open(folder.join("ludex.db"))?))
}

/// Query or purge.
pub fn db(db: &Db) -> Done {
    let store = match &db.db {
        Some(path) => Some(Store::open(path)?),
        None => default_store()?,
    };
    let store = store.ok_or_else(|| {
        InputError::new(
            "no_database",
            "this platform names no data directory",
            "name a database with --db FILE",
        )
    })?;
    let mut out = io::stdout().lock();
    match &db.action {
        DbAction::Query(which) => {
            let rows = store.query(&filter(which))?;
            for row in &rows {
                if db.json {
                    json_line(
                        &mut out,
                        &json!({
                            "type": "row", "game": row.spec, "position": row.position, "to_move": row.to_move.word(),
                            "value": words::value(row.bounds), "lower": ludex_judge::wire::Value::from(row.bounds.lo),
                            "upper": ludex_judge::wire::Value::from(row.bounds.hi), "best": row.best, "pv": row.pv,
                            "nodes": row.nodes, "seconds": row.seconds, "version": row.version,
                            "solver": row.solver, "without": row.switches, "created": row.created,
                        }),
                    )?;
                } else {
                    let side = row.to_move;
                    let value = words::value(row.bounds);
                    let best = row.best.as_deref().unwrap_or("-");
                    let without = if row.switches.is_empty() {
                        String::new()
                    } else {
                        format!(" without {}", row.switches)
                    };
                    writeln!(
                        out,
                        "{} {} {side}: {value}, best {best} ({} nodes, {} {}{without})",
                        row.spec,
                        row.position,
                        thousands(row.nodes),
                        row.solver,
                        row.version,
                    )?;
                }
            }
            if !db.json {
                writeln!(out, "{} of {} verdicts", rows.len(), store.count()?)?;
            }
        }
        DbAction::Purge { which, all } => {
            let filter = filter(which);
            if filter == Filter::default() && !all {
                let hint = "say which (--game, --solver, --made-by, …), or --all for every one";
                return Err(InputError::new("nothing_named", "nothing says what to forget", hint).into());
            }
            let gone = store.purge(&filter)?;
            if db.json {
                json_line(&mut out, &json!({"type": "purged", "rows": gone}))?;
            } else {
                writeln!(out, "{} verdicts forgotten", thousands(gone))?;
            }
        }
    }
    Ok(Exit::Answered)
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
