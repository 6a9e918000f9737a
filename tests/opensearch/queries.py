"""The searches of the check: (name, body). All name the order of their hits; `NONE` marks those that must find nothing."""
BY_SCORE = [{"_score": "desc"}, {"key": "asc"}]
BY_KEY = [{"key": "asc"}]
NONE = {"phrase across the gap", "a field that nobody has", "closed.unknown is not mapped"}


def scored(query, **more):
    return {"query": query, "sort": BY_SCORE, "size": 40, "track_total_hits": True, **more}


def filtered(query, **more):
    return {"query": query, "sort": BY_KEY, "size": 40, "track_total_hits": True, "_source": ["key"], **more}


def sorted_by(*keys):
    return {"query": {"match_all": {}}, "sort": [*keys, {"key": "asc"}], "size": 200, "_source": False}


def aggregated(**aggregations):
    return {"size": 0, "track_total_hits": True, "aggs": aggregations}


def exists(field):
    return filtered({"exists": {"field": field}})


def within(field, **bounds):
    return filtered({"range": {field: bounds}})


TEXT = [
    ("term", scored({"term": {"title": "gate"}})),
    ("term in an english field", scored({"match": {"body": "rivers running"}})),
    ("match", scored({"match": {"body": "stone bridges winter"}})),
    ("match and", scored({"match": {"title": {"query": "gate wall", "operator": "and"}}})),
    ("multi match", scored({"multi_match": {"query": "falcon heron", "fields": ["title^3", "tags", "plain"]}})),
    ("no norms", scored({"match": {"plain": "gate silver"}})),
    ("phrase", scored({"match_phrase": {"body": "gate wall"}})),
    ("phrase with slop", scored({"match_phrase": {"body": {"query": "gate tower", "slop": 3}}})),
    ("phrase across the gap", scored({"match_phrase": {"joined": {"query": "last first", "slop": 90}}})),
    ("phrase wider than the gap", scored({"match_phrase": {"joined": {"query": "last first", "slop": 101}}})),
    ("phrase across a gap of 3", scored({"match_phrase": {"near": {"query": "gate wall", "slop": 4}}})),
    ("phrase prefix", scored({"match_phrase_prefix": {"title": "gate w"}})),
    ("prefix", filtered({"prefix": {"body": "bri"}})),
    ("wildcard", filtered({"wildcard": {"tags.raw": "*wall*"}})),
    ("fuzzy", scored({"fuzzy": {"title": {"value": "gats"}}})),
    ("regexp", filtered({"regexp": {"title": "wi.*er"}})),
    ("frequencies left out", scored({"match": {"brief": "gate gate"}})),
    ("simple analyzer", scored({"match": {"tags.simple": "gate"}})),
    ("beyond ASCII", scored({"match": {"title": "Straße 日本語 café"}})),
    ("copy_to", scored({"match": {"everything": "gate lantern"}})),
    ("intervals", scored({"intervals": {"body": {"match": {"query": "gate stone", "ordered": True, "max_gaps": 5}}}})),
    ("query string", scored({"simple_query_string": {"query": "gate + -wall | \"silver amber\"", "fields": ["body", "title"]}})),
    ("highlight by offsets", scored({"match": {"offsets": "gate"}}, highlight={"fields": {"offsets": {}}}, _source=False)),
    ("highlight by vectors", scored({"match": {"vector": "gate"}}, highlight={"fields": {"vector": {"type": "fvh"}}}, _source=False)),
    ("keyword with norms", scored({"term": {"label": "gate"}})),
    ("dynamic text", scored({"match": {"new_text": "gate"}})),
    ("dynamic text's keyword", filtered({"prefix": {"new_text.keyword": "gate"}})),
    ("object's text", scored({"match": {"object.deep.text": "gate"}})),
    ("stored field", filtered({"exists": {"field": "brief"}}, stored_fields=["brief"])),
    ("ids", filtered({"ids": {"values": ["0", "k00001", "id-2", "ünï/3 x", "_4", "AbCd_000000000000001", "absent"]}})),
    ("ignored", filtered({"term": {"_ignored": "strict"}})),
    ("bool", scored({"bool": {"must": [{"match": {"body": "gate"}}], "filter": [{"term": {"flag": True}}],
                              "must_not": [{"term": {"status": "closed"}}], "should": [{"match": {"title": "wall"}}]}})),
    ("more like this", scored({"more_like_this": {"fields": ["title"], "like": "gate wall tower", "min_term_freq": 1, "min_doc_freq": 1}})),
]

KEYWORDS = [
    ("keyword", scored({"term": {"status": "open"}})),
    ("null value", filtered({"term": {"status": "none"}})),
    ("ignore_above", filtered({"terms": {"code": ["short", "longer than eight"]}})),
    ("keyword without doc values", filtered({"term": {"bare": "gate"}})),
    ("a field that nobody has", filtered({"term": {"nobody.has": "gate"}})),
    ("object with a dotted name", filtered({"term": {"object.name": "gate"}})),
    ("closed object", filtered({"term": {"closed.known": "gate"}})),
    ("closed.unknown is not mapped", filtered({"exists": {"field": "closed.unknown"}})),
    ("flag", filtered({"term": {"flag": False}})),
    ("address block", filtered({"term": {"address": "10.1.0.0/16"}})),
    ("address of 16 bytes", filtered({"term": {"address": "2001:db8::/64"}})),
    ("address range", within("address", gte="10.0.0.5", lt="192.168.1.100")),
    ("geo distance", filtered({"geo_distance": {"distance": "2500km", "place": {"lat": 48, "lon": 11}}})),
    ("geo box", filtered({"geo_bounding_box": {"place": {"top_left": "60,-30", "bottom_right": "-20,70"}}})),
]

RANGES = [
    ("byte range", within("byte", gte=-20, lt=30)), ("short range", within("short", gt=-9000, lte=9000)),
    ("integer range", within("integer", gte=5, lte=50)), ("integer term", filtered({"term": {"integer": 7}})),
    ("long range", within("long", gte=-3, lte=9 * 10 ** 18)), ("long terms", filtered({"terms": {"long": [3, 7, 8]}})),
    ("unsigned range", within("unsigned", gte=50, lte=2 ** 63 + 10 ** 18)), ("unsigned term", filtered({"term": {"unsigned": 2 ** 64 - 1}})),
    ("half range", within("half", gt=0.05, lte=400.5)), ("half term", filtered({"term": {"half": 0.1}})),
    ("float range", within("float", gte=1.1, lte=90)), ("float term", filtered({"term": {"float": 1.1}})),
    ("double range", within("double", gte=-1000, lte=0.25)), ("point range", within("point", lt=50)),
    ("column range", within("column", gte=20, lte=60)),
    ("date range", within("date", gte="1990-01-01", lt="2011-06")), ("date math", within("date", gte="2001-02-03||-1y/y", lte="2001-02-03||+2y/M")),
    ("date with a zone", within("date", gte="2000-01-01T00:00:00", lte="2020-12-31", time_zone="+05:00")),
    ("day range", within("day", gte="1980-01-01", lte="2000-12-31")),
    ("nanos range", within("nanos", gte="1995-01-01T00:00:00.000000001Z", lt="2025-01-01")),
    ("dynamic long", within("new_numbers.whole", gte=100)), ("dynamic float", within("new_numbers.part", lt=100.5)),
    ("dynamic boolean", filtered({"term": {"new_numbers.yes": True}})), ("dynamic date", within("new_date", gte="1990-01-01")),
    ("sequence numbers", within("_seq_no", gte=0)),
]

EXISTS = [(f"exists {field}", exists(field)) for field in (
    "title", "plain", "brief", "code", "status", "label", "bare", "kept", "byte", "integer", "unsigned", "half", "double", "point", "column", "flag",
    "date", "day", "nanos", "address", "place", "strict", "everything", "object", "object.deep.text", "tags.raw", "new_list", "new_text.keyword")]

# Over several shards a node never answers a descending sort by date_nanos of documents without a value.
SORTS = [
    ("sort integer", sorted_by({"integer": {"order": "desc", "missing": "_first"}})),
    ("sort long", sorted_by({"long": {"order": "asc", "mode": "max"}})), ("sort unsigned", sorted_by({"unsigned": "desc"})),
    ("sort half", sorted_by({"half": "asc"})), ("sort float", sorted_by({"float": {"order": "desc", "missing": 0}})),
    ("sort double", sorted_by({"double": {"order": "asc", "mode": "avg"}})), ("sort date", sorted_by({"date": "desc"})),
    ("sort day", sorted_by({"day": "asc"})), ("sort nanos", {**sorted_by({"nanos": "desc"}), "query": {"exists": {"field": "nanos"}}}), ("sort keyword", sorted_by({"status": "desc"})),
    ("sort code", sorted_by({"code": {"order": "asc", "missing": "_first"}})), ("sort address", sorted_by({"address": "asc"})),
    ("sort flag", sorted_by({"flag": "asc"})),
    ("sort distance", sorted_by({"_geo_distance": {"place": "10,20", "order": "asc", "unit": "km"}})),
    ("doc values", {"query": {"match_all": {}}, "sort": BY_KEY, "size": 2000, "_source": False, "docvalue_fields": [
        "tags.raw", "code", "status", "label", "kept", "byte", "short", "integer", "long", "unsigned", "half", "float", "double", "column", "flag",
        "date", "day", "nanos", "address", "place", "strict", "object.name", "object.size", "new_numbers.*", "new_date", "new_list"]}),
]

AGGREGATIONS = [
    ("terms", aggregated(a={"terms": {"field": "status", "size": 20, "missing": "?"}}, b={"terms": {"field": "tags.raw", "size": 15}},
                         c={"terms": {"field": "integer", "size": 10}}, d={"terms": {"field": "address", "size": 5}}, e={"terms": {"field": "flag"}},
                         f={"terms": {"field": "unsigned", "size": 3}})),
    ("stats", aggregated(a={"stats": {"field": "byte"}}, b={"stats": {"field": "column"}}, c={"extended_stats": {"field": "short"}},
                         d={"max": {"field": "unsigned"}}, e={"min": {"field": "half"}}, f={"max": {"field": "float"}}, g={"min": {"field": "long"}},
                         h={"value_count": {"field": "double"}}, i={"missing": {"field": "date"}})),
    ("date histogram", aggregated(a={"date_histogram": {"field": "date", "calendar_interval": "year"},
                                     "aggs": {"c": {"stats": {"field": "byte"}}}},
                                  b={"date_histogram": {"field": "nanos", "calendar_interval": "year", "time_zone": "Asia/Tokyo"}},
                                  c={"histogram": {"field": "column", "interval": 7}},
                                  d={"range": {"field": "double", "ranges": [{"to": 0}, {"from": 0, "to": 100}, {"from": 100}]}})),
    ("cardinality", aggregated(a={"cardinality": {"field": "tags.raw"}}, b={"cardinality": {"field": "long"}}, c={"cardinality": {"field": "address"}})),
    ("top hits", aggregated(a={"terms": {"field": "code"}, "aggs": {"t": {"top_hits": {"size": 2, "sort": BY_KEY, "_source": ["title"]}}}})),
]

NESTED = [
    ("nested", scored({"nested": {"path": "items", "score_mode": "max", "query": {"match": {"items.note": "gate"}},
                                  "inner_hits": {"size": 3, "sort": [{"_score": "desc"}, {"items.quantity": "asc"}, {"items.sku": "asc"}]}}})),
    ("nested both in one", filtered({"nested": {"path": "items", "query": {"bool": {"must": [
        {"term": {"items.sku": "A"}}, {"range": {"items.quantity": {"gte": 4}}}]}}}})),
    ("nested in nested", filtered({"nested": {"path": "items.parts", "query": {"term": {"items.parts.name": "gate"}}}})),
    ("nested exists", filtered({"nested": {"path": "items", "query": {"exists": {"field": "items.note"}}}})),
    ("sort nested", sorted_by({"items.quantity": {"order": "desc", "mode": "max", "nested": {"path": "items"}}})),
    ("nested aggregation", aggregated(n={"nested": {"path": "items"}, "aggs": {
        "s": {"terms": {"field": "items.sku"}, "aggs": {"q": {"stats": {"field": "items.quantity"}}, "back": {"reverse_nested": {}, "aggs": {
            "f": {"terms": {"field": "flag"}}}}}},
        "p": {"nested": {"path": "items.parts"}, "aggs": {"t": {"terms": {"field": "items.parts.name", "size": 30}}}}}})),
]

ROUTING = [("routing", scored({"term": {"_routing": "r5"}})), ("exists _routing", exists("_routing"))]

ALL = TEXT + KEYWORDS + RANGES + EXISTS + SORTS + AGGREGATIONS + NESTED
