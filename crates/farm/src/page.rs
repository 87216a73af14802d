//! How a farm is doing, as a page for a browser. It needs no script: the browser loads it again every few seconds.

use std::fmt::Write as _;

use crate::{FarmStatus, SubmissionStatus, Twig};

/// The page.
#[must_use]
pub fn page(status: &FarmStatus) -> String {
    let mut page = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"3\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>Farm · Ludex</title>\
         <link rel=\"stylesheet\" href=\"/style.css\"></head><body><main><h1>Farm</h1><p>{}</p>",
        escaped(&status.store)
    );
    for it in &status.submissions {
        submission(&mut page, it);
    }
    page.push_str("<h2>Workers</h2><table><tr><th>worker<th>state<th>jobs<th>nodes</tr>");
    for worker in &status.workers {
        let state = match (worker.trusted, worker.live) {
            (false, _) => worker.why.clone().unwrap_or_else(|| "not trusted".to_owned()),
            (true, true) => "at work".to_owned(),
            (true, false) => format!("gone for {:.0} s", worker.seen),
        };
        let (name, state) = (escaped(&worker.name), escaped(&state));
        let _ = write!(page, "<tr><td>{name}<td>{state}<td>{}<td>{}</tr>", worker.done, worker.nodes);
    }
    page.push_str("</table></main></body></html>");
    page
}

fn submission(page: &mut String, it: &SubmissionStatus) {
    let (game, what, state) = (escaped(&it.game), escaped(it.about()), escaped(&it.state));
    let _ = write!(page, "<h2>{}: {game}, {state}</h2><p><code>{what}</code></p>", it.id);
    let all = (it.done + it.running + it.waiting).max(1);
    let _ = write!(page, "<p><progress max=\"{all}\" value=\"{}\"></progress> ", it.done);
    let _ = write!(
        page,
        "{} done, {} running, {} waiting; {:.1} jobs/s",
        it.done, it.running, it.waiting, it.rate
    );
    if let Some(left) = it.left {
        let _ = write!(page, "; about {left:.0} s left");
    }
    let _ = write!(page, "; {} nodes; {} answers confirmed</p>", it.nodes, it.confirmed);
    if let Some(solved) = &it.solved {
        let _ = write!(page, "<p><strong>A {} for who is to move.</strong></p>", solved.outcome);
    }
    if let Some(why) = &it.failed {
        let _ = write!(page, "<p><strong>Failed: {}</strong></p>", escaped(why));
    }
    if let Some(tree) = &it.tree {
        page.push_str("<ul>");
        twig(page, tree);
        page.push_str("</ul>");
    }
}

fn twig(page: &mut String, it: &Twig) {
    let number = |n: Option<f64>| n.map_or("∞".to_owned(), |n| format!("{n:.0}"));
    let text = escaped(it.text.as_deref().unwrap_or("start"));
    let (proof, disproof) = (number(it.proof), number(it.disproof));
    let _ = write!(page, "<li>{text}: {proof} to prove, {disproof} to disprove, {} nodes", it.nodes);
    if it.running > 0 {
        let _ = write!(page, ", {} running", it.running);
    }
    if !it.moves.is_empty() {
        page.push_str("<ul>");
        it.moves.iter().for_each(|below| twig(page, below));
        page.push_str("</ul>");
    }
    page.push_str("</li>");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_from_the_queue_becomes_markup() {
        let worker = crate::WorkerStatus {
            id: 1,
            name: "<script>alert(1)</script>".into(),
            process: 1,
            live: true,
            seen: 0.0,
            trusted: true,
            why: None,
            done: 0,
            nodes: 0,
        };
        let status = FarmStatus { store: "a&b".into(), submissions: Vec::new(), workers: vec![worker] };
        let page = page(&status);
        assert!(!page.contains("<script>") && page.contains("&lt;script&gt;") && page.contains("a&amp;b"));
    }
}
