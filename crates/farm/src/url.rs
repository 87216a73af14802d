//! Where a farm's queue is: `sqlite:FILE` or `postgres://USER@HOST/DATABASE`.

use std::{fmt, path::PathBuf, str::FromStr};

use ludex_core::{Error, ErrorCode};

/// The address of a queue. Printed, it names no password.
#[derive(Clone)]
pub enum StoreUrl {
    /// A file, for the processes of one machine.
    Sqlite(PathBuf),
    /// A server, for many machines.
    Postgres(Box<Address>),
}

/// The address of a PostgreSQL server.
#[derive(Clone)]
pub struct Address {
    /// Host and database, without anything secret.
    pub(crate) name: String,
    /// Whether the text had a password in it.
    pub(crate) has_password: bool,
    #[cfg(feature = "postgres")]
    pub(crate) config: postgres::Config,
    #[cfg(feature = "postgres")]
    pub(crate) root_certificates: Option<PathBuf>,
}

impl StoreUrl {
    /// Whether a password is part of it, which does not belong on a command line: everybody on the machine can read those.
    #[must_use]
    pub fn has_password(&self) -> bool {
        matches!(self, Self::Postgres(address) if address.has_password)
    }

    /// The same with a password that came from elsewhere.
    #[must_use]
    pub fn with_password(self, password: Option<&str>) -> Self {
        #[cfg(feature = "postgres")]
        if let (Self::Postgres(mut address), Some(password)) = (self.clone(), password) {
            if !address.has_password {
                address.config.password(password);
            }
            return Self::Postgres(address);
        }
        let _ = password;
        self
    }
}

impl FromStr for StoreUrl {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let bad = |message: &str| {
            let hint = "write sqlite:FILE or postgres://USER@HOST/DATABASE?sslmode=…&sslrootcert=FILE";
            Err(Error::new(ErrorCode::BadDatabase, message, hint))
        };
        if let Some(file) = text.strip_prefix("sqlite:") {
            return match file.strip_prefix("//").unwrap_or(file) {
                "" => bad("sqlite: names no file"),
                file => Ok(Self::Sqlite(file.into())),
            };
        }
        if !text.starts_with("postgres://") && !text.starts_with("postgresql://") {
            // The text may hold a password, so it is not repeated.
            return bad("this is no address of a farm's database");
        }
        match Address::read(text) {
            Some(address) => Ok(Self::Postgres(Box::new(address))),
            None => bad("this is no address of a PostgreSQL database"),
        }
    }
}

impl Address {
    #[cfg(feature = "postgres")]
    fn read(text: &str) -> Option<Self> {
        // Two options of libpq that the driver leaves to whoever brings the TLS.
        let (base, query) = text.split_once('?').unwrap_or((text, ""));
        let mut root_certificates = None;
        let mut options = Vec::new();
        for option in query.split('&').filter(|option| !option.is_empty()) {
            match option.split_once('=')? {
                ("sslrootcert", file) => root_certificates = Some(PathBuf::from(file)),
                ("sslmode", "verify-ca" | "verify-full") => options.push("sslmode=require".to_owned()),
                _ => options.push(option.to_owned()),
            }
        }
        let query = if options.is_empty() { String::new() } else { format!("?{}", options.join("&")) };
        let config: postgres::Config = format!("{base}{query}").parse().ok()?;
        let host = match config.get_hosts().first()? {
            postgres::config::Host::Tcp(host) => host.clone(),
            #[cfg(unix)]
            postgres::config::Host::Unix(path) => path.display().to_string(),
        };
        let port = config.get_ports().first().copied().unwrap_or(5432);
        let database = config.get_dbname().or(config.get_user()).unwrap_or("postgres");
        let name = format!("{database} on {host}:{port}");
        let has_password = config.get_password().is_some();
        Some(Self { name, has_password, config, root_certificates })
    }

    #[cfg(not(feature = "postgres"))]
    fn read(text: &str) -> Option<Self> {
        let after = text.split_once("//")?.1;
        let (user, host) = after.rsplit_once('@').unwrap_or(("", after));
        let name = host.split('?').next().unwrap_or_default().to_owned();
        let has_password = user.contains(':') || after.contains("password=");
        Some(Self { name, has_password })
    }
}

impl fmt::Display for StoreUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => write!(f, "{}", path.display()),
            Self::Postgres(address) => f.write_str(&address.name),
        }
    }
}

impl fmt::Debug for StoreUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        assert!(matches!("sqlite:farm.db".parse(), Ok(StoreUrl::Sqlite(path)) if path.ends_with("farm.db")));
        let url: StoreUrl = "postgres://me:secret@db.example/farm?sslmode=disable".parse().unwrap();
        assert!(url.has_password());
        assert!(!format!("{url} {url:?}").contains("secret"), "{url}");
        for bad in ["", "farm.db", "sqlite:", "mysql://me:secret@host/x", "postgres:/me:secret@host"] {
            let error = bad.parse::<StoreUrl>().unwrap_err();
            assert!(!error.message.contains("secret") && !error.hint.contains("secret"), "{error}");
        }
    }
}
