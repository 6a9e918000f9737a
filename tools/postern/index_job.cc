#include "index_job.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <filesystem>
#include <system_error>

#include "exit_codes.h"
#include "format.h"
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

IndexJob::IndexJob(IndexOptions options) : options_(std::move(options)) {}

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
  first_ = input::open_source(inputs_.front(), {.stop_descriptor = interrupt_.descriptor()});
  report_.inferred_schema = first_->infer_schema();
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

void IndexJob::read_input(size_t index) {
  std::unique_ptr<input::Source> source = std::move(first_);
  if (!source) {
    source = input::open_source(inputs_[index], {.first_document = next_document_,
                                                 .stop_descriptor = interrupt_.descriptor()});
  }
  source->use_schema(*schema_);
  while (step(*source)) {
    progress_->update(bytes_before_ + source->bytes_taken(), report_.documents);
  }
  next_document_ = source->next_document();
  report_.input_bytes = bytes_before_ += source->bytes_taken();
  report_.text_bytes = text_before_ += source->text_bytes();
}

bool IndexJob::step(input::Source& source) {
  if (interrupt_.wanted()) {
    report_.interrupted = stopped_ = true;
    return false;
  }
  try {
    const input::Event event = source.next();
    if (event == input::Event::kEnd) return false;
    apply(event, source);
  } catch (const input::ReadStopped&) {
    report_.interrupted = stopped_ = true;
  } catch (const input::RefusedInput& e) {
    refuse(e.what());
  } catch (const InvalidDocument& e) {
    refuse(at(source.place(), e));
  } catch (const LimitExceeded& e) {
    // A full index refuses every document from now on.
    if (writer_->max_doc() >= options_.writer.limits.max_documents) {
      stop(e, at(source.place(), e));
    } else {
      refuse(at(source.place(), e));
    }
  } catch (const IoError& e) {
    stop(e, message_of(e));
  }
  return !stopped_;
}

void IndexJob::apply(input::Event event, const input::Source& source) {
  if (event == input::Event::kFlush) {
    writer_->flush();
  } else if (event == input::Event::kCommit) {
    if (!source.user_data().empty()) writer_->set_commit_user_data(source.user_data());
    writer_->commit();
    committed_ = true;
  } else if (source.is_block()) {
    writer_->add_documents(source.documents());
    report_.documents += source.documents().size();
  } else {
    writer_->add_document(source.documents().front());
    ++report_.documents;
  }
}

void IndexJob::refuse(const std::string& message) {
  ++report_.refused;
  if (options_.skip_refused) {
    progress_->message("refused: " + message);
    return;
  }
  stopped_ = true;
  report_.error = message;
  report_.exit_code = kUsersMistake;
}

void IndexJob::stop(const std::exception& error, const std::string& message) {
  stopped_ = true;
  report_.error = message;
  report_.exit_code = exit_code_of(error);
}

// A run that ends early commits what came before, and leaves the index alone if nothing did: a
// mistake in the first line must not replace an index by an empty one.
void IndexJob::finish() {
  if (report_.interrupted) report_.exit_code = kInterrupted;
  if (stopped_ && report_.documents == 0 && !committed_) {
    writer_->rollback();
    report_.outcome = fmt::format("nothing was indexed; what {} holds is as it was", options_.out);
    return;
  }
  try {
    writer_->commit();
    writer_->close();
  } catch (const std::exception& e) {
    if (report_.error.empty()) stop(e, message_of(e));
    report_.outcome = fmt::format("what {} holds is as its last commit left it", options_.out);
    return;
  }
  if (stopped_) {
    report_.outcome = fmt::format("{} committed, the rest of the input is not",
                                  counted(report_.documents, "document"));
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
    if (report_.error.empty()) stop(e, message_of(e));
  }
}

}  // namespace postern::tool
