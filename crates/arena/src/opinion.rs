//! What a player thinks of a position at a glance, part by part. An opinion, never a verdict.

use ludex_judge::{AnyGame, Fact, InputError};

use crate::connect4;

/// The opinion of the players that judge by rules of thumb, where a game has some.
///
/// # Errors
/// If the text is no position of the game.
pub fn opinion(game: &dyn AnyGame, position: &str) -> Result<Vec<Fact>, InputError> {
    let Some((side, judgement)) = connect4::glance(&game.spec(), position)? else { return Ok(Vec::new()) };
    let fact = |name: String, value: i32| {
        let value = if value == 0 { "0".into() } else { format!("{value:+}") };
        Fact { name, value, cells: Vec::new() }
    };
    let whose = game.side_names()[side.index()];
    let mut facts = vec![fact(format!("Heuristic score for {whose}"), judgement.parts.total())];
    facts.extend(judgement.parts.named().map(|(part, value)| fact(format!("… {part}"), value)));
    Ok(facts)
}

#[cfg(test)]
mod tests {
    use ludex_judge::open;

    use super::opinion;

    #[test]
    fn the_parts_add_up() {
        let game = open("connect4").expect("a game");
        let position = game.view("44444").expect("a position").position;
        let facts = opinion(game.as_ref(), &position).expect("an opinion");
        let number = |i: usize| facts[i].value.parse::<i32>().expect("a number");
        assert_eq!((1..facts.len()).map(number).sum::<i32>(), number(0));
        assert!(facts[0].name.contains("Yellow"));
        assert!(opinion(open("heap:9").expect("a game").as_ref(), "9").expect("an opinion").is_empty());
    }
}
