//! The tables of a farm.

use ludex_core::{Error, ErrorCode};

use crate::database::{Database, Fault, cells};

/// The schema this program reads and writes. Another one is refused, whichever is older: a farm lives as long as its work.
pub(crate) const VERSION: i64 = 1;

/// `state` of a job: 0 waits, 1 runs, 2 is done, 3 is called off. `lease` and all other times are milliseconds by the
/// database's clock. `avoid` names a worker that may not have the job: nobody checks his own answers.
const TABLES: &str = "
CREATE TABLE farm_version (version BIGINT NOT NULL);
CREATE TABLE farm_worker (
    id {id}, name TEXT NOT NULL, process BIGINT NOT NULL, program TEXT NOT NULL,
    started BIGINT NOT NULL, seen BIGINT NOT NULL,
    trusted BIGINT NOT NULL DEFAULT 1, why TEXT
);
CREATE TABLE farm_submission (
    id {id}, token TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, spec TEXT NOT NULL, question TEXT NOT NULL,
    plan TEXT NOT NULL, program TEXT NOT NULL, state TEXT NOT NULL,
    created BIGINT NOT NULL, finished BIGINT,
    master TEXT, master_until BIGINT NOT NULL DEFAULT 0, epoch BIGINT NOT NULL DEFAULT 0,
    tree TEXT, answer TEXT
);
CREATE TABLE farm_job (
    id {id}, submission BIGINT NOT NULL, key TEXT NOT NULL, task TEXT NOT NULL, rank DOUBLE PRECISION NOT NULL,
    state BIGINT NOT NULL DEFAULT 0, avoid BIGINT,
    worker BIGINT, lease BIGINT NOT NULL DEFAULT 0, attempts BIGINT NOT NULL DEFAULT 0,
    result TEXT, nodes BIGINT NOT NULL DEFAULT 0, seconds DOUBLE PRECISION NOT NULL DEFAULT 0,
    finished BIGINT, seen BIGINT NOT NULL DEFAULT 0, checked TEXT,
    UNIQUE (submission, key)
);
CREATE INDEX farm_job_waiting ON farm_job (rank DESC, id) WHERE state = 0;
CREATE INDEX farm_job_running ON farm_job (lease) WHERE state = 1;
CREATE INDEX farm_job_open ON farm_job (submission) WHERE state IN (0, 1);
CREATE INDEX farm_job_done ON farm_job (submission, finished) WHERE state = 2;
CREATE TABLE farm_line (
    submission BIGINT NOT NULL, line BIGINT NOT NULL, text TEXT NOT NULL, key TEXT, error TEXT,
    PRIMARY KEY (submission, line)
);
CREATE TABLE farm_fact (
    seq {id}, submission BIGINT NOT NULL, job BIGINT NOT NULL, worker BIGINT NOT NULL, body TEXT NOT NULL
);
CREATE INDEX farm_fact_of ON farm_fact (submission, seq);
CREATE TABLE farm_verdict (
    spec TEXT NOT NULL, key TEXT NOT NULL, position TEXT NOT NULL, to_move BIGINT NOT NULL, lo BIGINT NOT NULL,
    hi BIGINT NOT NULL, best TEXT, pv TEXT NOT NULL, nodes BIGINT NOT NULL, seconds DOUBLE PRECISION NOT NULL,
    version TEXT NOT NULL, solver TEXT NOT NULL, switches TEXT NOT NULL, created BIGINT NOT NULL,
    PRIMARY KEY (spec, key, version, solver, switches)
);
CREATE TABLE farm_aside (
    job BIGINT NOT NULL, worker BIGINT NOT NULL, result TEXT, why TEXT NOT NULL, at BIGINT NOT NULL
);
";

/// The version of the schema, if there is one.
pub(crate) fn version(database: &mut dyn Database) -> Result<Option<i64>, Fault> {
    match database.query("SELECT version FROM farm_version", &[]) {
        Ok(rows) => Ok(rows.first().map(|row| row[0].int())),
        Err(Fault::NoTable) => Ok(None),
        Err(fault) => Err(fault),
    }
}

/// Refuse a database without our tables, or with those of another version.
pub(crate) fn check(database: &mut dyn Database) -> Result<(), Fault> {
    let refuse =
        |message: String, hint: &str| Err(Fault::Refused(Error::new(ErrorCode::BadDatabase, message, hint)));
    let name = database.name().to_owned();
    match version(database)? {
        Some(VERSION) => Ok(()),
        Some(other) => refuse(
            format!(
                "the farm in {name} has schema version {other}, but this program knows version {VERSION}"
            ),
            "use the ludex that made it, or another database: this one is left as it is",
        ),
        None => refuse(format!("there is no farm in {name}"), "make one with ludex farm init"),
    }
}

/// Make the tables, unless they are there. Two processes that do so at once make them once.
pub(crate) fn make(database: &mut dyn Database) -> Result<bool, Fault> {
    if version(database)?.is_some() {
        check(database)?;
        return Ok(false);
    }
    database.begin()?;
    let sql = database.dialect().say(TABLES);
    let made = database
        .batch(&sql)
        .and_then(|()| database.query("INSERT INTO farm_version VALUES ($1)", cells![VERSION]).map(drop))
        .and_then(|()| database.batch("COMMIT"));
    if let Err(fault) = made {
        // The other process may have been quicker.
        let _ = database.batch("ROLLBACK");
        return if version(database)?.is_some() { check(database).map(|()| false) } else { Err(fault) };
    }
    Ok(true)
}
