//! Writes the good inputs of every target into `FOLDER/TARGET/`, for a fuzzer to begin with.

use std::{fs, path::Path};

fn main() -> std::io::Result<()> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "fuzz/work".into());
    for target in ludex_fuzz::TARGETS {
        let folder = Path::new(&folder).join(target.name);
        fs::create_dir_all(&folder)?;
        for (i, seed) in (target.seeds)().iter().enumerate() {
            fs::write(folder.join(format!("seed-{i}")), seed)?;
        }
    }
    Ok(())
}
