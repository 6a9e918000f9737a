package oracle;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.TextStyle;
import java.util.Locale;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.IntField;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.KeywordField;
import org.apache.lucene.document.LongField;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.util.BytesRef;

/**
 * The fields of a document of Lucene's own benchmark, made once and refilled: what it indexes by default (base), that
 * with all its doc values, skip indexes and points (columns), or only the points or doc values of these.
 */
final class LineFields {
  static final String CHOICES = "base, columns, points or doc_values";

  /** One line document, with what the benchmark makes of its date (UTC) and number. */
  record Line(
      int number, String title, String date, String body, String id, BytesRef titleBytes, long ms, BytesRef month, int dayOfYear,
      int second) {
    static Line parse(String s, int number) {
      int a = s.indexOf('\t');
      int b = s.indexOf('\t', a + 1);
      if (a < 0 || b < 0) throw new Usage("line " + (number + 1) + " has fewer than three columns");
      String title = s.substring(0, a);
      String date = s.substring(a + 1, b);
      LocalDateTime t = time(date);
      String month = t.getMonth().getDisplayName(TextStyle.FULL, Locale.ENGLISH);
      return new Line(number, title, date, s.substring(b + 1), id(number), new BytesRef(title),
          t.toInstant(ZoneOffset.UTC).toEpochMilli(), new BytesRef(month), t.getDayOfYear(), t.toLocalTime().toSecondOfDay());
    }

    /** The number in base 36, six digits. */
    static String id(int number) {
      String id = "00000" + Integer.toString(number, 36);
      return id.substring(id.length() - 6);
    }

    /** Of dd-MMM-yyyy HH:mm:ss[.SSS]; any other text is the start of 1970. */
    private static LocalDateTime time(String d) {
      try {
        if (d.length() != 20 && d.length() != 24) throw new DateTimeException(d);
        int month = "janfebmaraprmayjunjulaugsepoctnovdec".indexOf(d.substring(3, 6).toLowerCase(Locale.ROOT)) / 3 + 1;
        return LocalDate.of(Integer.parseInt(d.substring(7, 11)), month, Integer.parseInt(d.substring(0, 2)))
            .atTime(Integer.parseInt(d.substring(12, 14)), Integer.parseInt(d.substring(15, 17)), Integer.parseInt(d.substring(18, 20)),
                d.length() == 24 ? Integer.parseInt(d.substring(21, 24)) * 1000000 : 0);
      } catch (DateTimeException | NumberFormatException e) {
        return LocalDate.EPOCH.atStartOfDay();
      }
    }
  }

  private final boolean text;
  private final Field title;
  private Field titleBytes, lastMod, month, dayOfYear, idNumber, lastModSkipper, dayOfYearSkipper, monthSkipper, titleSkipper;
  private Field titleTokenized, body, id, idPoint, date, second;
  private final Document document = new Document();

  LineFields(String choice, int bodies) {
    BytesRef none = new BytesRef();
    boolean columns = choice.equals("columns");
    boolean points = choice.equals("points");
    boolean docValues = choice.equals("doc_values");
    text = columns || choice.equals("base");
    if (!text && !points && !docValues) throw new Usage("fields are " + CHOICES + ", not " + choice);
    title = columns ? add(new KeywordField("title", "", Field.Store.NO))
        : text ? add(new StringField("title", "", Field.Store.NO))
        : docValues ? add(new SortedSetDocValuesField("title", none)) : null;
    if (points) {
      lastMod = add(new LongPoint("lastMod", 0));
      dayOfYear = add(new IntPoint("dayOfYear", 0));
    } else if (columns || docValues) {
      titleBytes = add(new BinaryDocValuesField("titleBDV", none));
      lastMod = add(columns ? new LongField("lastMod", 0, Field.Store.NO) : new SortedNumericDocValuesField("lastMod", 0));
      month = add(columns ? new KeywordField("month", none, Field.Store.NO) : new SortedSetDocValuesField("month", none));
      dayOfYear = add(columns ? new IntField("dayOfYear", 0, Field.Store.NO) : new SortedNumericDocValuesField("dayOfYear", 0));
      idNumber = add(new NumericDocValuesField("id", 0));
      lastModSkipper = add(NumericDocValuesField.indexedField("lastMod_skipper", 0));
      dayOfYearSkipper = add(NumericDocValuesField.indexedField("dayOfYear_skipper", 0));
      monthSkipper = add(SortedDocValuesField.indexedField("month_skipper", none));
      titleSkipper = add(SortedDocValuesField.indexedField("title_skipper", none));
    }
    if (text) {
      titleTokenized = add(new TextField("titleTokenized", "", Field.Store.YES));
      body = new Field("body", "", new FieldType(TextField.TYPE_NOT_STORED));
      for (int i = 0; i < bodies; i++) document.add(body);
      id = add(new StringField("id", "", Field.Store.YES));
    }
    if (!docValues) idPoint = add(new IntPoint("id", 0));
    if (text) date = add(new StringField("date", "", Field.Store.YES));
    if (!docValues) second = add(new IntPoint("timesecnum", 0));
  }

  private Field add(Field f) {
    document.add(f);
    return f;
  }

  /** The document of a line, valid until the next call. Lines may come again, so the number is not that of the line. */
  Document fill(Line l, int number) {
    if (titleBytes != null) {
      titleBytes.setBytesValue(l.titleBytes);
      month.setBytesValue(l.month);
      idNumber.setLongValue(number);
      lastModSkipper.setLongValue(l.ms);
      dayOfYearSkipper.setLongValue(l.dayOfYear);
      monthSkipper.setBytesValue(l.month);
      titleSkipper.setBytesValue(l.titleBytes);
    }
    if (lastMod != null) {
      lastMod.setLongValue(l.ms);
      if (dayOfYear instanceof SortedNumericDocValuesField) dayOfYear.setLongValue(l.dayOfYear);
      else dayOfYear.setIntValue(l.dayOfYear);
    }
    if (text) {
      title.setStringValue(l.title);
      titleTokenized.setStringValue(l.title);
      body.setStringValue(l.body);
      id.setStringValue(number == l.number ? l.id : Line.id(number));
      date.setStringValue(l.date);
    } else if (title != null) {
      title.setBytesValue(l.titleBytes);
    }
    if (idPoint != null) {
      idPoint.setIntValue(number);
      second.setIntValue(l.second);
    }
    return document;
  }
}
