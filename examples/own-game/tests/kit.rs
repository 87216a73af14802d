//! The conformance kit on every small board, and on random games of a larger one.

use ludex::core::conformance;
use own_game::{Domineering, of_spec};

#[test]
fn domineering_passes_the_kit() {
    for spec in own_game::FAMILY.small {
        println!("{}", conformance::check(&of_spec(&spec.parse().unwrap()).unwrap()));
    }
    println!("{}", conformance::check(&Domineering { rows: 5, columns: 5 }));
}
