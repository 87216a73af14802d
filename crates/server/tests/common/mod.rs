//! A server on a free port and a client that speaks plain HTTP/1.1 over a socket: what a browser sees, nothing less.
#![allow(dead_code)]

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpStream},
    sync::Arc,
    time::Duration,
};

use ludex_judge::Registry;
use ludex_server::{Config, Service, bind, serve};
use ludex_standard::Standard as _;
use serde_json::Value;

/// A running server; it stops when this is dropped.
pub struct Served {
    pub address: SocketAddr,
    pub service: Arc<Service>,
    stop: Option<tokio::sync::oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Served {
    pub fn start(mut config: Config) -> Self {
        config.listen = "127.0.0.1:0".parse().unwrap();
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let listener = runtime.block_on(bind(&config)).unwrap();
        let address = listener.local_addr().unwrap();
        let service = Service::new(config, Registry::standard(), None);
        let (stop, stopped) = tokio::sync::oneshot::channel();
        let served = service.clone();
        let thread = std::thread::spawn(move || {
            runtime.block_on(serve(served, listener, async { drop(stopped.await) })).unwrap();
            // A search that has not noticed yet must not keep the test.
            runtime.shutdown_background();
        });
        Self { address, service, stop: Some(stop), thread: Some(thread) }
    }

    pub fn get(&self, path: &str) -> Answer {
        self.send("GET", path, "", "")
    }

    pub fn post(&self, path: &str, body: &Value) -> Answer {
        self.send("POST", path, "content-type: application/json\r\n", &body.to_string())
    }

    /// One request on its own connection.
    pub fn send(&self, method: &str, path: &str, headers: &str, body: &str) -> Answer {
        let host = if headers.to_lowercase().contains("host:") {
            String::new()
        } else {
            format!("host: {}\r\n", self.address)
        };
        let length = body.len();
        self.raw(
            format!("{method} {path} HTTP/1.1\r\n{host}connection: close\r\ncontent-length: {length}\r\n{headers}\r\n{body}")
                .as_bytes(),
        )
    }

    /// A file as the body of a POST.
    pub fn upload(&self, path: &str, file: &[u8]) -> Answer {
        let (host, length) = (self.address, file.len());
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n"
        );
        self.raw(&[head.as_bytes(), file].concat())
    }

    /// These bytes, and whatever comes back until the connection ends.
    pub fn raw(&self, bytes: &[u8]) -> Answer {
        let mut stream = self.connect();
        let _ = stream.write_all(bytes);
        Answer::read(stream)
    }

    /// Any bytes at all, and then no more: what is missing will not come.
    pub fn mumble(&self, bytes: &[u8]) -> Answer {
        let mut stream = self.connect();
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        Answer::read(stream)
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// What came back.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: String,
    /// Bytes of the body, as they came over the wire.
    pub length: usize,
    pub bytes: Vec<u8>,
}

impl Answer {
    pub fn read(stream: TcpStream) -> Self {
        let mut reader = BufReader::new(stream);
        let mut line = String::new();
        let _ = reader.read_line(&mut line);
        let status = line.split(' ').nth(1).and_then(|s| s.parse().ok()).unwrap_or(0);
        let mut headers = Vec::new();
        loop {
            line.clear();
            if reader.read_line(&mut line).unwrap_or(0) == 0 || line.trim().is_empty() {
                break;
            }
            if let Some((name, value)) = line.split_once(':') {
                headers.push((name.to_lowercase(), value.trim().to_owned()));
            }
        }
        let mut bytes = Vec::new();
        let _ = reader.read_to_end(&mut bytes);
        let body = String::from_utf8_lossy(&bytes).into_owned();
        Self { status, headers, body, length: bytes.len(), bytes }
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str())
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|e| panic!("{e}: {}", self.body))
    }

    /// The answer's object, after checking its status.
    pub fn ok(&self) -> Value {
        assert!(self.status == 200 || self.status == 202, "{} {}", self.status, self.body);
        self.json()
    }

    /// The error's code, after checking that it is a whole error object.
    pub fn refused(&self, status: u16) -> String {
        assert_eq!(self.status, status, "{}", self.body);
        let error = self.json();
        assert_eq!(error["type"], "error");
        assert!(error["message"].as_str().is_some_and(|m| !m.is_empty()), "{error}");
        assert!(error["hint"].as_str().is_some_and(|h| !h.is_empty()), "{error}");
        error["code"].as_str().unwrap().to_owned()
    }
}
