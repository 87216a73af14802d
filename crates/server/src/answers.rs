//! Answers that are final, kept in memory as the bytes they were, up to a number of bytes.
//!
//! While an answer is being worked out, everybody else who asks the same waits for it. An answer that is not final, because
//! its time was too short, goes to those who waited and is then forgotten: the next one may get further.

use std::{future::Future, time::Duration};

use axum::body::Bytes;
use quick_cache::{Weighter, sync::Cache};

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
        (question.len() + answer.body.len()) as u64
    }
}

/// A bounded map from questions to answers.
#[derive(Debug)]
pub struct Answers(Cache<String, Answer, Size>);

impl Answers {
    /// Room for so many bytes.
    #[must_use]
    pub fn new(bytes: u64) -> Self {
        Self(Cache::with_weighter((bytes / USUAL_BYTES) as usize, bytes, Size))
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
            match self.0.get_value_or_guard_async(question).await {
                Ok(answer) if answer.is_final || answer.time >= time => return Ok((answer, false)),
                // Somebody had less time and got less far.
                Ok(_) => drop(self.0.remove_if(question, |answer| !answer.is_final)),
                Err(guard) => {
                    let answer = ask.await?;
                    // It is refused only if it was removed meanwhile, and then nobody waits for it.
                    let _ = guard.insert(answer.clone());
                    if !answer.is_final {
                        self.0.remove_if(question, |answer| !answer.is_final);
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
        }
        assert!(answers.0.weight() <= 1 << 20 && answers.0.len() > 10);
    }
}
