//! Who wins how many deals, and how soon.

use std::{collections::BTreeMap, path::Path};

use ludex_core::{Code, Error, ErrorCode, Notation, Outcome, Value};
use ludex_games::{
    collapsi::{Classes, Collapsi, game},
    svg::{INK, LOSS, PAPER, Svg, WIN, short},
};
use ludex_store::tablebase::Tablebase;

use super::{pack, values_of_classes};

/// The deals of a board with X on one given cell and X to move (a deal in sixteen of all, on 4x4), and their classes
/// under all symmetries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// The rules.
    pub game: String,
    /// Deals, classes, and deals that X wins.
    pub deals: u64,
    /// Classes.
    pub classes: u64,
    /// Deals that X wins.
    pub won: u64,
    /// Deals and classes by the number of plies; X wins those with an odd number.
    pub by_plies: BTreeMap<u32, (u64, u64)>,
    /// Deals and deals that X wins, by the distance between the start cards.
    pub by_distance: BTreeMap<usize, (u64, u64)>,
}

impl Census {
    /// Count the values of all classes, in their order.
    #[must_use]
    pub fn count(game: &Collapsi, values: impl Iterator<Item = Value>) -> Self {
        let classes = Classes::of(game.board().width);
        let mut census = Self { game: game.spec(), ..Self::default() };
        for (class, value) in values.enumerate().take(classes.count()) {
            let deals = classes.deals(class) as u64;
            let won = if value.outcome() == Outcome::Win { deals } else { 0 };
            census.deals += deals;
            census.classes += 1;
            census.won += won;
            let plies = census.by_plies.entry(value.plies().unwrap_or(0)).or_default();
            *plies = (plies.0 + deals, plies.1 + 1);
            let distance = census.by_distance.entry(classes.distance(class)).or_default();
            *distance = (distance.0 + deals, distance.1 + won);
        }
        census
    }

    /// The census of the table that comes with the program.
    #[must_use]
    pub fn built_in() -> Self {
        Self::count(&Collapsi::new(4, false), values_of_classes())
    }

    /// The census of a table file; `None` if it is not one of Collapsi deals with plies.
    ///
    /// # Errors
    /// If the file cannot be read or is damaged.
    pub fn of_table(path: &Path) -> Result<Option<Self>, Error> {
        Ok(values_of_table(path)?.map(|(game, values)| Self::count(&game, values.into_iter())))
    }

    /// A bar chart: the share of the deals by the number of plies.
    #[must_use]
    pub fn plies_svg(&self) -> String {
        let bars: Vec<Bar> = self
            .by_plies
            .iter()
            .map(|(plies, (deals, _))| Bar {
                name: plies.to_string(),
                share: percent(*deals, self.deals),
                won: plies % 2 == 1,
            })
            .collect();
        let title = format!("{}: share of the deals by plies to the end", self.game);
        chart(&title, "plies; green: X wins, orange: O wins", &bars)
    }

    /// A bar chart: the share of the deals that X wins, by the distance between the start cards.
    #[must_use]
    pub fn distance_svg(&self) -> String {
        let bar =
            |name: String, (deals, won): (u64, u64)| Bar { name, share: percent(won, deals), won: true };
        let mut bars: Vec<Bar> =
            self.by_distance.iter().map(|(steps, counts)| bar(steps.to_string(), *counts)).collect();
        bars.push(bar("all".into(), (self.deals, self.won)));
        let title = format!("{}: share of the deals that X wins", self.game);
        chart(&title, "steps between the start cards", &bars)
    }
}

fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

/// A bar of a chart.
struct Bar {
    name: String,
    /// In percent.
    share: f64,
    won: bool,
}

fn chart(title: &str, foot: &str, bars: &[Bar]) -> String {
    let (width, height, edge, bottom) = (520.0, 260.0, 20.0, 44.0);
    let mut svg = Svg::new(width, height, title);
    svg.shape(
        "rect",
        &[
            ("width", &short(width)),
            ("height", &short(height)),
            ("rx", &6),
            ("class", &"board"),
            ("fill", &PAPER),
        ],
    );
    svg.text(width / 2.0, 18.0, 13.0, "label", INK, title);
    let ground = height - bottom;
    svg.shape(
        "line",
        &[
            ("x1", &short(edge)),
            ("x2", &short(width - edge)),
            ("y1", &short(ground)),
            ("y2", &short(ground)),
            ("stroke", &INK),
        ],
    );
    let most = bars.iter().map(|bar| bar.share).fold(1.0, f64::max);
    let step = (width - 2.0 * edge) / bars.len().max(1) as f64;
    for (i, bar) in bars.iter().enumerate() {
        let tall = (ground - 56.0) * bar.share / most;
        let (x, y) = (edge + i as f64 * step, ground - tall);
        let (class, fill) = if bar.won { ("win", WIN) } else { ("loss", LOSS) };
        svg.shape(
            "rect",
            &[
                ("x", &short(x + step * 0.12)),
                ("y", &short(y)),
                ("width", &short(step * 0.76)),
                ("height", &short(tall)),
                ("class", &class),
                ("fill", &fill),
            ],
        );
        svg.text(x + step / 2.0, y - 10.0, 11.0, "label", INK, &share_text(bar.share));
        svg.text(x + step / 2.0, ground + 13.0, 12.0, "label", INK, &bar.name);
    }
    svg.text(width / 2.0, height - 12.0, 12.0, "label", INK, foot);
    svg.finish()
}

/// A share in percent, with as many places as it needs not to be nothing.
fn share_text(share: f64) -> String {
    match share {
        s if s >= 0.05 || s == 0.0 => format!("{s:.1} %"),
        s if s >= 0.0005 => format!("{s:.3} %"),
        s => format!("{s:.5} %"),
    }
}

/// The game and the values of all classes in a table file; `None` if it is not one of Collapsi deals with plies.
fn values_of_table(path: &Path) -> Result<Option<(Collapsi, Vec<Value>)>, Error> {
    let table = Tablebase::open(path)?;
    let heading = table.heading();
    if !heading.spec.starts_with("collapsi") || heading.goal != "distance" || heading.key_bytes > 0 {
        return Ok(None);
    }
    let game = game(&heading.spec.parse()?)?;
    let mut values = Vec::new();
    for tier in 0..table.tiers().len() {
        for code in table.load(tier)? {
            values.push(Code(code).value().ok_or_else(|| {
                Error::new(ErrorCode::Damaged, "the table has a deal without a value", "build it again")
            })?);
        }
    }
    Ok(Some((game, values)))
}

/// The bytes of the table that comes with the program, from a table file; `None` if it is not one of 4x4 deals.
///
/// # Errors
/// If the file cannot be read or is damaged.
pub fn pack_table(path: &Path) -> Result<Option<Vec<u8>>, Error> {
    Ok(values_of_table(path)?
        .filter(|(game, _)| game.board().width == 4)
        .and_then(|(_, values)| pack(&values)))
}
