//! Rows in and out of the table of verdicts.

use ludex_core::{Bounds, Side, Value};
use rusqlite::{Connection, Error, Params, Result, params};

use crate::Row;

const COLUMNS: &str =
    "spec, key, position, to_move, lo, hi, best, pv, nodes, seconds, version, solver, switches, created";

/// The rows that a `rest` of a statement chooses: what comes after `FROM verdict`.
pub(super) fn select(connection: &Connection, rest: &str, values: impl Params) -> Result<Vec<Row>> {
    let mut statement = connection.prepare_cached(&format!("SELECT {COLUMNS} FROM verdict {rest}"))?;
    statement.query_map(values, read)?.collect()
}

fn read(row: &rusqlite::Row<'_>) -> Result<Row> {
    let value = |column| {
        let raw: i16 = row.get(column)?;
        let value = Value::from_raw(raw);
        // `from_raw` takes what is out of range for the nearest value; here it is a sign of damage.
        if value.raw() == raw { Ok(value) } else { Err(Error::IntegralValueOutOfRange(column, raw.into())) }
    };
    let pv: String = row.get(7)?;
    Ok(Row {
        spec: row.get(0)?,
        key: row.get(1)?,
        position: row.get(2)?,
        to_move: if row.get::<_, i64>(3)? == 0 { Side::First } else { Side::Second },
        bounds: Bounds { lo: value(4)?, hi: value(5)? },
        best: row.get(6)?,
        pv: pv.split_whitespace().map(str::to_owned).collect(),
        nodes: row.get::<_, i64>(8)?.max(0) as u64,
        seconds: row.get(9)?,
        version: row.get(10)?,
        solver: row.get(11)?,
        switches: row.get(12)?,
        created: row.get(13)?,
    })
}

/// Write a row in the place of the same maker's earlier one.
pub(super) fn write(connection: &Connection, row: &Row) -> Result<()> {
    let sql = format!("INSERT OR REPLACE INTO verdict ({COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
    connection.prepare_cached(&sql)?.execute(params![
        row.spec,
        row.key,
        row.position,
        i64::from(row.to_move == Side::Second),
        row.bounds.lo.raw(),
        row.bounds.hi.raw(),
        row.best,
        row.pv.join(" "),
        i64::try_from(row.nodes).unwrap_or(i64::MAX),
        row.seconds,
        row.version,
        row.solver,
        row.switches,
        row.created,
    ])?;
    Ok(())
}
