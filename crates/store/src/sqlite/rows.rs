//! Rows in and out of the table of verdicts.

use ludex_core::{Bounds, Side, Value};
use rusqlite::{Connection, Error, Params, Result, Row as SqlRow, params, types::ValueRef};

use super::checksum::SOUND;
use crate::{DamagedRow, Row};

/// A row, or which one it is that is not what was written.
type Read = std::result::Result<Row, DamagedRow>;

/// The rows that a `rest` of a statement chooses: what comes after `FROM verdict`. Rows without a checksum are left out:
/// a program of an older version is writing them at this moment, and they get theirs when the database is next opened.
pub(super) fn select(connection: &Connection, rest: &str, values: impl Params) -> Result<Vec<Read>> {
    let sql = format!(
        "SELECT spec, key, position, to_move, lo, hi, best, pv, nodes, seconds, version, solver, switches, created,
         {SOUND}, checksum IS NULL FROM verdict {rest}"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(values)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let (sound, unchecked): (bool, bool) = (row.get(14)?, row.get(15)?);
        if !unchecked {
            found.push(if sound { read(row).map_err(|_| damaged(row)) } else { Err(damaged(row)) });
        }
    }
    Ok(found)
}

/// Which row it is, as far as its texts can be read.
fn damaged(row: &SqlRow<'_>) -> DamagedRow {
    let text = |column| match row.get_ref(column) {
        Ok(ValueRef::Text(text)) => String::from_utf8_lossy(text).into_owned(),
        _ => "?".to_owned(),
    };
    DamagedRow { spec: text(0), position: text(2), solver: text(11), version: text(10) }
}

fn read(row: &SqlRow<'_>) -> Result<Row> {
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
    let sql = "INSERT OR REPLACE INTO verdict (spec, key, position, to_move, lo, hi, best, pv, nodes, seconds, version,
               solver, switches, created, checksum)
               VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,
               ludex_checksum(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14))";
    connection.prepare_cached(sql)?.execute(params![
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
