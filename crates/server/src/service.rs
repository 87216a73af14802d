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
    http::{Method, Uri},
    middleware,
};
use ludex_judge::{Cancel, Store};
use tokio::{net::TcpListener, sync::Semaphore};

use crate::{
    ApiError, Config, Metrics,
    cache::Cache,
    endpoints, guard,
    jobs::Jobs,
    listener::{Door, Peer},
    oracle::Oracle,
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
    pub answers: Cache,
    /// The way to the judge.
    pub oracle: Arc<Oracle>,
    /// Who may use a core right now.
    hands: Arc<Semaphore>,
    /// Which engines may think right now: as many again, so that no answer waits for a game.
    heads: Arc<Semaphore>,
    /// Who may wait for that.
    seats: Arc<Semaphore>,
}

impl Service {
    /// A service with these settings and this database.
    #[must_use]
    pub fn new(config: Config, store: Option<Arc<Store>>) -> Arc<Self> {
        let (running, waiting) = config.analyses;
        Arc::new(Self {
            metrics: Metrics::default(),
            jobs: Arc::new(Jobs::new(&config)),
            answers: Cache::new(20_000),
            hands: Arc::new(Semaphore::new(running.max(1))),
            heads: Arc::new(Semaphore::new(running.max(1))),
            seats: Arc::new(Semaphore::new(running.max(1) + waiting)),
            oracle: Arc::new(Oracle::new(&config, store)),
            config,
        })
    }

    /// Do something that keeps a core busy, off the threads that talk to clients: a few at a time, a bounded number
    /// waiting. If the client goes away, `cancel` is raised and the place is free as soon as the work notices.
    ///
    /// # Errors
    /// If too many wait already, or the work fails.
    pub async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Cancel) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        self.work_by(&self.hands, work).await
    }

    /// The same for an engine, which may take longer.
    ///
    /// # Errors
    /// If too many wait already, or the work fails.
    pub async fn think<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Cancel) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        self.work_by(&self.heads, work).await
    }

    async fn work_by<T: Send + 'static>(
        &self,
        whose: &Arc<Semaphore>,
        work: impl FnOnce(&Cancel) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let seat = self.seats.clone().try_acquire_owned().map_err(|_| {
            self.metrics.refused.fetch_add(1, Relaxed);
            ApiError::busy("too many requests are waiting for an answer", 1)
        })?;
        let hand = whose.clone().acquire_owned().await.map_err(|_| ApiError::internal())?;
        let raised = RaiseOnDrop(Cancel::new());
        let cancel = raised.0.clone();
        let done = tokio::task::spawn_blocking(move || {
            let _places = (seat, hand);
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
        .layer(middleware::from_fn_with_state(service.clone(), guard::guard))
        .with_state(service)
}

async fn nothing_here(uri: Uri) -> ApiError {
    ApiError::not_found(
        format!("there is nothing at '{}'", uri.path()),
        "the page is at /, the API under /api/v1, described at /api",
    )
}

async fn wrong_method(method: Method, uri: Uri) -> ApiError {
    ApiError::new(
        axum::http::StatusCode::METHOD_NOT_ALLOWED,
        "bad_method",
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
    let door = Door::new(listener, service.config.connections);
    let app = router(service.clone()).into_make_service_with_connect_info::<Peer>();
    let (told, mut tell) = tokio::sync::watch::channel(false);
    let jobs = service.jobs.clone();
    let server = axum::serve(door, app).with_graceful_shutdown(async move {
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
pub fn run(config: Config, store: Option<Arc<Store>>, ready: impl FnOnce(SocketAddr)) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let done = runtime.block_on(async {
        let listener = bind(&config).await?;
        ready(listener.local_addr()?);
        serve(Service::new(config, store), listener, told_to_stop()).await
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
