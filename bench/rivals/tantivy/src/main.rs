//! The tantivy side of the end-to-end benchmark: answers the commands of bench/e2e/index_bench.cc with the same JSON.
//!
//!   tantivy_bench DOCS.txt
//!   run DOCS RAM_MB BODIES FIELDS THREADS OUTDIR

mod fields;
mod lines;

use std::io::{self, BufRead, Write};
use std::path::Path;
use std::time::Instant;
use tantivy::merge_policy::NoMergePolicy;
use tantivy::{Index, IndexWriter, TantivyDocument};

type Failure = Box<dyn std::error::Error>;

struct Job<'a> {
    docs: usize,
    ram_mb: f64,
    bodies: usize,
    fields: &'a str,
    threads: usize,
    out: &'a Path,
}

impl<'a> Job<'a> {
    fn parse(command: &'a str) -> Result<Self, Failure> {
        let words: Vec<&str> = command.split_whitespace().collect();
        if words.len() != 7 || words[0] != "run" {
            return Err(format!("want: run DOCS RAM_MB BODIES FIELDS THREADS OUTDIR, got: {command}").into());
        }
        Ok(Job {
            docs: words[1].parse()?,
            ram_mb: words[2].parse()?,
            bodies: words[3].parse()?,
            fields: words[4],
            threads: words[5].parse()?,
            out: Path::new(words[6]),
        })
    }
}

/// CPU time of all threads of the process, in seconds.
fn cpu_seconds() -> Result<f64, Failure> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    let after_name = stat.rsplit_once(')').ok_or("/proc/self/stat")?.1;
    let ticks = after_name.split_whitespace().skip(11).take(2).map(|t| t.parse::<f64>());
    Ok(ticks.sum::<Result<f64, _>>()? / 100.0) // USER_HZ
}

fn run(lines: &[lines::Line], job: &Job) -> Result<String, Failure> {
    if job.out.exists() {
        std::fs::remove_dir_all(job.out)?;
    }
    std::fs::create_dir_all(job.out)?;
    let fields = fields::Fields::new(job.fields)?;
    // Made before the clock starts; the writer takes them over without a copy.
    let documents: Vec<TantivyDocument> =
        (0..job.docs).map(|n| fields.document(&lines[n % lines.len()], n, job.bodies)).collect();

    let cpu = cpu_seconds()?;
    let start = Instant::now();
    let index = Index::create_in_dir(job.out, fields.schema.clone())?;
    let budget = (job.ram_mb * 1048576.0) as usize;
    let mut writer: IndexWriter = index.writer_with_num_threads(job.threads, budget)?;
    writer.set_merge_policy(Box::new(NoMergePolicy));
    for document in documents {
        writer.add_document(document)?;
    }
    let feed_seconds = start.elapsed().as_secs_f64();
    writer.commit()?;
    writer.wait_merging_threads()?;
    let seconds = start.elapsed().as_secs_f64();
    let cpu = cpu_seconds()? - cpu;

    let segments = index.searchable_segment_ids()?.len();
    let mut index_bytes = 0;
    for entry in std::fs::read_dir(job.out)? {
        index_bytes += entry?.metadata()?.len();
    }
    Ok(format!(
        "{{\"engine\": \"tantivy\", \"docs\": {}, \"seconds\": {seconds:.4}, \"feed_seconds\": {feed_seconds:.4}, \
         \"cpu_seconds\": {cpu:.3}, \"segments\": {segments}, \"index_bytes\": {index_bytes}}}",
        job.docs
    ))
}

fn main() -> Result<(), Failure> {
    let path = std::env::args().nth(1).ok_or("usage: tantivy_bench DOCS.txt")?;
    let lines = lines::read(&path)?;
    let mut out = io::stdout();
    writeln!(out, "{{\"ready\": {}}}", lines.len())?;
    out.flush()?;
    for command in io::stdin().lock().lines() {
        let command = command?;
        writeln!(out, "{}", run(&lines, &Job::parse(&command)?)?)?;
        out.flush()?;
    }
    Ok(())
}
