//! Sentences that have a name, so that they can be said in any language.
//!
//! A [`Sentence`] has gaps, `{side} has the line {cells}`; a [`Said`] is one whose gaps are filled. It carries its English
//! text and, for programs that speak another language, its name and what fills the gaps.

use std::{collections::BTreeMap, fmt};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A sentence with gaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// Its name, such as `line.has`.
    pub code: &'static str,
    /// What it is in English; `{name}` is a gap.
    pub english: &'static str,
}

/// What fills a gap.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Filling {
    /// A number.
    Number(u64),
    /// A move, a cell, a side.
    Text(String),
    /// Another sentence.
    Said(Said),
}

/// A sentence whose gaps are filled.
///
/// ```
/// use ludex_core::Sentence;
///
/// let line = Sentence { code: "line.has", english: "{side} has the line {cells}" };
/// let said = line.say([("side", "X".into()), ("cells", "a1 b2 c3".into())]);
/// assert_eq!(said, "X has the line a1 b2 c3");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Said {
    /// The name of the sentence; none if it is said in English only.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub code: String,
    /// It in English.
    pub text: String,
    /// What fills its gaps.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub with: BTreeMap<String, Filling>,
}

impl Sentence {
    /// Fill the gaps.
    #[must_use]
    pub fn say<const N: usize>(&self, with: [(&str, Filling); N]) -> Said {
        let mut text = self.english.to_owned();
        for (gap, filling) in &with {
            text = text.replace(&format!("{{{gap}}}"), &filling.to_string());
        }
        let with = with.into_iter().map(|(gap, filling)| (gap.to_owned(), filling)).collect();
        Said { code: self.code.to_owned(), text, with }
    }

    /// Things in a row: `a and b and c`. Empty without any.
    #[must_use]
    pub fn chain(&self, all: impl IntoIterator<Item = Filling>) -> Said {
        match all.into_iter().reduce(|a, b| Filling::Said(self.say([("a", a), ("b", b)]))) {
            Some(Filling::Said(said)) => said,
            Some(one) => one.to_string().into(),
            None => Said::default(),
        }
    }

    /// The names of the gaps, in order.
    pub fn gaps(&self) -> impl Iterator<Item = &'static str> {
        self.english.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0))
    }
}

/// Two things, both of them.
pub const AND: Sentence = Sentence { code: "and", english: "{a} and {b}" };

/// Two things, one of them.
pub const OR: Sentence = Sentence { code: "or", english: "{a} or {b}" };

/// Two things, in a list.
pub const LIST: Sentence = Sentence { code: "list", english: "{a}; {b}" };

impl Said {
    /// The sentence with a capital and a full stop.
    #[must_use]
    pub fn whole(mut self) -> Self {
        let mut letters = self.text.trim().trim_end_matches('.').chars();
        let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
        self.text = format!("{first}{}.", letters.as_str());
        self
    }
}

impl fmt::Display for Filling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(n) => n.fmt(f),
            Self::Text(text) => text.fmt(f),
            Self::Said(said) => said.text.fmt(f),
        }
    }
}

impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)
    }
}

/// A sentence without a name: it is said in English.
impl From<String> for Said {
    fn from(text: String) -> Self {
        Self { code: String::new(), text, with: BTreeMap::new() }
    }
}

impl PartialEq<&str> for Said {
    fn eq(&self, text: &&str) -> bool {
        self.text == *text
    }
}

impl From<&str> for Filling {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Filling {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<usize> for Filling {
    fn from(n: usize) -> Self {
        Self::Number(n as u64)
    }
}

impl From<Said> for Filling {
    fn from(said: Said) -> Self {
        Self::Said(said)
    }
}

/// Name sentences, and list them all as `ALL`: `LINE = "line.has": "{side} has the line {cells}";`.
#[macro_export]
macro_rules! sentences {
    ($($(#[$doc:meta])* $name:ident = $code:literal: $english:literal;)*) => {
        $($(#[$doc])* pub(crate) const $name: $crate::Sentence = $crate::Sentence { code: $code, english: $english };)*

        /// All sentences of this kind.
        pub const ALL: &[$crate::Sentence] = &[$($name),*];
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_filled_and_named() {
        let sentence = Sentence { code: "x", english: "{n} of {all}: {what}" };
        assert_eq!(sentence.gaps().collect::<Vec<_>>(), ["n", "all", "what"]);
        let what = AND.chain(["a1", "b2", "c3"].map(Filling::from));
        let said = sentence.say([("n", 2.into()), ("all", 3.into()), ("what", what.into())]);
        assert_eq!(said, "2 of 3: a1 and b2 and c3");
        let json = serde_json::to_string(&said).unwrap();
        assert!(
            json.starts_with(r#"{"code":"x","text":"2 of 3: a1 and b2 and c3","with":{"all":3,"#),
            "{json}"
        );
        assert_eq!(serde_json::from_str::<Said>(&json).unwrap(), said);
    }

    #[test]
    fn a_whole_sentence_has_a_capital_and_a_stop() {
        assert_eq!(Said::from("it is over".to_owned()).whole(), "It is over.");
        assert_eq!(Said::from("It is over.".to_owned()).whole(), "It is over.");
    }
}
