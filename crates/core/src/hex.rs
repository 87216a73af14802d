//! Bytes as text.

/// Bytes as hexadecimal digits, two for each.
///
/// ```
/// assert_eq!(ludex_core::hex(&[0, 171]), "00ab");
/// ```
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
