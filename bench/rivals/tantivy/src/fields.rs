//! The fields of Lucene's benchmark (docs/formats/04 §2.2), as near as tantivy has them: see the README.

use crate::lines::Line;
use tantivy::schema::{BytesOptions, Field, IndexRecordOption, NumericOptions, Schema, SchemaBuilder, TextFieldIndexing, TextOptions};
use tantivy::TantivyDocument;

pub struct Fields {
    pub schema: Schema,
    /// title, titleTokenized, body, id, date; unless only points or doc values are wanted.
    text: Option<[Field; 5]>,
    /// Document number and second of the day; unless only doc values are wanted.
    numbers: Option<[Field; 2]>,
    /// titleBDV, lastMod, month, dayOfYear, id; of columns and doc_values.
    columns: Option<[Field; 5]>,
    /// lastMod and dayOfYear alone; of points.
    points: Option<[Field; 2]>,
    /// title as a column; of doc_values.
    title_column: Option<Field>,
}

fn analyzed(stored: bool) -> TextOptions {
    let indexing = TextFieldIndexing::default().set_tokenizer("default").set_index_option(IndexRecordOption::WithFreqsAndPositions);
    let options = TextOptions::default().set_indexing_options(indexing);
    if stored { options.set_stored() } else { options }
}

fn term(stored: bool, column: bool) -> TextOptions {
    let indexing = TextFieldIndexing::default().set_tokenizer("raw").set_index_option(IndexRecordOption::Basic).set_fieldnorms(false);
    let options = TextOptions::default().set_indexing_options(indexing);
    let options = if stored { options.set_stored() } else { options };
    if column { options.set_fast("raw") } else { options }
}

fn number(builder: &mut SchemaBuilder, name: &str) -> Field {
    builder.add_i64_field(name, NumericOptions::default().set_fast())
}

impl Fields {
    /// `choice`: base, columns, points or doc_values.
    pub fn new(choice: &str) -> Result<Fields, String> {
        let with_columns = choice == "columns" || choice == "doc_values";
        let with_text = choice == "base" || choice == "columns";
        if !with_columns && !with_text && choice != "points" {
            return Err(format!("fields are base, columns, points or doc_values, not {choice}"));
        }
        let mut b = Schema::builder();
        let text = with_text.then(|| {
            [
                b.add_text_field("title", term(false, with_columns)),
                b.add_text_field("titleTokenized", analyzed(true)),
                b.add_text_field("body", analyzed(false)),
                b.add_text_field("id", term(true, false)),
                b.add_text_field("date", term(true, false)),
            ]
        });
        let title_column = (choice == "doc_values").then(|| b.add_text_field("title", TextOptions::default().set_fast("raw")));
        let columns = with_columns.then(|| {
            let month = if with_text { term(false, true) } else { TextOptions::default().set_fast("raw") };
            [
                b.add_bytes_field("titleBDV", BytesOptions::default().set_fast()),
                number(&mut b, "lastMod"),
                b.add_text_field("month", month),
                number(&mut b, "dayOfYear"),
                number(&mut b, "id_column"),
            ]
        });
        let points = (choice == "points").then(|| [number(&mut b, "lastMod"), number(&mut b, "dayOfYear")]);
        let numbers = (choice != "doc_values").then(|| [number(&mut b, "id_number"), number(&mut b, "timesecnum")]);
        Ok(Fields { schema: b.build(), text, numbers, columns, points, title_column })
    }

    pub fn document(&self, line: &Line, number: usize, bodies: usize) -> TantivyDocument {
        let mut d = TantivyDocument::default();
        if let Some([title, tokenized, body, id, date]) = self.text {
            d.add_text(title, &line.title);
            d.add_text(tokenized, &line.title);
            for _ in 0..bodies {
                d.add_text(body, &line.body);
            }
            d.add_text(id, base_36(number));
            d.add_text(date, &line.date);
        }
        if let Some(title) = self.title_column {
            d.add_text(title, &line.title);
        }
        if let Some([bytes, last_mod, month, day, id]) = self.columns {
            d.add_bytes(bytes, line.title.as_bytes());
            d.add_i64(last_mod, line.milliseconds);
            d.add_text(month, line.month);
            d.add_i64(day, line.day_of_year);
            d.add_i64(id, number as i64);
        }
        if let Some([last_mod, day]) = self.points {
            d.add_i64(last_mod, line.milliseconds);
            d.add_i64(day, line.day_of_year);
        }
        if let Some([id, second]) = self.numbers {
            d.add_i64(id, number as i64);
            d.add_i64(second, line.second_of_day);
        }
        d
    }
}

/// Six digits.
fn base_36(mut number: usize) -> String {
    let mut digits = [b'0'; 6];
    for digit in digits.iter_mut().rev() {
        *digit = b"0123456789abcdefghijklmnopqrstuvwxyz"[number % 36];
        number /= 36;
    }
    String::from_utf8_lossy(&digits).into_owned()
}
