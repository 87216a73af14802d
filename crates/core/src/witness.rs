//! Why a bound of `look` holds: the strategy behind it, in moves of the game.

/// A strategy that settles a position, or most of the opponent's replies in it.
///
/// It is what a certificate is written from. Whoever writes one tests it by the theorem that it stands for: it may be used as far as
/// that theorem goes, and no further.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Witness<M> {
    /// Sequences of threats. The side wins by each of them if it is to move; if it is not, every reply outside the cells of one of
    /// them loses to that one.
    Threats(Vec<Vec<M>>),
    /// Pairs of cells, the most urgent first: whenever the other side takes one cell of a pair, the side answers by the other. What
    /// the first few of them leave of the other side's lines may be so little that it can be stopped too.
    Pairs(Vec<[M; 2]>),
}

impl<M> Witness<M> {
    /// The same in other words.
    #[must_use]
    pub fn map<N>(self, mut name: impl FnMut(M) -> N) -> Witness<N> {
        match self {
            Witness::Threats(rows) => Witness::Threats(
                rows.into_iter().map(|row| row.into_iter().map(&mut name).collect()).collect(),
            ),
            Witness::Pairs(pairs) => {
                Witness::Pairs(pairs.into_iter().map(|pair| pair.map(&mut name)).collect())
            }
        }
    }
}
