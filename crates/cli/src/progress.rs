//! Progress on standard error: a bar on a terminal, JSON for programs, nothing in a pipe.

use std::{borrow::Cow, io::IsTerminal as _, sync::Arc, time::Duration};

use indicatif::{HumanCount, ProgressBar, ProgressStyle as BarStyle};
use ludex_core::{Bounds, Progress};
use ludex_judge::{Reporter, answer::ProgressLine, words};

use crate::args::ProgressStyle;

/// A bar that leaves the screen when it is dropped; it may be no bar at all.
pub struct Bar(ProgressBar);

impl Bar {
    /// A bar with a message, if the style wants one.
    pub fn new(style: ProgressStyle) -> Self {
        Self::drawn(style, "{spinner} {elapsed_precise} {msg}")
    }

    /// A bar that counts to a number that is known, on a terminal.
    pub fn counting(of: u64, what: &'static str) -> Self {
        let template = "{spinner} {elapsed_precise} [{bar:30}] {human_pos} of {human_len} {msg}, {eta} left";
        let bar = Self::drawn(ProgressStyle::Auto, template);
        bar.0.set_length(of);
        bar.0.set_message(what);
        bar
    }

    fn drawn(style: ProgressStyle, template: &str) -> Self {
        let wanted = match style {
            ProgressStyle::Auto => std::io::stderr().is_terminal(),
            ProgressStyle::Bar => true,
            ProgressStyle::Json | ProgressStyle::None => false,
        };
        if !wanted {
            return Self(ProgressBar::hidden());
        }
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = BarStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(120));
        Self(bar)
    }

    /// Whether nothing is drawn.
    pub fn is_hidden(&self) -> bool {
        self.0.is_hidden()
    }

    /// Say something.
    pub fn say(&self, message: impl Into<Cow<'static, str>>) {
        self.0.set_message(message);
    }

    /// So many of so many are done.
    pub fn count(&self, done: u64, of: u64) {
        self.0.set_length(of);
        self.0.set_position(done);
    }

    /// So many are done, of as many as it was told.
    pub fn at(&self, done: u64) {
        self.0.set_position(done);
    }

    /// Leave the screen to the answer.
    pub fn clear(&self) {
        self.0.finish_and_clear();
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.clear();
    }
}

/// A running display of a search; dropping it clears the bar.
pub struct Display {
    bar: Bar,
    style: ProgressStyle,
}

impl Display {
    /// The display of a style.
    pub fn new(style: ProgressStyle) -> Self {
        let bar = Bar::new(style);
        bar.say("searching");
        Self { bar, style }
    }

    /// Who is to be told.
    pub fn reporter(&self) -> Option<Reporter> {
        if self.style == ProgressStyle::Json {
            return Some(Arc::new(|p: &Progress| {
                if let Ok(line) = serde_json::to_string(&ProgressLine::from(p)) {
                    eprintln!("{line}");
                }
            }));
        }
        let bar = self.bar.0.clone();
        (!bar.is_hidden()).then(|| -> Reporter {
            Arc::new(move |p: &Progress| {
                let rate = p.nodes as f64 / p.time.as_secs_f64().max(1e-9);
                let known =
                    if p.bounds == Bounds::ALL { "nothing yet".into() } else { words::value(p.bounds) };
                let moves = p.moves.map_or(String::new(), |(done, of)| format!("{done} of {of} moves, "));
                bar.set_message(format!(
                    "{moves}{} positions, {}/s; certain for the side to move: {known}",
                    HumanCount(p.nodes),
                    HumanCount(rate as u64),
                ));
            })
        })
    }
}
