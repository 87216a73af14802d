//! What the judge, the games and the proofs say has its words in every language of the page, and so have the rules of all
//! games and whatever can go wrong.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use ludex_core::{AND, ErrorCode, LIST, OR, Sentence};
use ludex_judge::Registry;
use ludex_standard::Standard as _;
use serde_json::Value;

const OTHERS: [&str; 2] = ["de", "fr"];

/// The entries `"name": "text"` of a file of texts.
fn entries(file: &str) -> BTreeMap<String, String> {
    let path = format!("{}/page/lang/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let strings: Vec<&str> =
        text.lines().filter(|l| l.starts_with("  ")).flat_map(|l| l.split('"')).collect();
    // Outside the strings there is nothing but ": " and ", " and ends of lines.
    let inside: Vec<&str> = strings.iter().copied().filter(|s| !matches!(s.trim(), "" | ":" | ",")).collect();
    inside.chunks_exact(2).map(|pair| (pair[0].to_owned(), pair[1].to_owned())).collect()
}

fn sentences() -> Vec<Sentence> {
    let parts = [
        &[AND, OR, LIST],
        ludex_games::sentences::ALL,
        ludex_judge::sentences::ALL,
        ludex_proof::sentences::ALL,
    ];
    parts.concat()
}

#[test]
fn every_sentence_has_a_name_of_its_own() {
    let codes: BTreeSet<&str> = sentences().iter().map(|s| s.code).collect();
    assert_eq!(codes.len(), sentences().len());
}

#[test]
fn every_sentence_can_be_said_in_every_language() {
    for file in OTHERS.map(|lang| format!("{lang}-said.js")) {
        let texts = entries(&file);
        let codes: BTreeSet<&str> = sentences().iter().map(|s| s.code).collect();
        let known: BTreeSet<&str> =
            texts.keys().map(String::as_str).filter(|k| !k.starts_with("error.")).collect();
        assert_eq!(known, codes, "{file}");
        for sentence in sentences() {
            // Said in another language, a sentence may name somebody less or more often, but nobody else.
            let other = Sentence { english: texts[sentence.code].clone().leak(), ..sentence };
            let [here, there] = [sentence, other].map(|s| s.gaps().collect::<BTreeSet<_>>());
            assert_eq!(there, here, "{file}: {}", sentence.code);
        }
    }
}

#[test]
fn whatever_goes_wrong_is_said_in_every_language() {
    let words: BTreeSet<&str> = ErrorCode::ALL.iter().map(|code| code.word()).collect();
    for lang in OTHERS {
        let texts = entries(&format!("{lang}-said.js"));
        let known: BTreeSet<&str> = texts.keys().filter_map(|key| key.strip_prefix("error.")).collect();
        assert_eq!(known, words, "{lang}");
    }
}

#[test]
fn the_rules_of_every_game_are_there_in_every_language() {
    let registry = Registry::standard();
    for lang in OTHERS {
        let path = format!("{}/page/lang/{lang}-rules.js", env!("CARGO_MANIFEST_DIR"));
        let text = fs::read_to_string(path).unwrap();
        let object = text.split_once("export default ").unwrap().1.trim_end().trim_end_matches(';');
        let told: BTreeMap<String, Value> = serde_json::from_str(object).unwrap();
        let mut seen = BTreeSet::new();
        for family in registry.families() {
            let spec = family.examples.first().copied().unwrap_or(family.name);
            let rules = ludex_judge::rules(&registry, spec).unwrap();
            let other = told.get(family.name).unwrap_or_else(|| panic!("{lang}: {}", family.name));
            let words = |key: &str| other[key].as_str().unwrap_or_default().len();
            for (key, english) in [
                ("title", &rules.title),
                ("goal", &rules.goal),
                ("end", &rules.end),
                ("notation", &rules.notation),
            ] {
                // About as long: nothing is left out.
                assert!(words(key) * 2 > english.len(), "{lang}: {key} of {}", family.name);
            }
            let steps = other["steps"].as_array().map_or(0, Vec::len);
            assert_eq!(steps, rules.steps.len(), "{lang}: the steps of {}", family.name);
            seen.insert(family.name.to_owned());
        }
        assert_eq!(told.keys().cloned().collect::<BTreeSet<_>>(), seen, "{lang}");
    }
}
