//! Progress on standard error: a bar on a terminal, JSON for programs, nothing in a pipe.

use std::{io::IsTerminal as _, sync::Arc, time::Duration};

use indicatif::{ProgressBar, ProgressStyle as BarStyle};
use ludex_judge::{AnyGame, Progress, Reporter, Side, wire, words};

use crate::{args::ProgressStyle, output::thousands};

/// A running display; dropping it clears the bar.
pub struct Display {
    bar: Option<ProgressBar>,
    reporter: Option<Reporter>,
}

impl Display {
    /// The display of a style, for searches of a game.
    pub fn new(style: ProgressStyle, game: &dyn AnyGame) -> Self {
        let names = game.side_names();
        match style {
            ProgressStyle::Auto if !std::io::stderr().is_terminal() => Self { bar: None, reporter: None },
            ProgressStyle::None => Self { bar: None, reporter: None },
            ProgressStyle::Json => Self {
                bar: None,
                reporter: Some(Arc::new(|p: &Progress| eprintln!("{}", wire::progress(p)))),
            },
            ProgressStyle::Auto | ProgressStyle::Bar => {
                let bar = spinner();
                let shown = bar.clone();
                let reporter = move |p: &Progress| {
                    let rate = p.nodes as f64 / p.time.as_secs_f64().max(1e-9);
                    let known = words::verdict(names, Side::First, p.bounds, false);
                    shown.set_message(format!(
                        "{} positions, {}/s; side to move: {}",
                        thousands(p.nodes),
                        thousands(rate as u64),
                        if known.starts_with("Nothing") { known } else { words::value(p.bounds) },
                    ));
                };
                Self { bar: Some(bar), reporter: Some(Arc::new(reporter)) }
            }
        }
    }

    /// Who is to be told.
    pub fn reporter(&self) -> Option<Reporter> {
        self.reporter.clone()
    }
}

fn spinner() -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = BarStyle::with_template("{spinner} {elapsed_precise} {msg}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}

/// A bar for work that is no search, if the style wants one.
pub fn bar(style: ProgressStyle) -> Option<ProgressBar> {
    let wanted = match style {
        ProgressStyle::Auto => std::io::stderr().is_terminal(),
        ProgressStyle::Bar => true,
        ProgressStyle::Json | ProgressStyle::None => false,
    };
    wanted.then(spinner)
}

impl Drop for Display {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
