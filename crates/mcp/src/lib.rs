//! The judge behind the Model Context Protocol, on standard input and output, for any registry of games.
//!
//! A client lists the tools and calls them; each call is one question to the judge, within the [limits](Limits) of
//! whoever started the server. What is answered is the same object as everywhere else, with a text for models that read no
//! objects. What is wrong with a call is told as the answer, so that a model can correct itself.
#![forbid(unsafe_code)]

mod desk;
mod reply;
mod tools;

use std::{borrow::Cow, io, path::PathBuf, sync::Arc, time::Duration};

use ludex_core::{Cancel, Error, ErrorCode};
use ludex_judge::{Memory, Registry};
use rmcp::{
    ErrorData, ServerHandler, ServiceExt as _,
    model::{
        CallToolRequestParams, CallToolResponse, Implementation, ListToolsResult, PaginatedRequestParams,
        ServerCapabilities, ServerConfig, Tool,
    },
    service::{RequestContext, RoleServer},
    transport::stdio,
};
use tokio::sync::Semaphore;

use desk::Desk;

/// What a call may cost.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The longest a call may take.
    pub time: Duration,
    /// The most memory a search may take, in bytes.
    pub memory: u64,
    /// Threads of a search.
    pub threads: usize,
    /// Calls that are answered at the same time; the others wait.
    pub at_once: usize,
}

impl Default for Limits {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Self { time: Duration::from_secs(10), memory: 256 << 20, threads: 1, at_once: cores }
    }
}

/// What a server has besides the games.
#[derive(Clone, Debug, Default)]
pub struct Means {
    /// What a call may cost.
    pub limits: Limits,
    /// The folder with tables of whole games.
    pub tables: Option<PathBuf>,
    /// The verdicts to ask and to feed.
    pub memory: Option<Arc<dyn Memory>>,
}

/// Serve one client on standard input and output until it closes its end.
///
/// # Errors
/// If there can be no runtime, or the client does not speak the protocol.
pub fn run(registry: Registry, means: Means) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let desk = Arc::new(Desk::new(registry, means));
    let server = Server { seats: Arc::new(Semaphore::new(desk.limits().at_once.max(1))), desk: desk.clone() };
    let served = runtime.block_on(async {
        let service = server.serve(stdio()).await.map_err(io::Error::other)?;
        service.waiting().await.map_err(io::Error::other).map(drop)
    });
    // Nobody is left to read what a search would find.
    desk.close();
    runtime.shutdown_timeout(Duration::from_millis(500));
    served
}

struct Server {
    desk: Arc<Desk>,
    seats: Arc<Semaphore>,
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let mut about = Implementation::new("ludex", env!("CARGO_PKG_VERSION"));
        about.title = Some("Ludex, the judge of games".into());
        let mut config = ServerConfig::default();
        config.capabilities = ServerCapabilities::builder().enable_tools().build();
        config.server_info = about;
        config.instructions = Some(tools::INSTRUCTIONS.into());
        config
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::ALL.iter().map(tools::Offer::listed).collect()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::named(name).map(tools::Offer::listed)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = tools::named(&request.name) else {
            let names: Vec<&str> = tools::ALL.iter().map(|tool| tool.name).collect();
            let message = format!("there is no tool '{}'; there are {}", request.name, names.join(", "));
            return Err(ErrorData::invalid_params(Cow::Owned(message), None));
        };
        let arguments = serde_json::Value::Object(request.arguments.unwrap_or_default());
        let Ok(_seat) = self.seats.acquire().await else {
            return Err(ErrorData::internal_error("the server is closing", None));
        };
        let (desk, cancel) = (self.desk.clone(), Cancel::new());
        let raised = cancel.clone();
        let call = tokio::task::spawn_blocking(move || desk.call(tool, arguments, &raised));
        tokio::pin!(call);
        let answer = tokio::select! {
            answer = &mut call => answer,
            () = context.ct.cancelled() => {
                cancel.cancel();
                call.await
            }
        };
        let answer = answer.unwrap_or_else(|_| {
            Err(Error::new(
                ErrorCode::Internal,
                "the call ended in a fault of the program",
                "please report it",
            ))
        });
        Ok(reply::of(answer).into())
    }
}
