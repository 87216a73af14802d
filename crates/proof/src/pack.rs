//! The bytes of a certificate as the writer puts them down: the text of the header, and packed tokens.

use std::{
    fmt::{self, Write as _},
    io::Write as _,
};

use flate2::{Compression, write::ZlibEncoder};
use ludex_core::hex;
use sha2::{Digest as _, Sha256};

use crate::{
    header::{ANY, FIRST_LINE, Header, IMPLIED},
    rules::Rule,
};

impl Header {
    /// The text, with its digest and the empty line at its end.
    #[must_use]
    pub fn write(&self) -> String {
        let words = |rules: &[Rule]| match rules {
            [] => "nothing".to_owned(),
            rules => rules.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
        };
        let implied = [self.win, self.forced, self.repeat, self.leaf, self.only];
        let implied: Vec<&str> =
            implied.iter().zip(IMPLIED).filter_map(|(&on, word)| on.then_some(word)).collect();
        let mut text = format!("{FIRST_LINE}\ngame {}\n", self.spec);
        let mut line = |written: fmt::Arguments<'_>| {
            let _ = text.write_fmt(written);
        };
        if let Some(sheet) = &self.sheet {
            line(format_args!("sheet {}\n", sheet.split_terminator('\n').count()));
            sheet.split_terminator('\n').for_each(|row| line(format_args!("{row}\n")));
        }
        line(format_args!("position {} {}\n", self.board, self.side));
        for (i, claim) in self.claims.iter().enumerate() {
            line(format_args!("claim {} {claim}\n", i + 1));
        }
        line(format_args!("level {}\ntables none\n", if self.strategy { "strategy" } else { "position" }));
        line(format_args!(
            "implied {}\n",
            if implied.is_empty() { "nothing".into() } else { implied.join(" ") }
        ));
        line(format_args!("here {}\nafter {}\n", words(&self.here), words(&self.after)));
        for (i, c) in self.chunks.iter().enumerate() {
            let within = if c.within == ANY { "any".to_owned() } else { c.within.to_string() };
            line(format_args!(
                "chunk {} claim {} within {within} bytes {} inflated {} remembered {} sha256 {} position {} {}\n",
                i + 1,
                c.claim + 1,
                c.bytes,
                c.inflated,
                c.remembered,
                c.sha256,
                c.board,
                c.side
            ));
        }
        let digest = hex(&Sha256::digest(text.as_bytes()));
        text + &format!("digest sha256 {digest}\n\n")
    }

    /// The SHA-256 by which the certificate is known: of the header, which names those of its chunks.
    #[must_use]
    pub fn digest(&self) -> String {
        let text = self.write();
        text.trim_end().rsplit(' ').next().unwrap_or_default().to_owned()
    }
}

/// Write tokens.
pub(crate) fn push(bytes: &mut Vec<u8>, token: u32) {
    let mut rest = token;
    while rest >= 128 {
        bytes.push(rest as u8 | 128);
        rest >>= 7;
    }
    bytes.push(rest as u8);
}

/// Compress the tokens of a chunk.
pub(crate) fn pack(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).unwrap_or_default()
}
