//! The server as a whole: what its requests share, and how it starts and stops.

use std::{
    future::Future,
    io,
    net::SocketAddr,
    sync::{Arc, atomic::Ordering::Relaxed},
    time::Duration,
};

use axum::{
    Router,
    extract::DefaultBodyLimit,
    http::{HeaderMap, Method, Uri},
    middleware,
    response::{IntoResponse, Response},
};
use ludex_core::ErrorCode;
use ludex_judge::{Cancel, Memory, Registry};
use tokio::{net::TcpListener, sync::Semaphore};
use tower_http::compression::CompressionLayer;

use crate::{
    ApiError, Config, Metrics,
    answers::Answers,
    endpoints, guard,
    jobs::Jobs,
    judge::Judge,
    listener::{LimitedListener, Peer},
    page,
};

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
    /// The way to the judge.
    pub judge: Arc<Judge>,
    /// One for each analysis that may run.
    analysis_slots: Arc<Semaphore>,
    /// One for each engine that may think: as many again, so that no analysis waits for an engine.
    engine_slots: Arc<Semaphore>,
    /// One for each request that may run or wait for one of those.
    waiting_slots: Arc<Semaphore>,
}

impl Service {
    /// A service with these settings and games, and what verdicts are remembered in.
    #[must_use]
    pub fn new(config: Config, registry: Registry, memory: Option<Arc<dyn Memory>>) -> Arc<Self> {
        let (running, waiting) = config.analyses;
        Arc::new(Self {
            metrics: Metrics::default(),
            jobs: Arc::new(Jobs::new(&config)),
            answers: Answers::new(config.answers),
            analysis_slots: Arc::new(Semaphore::new(running.max(1))),
            engine_slots: Arc::new(Semaphore::new(running.max(1))),
            waiting_slots: Arc::new(Semaphore::new(running.max(1) + waiting)),
            judge: Arc::new(Judge::new(registry, &config, memory)),
            config,
        })
    }

    /// Do something that keeps a core busy, off the threads that talk to clients: a few at a time, a bounded number
    /// waiting. If the client goes away, `cancel` is raised and the slot is free as soon as the work notices.
    ///
    /// # Errors
    /// If too many wait already, or the work fails.
    pub async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Cancel) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        self.work_in(&self.analysis_slots, work).await
    }

    /// The same for an engine, which may take longer.
    ///
    /// # Errors
    /// If too many wait already, or the work fails.
    pub async fn think<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Cancel) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        self.work_in(&self.engine_slots, work).await
    }

    async fn work_in<T: Send + 'static>(
        &self,
        slots: &Arc<Semaphore>,
        work: impl FnOnce(&Cancel) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let waiting = self.waiting_slots.clone().try_acquire_owned().map_err(|_| {
            self.metrics.refused.fetch_add(1, Relaxed);
            ApiError::busy("too many requests are waiting for an answer")
        })?;
        let running = slots.clone().acquire_owned().await.map_err(|_| ApiError::internal())?;
        let raised = RaiseOnDrop(Cancel::new());
        let cancel = raised.0.clone();
        let done = tokio::task::spawn_blocking(move || {
            let _slots = (waiting, running);
            work(&cancel)
        });
        done.await.unwrap_or_else(|_| {
            self.metrics.panics.fetch_add(1, Relaxed);
            Err(ApiError::internal())
        })
    }
}

struct RaiseOnDrop(Cancel);

impl Drop for RaiseOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
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
        .fallback(nothing_here)
        .method_not_allowed_fallback(wrong_method)
        .layer(DefaultBodyLimit::max(service.config.body))
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
    let limited = LimitedListener::new(listener, service.config.connections);
    let app = router(service.clone()).into_make_service_with_connect_info::<Peer>();
    let (told, mut tell) = tokio::sync::watch::channel(false);
    let jobs = service.jobs.clone();
    let server = axum::serve(limited, app).with_graceful_shutdown(async move {
        stop.await;
        jobs.cancel_all();
        let _ = told.send(true);
    });
    tokio::select! {
        done = server => done,
        () = async {
            let _ = tell.wait_for(|t| *t).await;
            tokio::time::sleep(Duration::from_secs(3)).await;
        } => Ok(()),
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
