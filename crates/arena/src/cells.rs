//! Cell names with the column first, as Hex programs write them.

/// Swap row and column in every cell of a text: letter for row and number for column become letter for column and number
/// for row, and the other way round. Everything else stays.
///
/// ```
/// assert_eq!(ludex_arena::cells::swapped("Ba3?c2"), "Bc1?b3");
/// assert_eq!(ludex_arena::cells::swapped("swap"), "swap");
/// ```
#[must_use]
pub fn swapped(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let (mut out, mut i) = (String::new(), 0);
    while i < chars.len() {
        let digits = chars[i + 1..].iter().take_while(|c| c.is_ascii_digit()).count();
        let number: Option<u8> = chars[i + 1..i + 1 + digits].iter().collect::<String>().parse().ok();
        match number.filter(|n| chars[i].is_ascii_alphabetic() && (1..=26).contains(n)) {
            Some(number) => {
                let row = chars[i].to_ascii_lowercase() as u8 - b'a' + 1;
                out.push(char::from(b'a' + number - 1));
                out += &row.to_string();
                i += 1 + digits;
            }
            None => {
                out.push(chars[i]);
                i += 1;
            }
        }
    }
    out
}
