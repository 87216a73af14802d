//! The tables, and how an older file becomes a newer one.

use rusqlite::{Connection, TransactionBehavior};

use super::checksum::seal;

/// `LUDX`, in the file's header, so that nobody's other database is taken for ours.
pub(crate) const APPLICATION_ID: i64 = 0x4C55_4458;

/// The `n`-th step leads from schema version `n` to `n + 1`. Steps are never changed, only added.
///
/// 2: every row has a checksum. The column may be empty: a program of version 1 that had the file open before goes on
/// writing rows without one. Those are sealed when the database is next opened, and not believed until then.
const MIGRATIONS: &[&str] = &[
    "
    CREATE TABLE verdict (
        spec     TEXT    NOT NULL,
        key      BLOB    NOT NULL,
        position TEXT    NOT NULL,
        to_move  INTEGER NOT NULL CHECK (to_move IN (0, 1)),
        lo       INTEGER NOT NULL CHECK (lo BETWEEN -1001 AND 1001),
        hi       INTEGER NOT NULL CHECK (hi BETWEEN lo AND 1001),
        best     TEXT,
        pv       TEXT    NOT NULL,
        nodes    INTEGER NOT NULL,
        seconds  REAL    NOT NULL,
        version  TEXT    NOT NULL,
        solver   TEXT    NOT NULL,
        switches TEXT    NOT NULL,
        created  INTEGER NOT NULL,
        PRIMARY KEY (spec, key, version, solver, switches)
    ) WITHOUT ROWID, STRICT;
",
    "
    ALTER TABLE verdict ADD COLUMN checksum BLOB;
    CREATE INDEX unsealed ON verdict (checksum) WHERE checksum IS NULL;
",
];

/// The schema this program writes.
pub const SCHEMA_VERSION: u32 = MIGRATIONS.len() as u32;

pub(crate) fn user_version(connection: &Connection) -> rusqlite::Result<u32> {
    connection.pragma_query_value(None, "user_version", |r| r.get(0))
}

/// Whether the file has nothing in it yet.
pub(crate) fn is_blank(connection: &Connection) -> rusqlite::Result<bool> {
    connection.query_row("SELECT count(*) = 0 FROM sqlite_schema", [], |r| r.get(0))
}

/// Whether the file says it is ours.
pub(crate) fn is_ours(connection: &Connection) -> rusqlite::Result<bool> {
    connection.pragma_query_value(None, "application_id", |r| Ok(r.get::<_, i64>(0)? == APPLICATION_ID))
}

/// Bring the schema up to date, and the rows.
pub(crate) fn migrate(connection: &mut Connection) -> rusqlite::Result<()> {
    // A row that no program can have written is found by its checksum later; here it would only be in the way.
    connection.pragma_update(None, "ignore_check_constraints", true)?;
    let migrated = migrate_by(connection, MIGRATIONS, seal);
    connection.pragma_update(None, "ignore_check_constraints", false)?;
    migrated
}

/// One transaction for all steps: a process that dies in between leaves the old version, one that comes second finds
/// the new one.
fn migrate_by(
    connection: &mut Connection,
    steps: &[&str],
    afterwards: impl FnOnce(&Connection) -> rusqlite::Result<()>,
) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let at = user_version(&transaction)? as usize;
    for step in steps.iter().skip(at) {
        transaction.execute_batch(step)?;
    }
    if at < steps.len() {
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.pragma_update(None, "user_version", steps.len() as i64)?;
    }
    afterwards(&transaction)?;
    transaction.commit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_taken_once_and_in_order() {
        let mut c = Connection::open_in_memory().unwrap();
        let steps = ["CREATE TABLE a (x)", "ALTER TABLE a ADD COLUMN y", "INSERT INTO a VALUES (1, 2)"];
        for n in [1, 1, 2, 3, 3] {
            migrate_by(&mut c, &steps[..n], |_| Ok(())).unwrap();
            assert_eq!(user_version(&c).unwrap(), n as u32);
        }
        assert_eq!(c.query_row("SELECT sum(y) FROM a", [], |r| r.get::<_, i64>(0)).unwrap(), 2);
    }

    #[test]
    fn a_failing_step_leaves_the_old_version() {
        let mut c = Connection::open_in_memory().unwrap();
        migrate_by(&mut c, &["CREATE TABLE a (x)"], |_| Ok(())).unwrap();
        migrate_by(&mut c, &["", "CREATE TABLE b (x)", "nonsense"], |_| Ok(())).unwrap_err();
        assert_eq!(user_version(&c).unwrap(), 1);
        assert!(c.prepare("SELECT * FROM b").is_err(), "rolled back");
    }
}
