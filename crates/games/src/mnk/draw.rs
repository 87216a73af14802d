//! The board as a picture: crosses and noughts on a grid, the line that decided the game struck through.

use ludex_core::{
    Scene, column_name,
    svg::{FIRST, GRID, INK, PAPER, SECOND_STROKE, Svg, label_size, mark_colour, short},
};

use super::{Board, Cell, Mnk, Stones};

const SIZE: f64 = 40.0;

impl<M: Board> Mnk<M> {
    pub(super) fn draw(&self, p: &Stones<M>, scene: &Scene<Cell>) -> String {
        use ludex_core::Notation as _;
        let (m, n) = (self.shape.m, self.shape.n);
        let label = label_size(m.max(n) as f64 * SIZE);
        let margin = if scene.coordinates { 2.0 * label } else { 2.0 };
        let (width, height) = (m as f64 * SIZE + 2.0 * margin, n as f64 * SIZE + 2.0 * margin);
        let mut svg = Svg::new(width, height, &format!("{}, {}", self.title(), self.board_text(p)));
        svg.shape(
            "rect",
            &[
                ("x", &short(margin)),
                ("y", &short(margin)),
                ("width", &short(width - 2.0 * margin)),
                ("height", &short(height - 2.0 * margin)),
                ("class", &"board"),
                ("fill", &PAPER),
            ],
        );
        svg.ghost("first", |svg| cross(svg, (0.0, 0.0)));
        svg.ghost("second", |svg| nought(svg, (0.0, 0.0)));
        let corner =
            |cell: usize| (margin + (cell % m) as f64 * SIZE, margin + (n - 1 - cell / m) as f64 * SIZE);
        let middle = |cell: usize| (corner(cell).0 + SIZE / 2.0, corner(cell).1 + SIZE / 2.0);
        for cell in 0..self.shape.cells() {
            let (x, y) = corner(cell);
            let mut attributes: Vec<(&str, &dyn std::fmt::Display)> = vec![
                ("width", &SIZE),
                ("height", &SIZE),
                ("class", &"cell"),
                ("fill", &"#FFFFFF"),
                ("stroke", &GRID),
                ("stroke-width", &1),
            ];
            let (x, y, name) = (short(x), short(y), self.shape.name(cell));
            attributes.extend([("x", &x as &dyn std::fmt::Display), ("y", &y), ("data-cell", &name)]);
            let names = self.side_names();
            if p.first.has(cell) {
                attributes.push(("data-holds", &names[0]));
            } else if p.second.has(cell) {
                attributes.push(("data-holds", &names[1]));
            }
            svg.shape("rect", &attributes);
            if scene.last.is_some_and(|m| usize::from(m.0) == cell) {
                svg.last(middle(cell), SIZE / 2.0);
            }
        }
        p.first.cells().for_each(|cell| cross(&mut svg, middle(cell)));
        p.second.cells().for_each(|cell| nought(&mut svg, middle(cell)));
        if let Some((_, line)) = self.decided_by(p)
            && let (Some(from), Some(to)) = (line.cells().next(), line.cells().last())
        {
            svg.win(&[middle(from), middle(to)], 3.5);
        }
        for mark in &scene.marks {
            if let Some(cell) = (0..self.shape.cells()).find(|&cell| self.shape.name(cell) == mark.cell) {
                let fill = mark_colour(&mark.class);
                let (x, y) = middle(cell);
                svg.text(x, y, 13.0, &format!("mark {}", mark.class), fill, &mark.text);
            }
        }
        if scene.coordinates {
            for x in 0..m {
                svg.text(middle(x).0, height - margin / 2.0, label, "label", INK, &column_name(x));
            }
            for y in 0..n {
                svg.text(margin / 2.0, middle(y * m).1, label, "label", INK, &(y + 1).to_string());
            }
        }
        svg.finish()
    }
}

fn stroke(svg: &mut Svg, from: (f64, f64), to: (f64, f64), class: &str, colour: &str, width: f64) {
    svg.shape(
        "line",
        &[
            ("x1", &short(from.0)),
            ("y1", &short(from.1)),
            ("x2", &short(to.0)),
            ("y2", &short(to.1)),
            ("class", &class),
            ("stroke", &colour),
            ("stroke-width", &short(width)),
            ("stroke-linecap", &"round"),
            ("pointer-events", &"none"),
        ],
    );
}

fn cross(svg: &mut Svg, (x, y): (f64, f64)) {
    let r = SIZE * 0.28;
    stroke(svg, (x - r, y - r), (x + r, y + r), "stone first", FIRST, 5.0);
    stroke(svg, (x - r, y + r), (x + r, y - r), "stone first", FIRST, 5.0);
}

fn nought(svg: &mut Svg, (x, y): (f64, f64)) {
    svg.shape(
        "circle",
        &[
            ("cx", &short(x)),
            ("cy", &short(y)),
            ("r", &short(SIZE * 0.3)),
            ("class", &"stone second"),
            ("fill", &"none"),
            ("stroke", &SECOND_STROKE),
            ("stroke-width", &5),
            ("pointer-events", &"none"),
        ],
    );
}

#[cfg(test)]
mod tests {
    use ludex_core::{Mark, Notation, Scene};

    use crate::mnk::{Cell, Mnk, Rule};

    #[test]
    fn a_finished_game_shows_its_line() {
        let game = Mnk::<u64>::new(3, 3, 3, Rule::Strong);
        let p = game.parse_position("xxx/oo./...").unwrap();
        let mark = Mark { cell: "a1".into(), text: "+3".into(), class: "win".into() };
        let svg = game.svg(&p, &Scene { last: Some(Cell(8)), marks: vec![mark], coordinates: true });
        assert_eq!(
            svg.matches("class=\"stone first\"").count(),
            8,
            "two strokes each, and those to show a move with"
        );
        assert_eq!(svg.matches("class=\"stone second\"").count(), 3);
        assert_eq!(svg.matches("class=\"win\"").count(), 1);
        assert_eq!(svg.matches("class=\"last\"").count(), 1);
        assert_eq!(svg.matches("data-holds=\"X\"").count(), 3);
        assert!(svg.contains(">+3</text>") && svg.contains(">c</text>"));
    }
}
