//! The memory of verdicts in a farm's database: what `ludex.db` is on one machine, for many.

use std::sync::{Mutex, MutexGuard, PoisonError};

use ludex_core::{Bounds, Error, Side, Value};
use ludex_judge::{Memory, Row, StoreError};
use ludex_store::Remembered;

use crate::{
    Farm, StoreUrl,
    database::{Cell, Cells, Database, Fault, cells},
};

/// A memory of verdicts that many machines share. It treats findings as every memory does: those of different makers
/// stand side by side, and two that exclude each other are an error.
///
/// ```
/// use ludex_core::{Bounds, Side, Value};
/// use ludex_farm::Verdicts;
/// use ludex_judge::{Memory, Row};
///
/// let folder = tempfile::tempdir().unwrap();
/// let url = format!("sqlite:{}", folder.path().join("farm.db").display()).parse()?;
/// let verdicts = Verdicts::open(&url)?;
/// let mut row = Row::new("heap:21", b"7", "7", Side::First);
/// row.bounds = Bounds::exact(Value::win(3));
/// verdicts.put(&row).unwrap();
/// assert_eq!(verdicts.get("heap:21", b"7").unwrap().unwrap().bounds, row.bounds);
/// # Ok::<(), ludex_judge::Error>(())
/// ```
#[derive(Debug)]
pub struct Verdicts {
    farm: Mutex<Farm>,
}

const COLUMNS: &str =
    "spec, key, position, to_move, lo, hi, best, pv, nodes, seconds, version, solver, switches, created";

impl Verdicts {
    /// Open the verdicts of a farm's database, which is made if it is new.
    ///
    /// # Errors
    /// If the database cannot be reached or is not ours.
    pub fn open(url: &StoreUrl) -> Result<Self, Error> {
        Farm::init(url)?;
        Ok(Self { farm: Mutex::new(Farm::open(url)?) })
    }

    fn lock(&self) -> MutexGuard<'_, Farm> {
        self.farm.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn hexadecimal(key: &[u8]) -> String {
    key.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// All findings about a position.
fn findings(database: &mut dyn Database, spec: &str, key: &[u8]) -> Result<Vec<Cells>, Fault> {
    database.query(
        &format!("SELECT {COLUMNS} FROM farm_verdict WHERE spec = $1 AND key = $2"),
        cells![spec, hexadecimal(key)],
    )
}

fn read(cells: &Cells, key: &[u8]) -> Row {
    let value = |cell: &Cell| Value::from_raw(cell.int().clamp(-1001, 1001) as i16);
    let to_move = if cells[3].int() == 0 { Side::First } else { Side::Second };
    let mut row = Row::new(cells[0].text(), key, cells[2].text(), to_move);
    row.bounds = Bounds { lo: value(&cells[4]), hi: value(&cells[5]) };
    row.best = (!cells[6].is_null()).then(|| cells[6].text().to_owned());
    row.pv = cells[7].text().split_whitespace().map(str::to_owned).collect();
    row.nodes = cells[8].int().max(0) as u64;
    row.seconds = cells[9].real();
    row.version = cells[10].text().to_owned();
    row.solver = cells[11].text().to_owned();
    row.switches = cells[12].text().to_owned();
    row.created = cells[13].int();
    row
}

fn write(database: &mut dyn Database, row: &Row) -> Result<(), Fault> {
    let sql = database.dialect().say(&format!(
        "INSERT INTO farm_verdict ({COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13,
             CASE WHEN CAST($14 AS BIGINT) = 0 THEN {{now}} / 1000 ELSE CAST($14 AS BIGINT) END)
         ON CONFLICT (spec, key, version, solver, switches) DO UPDATE SET position = excluded.position,
             to_move = excluded.to_move, lo = excluded.lo, hi = excluded.hi, best = excluded.best, pv = excluded.pv,
             nodes = excluded.nodes, seconds = excluded.seconds, created = excluded.created"
    ));
    let values = [
        row.spec.as_str().into(),
        hexadecimal(&row.key).into(),
        row.position.as_str().into(),
        i64::from(row.to_move == Side::Second).into(),
        i64::from(row.bounds.lo.raw()).into(),
        i64::from(row.bounds.hi.raw()).into(),
        row.best.as_deref().map_or(Cell::Null, Cell::from),
        row.pv.join(" ").into(),
        i64::try_from(row.nodes).unwrap_or(i64::MAX).into(),
        row.seconds.into(),
        row.version.as_str().into(),
        row.solver.as_str().into(),
        row.switches.as_str().into(),
        row.created.into(),
    ];
    database.query(&sql, &values).map(drop)
}

/// What a finding and those of its position come to: an error, or what its maker knows now.
fn together(row: &Row, known: &[Row]) -> Result<Option<Row>, StoreError> {
    let all = Remembered::default();
    known.iter().try_for_each(|other| all.put(other))?;
    all.put(row)?;
    let same = |other: &&Row| {
        (&other.version, &other.solver, &other.switches) == (&row.version, &row.solver, &row.switches)
    };
    let own = Remembered::default();
    known.iter().filter(same).try_for_each(|other| own.put(other))?;
    own.put(row)?;
    own.get(&row.spec, &row.key)
}

fn failed(farm: &Farm, error: &Error) -> StoreError {
    StoreError::Failed { database: farm.name(), why: error.message.clone() }
}

impl Memory for Verdicts {
    fn get(&self, spec: &str, key: &[u8]) -> Result<Option<Row>, StoreError> {
        let mut farm = self.lock();
        let rows = farm.run(|database| findings(database, spec, key)).map_err(|e| failed(&farm, &e))?;
        let all = Remembered::default();
        rows.iter().try_for_each(|cells| all.put(&read(cells, key)))?;
        all.get(spec, key)
    }

    fn put(&self, row: &Row) -> Result<(), StoreError> {
        self.put_all(std::slice::from_ref(row))
    }

    fn put_all(&self, rows: &[Row]) -> Result<(), StoreError> {
        if rows.is_empty() {
            return Ok(());
        }
        let mut farm = self.lock();
        let mut refused = None;
        let done = farm.transact(|database| {
            // One writer at a time: what is compared must not change before it is written.
            database.query("UPDATE farm_version SET version = version", &[])?;
            for row in rows {
                let known: Vec<Row> = findings(database, &row.spec, &row.key)?
                    .iter()
                    .map(|cells| read(cells, &row.key))
                    .collect();
                match together(row, &known) {
                    Ok(Some(new)) => write(database, &new)?,
                    Ok(None) => {}
                    Err(error) => {
                        refused = Some(error);
                        return Err(Fault::NoTable);
                    }
                }
            }
            Ok(())
        });
        match (refused, done) {
            (Some(error), _) => Err(error),
            (None, Err(error)) => Err(failed(&farm, &error)),
            (None, Ok(())) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::on_every_database;

    #[test]
    fn findings_stand_side_by_side_and_contradictions_are_refused() {
        on_every_database(|url| {
            let verdicts = Verdicts::open(url).unwrap();
            let mut row = Row::new("heap:21", b"7", "7", Side::First);
            row.solver = "dfpn".into();
            row.bounds = Bounds::at_least(Value::SOME_WIN);
            (row.best, row.pv) = (Some("1".into()), vec!["1".into(), "2".into()]);
            verdicts.put(&row).unwrap();
            row.solver = "alphabeta".into();
            row.bounds = Bounds::at_most(Value::win(3));
            verdicts.put(&row).unwrap();
            let known = verdicts.get("heap:21", b"7").unwrap().unwrap();
            assert_eq!(known.bounds, Bounds { lo: Value::SOME_WIN, hi: Value::win(3) });
            assert_eq!((known.pv.len(), known.created > 1_500_000_000), (2, true));
            let mut wrong = row.clone();
            wrong.bounds = Bounds::exact(Value::DRAW);
            let other = Row::new("heap:21", b"8", "8", Side::First);
            assert!(matches!(verdicts.put_all(&[other, wrong]), Err(StoreError::Contradiction { .. })));
            assert!(verdicts.get("heap:21", b"8").unwrap().is_none(), "all or none");
            assert_eq!(verdicts.get("heap:21", b"7").unwrap().unwrap(), known);
        });
    }
}
