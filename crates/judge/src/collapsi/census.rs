//! Who wins how many deals, and how soon.

use std::{collections::BTreeMap, path::Path};

use ludex_core::{Code, InputError, Notation, Outcome, Value};
use ludex_games::{
    collapsi::{Classes, Collapsi, game, pack, values_of_classes},
    svg::{INK, LOSS, PAPER, Svg, WIN, short},
};
use ludex_store::tablebase::Tablebase;

use crate::table::TableFault;

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
    pub fn of_table(path: &Path) -> Result<Option<Self>, TableFault> {
        Ok(values_of_table(path)?.map(|(game, values)| Self::count(&game, values.into_iter())))
    }

    /// A bar chart of the number of plies.
    #[must_use]
    pub fn svg(&self) -> String {
        let (width, height, left, bottom) = (520.0, 260.0, 46.0, 40.0);
        let mut svg = Svg::new(width, height, &format!("{}: deals by the number of plies", self.game));
        svg.shape(
            "rect",
            &[("width", &short(width)), ("height", &short(height)), ("class", &"board"), ("fill", &PAPER)],
        );
        svg.text(
            width / 2.0,
            14.0,
            13.0,
            "label",
            INK,
            &format!("{}: share of the deals by plies to the end", self.game),
        );
        let most = self.by_plies.values().map(|n| n.0).max().unwrap_or(1) as f64;
        let step = (width - left - 10.0) / self.by_plies.len().max(1) as f64;
        for (i, (plies, (deals, _))) in self.by_plies.iter().enumerate() {
            let tall = (height - bottom - 46.0) * *deals as f64 / most;
            let (x, y) = (left + i as f64 * step, height - bottom - tall);
            let (class, fill) = if plies % 2 == 1 { ("win", WIN) } else { ("loss", LOSS) };
            svg.shape(
                "rect",
                &[
                    ("x", &short(x + 4.0)),
                    ("y", &short(y)),
                    ("width", &short(step - 8.0)),
                    ("height", &short(tall.max(0.5))),
                    ("class", &class),
                    ("fill", &fill),
                ],
            );
            let share = 100.0 * *deals as f64 / self.deals.max(1) as f64;
            svg.text(x + step / 2.0, y - 9.0, 11.0, "label", INK, &format!("{share:.2} %"));
            svg.text(x + step / 2.0, height - bottom + 12.0, 12.0, "label", INK, &plies.to_string());
        }
        svg.text(width / 2.0, height - 10.0, 12.0, "label", INK, "plies; green: X wins, orange: O wins");
        svg.finish()
    }
}

/// The game and the values of all classes in a table file; `None` if it is not one of Collapsi deals with plies.
fn values_of_table(path: &Path) -> Result<Option<(Collapsi, Vec<Value>)>, TableFault> {
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
                InputError::new("damaged", "the table has a deal without a value", "build it again")
            })?);
        }
    }
    Ok(Some((game, values)))
}

/// The bytes of the table that comes with the program, from a table file; `None` if it is not one of 4x4 deals.
///
/// # Errors
/// If the file cannot be read or is damaged.
pub fn pack_table(path: &Path) -> Result<Option<Vec<u8>>, TableFault> {
    Ok(values_of_table(path)?
        .filter(|(game, _)| game.board().width == 4)
        .and_then(|(_, values)| pack(&values)))
}
