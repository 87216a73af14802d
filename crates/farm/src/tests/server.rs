//! A PostgreSQL server of the test's own: in a temporary folder, as a user that is not root, on a port of its own.

use std::{
    fs,
    io::Write as _,
    net::TcpListener,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use tempfile::TempDir;

use crate::StoreUrl;

/// The password, which no error text may show.
pub(super) const PASSWORD: &str = "open-sesame-4711";

pub(super) struct Server {
    folder: TempDir,
    bin: PathBuf,
    port: u16,
}

impl Server {
    /// Start one; nothing if PostgreSQL is not installed, which is said aloud.
    pub(super) fn start() -> Option<Self> {
        let Some(bin) = binaries() else {
            // Not `eprintln`, which the test harness would hide.
            let said = "skipped: PostgreSQL is not installed (Debian: apt-get install postgresql)";
            let _ = writeln!(std::io::stderr(), "{said}");
            return None;
        };
        let folder = tempfile::tempdir().unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let server = Self { folder, bin, port };
        fs::write(server.path().join("password"), PASSWORD).unwrap();
        fs::set_permissions(server.path(), fs::Permissions::from_mode(0o755)).unwrap();
        if is_root() {
            let given = Command::new("chown").args(["-R", "nobody"]).arg(server.path()).status().unwrap();
            assert!(given.success());
        }
        let password = format!("--pwfile={}", server.path().join("password").display());
        server.run("initdb", &["-U", "farm", "-A", "scram-sha-256", &password, "--no-sync"]);
        let more = format!(
            "port = {port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = ''\nfsync = on\n\
             synchronous_commit = off\nmax_connections = 60\nlog_min_messages = fatal\n"
        );
        let file = server.data().join("postgresql.auto.conf");
        fs::write(&file, more).unwrap();
        server.up();
        Some(server)
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn data(&self) -> PathBuf {
        self.path().join("data")
    }

    pub(super) fn url(&self) -> StoreUrl {
        self.url_with(PASSWORD)
    }

    pub(super) fn url_with(&self, password: &str) -> StoreUrl {
        format!("postgres://farm:{password}@127.0.0.1:{}/postgres", self.port).parse().unwrap()
    }

    /// Run a program of PostgreSQL on the data, not as root.
    fn run(&self, program: &str, arguments: &[&str]) -> Output {
        let program = self.bin.join(program);
        let mut command = if is_root() {
            let mut command = Command::new("setpriv");
            command.args(["--reuid=nobody", "--regid=nogroup", "--clear-groups"]).arg(program);
            command
        } else {
            Command::new(program)
        };
        let log = fs::File::create(self.path().join("said")).unwrap();
        let output = command
            .args(arguments)
            .arg("-D")
            .arg(self.data())
            .current_dir("/")
            .env_remove("LUDEX_FARM")
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            .output()
            .unwrap();
        let said = fs::read_to_string(self.path().join("said")).unwrap_or_default();
        assert!(output.status.success(), "{arguments:?}: {said}");
        output
    }

    fn up(&self) {
        let log = self.path().join("data/log.txt").display().to_string();
        self.run("pg_ctl", &["start", "-w", "-l", &log]);
    }

    /// Stop it at once, as a crash would, and start it again.
    pub(super) fn crash(&self) {
        self.run("pg_ctl", &["stop", "-m", "immediate"]);
        self.up();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let stop = || self.run("pg_ctl", &["stop", "-m", "immediate"]);
        let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(stop));
    }
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Where the programs of the newest version are.
fn binaries() -> Option<PathBuf> {
    let mut versions: Vec<PathBuf> = fs::read_dir("/usr/lib/postgresql")
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path().join("bin")))
        .filter(|bin| bin.join("initdb").is_file())
        .collect();
    versions.sort();
    versions.pop()
}
