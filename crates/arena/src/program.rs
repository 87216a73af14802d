//! Players that are other programs: started here, or reached over TCP.

use std::{
    io::{BufWriter, Write},
    net::{Shutdown, TcpStream},
    process::{ChildStdin, ChildStdout, Command, Stdio},
    time::{Duration, Instant},
};

use ludex_judge::{AnyGame, Side, Spec};

use crate::{
    cells,
    gtp::Dialect,
    lines::Lines,
    player::{Fault, Player, Start, Turn},
    process::Process,
};

/// How long a program may take for anything but a move.
const PATIENCE: Duration = Duration::from_secs(20);

/// A program that speaks the Go Text Protocol on its standard input and output. It is ended when dropped, with all it started.
#[derive(Debug)]
pub struct GtpProgram {
    name: String,
    _process: Process,
    input: BufWriter<ChildStdin>,
    lines: Lines,
    dialect: Dialect,
    swaps: bool,
    side: Side,
}

/// Start a program with its standard input and output connected.
///
/// # Errors
/// If it cannot be started.
pub fn start(command: &[String]) -> Result<(Process, ChildStdin, ChildStdout), Fault> {
    let (program, arguments) =
        command.split_first().ok_or_else(|| Fault::Failed("no program is named".into()))?;
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut process =
        Process::start(command).map_err(|e| Fault::Failed(format!("{program} cannot be started: {e}")))?;
    match process.take_pipes() {
        Some((input, output)) => Ok((process, input, output)),
        None => Err(Fault::Failed(format!("{program} has no input or output"))),
    }
}

impl GtpProgram {
    /// Start a program.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn new(name: String, command: &[String], dialect: Dialect) -> Result<Self, Fault> {
        let (process, input, output) = start(command)?;
        Ok(Self {
            name,
            _process: process,
            input: BufWriter::new(input),
            lines: Lines::new(output),
            dialect,
            swaps: false,
            side: Side::First,
        })
    }

    /// Send a command and wait for its answer.
    fn ask(&mut self, command: &str, time: Option<Duration>) -> Result<String, Fault> {
        writeln!(self.input, "{command}").and_then(|()| self.input.flush()).map_err(|_| Fault::Left)?;
        let deadline = time.map(|t| Instant::now() + t);
        let mut next = || self.lines.next(deadline.map(|d| d.saturating_duration_since(Instant::now())));
        let mut line = next()?;
        while line.trim().is_empty() {
            line = next()?;
        }
        let answer = match line.split_at_checked(1) {
            Some(("=", text)) => Ok(text.trim().to_owned()),
            Some(("?", text)) => Err(Fault::Protocol(format!("{command}: {}", text.trim()))),
            _ => {
                return Err(Fault::Protocol(format!(
                    "'{}' is not an answer",
                    line.chars().take(40).collect::<String>()
                )));
            }
        };
        while !next()?.trim().is_empty() {}
        answer
    }

    fn word(side: Side) -> &'static str {
        if side == Side::First { "black" } else { "white" }
    }

    fn cells(&self, text: &str) -> String {
        if self.swaps { cells::swapped(text) } else { text.to_owned() }
    }
}

impl Player for GtpProgram {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn begin(&mut self, game: &dyn AnyGame, side: Side, start: Start<'_>) -> Result<(), Fault> {
        self.side = side;
        let family = game.family();
        self.swaps = self.dialect.swaps_cells(family);
        let spec: Spec = game.spec().parse()?;
        if let Some((columns, rows)) = family.size.and_then(|form| form.read(&spec)) {
            self.ask(&format!("boardsize {columns} {rows}"), Some(PATIENCE))?;
        }
        self.ask("clear_board", Some(PATIENCE))?;
        if start.set_up {
            self.ask(&format!("set_position {}", start.position), Some(PATIENCE))?;
        }
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<String, Fault> {
        if let Some(time) = turn.time {
            let _ = self.ask(&format!("time_settings 0 {} 1", time.as_secs_f64()), Some(PATIENCE));
        }
        let text = self.ask(&format!("genmove {}", Self::word(turn.side)), turn.time)?;
        Ok(self.cells(&text))
    }

    fn made(&mut self, side: Side, text: &str) -> Result<(), Fault> {
        if side == self.side {
            return Ok(());
        }
        let text = self.cells(text);
        self.ask(&format!("play {} {text}", Self::word(side)), Some(PATIENCE)).map(|_| ())
    }
}

impl Drop for GtpProgram {
    fn drop(&mut self) {
        let _ = writeln!(self.input, "quit").and_then(|()| self.input.flush());
    }
}

/// A way to write to another program, which is ended with it.
#[derive(Debug)]
pub enum Connection {
    /// A socket, closed when dropped, so that its reader ends.
    Socket(TcpStream),
    /// A program, ended when dropped.
    Process(Process, ChildStdin),
}

impl Write for Connection {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match self {
            Connection::Socket(s) => s.write(bytes),
            Connection::Process(_, s) => s.write(bytes),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        match self {
            Connection::Socket(s) => s.flush(),
            Connection::Process(_, s) => s.flush(),
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        if let Connection::Socket(socket) = self {
            let _ = socket.shutdown(Shutdown::Both);
        }
    }
}
