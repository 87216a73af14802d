//! One builder at a time.

use std::{
    fs::{self, File, TryLockError},
    io,
    path::Path,
};

/// The lock on a folder: held as long as this lives. The system releases it when the process ends, even by `kill -9`.
#[derive(Debug)]
pub(super) struct Lock {
    _file: Option<File>,
}

impl Lock {
    /// Make the folder if it is not there and lock it; `None` if somebody else holds it.
    pub(super) fn take(folder: &Path) -> io::Result<Option<Self>> {
        let path = folder.join("lock");
        loop {
            fs::create_dir_all(folder)?;
            let file = match File::create(&path) {
                // The holder has just finished and removed the folder.
                Err(e) if e.kind() == io::ErrorKind::NotFound => continue,
                file => file?,
            };
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(None),
                // Some network file systems know no locks; building there is as safe as it ever was.
                Err(TryLockError::Error(e)) if e.kind() == io::ErrorKind::Unsupported => {
                    return Ok(Some(Self { _file: None }));
                }
                Err(TryLockError::Error(e)) => return Err(e),
            }
            // The file may have been removed, and made again by somebody else, between opening and locking it. It is
            // ours only if the name still leads to what we have locked.
            if let Ok(again) = File::open(&path)
                && matches!(again.try_lock(), Err(TryLockError::WouldBlock))
            {
                return Ok(Some(Self { _file: Some(file) }));
            }
        }
    }
}
