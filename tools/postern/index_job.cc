#include "index_job.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <filesystem>
#include <system_error>
#include <thread>
#include <utility>

#include "exit_codes.h"
#include "format.h"
#include "index_report.h"
#include "postern/error.h"

namespace postern::tool {

namespace {

// Without open_directory, which would make the folder.
bool holds_index(const std::string& path) {
  std::error_code not_there;
  for (const auto& entry : std::filesystem::directory_iterator(path, not_there)) {
    if (entry.path().filename().native().starts_with("segments_")) return true;
  }
  return false;
}

// The field is named by the writer's message.
std::string at(const input::Place& place, const std::exception& error) {
  return fmt::format("{}: {}", input::describe(place), error.what());
}

}  // namespace

// Several of them share an input; each keeps the order of its documents with an appender of its
// own.
class IndexJob::Reader {
 public:
  Reader(IndexJob& job, input::SharedInput& input)
      : job_(job), input_(&input), source_(input.open([this] { between_pieces(); })) {
    first_document_ = source_->next_document();
  }

  std::string infer_schema() { return source_->infer_schema(); }
  uint64_t documents() const { return source_->next_document() - first_document_; }

  void run() {
    try {
      source_->use_schema(*job_.schema_);
      while (step()) {
      }
    } catch (const std::exception& e) {
      stop(e, message_of(e));
    }
    between_pieces();
  }
  uint64_t text_bytes() const { return source_->text_bytes(); }
  // Documents that this reader added.
  uint64_t added() const { return added_; }

 private:
  // False at the end of the source, or of the run.
  bool step() {
    if (job_.interrupt_.wanted()) {
      interrupted();
      return false;
    }
    try {
      const input::Event event = source_->next();
      if (event == input::Event::kEnd) return false;
      apply(event);
    } catch (const input::ReadStopped&) {
      interrupted();
    } catch (const input::RefusedInput& e) {
      refuse(e.what());
    } catch (const InvalidDocument& e) {
      refuse(at(source_->place(), e));
    } catch (const InvalidArgument& e) {  // an update of what cannot be updated
      refuse(at(source_->place(), e));
    } catch (const LimitExceeded& e) {
      // A full index refuses every document from now on.
      if (job_.writer_->max_doc() >= job_.options_.writer.limits.max_documents) {
        stop(e, at(source_->place(), e));
      } else {
        refuse(at(source_->place(), e));
      }
    } catch (const IoError& e) {
      stop(e, message_of(e));
    }
    if (added_ % kTellEvery == 0) tell_progress();
    return !ended_;
  }

  // The run ends, but the other readers finish the pieces they have: what stands before the refused
  // line is all there then.
  void refuse(const std::string& message) {
    job_.refuse(source_->place(), message);
    if (job_.options_.skip_refused) return;
    ended_ = true;
    input_->stop();
  }
  void stop(const std::exception& error, const std::string& message) {
    job_.stop(error, message);
    ended_ = true;
    input_->stop();
  }

  void apply(input::Event event) {
    if (event == input::Event::kDocuments) {
      if (!appender_) appender_.emplace(*job_.writer_);
      if (source_->is_block()) {
        appender_->add_documents(source_->documents());
      } else {
        appender_->add_document(source_->documents().front());
      }
      count_documents();
      return;
    }
    between_pieces();  // an appender of one's own would wait for oneself
    if (event == input::Event::kFlush) {
      job_.writer_->flush();
    } else if (event == input::Event::kCommit) {
      if (!source_->user_data().empty()) job_.writer_->set_commit_user_data(source_->user_data());
      job_.writer_->commit();
      std::lock_guard lock(job_.mutex_);
      job_.committed_ = true;
    } else {
      change(event);
    }
  }

  // No other reader has anything to do meanwhile (input::LineRole::kAlone).
  void change(input::Event event) {
    IndexWriter& writer = *job_.writer_;
    uint64_t* counter = &job_.report_.deletes;
    switch (event) {
      case input::Event::kUpdate:
        if (source_->is_block()) {
          writer.update_documents(source_->terms().front(), source_->documents());
        } else {
          writer.update_document(source_->terms().front(), source_->documents().front());
        }
        count_documents();
        counter = &job_.report_.updates;
        break;
      case input::Event::kUpdateDocValues:
        writer.update_doc_values(source_->terms().front(), source_->doc_values());
        counter = &job_.report_.doc_values_updates;
        break;
      case input::Event::kDeleteAll:
        writer.delete_all();
        break;
      default:
        writer.delete_documents(source_->terms());
    }
    std::lock_guard lock(job_.mutex_);
    ++*counter;
  }

  void count_documents() {
    added_ += source_->documents().size();
    untold_ += source_->documents().size();
  }

  void interrupted() {
    std::lock_guard lock(job_.mutex_);
    job_.report_.interrupted = true;
    job_.stopped_ = true;
    ended_ = true;
  }

  void between_pieces() {
    appender_.reset();
    tell_progress();
  }

  void tell_progress() {
    std::lock_guard lock(job_.mutex_);
    job_.report_.documents += std::exchange(untold_, 0);
    job_.progress_->update(job_.bytes_before_ + input_->bytes_taken(), job_.report_.documents);
  }

  // What is not told yet is told every so many documents: a giant piece, a slow pipe.
  static constexpr uint64_t kTellEvery = 256;

  IndexJob& job_;
  input::SharedInput* input_;
  bool ended_ = false;
  uint64_t added_ = 0;
  uint64_t untold_ = 0;  // of them, not in the report yet
  std::optional<IndexWriter::Appender> appender_;
  std::unique_ptr<input::Source> source_;
  uint64_t first_document_ = 0;
};

IndexJob::IndexJob(IndexOptions options) : options_(std::move(options)) {}
IndexJob::~IndexJob() = default;

IndexReport IndexJob::run() {
  const auto start = std::chrono::steady_clock::now();
  if (!options_.mode_given && holds_index(options_.out)) {
    throw InvalidArgument(fmt::format(
        "{} already holds an index: --append adds to it, --create replaces it", options_.out));
  }
  inspect_inputs();
  prepare_schema();
  open_index();
  read_all();
  finish();
  report_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  measure();
  return std::move(report_);
}

void IndexJob::inspect_inputs() {
  uint64_t total = 0;
  bool known = true;
  for (const std::string& path : options_.inputs) {
    inputs_.push_back(input::inspect_input(path));
    total += inputs_.back().bytes;
    known = known && inputs_.back().bytes != 0;
  }
  progress_ = std::make_unique<Progress>(known ? total : 0, options_.quiet);
}

void IndexJob::prepare_schema() {
  if (!options_.schema.empty()) {
    schema_ = input::Schema::load(options_.schema);
    return;
  }
  for (const input::InputInfo& info : inputs_) {
    if (info.kind == inputs_.front().kind) continue;
    throw InvalidArgument(fmt::format(
        "{} is {} and {} is {}: inputs of different kinds need a --schema", inputs_.front().path,
        input_kind_name(inputs_.front().kind), info.path, input_kind_name(info.kind)));
  }
  first_input_ = open_input(0);
  first_reader_ = std::make_unique<Reader>(*this, *first_input_);
  report_.inferred_schema = first_reader_->infer_schema();
  schema_ = input::Schema::parse(report_.inferred_schema, "inferred schema");
  if (!options_.quiet) {
    progress_->message(fmt::format(
        "No --schema was given. This one was inferred from the first documents; to change it, save "
        "it, edit it and give it back:\n{}",
        report_.inferred_schema));
  }
}

void IndexJob::open_index() {
  directory_ = open_directory(options_.out);
  WriterConfig config = options_.writer;
  config.index_sort = schema_->index_sort();
  config.parent_field = schema_->parent_field();
  config.soft_deletes_field = schema_->soft_deletes_field();
  config.on_flush = [this](const FlushEvent& event) { ++report_.flushes[event.reason]; };
  writer_ = std::make_unique<IndexWriter>(*directory_, config);
}

void IndexJob::read_all() {
  try {
    for (size_t i = 0; i < inputs_.size() && !stopped_; ++i) read_input(i);
  } catch (const std::exception& e) {
    stop(e, message_of(e));
  }
  progress_->clear_line();
}

std::unique_ptr<input::SharedInput> IndexJob::open_input(size_t index) const {
  return std::make_unique<input::SharedInput>(
      inputs_[index], input::SourceOptions{.first_document = next_document_,
                                           .stop_descriptor = interrupt_.descriptor()});
}

void IndexJob::read_input(size_t index) {
  std::unique_ptr<input::SharedInput> input = std::move(first_input_);
  if (!input) input = open_input(index);
  std::vector<std::unique_ptr<Reader>> readers;
  if (first_reader_) readers.push_back(std::move(first_reader_));
  while (readers.size() < options_.threads)
    readers.push_back(std::make_unique<Reader>(*this, *input));
  {
    std::vector<std::jthread> others;
    for (size_t i = 1; i < readers.size(); ++i)
      others.emplace_back([&reader = *readers[i]] { reader.run(); });
    readers.front()->run();
  }
  int readers_at_work = 0;
  for (const auto& reader : readers) {
    next_document_ += reader->documents();
    readers_at_work += reader->added() != 0 ? 1 : 0;
    report_.text_bytes += reader->text_bytes();
  }
  side_by_side_ = readers_at_work > 1;
  report_.input_bytes = bytes_before_ += input->bytes_taken();
}

void IndexJob::refuse(const input::Place& place, const std::string& message) {
  std::lock_guard lock(mutex_);
  if (options_.skip_refused) {
    ++report_.refused;
    progress_->message("refused: " + message);
    return;
  }
  // Several threads may each come upon one; the first one in the input is what ends the run.
  const bool first = !refused_ || std::pair(place.line, place.document) <
                                      std::pair(refused_->line, refused_->document);
  if (stopped_.exchange(true) && !(refused_ && first)) return;
  refused_ = place;
  report_.refused = 1;
  report_.error = message;
  report_.exit_code = kUsersMistake;
}

void IndexJob::stop(const std::exception& error, const std::string& message) {
  std::lock_guard lock(mutex_);
  if (!stopped_.exchange(true)) record(error, message);
}

void IndexJob::record(const std::exception& error, const std::string& message) {
  stopped_ = true;
  if (dynamic_cast<const input::ReadStopped*>(&error) != nullptr) {
    report_.interrupted = true;
    return;
  }
  report_.error = message;
  report_.exit_code = exit_code_of(error);
}

// A run that ends early commits what came before, and leaves the index alone if nothing did: a
// mistake in the first line must not replace an index by an empty one.
void IndexJob::finish() {
  if (report_.interrupted) report_.exit_code = kInterrupted;
  const bool changed =
      report_.documents + report_.deletes + report_.doc_values_updates != 0 || committed_;
  if (stopped_ && !changed) {
    writer_->rollback();
    report_.outcome = fmt::format("nothing was indexed; what {} holds is as it was", options_.out);
    return;
  }
  try {
    writer_->commit();
    writer_->close();
  } catch (const std::exception& e) {
    if (report_.error.empty()) record(e, message_of(e));
    report_.outcome = fmt::format("what {} holds is as its last commit left it", options_.out);
    return;
  }
  if (stopped_) {
    report_.outcome = fmt::format("{} committed, the rest of the input is not", work_text(report_));
    if (side_by_side_ && refused_) {
      report_.outcome +=
          " (all before the refused one are, and some behind it that other threads had taken)";
    } else if (side_by_side_) {
      report_.outcome += " (with several threads, they need not be its first ones)";
    }
  }
}

void IndexJob::measure() {
  struct rusage usage {};
  if (::getrusage(RUSAGE_SELF, &usage) == 0) {
    report_.peak_memory = static_cast<uint64_t>(usage.ru_maxrss) * 1024;
  }
  try {
    report_.index = measure_index(*directory_);
  } catch (const std::exception& e) {
    if (report_.error.empty()) record(e, message_of(e));
  }
}

}  // namespace postern::tool
