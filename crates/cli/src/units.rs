//! Durations, sizes and counts as people type them: the only parsers of them.

use std::time::Duration;

/// `500ms`, `30s`, `5m`, `1h30m`, `2.5s`; a bare number is seconds.
pub fn duration(text: &str) -> Result<Duration, String> {
    let hint = || format!("'{text}' is not a time: write 500ms, 30s, 5m or 1h30m");
    let mut total = 0.0;
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (number, unit, after) = split(rest).ok_or_else(hint)?;
        let scale = match unit {
            "ms" => 0.001,
            "s" | "" => 1.0,
            "m" | "min" => 60.0,
            "h" => 3600.0,
            "d" => 86_400.0,
            _ => return Err(hint()),
        };
        total += number * scale;
        rest = after;
    }
    if text.trim().is_empty() || !(0.0..1e10).contains(&total) {
        return Err(hint());
    }
    if total == 0.0 {
        return Err("no time at all: give a time above zero, such as 30s".into());
    }
    Ok(Duration::from_secs_f64(total))
}

/// `512MiB`, `4GiB`, `2GB`, `65536`.
pub fn bytes(text: &str) -> Result<u64, String> {
    let hint = || format!("'{text}' is not a size: write 64MiB, 4GiB or a number of bytes");
    let (number, unit, after) = split(text.trim()).ok_or_else(hint)?;
    let scale = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "k" | "kib" => 1024.0,
        "kb" => 1e3,
        "m" | "mib" => 1_048_576.0,
        "mb" => 1e6,
        "g" | "gib" => 1_073_741_824.0,
        "gb" => 1e9,
        "t" | "tib" => 1_099_511_627_776.0,
        _ => return Err(hint()),
    };
    let size = number * scale;
    if !after.is_empty() || !(0.0..1e18).contains(&size) {
        return Err(hint());
    }
    let size = size as u64;
    if size < ludex_judge::MIN_MEMORY {
        return Err(format!("'{text}' is too little: at least {} MiB", ludex_judge::MIN_MEMORY >> 20));
    }
    Ok(size)
}

/// `1000000`, `1_000_000`, `1e6`, `2.5e9`.
pub fn count(text: &str) -> Result<u64, String> {
    let plain = text.replace('_', "");
    match plain.parse::<f64>() {
        Ok(n) if (1.0..1.8e19).contains(&n) && n.fract() == 0.0 => Ok(n as u64),
        _ => Err(format!("'{text}' is not a count: write a whole number above zero, such as 1000000 or 1e6")),
    }
}

/// A number, the letters after it, and what follows.
fn split(text: &str) -> Option<(f64, &str, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, tail) = text.split_at(end);
    let end = tail.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(tail.len());
    let (unit, after) = tail.split_at(end);
    Some((number.parse().ok()?, unit, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_type() {
        assert_eq!(duration("1h30m"), Ok(Duration::from_secs(5400)));
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("2.5"), Ok(Duration::from_millis(2500)));
        assert_eq!(bytes("64MiB"), Ok(64 << 20));
        assert_eq!(bytes("4G"), Ok(4 << 30));
        assert_eq!(count("1e9"), Ok(1_000_000_000));
        for bad in ["", "0s", "ten", "5 parsecs", "-1s", "1s-"] {
            assert!(duration(bad).is_err(), "{bad}");
        }
        for bad in ["", "12KiB", "1x", "1MiB1", "-4GiB"] {
            assert!(bytes(bad).is_err(), "{bad}");
        }
        for bad in ["", "0", "1.5", "-3", "many"] {
            assert!(count(bad).is_err(), "{bad}");
        }
    }
}
