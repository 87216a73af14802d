//! Where `play` reads its lines: an editor with history and completion at a terminal, plain lines from a pipe.

use std::io::{self, BufRead as _, IsTerminal as _, Write};

use rustyline::{
    CompletionType, Config, Context, Editor, Helper,
    completion::{Completer, FilenameCompleter, Pair},
    error::ReadlineError,
    highlight::Highlighter,
    hint::Hinter,
    history::MemHistory,
    validate::Validator,
};

/// A place to read lines from.
pub enum Prompt {
    /// A pipe or a file: no prompt, no echo.
    Pipe,
    /// A terminal whose output goes elsewhere: a prompt and nothing more.
    Plain,
    /// A terminal with a person at it.
    Terminal(Box<Editor<Words, MemHistory>>),
}

impl Prompt {
    /// What standard input and output allow. `commands` are completed besides what [`Prompt::read`] is given; one that
    /// ends in a space takes the name of a file.
    pub fn new(commands: &'static [&'static str]) -> Result<Self, io::Error> {
        if !io::stdin().is_terminal() {
            return Ok(Self::Pipe);
        }
        if !io::stdout().is_terminal() {
            return Ok(Self::Plain);
        }
        let config = Config::builder().completion_type(CompletionType::List).auto_add_history(true).build();
        let mut editor = Editor::with_history(config, MemHistory::new()).map_err(io::Error::other)?;
        editor.set_helper(Some(Words { commands, moves: Vec::new() }));
        Ok(Self::Terminal(Box::new(editor)))
    }

    /// The next line, or nothing at the end. `moves` are what may be typed now.
    pub fn read(
        &mut self,
        prompt: &str,
        moves: Vec<String>,
        out: &mut impl Write,
    ) -> io::Result<Option<String>> {
        let editor = match self {
            Self::Terminal(editor) => editor,
            Self::Pipe => return line(),
            Self::Plain => {
                write!(out, "{prompt}")?;
                out.flush()?;
                return line();
            }
        };
        out.flush()?;
        if let Some(words) = editor.helper_mut() {
            words.moves = moves;
        }
        match editor.readline(prompt) {
            Ok(line) => Ok(Some(line)),
            Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
            Err(ReadlineError::Io(e)) => Err(e),
            Err(e) => Err(io::Error::other(e)),
        }
    }
}

/// A line of standard input.
fn line() -> io::Result<Option<String>> {
    let mut line = String::new();
    Ok((io::stdin().lock().read_line(&mut line)? > 0).then_some(line))
}

/// What Tab completes: commands, the moves of the position, and files after a command that takes one.
pub struct Words {
    commands: &'static [&'static str],
    moves: Vec<String>,
}

impl Completer for Words {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        at: usize,
        context: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        if self.commands.iter().any(|c| c.ends_with(' ') && line.starts_with(c)) {
            return FilenameCompleter::new().complete(line, at, context);
        }
        let typed = &line[..at];
        let words = self.moves.iter().map(String::as_str).chain(self.commands.iter().copied());
        let pair = |word: &str| Pair { display: word.trim_end().to_owned(), replacement: word.to_owned() };
        Ok((0, words.filter(|word| word.starts_with(typed)).map(pair).collect()))
    }
}

impl Helper for Words {}
impl Highlighter for Words {}
impl Validator for Words {}
impl Hinter for Words {
    type Hint = String;
}
