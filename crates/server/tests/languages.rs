//! What the judge, the games and the proofs say has its words in every language of the page.

use std::collections::{BTreeMap, BTreeSet};

use ludex_core::{AND, LIST, OR, Sentence};

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
    for file in ["de-said.js", "fr-said.js"] {
        let texts = entries(file);
        let codes: BTreeSet<&str> = sentences().iter().map(|s| s.code).collect();
        let known: BTreeSet<&str> = texts.keys().map(String::as_str).collect();
        assert_eq!(known, codes, "{file}");
        for sentence in sentences() {
            // Said in another language, a sentence may name somebody less or more often, but nobody else.
            let other = Sentence { english: texts[sentence.code].clone().leak(), ..sentence };
            let [here, there] = [sentence, other].map(|s| s.gaps().collect::<BTreeSet<_>>());
            assert_eq!(there, here, "{file}: {}", sentence.code);
        }
    }
}
