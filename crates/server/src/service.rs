//! The server as a whole: what its requests share, and how it starts and stops.

use std::{
    future::Future,
    io,
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Duration,
};

use axum::{
    Router,
    extract::DefaultBodyLimit,
    http::{HeaderMap, Method, Uri},
    middleware,
    response::{IntoResponse, Response},
    routing::get,
};
use ludex_core::ErrorCode;
use ludex_judge::{Cancel, Memory, Registry, Terms};
use tokio::{net::TcpListener, sync::Semaphore};
use tower_http::compression::CompressionLayer;

use crate::{
    ApiError, Config, Metrics, answers::Answers, certificate::Certificates, endpoints, freed, guard,
    jobs::Jobs, judge::Judge, listener, page, pool::Pool, routes::farm,
};

/// The longest that looking at a board may take.
const SMALL_TIME: Duration = Duration::from_secs(5);

/// What all requests share.
#[derive(Debug)]
pub struct Service {
    /// The settings.
    pub config: Config,
    /// The counters.
    pub metrics: Metrics,
    /// The long searches.
    pub jobs: Arc<Jobs>,
    /// Final answers, as they were sent.
    pub answers: Answers,
    /// Certificates that are being walked through.
    pub certificates: Certificates,
    /// The way to the judge.
    pub judge: Arc<Judge>,
    /// Requests that only look at a board.
    small: Pool,
    /// Direct analyses.
    analyses: Pool,
    /// Engines that think: as many again, so that no analysis waits for an engine.
    engines: Pool,
    /// One for each KiB of answers that may be made and not yet read.
    pub(crate) unread: Arc<Semaphore>,
    /// Whether something was worked out since memory was last given back.
    worked: AtomicBool,
}

impl Service {
    /// A service with these settings and games, and what verdicts are remembered in.
    #[must_use]
    pub fn new(config: Config, registry: Registry, memory: Option<Arc<dyn Memory>>) -> Arc<Self> {
        let (running, waiting) = config.analyses;
        let terms = Terms { memory, tables: config.tables.clone(), ..Terms::default() };
        Arc::new(Self {
            metrics: Metrics::default(),
            jobs: Arc::new(Jobs::new(&config)),
            answers: Answers::new(config.answers),
            certificates: Certificates::default(),
            small: Pool::new(config.small.0, config.small.1),
            analyses: Pool::new(running, waiting),
            engines: Pool::new(running, waiting),
            unread: Arc::new(Semaphore::new(config.unread >> 10)),
            worked: AtomicBool::new(false),
            judge: Arc::new(Judge::new(registry, config.limits(), config.warm, terms)),
            config,
        })
    }

    /// Look at a board: something short, on a thread of its own all the same.
    ///
    /// # Errors
    /// If too many wait already, or the work fails.
    pub async fn look<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        self.run(&self.small, SMALL_TIME, move |_| work()).await
    }

    /// Analyse for so long. If the client goes away, `cancel` is raised.
    ///
    /// # Errors
    /// If too many wait already, the work fails, or it does not end in its time.
    pub async fn analyze<T: Send + 'static>(
        &self,
        time: Duration,
        work: impl FnOnce(&Cancel) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        self.run(&self.analyses, time, work).await
    }

    /// The same for an engine, which may take longer.
    ///
    /// # Errors
    /// If too many wait already, the work fails, or it does not end in its time.
    pub async fn think<T: Send + 'static>(
        &self,
        time: Duration,
        work: impl FnOnce(&Cancel) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        self.run(&self.engines, time, work).await
    }

    async fn run<T: Send + 'static>(
        &self,
        pool: &Pool,
        time: Duration,
        work: impl FnOnce(&Cancel) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let done = pool.run(self.config.turn_time, time, work).await;
        self.worked.store(true, Relaxed);
        match &done {
            Err(error) if error.0.code == ErrorCode::Busy => self.metrics.refused.fetch_add(1, Relaxed),
            Err(error) if error.0.code == ErrorCode::Overrun => self.metrics.overruns.fetch_add(1, Relaxed),
            Err(error) if error.0.code == ErrorCode::Internal => self.metrics.panics.fetch_add(1, Relaxed),
            _ => 0,
        };
        done
    }

    /// Give freed memory back to the system now and then, for as long as this is waited for.
    async fn give_back(&self) {
        loop {
            tokio::time::sleep(freed::EVERY).await;
            if self.worked.swap(false, Relaxed) || self.jobs.load() != (0, 0) {
                // A panic in there could only be one of the runtime's, which ends soon then.
                let _ = tokio::task::spawn_blocking(freed::give_back).await;
            }
        }
    }
}

/// All routes, with the layers every request passes.
pub fn router(service: Arc<Service>) -> Router {
    let mut router = Router::new();
    for endpoint in endpoints::all() {
        router = router.route(endpoint.path, endpoint.route);
    }
    for (path, route) in page::routes() {
        router = router.route(path, route);
    }
    router
        .route("/farm", get(farm::farm))
        .fallback(nothing_here)
        .method_not_allowed_fallback(wrong_method)
        .layer(DefaultBodyLimit::max(service.config.body))
        .layer(middleware::from_fn_with_state(service.clone(), guard::count_unread))
        .layer(CompressionLayer::new())
        .layer(middleware::from_fn_with_state(service.clone(), guard::guard))
        .with_state(service)
}

/// Nothing: a page for people, an object for programs.
async fn nothing_here(headers: HeaderMap, uri: Uri) -> Response {
    if page::is_wanted(&headers) && !uri.path().starts_with("/api/") {
        return page::nothing_here();
    }
    let error = ApiError::new(
        ErrorCode::NotFound,
        format!("there is nothing at '{}'", uri.path()),
        "the page is at /, the API under /api/v1, described at /api",
    );
    error.into_response()
}

async fn wrong_method(method: Method, uri: Uri) -> ApiError {
    ApiError::new(
        ErrorCode::BadMethod,
        format!("'{}' cannot be asked with {method}", uri.path()),
        "the methods are described at /api",
    )
}

/// Take hold of the address.
///
/// # Errors
/// If it is taken or not ours.
pub async fn bind(config: &Config) -> io::Result<TcpListener> {
    TcpListener::bind(config.listen).await
}

/// Serve until `stop` is done; then cancel the jobs, let requests finish for a moment, and return.
///
/// # Errors
/// If the listener fails.
pub async fn serve(
    service: Arc<Service>,
    listener: TcpListener,
    stop: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    let jobs = service.jobs.clone();
    let stop = async move {
        stop.await;
        jobs.cancel_all();
    };
    tokio::select! {
        served = listener::serve(listener, router(service.clone()), &service.config, stop) => served,
        () = service.give_back() => Ok(()),
    }
}

/// Serve until the process is told to stop (Ctrl-C, SIGTERM). `ready` is called with the address once it listens.
///
/// # Errors
/// If the address cannot be listened on.
pub fn run(
    config: Config,
    registry: Registry,
    memory: Option<Arc<dyn Memory>>,
    ready: impl FnOnce(SocketAddr),
) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let done = runtime.block_on(async {
        let listener = bind(&config).await?;
        ready(listener.local_addr()?);
        serve(Service::new(config, registry, memory), listener, told_to_stop()).await
    });
    // A search that has not noticed yet must not keep the process.
    runtime.shutdown_timeout(Duration::from_millis(500));
    done
}

async fn told_to_stop() {
    let interrupt = async { drop(tokio::signal::ctrl_c().await) };
    #[cfg(unix)]
    let terminate = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signal) => drop(signal.recv().await),
            Err(_) => std::future::pending().await,
        }
    };
    #[cfg(not(unix))]
    let terminate = std::future::pending::<()>();
    tokio::select! {
        () = interrupt => {},
        () = terminate => {},
    }
}
