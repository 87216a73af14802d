//! Counters for `/metrics`, in Prometheus's text format.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

/// Upper ends of the latency classes, in seconds.
const CLASSES: [f64; 8] = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0];

/// What has happened since the start.
#[derive(Debug)]
pub struct Metrics {
    start: Instant,
    /// Requests by route and status.
    requests: Mutex<BTreeMap<(String, u16), u64>>,
    latency: [AtomicU64; CLASSES.len() + 1],
    latency_sum_micros: AtomicU64,
    /// Analyses answered from memory.
    pub cache_hits: AtomicU64,
    /// Analyses computed.
    pub analyses: AtomicU64,
    /// Jobs accepted.
    pub jobs: AtomicU64,
    /// Jobs and analyses turned away.
    pub refused: AtomicU64,
    /// Searches that did not end in their time.
    pub overruns: AtomicU64,
    /// Requests that made the server panic.
    pub panics: AtomicU64,
}

impl Default for Metrics {
    fn default() -> Self {
        Self {
            start: Instant::now(),
            requests: Mutex::default(),
            latency: Default::default(),
            latency_sum_micros: AtomicU64::new(0),
            cache_hits: AtomicU64::new(0),
            analyses: AtomicU64::new(0),
            jobs: AtomicU64::new(0),
            refused: AtomicU64::new(0),
            overruns: AtomicU64::new(0),
            panics: AtomicU64::new(0),
        }
    }
}

impl Metrics {
    /// Count an answered request.
    pub fn answered(&self, route: &str, status: u16, took: Duration) {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        match requests.get_mut(&(route.to_owned(), status)) {
            Some(n) => *n += 1,
            None => {
                requests.insert((route.to_owned(), status), 1);
            }
        }
        drop(requests);
        let class = CLASSES.iter().position(|&end| took.as_secs_f64() <= end).unwrap_or(CLASSES.len());
        self.latency[class].fetch_add(1, Relaxed);
        self.latency_sum_micros.fetch_add(took.as_micros() as u64, Relaxed);
    }

    /// The text, with the numbers of running and waiting jobs.
    #[must_use]
    pub fn text(&self, running: usize, waiting: usize) -> String {
        let mut out = String::new();
        let mut one = |name: &str, kind: &str, help: &str, value: String| {
            let _ =
                writeln!(out, "# HELP ludex_{name} {help}\n# TYPE ludex_{name} {kind}\nludex_{name} {value}");
        };
        let count = |n: &AtomicU64| n.load(Relaxed).to_string();
        one("uptime_seconds", "gauge", "Time since the start.", self.start.elapsed().as_secs().to_string());
        one("cache_hits_total", "counter", "Analyses answered from memory.", count(&self.cache_hits));
        one("analyses_total", "counter", "Analyses computed.", count(&self.analyses));
        one("jobs_total", "counter", "Jobs accepted.", count(&self.jobs));
        one("refused_total", "counter", "Jobs and analyses turned away.", count(&self.refused));
        one("overruns_total", "counter", "Searches that did not end in their time.", count(&self.overruns));
        one("panics_total", "counter", "Requests that failed by a fault of ours.", count(&self.panics));
        one("jobs_running", "gauge", "Jobs running now.", running.to_string());
        one("jobs_waiting", "gauge", "Jobs waiting now.", waiting.to_string());
        out.push_str("# HELP ludex_requests_total Requests by route and status.\n# TYPE ludex_requests_total counter\n");
        for ((route, status), n) in self.requests.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            let _ = writeln!(out, "ludex_requests_total{{route=\"{route}\",status=\"{status}\"}} {n}");
        }
        out.push_str(
            "# HELP ludex_latency_seconds Time to answer.\n# TYPE ludex_latency_seconds histogram\n",
        );
        let mut sum = 0;
        for (end, n) in CLASSES.iter().map(f64::to_string).chain(["+Inf".into()]).zip(&self.latency) {
            sum += n.load(Relaxed);
            let _ = writeln!(out, "ludex_latency_seconds_bucket{{le=\"{end}\"}} {sum}");
        }
        let seconds = self.latency_sum_micros.load(Relaxed) as f64 / 1e6;
        let _ = writeln!(out, "ludex_latency_seconds_sum {seconds}\nludex_latency_seconds_count {sum}");
        out
    }
}
