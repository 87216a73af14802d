//! Answers that are final, kept in memory as the bytes they were, up to a number of bytes.
//!
//! A question is known by what it is about: the canonical spec and position, not the words that led there, so that the same
//! question in other words finds the same answer. What words lead where is kept too, in a smaller memory.
//!
//! While an answer is being worked out, everybody else who asks the same waits for it. An answer that is not final, because
//! its time was too short, goes to those who waited and is then forgotten: the next one may get further.

use std::{future::Future, sync::Arc, time::Duration};

use axum::body::Bytes;
use quick_cache::{Weighter, sync::Cache};

use crate::judge::Subject;

/// What an entry takes besides its texts.
const ENTRY_BYTES: usize = 256;

/// About how many bytes an answer has.
const USUAL_BYTES: u64 = 2 << 10;

/// An answer as it is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Its bytes.
    pub body: Bytes,
    /// Whether nothing will ever be added to it.
    pub is_final: bool,
    /// How long it was allowed to take.
    pub time: Duration,
}

/// Bytes of the question and of its answer.
#[derive(Clone, Debug)]
struct Size;

impl Weighter<String, Answer> for Size {
    fn weight(&self, question: &String, answer: &Answer) -> u64 {
        (ENTRY_BYTES + question.len() + answer.body.len()) as u64
    }
}

impl Weighter<String, Arc<Subject>> for Size {
    fn weight(&self, words: &String, subject: &Arc<Subject>) -> u64 {
        (ENTRY_BYTES + words.len() + subject.game.len() + subject.position.len()) as u64
    }
}

/// A bounded map from questions to answers.
#[derive(Debug)]
pub struct Answers {
    subjects: Cache<String, Arc<Subject>, Size>,
    answers: Cache<String, Answer, Size>,
}

impl Answers {
    /// Room for so many bytes.
    #[must_use]
    pub fn new(bytes: u64) -> Self {
        let room = |bytes: u64| ((bytes / USUAL_BYTES) as usize, bytes);
        let ((subjects, words), (answers, bytes)) = (room(bytes / 8), room(bytes - bytes / 8));
        Self {
            subjects: Cache::with_weighter(subjects, words, Size),
            answers: Cache::with_weighter(answers, bytes, Size),
        }
    }

    /// What these words were about, if they were said before.
    #[must_use]
    pub fn subject(&self, words: &str) -> Option<Arc<Subject>> {
        self.subjects.get(words)
    }

    /// These words are about that.
    pub fn is_about(&self, words: String, subject: Arc<Subject>) {
        self.subjects.insert(words, subject);
    }

    /// The answer that is known, that somebody else is about to get, or that `ask` makes; and whether it was made by `ask`.
    ///
    /// # Errors
    /// Those of `ask`.
    pub async fn get_or<E>(
        &self,
        question: &str,
        time: Duration,
        ask: impl Future<Output = Result<Answer, E>>,
    ) -> Result<(Answer, bool), E> {
        loop {
            match self.answers.get_value_or_guard_async(question).await {
                Ok(answer) if answer.is_final || answer.time >= time => return Ok((answer, false)),
                // Somebody had less time and got less far.
                Ok(_) => drop(self.answers.remove_if(question, |answer| !answer.is_final)),
                Err(guard) => {
                    let answer = ask.await?;
                    // It is refused only if it was removed meanwhile, and then nobody waits for it.
                    let _ = guard.insert(answer.clone());
                    if !answer.is_final {
                        self.answers.remove_if(question, |answer| !answer.is_final);
                    }
                    return Ok((answer, true));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn answer(bytes: usize, is_final: bool, time: Duration) -> Answer {
        Answer { body: vec![b'1'; bytes].into(), is_final, time }
    }

    #[tokio::test]
    async fn the_same_question_is_worked_out_once() {
        for is_final in [true, false] {
            let (answers, asked) = (Answers::new(1 << 20), AtomicUsize::new(0));
            let one = || {
                answers.get_or("q", SECOND, async {
                    asked.fetch_add(1, Relaxed);
                    tokio::task::yield_now().await;
                    Ok::<_, ()>(answer(9, is_final, SECOND))
                })
            };
            let (a, b, c) = tokio::join!(one(), one(), one());
            assert_eq!([a, b, c].map(|r| r.unwrap().1), [true, false, false]);
            one().await.unwrap();
            assert_eq!(asked.load(Relaxed), if is_final { 1 } else { 2 }, "only what is final is kept");
        }
    }

    #[tokio::test]
    async fn who_has_more_time_asks_again() {
        let answers = Answers::new(1 << 20);
        let ask = |time: Duration| {
            answers.get_or("q", time, async move {
                tokio::task::yield_now().await;
                Ok::<_, ()>(answer(9, false, time))
            })
        };
        let (short, long) = tokio::join!(ask(SECOND), ask(2 * SECOND));
        assert_eq!((short.unwrap().0.time, long.unwrap().0.time), (SECOND, 2 * SECOND));
    }

    #[tokio::test]
    async fn who_fails_or_leaves_holds_nobody_up() {
        let answers = Answers::new(1 << 20);
        assert_eq!(answers.get_or("q", SECOND, async { Err(7) }).await, Err(7));
        let never = answers.get_or("q", SECOND, std::future::pending::<Result<_, u8>>());
        assert!(tokio::time::timeout(Duration::from_millis(5), never).await.is_err());
        let told = answers.get_or("q", SECOND, async { Ok::<_, u8>(answer(9, true, SECOND)) }).await;
        assert!(told.unwrap().1);
    }

    #[tokio::test]
    async fn the_room_is_kept() {
        let answers = Answers::new(1 << 20);
        for i in 0..1000 {
            let made = async { Ok::<_, ()>(answer(10_000, true, SECOND)) };
            answers.get_or(&i.to_string(), SECOND, made).await.unwrap();
            let subject =
                Subject { game: "g".into(), position: "p".repeat(10_000), goal: ludex_core::Goal::Wdl };
            answers.is_about(i.to_string(), subject.into());
        }
        assert!(answers.answers.weight() + answers.subjects.weight() <= 1 << 20);
        assert!(answers.answers.len() > 10 && answers.subjects.len() > 1);
    }
}
