//! What is wrong is refused with a clear error, and nothing is overwritten.

use std::fs;

use ludex_core::ErrorCode;
use ludex_judge::{Goal, Question};

use super::{on_every_database, registry, sqlite};
use crate::{Farm, Plan, StoreUrl};

#[test]
fn files_that_are_no_farm_are_left_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let url = sqlite(folder.path());
    assert_eq!(Farm::open(&url).unwrap_err().code, ErrorCode::NoDatabase);
    let notes = folder.path().join("farm.db");
    fs::write(&notes, "milk, bread, and other things that are no database at all").unwrap();
    for refused in [Farm::init(&url).unwrap_err(), Farm::open(&url).unwrap_err()] {
        assert_eq!(refused.code, ErrorCode::BadDatabase, "{refused}");
    }
    assert!(fs::read_to_string(&notes).unwrap().starts_with("milk"));
    // A database of another program, and one of ours that is no farm.
    fs::remove_file(&notes).unwrap();
    let other = rusqlite::Connection::open(&notes).unwrap();
    other.execute_batch("CREATE TABLE mine (x); INSERT INTO mine VALUES (1)").unwrap();
    for refused in [Farm::init(&url).unwrap_err(), Farm::open(&url).unwrap_err()] {
        assert!(refused.message.contains("not a database of ludex farm"), "{refused}");
    }
    assert_eq!(other.query_row("SELECT count(*) FROM sqlite_schema", [], |r| r.get::<_, i64>(0)).unwrap(), 1);
    let nowhere: StoreUrl =
        format!("sqlite:{}/no/such/folder/farm.db", folder.path().display()).parse().unwrap();
    assert_eq!(Farm::init(&nowhere).unwrap_err().code, ErrorCode::BadDatabase);
}

#[test]
fn another_schema_is_refused_by_name() {
    on_every_database(|url| {
        Farm::open(url).unwrap().query("UPDATE farm_version SET version = 7", &[]).unwrap();
        for refused in [Farm::init(url).unwrap_err(), Farm::open(url).unwrap_err()] {
            assert!(refused.message.contains("schema version 7"), "{refused}");
        }
    });
}

#[test]
fn a_search_has_one_master() {
    on_every_database(|url| {
        let registry = registry();
        let game = registry.open("seven:12").unwrap();
        let mut farm = Farm::open(url).unwrap();
        let id = farm.submit_proof(&*game, &Question::default(), &Plan::default()).unwrap();
        let first = crate::master::Master::new(&mut farm, &registry, id, "one").unwrap();
        let refused = farm.lead(&registry, id, "two", &ludex_core::Cancel::new()).unwrap_err();
        assert_eq!(refused.code, ErrorCode::Busy);
        assert!(refused.message.contains("one, process"), "{refused}");
        drop(first);
        // Its lease runs out by the database's clock.
        farm.query("UPDATE farm_submission SET master_until = 0", &[]).unwrap();
        crate::master::Master::new(&mut farm, &registry, id, "two").unwrap();
    });
}

#[test]
fn questions_that_make_no_sense() {
    on_every_database(|url| {
        let registry = registry();
        let game = registry.open("heap:9").unwrap();
        let mut farm = Farm::open(url).unwrap();
        let plan = Plan::default();
        let distance = Question { goal: Goal::Distance, ..Question::default() };
        assert_eq!(farm.submit_proof(&*game, &distance, &plan).unwrap_err().code, ErrorCode::BadGoal);
        assert_eq!(
            farm.submit_proof(&*game, &Question::at("0"), &plan).unwrap_err().code,
            ErrorCode::GameOver
        );
        let unknown = Question { solver: Some("oracle".into()), ..Question::default() };
        assert!(farm.submit_positions(&*game, &unknown, &plan, &[]).is_err());
        assert_eq!(farm.status(Some(99)).unwrap_err().code, ErrorCode::NotFound);
        assert_eq!(farm.cancel(99).unwrap_err().code, ErrorCode::NotFound);
        assert!(farm.status(None).unwrap().submissions.is_empty());
    });
}

#[cfg(feature = "postgres")]
#[test]
fn no_error_shows_a_password() {
    use super::server::{PASSWORD, Server};

    let Some(server) = Server::start() else { return };
    let wrong = Farm::open(&server.url_with("wrong-4712")).unwrap_err();
    assert_eq!(wrong.code, ErrorCode::BadDatabase);
    assert!(wrong.message.contains("authentication failed"), "{wrong}");
    let empty = Farm::open(&server.url()).unwrap_err();
    assert!(empty.message.contains("there is no farm"), "{empty}");
    let nobody: StoreUrl = format!("postgres://farm:{PASSWORD}@127.0.0.1:1/postgres").parse().unwrap();
    let away = Farm::open(&nobody).unwrap_err();
    let plain: StoreUrl = format!("{}?sslmode=require", secret_url(&server)).parse().unwrap();
    let no_roots = Farm::open(&plain).unwrap_err();
    assert!(no_roots.hint.contains("sslrootcert"), "{no_roots:?}");
    let roots: StoreUrl =
        format!("{}?sslmode=require&sslrootcert=/no/such", secret_url(&server)).parse().unwrap();
    let no_file = Farm::open(&roots).unwrap_err();
    assert_eq!(no_file.code, ErrorCode::BadFile);
    for error in [wrong, empty, away, no_roots, no_file] {
        let text = format!("{error:?}");
        assert!(!text.contains(PASSWORD) && !text.contains("wrong-4712"), "{text}");
    }
}

#[cfg(feature = "postgres")]
fn secret_url(server: &super::server::Server) -> String {
    let port = server.url().to_string().rsplit(':').next().unwrap_or_default().to_owned();
    format!("postgres://farm:{}@127.0.0.1:{port}/postgres", super::server::PASSWORD)
}
