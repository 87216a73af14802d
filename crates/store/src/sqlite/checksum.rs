//! The checksum of a row, as a function that SQL can call.
//!
//! It is over everything the row says, the key included: SQLite notices a damaged page only if it no longer makes sense, and
//! a key with one bit turned makes as much sense as before, about another position.

use rusqlite::{Connection, Result, functions::FunctionFlags, types::ValueRef};
use sha2::{Digest, Sha256};

/// Whether a row is what was written: an expression over the columns of `verdict`.
pub(super) const SOUND: &str =
    "checksum IS ludex_checksum(spec, key, position, to_move, lo, hi, best, pv, nodes, seconds,
                                version, solver, switches, created)";

/// Give a checksum to the rows of older versions of the program, which have none. A row that no program can have written
/// gets one that is wrong, so that it is found when it is asked for.
const SEAL: &str = "UPDATE verdict SET checksum =
    CASE WHEN to_move IN (0, 1) AND lo BETWEEN -1001 AND hi AND hi <= 1001
    THEN ludex_checksum(spec, key, position, to_move, lo, hi, best, pv, nodes, seconds, version, solver, switches, created)
    ELSE x'' END
    WHERE checksum IS NULL";

/// Teach a connection `ludex_checksum(columns…)`: the first eight bytes of a SHA-256 over the values in order, each as its
/// type (`N`, `I`, `R`, `T` or `B`), its length in bytes as u64 and its bytes; numbers are little-endian.
pub(super) fn define(connection: &Connection) -> Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    connection.create_scalar_function("ludex_checksum", -1, flags, |values| {
        let mut sha = Sha256::new();
        let mut add = |kind: u8, bytes: &[u8]| {
            sha.update([kind]);
            sha.update((bytes.len() as u64).to_le_bytes());
            sha.update(bytes);
        };
        for i in 0..values.len() {
            match values.get_raw(i) {
                ValueRef::Null => add(b'N', &[]),
                ValueRef::Integer(n) => add(b'I', &n.to_le_bytes()),
                ValueRef::Real(x) => add(b'R', &x.to_le_bytes()),
                ValueRef::Text(text) => add(b'T', text),
                ValueRef::Blob(bytes) => add(b'B', bytes),
            }
        }
        Ok(sha.finalize()[..8].to_vec())
    })
}

/// Whether some row has no checksum.
pub(super) fn has_unsealed(connection: &Connection) -> Result<bool> {
    connection.query_row("SELECT EXISTS (SELECT 1 FROM verdict WHERE checksum IS NULL)", [], |row| row.get(0))
}

/// Give every row a checksum.
pub(super) fn seal(connection: &Connection) -> Result<()> {
    connection.execute(SEAL, []).map(drop)
}
