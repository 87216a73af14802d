//! The text that names a game: `NAME[:PARAM,…]`.

use std::{fmt, str::FromStr};

use crate::Error;

/// A parsed game spec: the name, then parameters that are positional or `key=value`.
///
/// ```
/// let spec: ludex_core::Spec = "mnk:5,5,4,rule=weak".parse().unwrap();
/// assert_eq!(spec.name, "mnk");
/// assert_eq!(spec.positional(), ["5", "5", "4"]);
/// assert_eq!(spec.named("rule"), Some("weak"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// The game's name, lower case.
    pub name: String,
    /// Everything after the colon, as given.
    pub rest: String,
    positional: Vec<String>,
    named: Vec<(String, String)>,
}

impl Spec {
    /// The parameters without a key, in order.
    #[must_use]
    pub fn positional(&self) -> &[String] {
        &self.positional
    }

    /// The value of a `key=value` parameter.
    #[must_use]
    pub fn named(&self, key: &str) -> Option<&str> {
        self.named.iter().find(|(k, _)| k == key).map(|(_, v)| v.as_str())
    }

    /// Refuse keys that the game does not know, and more positional parameters than it takes.
    ///
    /// # Errors
    /// If there is a parameter too many.
    pub fn only(&self, positional: usize, keys: &[&str], usage: &str) -> Result<(), Error> {
        if let Some(extra) = self.positional.get(positional) {
            return Err(Error::spec(format!("'{self}' has a parameter too many: '{extra}'"), usage));
        }
        for (key, _) in &self.named {
            if !keys.contains(&key.as_str()) {
                let known = if keys.is_empty() { "it has none".into() } else { keys.join(", ") };
                return Err(Error::spec(
                    format!("{} has no parameter '{key}'", self.name),
                    format!("parameters: {known}; usage: {usage}"),
                ));
            }
        }
        Ok(())
    }

    /// The `i`-th positional parameter as a number in a range.
    ///
    /// # Errors
    /// If it is missing, no number, or out of range.
    pub fn number(
        &self,
        i: usize,
        what: &str,
        range: std::ops::RangeInclusive<usize>,
    ) -> Result<usize, Error> {
        let hint = format!("{what} is a number from {} to {}", range.start(), range.end());
        let text =
            self.positional.get(i).ok_or_else(|| Error::spec(format!("'{self}' lacks {what}"), &hint))?;
        parse_number(text, what, range)
    }

    /// The `i`-th positional parameter as a size `AxB`.
    ///
    /// # Errors
    /// If it is missing or not of that form.
    pub fn size(&self, i: usize, usage: &str) -> Result<Option<(usize, usize)>, Error> {
        let Some(text) = self.positional.get(i) else { return Ok(None) };
        let bad = || Error::spec(format!("'{text}' is not a size"), usage);
        let (a, b) = text.split_once(['x', 'X']).ok_or_else(bad)?;
        Ok(Some((a.parse().map_err(|_| bad())?, b.parse().map_err(|_| bad())?)))
    }
}

/// A number in a range, or an error that names the range.
///
/// # Errors
/// If it is no number or out of range.
pub fn parse_number(text: &str, what: &str, range: std::ops::RangeInclusive<usize>) -> Result<usize, Error> {
    let hint = format!("{what} is a number from {} to {}", range.start(), range.end());
    match text.parse::<usize>() {
        Ok(n) if range.contains(&n) => Ok(n),
        Ok(n) => Err(Error::spec(format!("{what} cannot be {n}"), hint)),
        Err(_) => Err(Error::spec(format!("'{text}' is not a number"), hint)),
    }
}

impl FromStr for Spec {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let (name, rest) = match text.split_once(':') {
            Some((name, rest)) => (name, rest),
            None => (text, ""),
        };
        let (mut positional, mut named) = (Vec::new(), Vec::new());
        for param in rest.split(',').filter(|p| !p.is_empty()) {
            match param.split_once('=') {
                Some((key, value)) => named.push((key.trim().to_lowercase(), value.trim().to_owned())),
                None => positional.push(param.trim().to_owned()),
            }
        }
        Ok(Self { name: name.trim().to_lowercase(), rest: rest.to_owned(), positional, named })
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if !self.rest.is_empty() {
            write!(f, ":{}", self.rest)?;
        }
        Ok(())
    }
}
