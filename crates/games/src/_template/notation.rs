//! Texts and pictures.

use ludex_core::{
    Error, Notation, Playable, Said, Scene, Side,
    svg::{FIRST, INK, PAPER, SECOND, Svg, ink_on},
};

use super::{Heap, NaiveHeap, Pile, Take};

impl Notation for Heap {
    fn spec(&self) -> String {
        format!("heap:{}", self.size)
    }

    fn title(&self) -> String {
        format!("Heap of {}", self.size)
    }

    fn parse_board(&self, board: &str, side: Option<Side>) -> Result<Pile, Error> {
        let hint = format!("the number of counters left, 0 to {}", self.size);
        match board.parse::<u32>() {
            // A number may be read that is written otherwise, such as +8 or 08.
            Ok(left) if left <= self.size && left.to_string() == board => {
                Ok(Pile { left, side: side.unwrap_or(Side::First) })
            }
            _ => Err(Error::position(format!("'{board}' is not a heap of {}", self.spec()), hint)),
        }
    }

    fn board_text(&self, p: &Pile) -> String {
        p.left.to_string()
    }

    fn implied_side(&self, _: &Pile) -> Option<Side> {
        Some(Side::First)
    }

    fn move_text(&self, _: &Pile, m: Take) -> String {
        m.0.to_string()
    }

    fn picture(&self, p: &Pile) -> String {
        format!("{} ({} left)\n", "o".repeat(p.left as usize), p.left)
    }

    fn svg(&self, p: &Pile, scene: &Scene<Take>) -> String {
        let mut svg = Svg::new(200.0, 80.0, &format!("{} counters left", p.left));
        svg.shape("rect", &[("width", &200), ("height", &80), ("class", &"board"), ("fill", &PAPER)]);
        svg.text(100.0, 20.0, 18.0, "label", INK, &format!("{} left", p.left));
        for n in 1..=p.left.min(3) {
            let x = 50 * n;
            let (class, fill) = [("first", FIRST), ("second", SECOND)][p.side.index()];
            svg.shape(
                "circle",
                &[("cx", &x), ("cy", &55), ("r", &18), ("class", &class), ("fill", &fill), ("data-cell", &n)],
            );
            svg.text(f64::from(x), 55.0, 16.0, "letter", ink_on(fill), &n.to_string());
        }
        if let Some(Take(n)) = scene.last {
            let taker = self.side_names()[p.side.other().index()];
            svg.text(100.0, 34.0, 10.0, "label last", INK, &format!("{taker} took {n}"));
        }
        for mark in &scene.marks {
            let x: f64 = mark.cell.parse().unwrap_or(0.0) * 50.0;
            svg.text(x, 76.0, 10.0, &format!("mark {}", mark.class), INK, &mark.text);
        }
        svg.finish()
    }

    fn sets_up_freely(&self) -> bool {
        true
    }

    fn why(&self, p: &Pile) -> Option<Said> {
        let taker = self.side_names()[p.side.other().index()];
        (p.left == 0).then(|| format!("{taker} took the last counter").into())
    }
}

impl Playable for Heap {
    type Naive = NaiveHeap;

    fn naive(&self) -> NaiveHeap {
        NaiveHeap
    }
}
