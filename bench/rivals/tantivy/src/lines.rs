//! Line documents: title TAB date TAB body.

use std::fs::File;
use std::io::{BufRead, BufReader};

const MONTHS: [&str; 12] = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
];

pub struct Line {
    pub title: String,
    pub date: String,
    pub body: String,
    /// Since 1970.
    pub milliseconds: i64,
    pub month: &'static str,
    pub day_of_year: i64,
    pub second_of_day: i64,
}

/// The whole file. A date that is not dd-MMM-yyyy HH:mm:ss[.SSS] counts as the start of 1970.
pub fn read(path: &str) -> Result<Vec<Line>, Box<dyn std::error::Error>> {
    let mut lines = Vec::new();
    for text in BufReader::new(File::open(path)?).lines() {
        let text = text?;
        let mut columns = text.splitn(3, '\t');
        let (Some(title), Some(date), Some(body)) = (columns.next(), columns.next(), columns.next()) else {
            return Err(format!("line {} has fewer than three columns", lines.len() + 1).into());
        };
        let mut line = Line {
            title: title.into(),
            date: date.into(),
            body: body.into(),
            milliseconds: 0,
            month: MONTHS[0],
            day_of_year: 1,
            second_of_day: 0,
        };
        set_date(&mut line);
        lines.push(line);
    }
    Ok(lines)
}

fn set_date(line: &mut Line) -> Option<()> {
    let number = |from: usize, to: usize| line.date.get(from..to)?.parse::<i64>().ok();
    let (day, year) = (number(0, 2)?, number(7, 11)?);
    let name = line.date.get(3..6)?;
    let month = MONTHS.iter().position(|m| m[..3].eq_ignore_ascii_case(name))?;
    let second = 3600 * number(12, 14)? + 60 * number(15, 17)? + number(18, 20)?;
    let thousandth = number(21, 24).unwrap_or(0);
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let lengths = [31, 28 + i64::from(leap), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let day_of_year = lengths[..month].iter().sum::<i64>() + day;
    let before = year - 1;
    let days = before * 365 + before / 4 - before / 100 + before / 400 - 719_162 + day_of_year - 1;
    line.milliseconds = (days * 86_400 + second) * 1000 + thousandth;
    line.month = MONTHS[month];
    line.day_of_year = day_of_year;
    line.second_of_day = second;
    Some(())
}
