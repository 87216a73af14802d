//! Systems of linear equations.

/// Solve `matrix · x = right` by elimination, the largest pivot of each column first. Where the equations do not fix an
/// unknown, it is 0.
///
/// ```
/// use ludex_core::solve_linear;
///
/// assert_eq!(solve_linear(&[vec![0.0, 2.0], vec![4.0, 0.0]], &[6.0, 4.0]), [1.0, 3.0]);
/// ```
#[must_use]
pub fn solve_linear(matrix: &[Vec<f64>], right: &[f64]) -> Vec<f64> {
    /// Pivots below this share of the largest number are taken for rounding errors.
    const NOTHING: f64 = 1e-14;
    let n = right.len();
    let mut rows: Vec<Vec<f64>> =
        matrix.iter().zip(right).map(|(row, r)| row.iter().copied().chain([*r]).collect()).collect();
    let largest = matrix.iter().flatten().fold(0.0f64, |most, x| most.max(x.abs()));
    for i in 0..n {
        let pivot = (i..n).max_by(|&a, &b| rows[a][i].abs().total_cmp(&rows[b][i].abs())).unwrap_or(i);
        rows.swap(i, pivot);
        if rows[i][i].abs() <= NOTHING * largest {
            continue;
        }
        let above = rows[i].clone();
        for row in &mut rows[i + 1..] {
            let factor = row[i] / above[i];
            row.iter_mut().zip(&above).for_each(|(x, a)| *x -= factor * a);
        }
    }
    let mut x = vec![0.0; n];
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|k| rows[i][k] * x[k]).sum();
        if rows[i][i].abs() > NOTHING * largest {
            x[i] = (rows[i][n] - known) / rows[i][i];
        }
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    #[test]
    fn what_is_put_in_comes_out() {
        let mut rng = Rng::new(3);
        for n in 1..9 {
            let mut number = || rng.below(2001) as f64 / 100.0 - 10.0;
            let matrix: Vec<Vec<f64>> = (0..n).map(|_| (0..n).map(|_| number()).collect()).collect();
            let truth: Vec<f64> = (0..n).map(|_| number()).collect();
            let right: Vec<f64> =
                matrix.iter().map(|row| row.iter().zip(&truth).map(|(a, x)| a * x).sum()).collect();
            for (found, x) in solve_linear(&matrix, &right).iter().zip(&truth) {
                assert!((found - x).abs() < 1e-6, "{found} and not {x}");
            }
        }
    }

    #[test]
    fn an_unknown_that_is_free_is_zero() {
        assert_eq!(solve_linear(&[vec![2.0, 0.0], vec![0.0, 0.0]], &[6.0, 0.0]), [3.0, 0.0]);
    }
}
