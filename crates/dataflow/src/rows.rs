//! Rows of equal length in one run of bytes: sorting them, and who owns which.

/// Whose a key is, of so many workers. The same on every machine and in every version, so that files stay where they are.
#[must_use]
pub fn owner(key: &[u8], workers: usize) -> usize {
    if workers == 1 {
        return 0;
    }
    let mut hash = 0x9e37_79b9_7f4a_7c15u64;
    for part in key.rchunks(8) {
        hash = (hash ^ number(part) as u64).wrapping_mul(0xd6e8_feb8_6659_fd93);
        hash ^= hash >> 32;
    }
    (hash.wrapping_mul(0xd6e8_feb8_6659_fd93) >> 33) as usize % workers
}

/// At most 16 bytes, the highest first, as a number.
#[inline]
fn number(bytes: &[u8]) -> u128 {
    let mut all = [0; 16];
    all[16 - bytes.len()..].copy_from_slice(bytes);
    u128::from_be_bytes(all)
}

/// Sort rows and keep the least of those with the same key, which is the first part of a row.
pub fn tidy(rows: &mut Vec<u8>, row_len: usize, key_len: usize) {
    let spare = 8 * (row_len - key_len) as u32;
    match row_len {
        0..=8 => {
            let mut numbers: Vec<u64> = rows.chunks_exact(row_len).map(|row| number(row) as u64).collect();
            numbers.sort_unstable();
            numbers.dedup_by_key(|n| n.checked_shr(spare));
            rows.clear();
            numbers.iter().for_each(|n| rows.extend(&n.to_be_bytes()[8 - row_len..]));
        }
        9..=16 => {
            let mut numbers: Vec<u128> = rows.chunks_exact(row_len).map(number).collect();
            numbers.sort_unstable();
            numbers.dedup_by_key(|n| n.checked_shr(spare));
            rows.clear();
            numbers.iter().for_each(|n| rows.extend(&n.to_be_bytes()[16 - row_len..]));
        }
        _ => {
            let mut list: Vec<&[u8]> = rows.chunks_exact(row_len).collect();
            list.sort_unstable();
            list.dedup_by_key(|row| &row[..key_len]);
            *rows = list.concat();
        }
    }
}

/// The numbers of keys in ascending order of the keys.
#[must_use]
pub fn order(keys: &[u8], key_len: usize) -> Vec<u32> {
    match key_len {
        0..=4 => {
            let each = keys.chunks_exact(key_len).zip(0u64..);
            let mut numbers: Vec<u64> = each.map(|(key, i)| (number(key) as u64) << 32 | i).collect();
            numbers.sort_unstable();
            numbers.into_iter().map(|n| n as u32).collect()
        }
        5..=12 => {
            let each = keys.chunks_exact(key_len).zip(0u128..);
            let mut numbers: Vec<u128> = each.map(|(key, i)| number(key) << 32 | i).collect();
            numbers.sort_unstable();
            numbers.into_iter().map(|n| n as u32).collect()
        }
        _ => {
            let row = |i: u32| &keys[i as usize * key_len..][..key_len];
            let mut numbers: Vec<u32> = (0..(keys.len() / key_len) as u32).collect();
            numbers.sort_unstable_by(|&a, &b| row(a).cmp(row(b)));
            numbers
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use ludex_core::Rng;

    use super::*;

    #[test]
    fn rows_of_every_length_are_sorted_and_told_apart() {
        let mut rng = Rng::new(1);
        for (row_len, key_len) in
            [(1, 1), (4, 4), (8, 8), (8, 2), (9, 5), (16, 16), (16, 1), (17, 3), (40, 33)]
        {
            let rows: Vec<u8> = (0..500 * row_len).map(|_| (rng.next_u64() % 3) as u8).collect();
            let mut least: BTreeMap<&[u8], &[u8]> = BTreeMap::new();
            for row in rows.chunks(row_len) {
                let kept = least.entry(&row[..key_len]).or_insert(row);
                *kept = row.min(kept);
            }
            let mut tidied = rows.clone();
            tidy(&mut tidied, row_len, key_len);
            assert_eq!(
                tidied,
                least.into_values().flatten().copied().collect::<Vec<_>>(),
                "{row_len} {key_len}"
            );
            let ordered = order(&rows, row_len);
            assert!(ordered.is_sorted_by_key(|&i| &rows[i as usize * row_len..][..row_len]));
        }
    }

    #[test]
    fn keys_are_spread_evenly() {
        for workers in [1, 2, 3, 16] {
            let mut each = vec![0; workers];
            for i in 0..16_000u32 {
                each[owner(&(7 * i).to_be_bytes(), workers)] += 1;
            }
            let fair = 16_000 / workers;
            assert!(each.iter().all(|n| (fair * 9 / 10..=fair * 11 / 10).contains(n)), "{each:?}");
        }
    }
}
