// SPDX-License-Identifier: Apache-2.0
#include "commands/train_files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include <fmt/format.h>

#include "commands/second_release.hpp"
#include "commands/train_certificate.hpp"
#include "commands/train_report.hpp"
#include "doeblin/certificate/certificate_file.hpp"
#include "doeblin/core/error.hpp"
#include "doeblin/core/format.hpp"
#include "doeblin/core/text.hpp"
#include "doeblin/io/atomic_file.hpp"

namespace doeblin::commands {
namespace {

namespace fs = std::filesystem;

constexpr const char* kModel = "model.json";
constexpr const char* kOutputs[] = {kModel, "certificate.json", "people.csv", "people.svg", "report.txt"};

std::string people_csv(const TrainReport& report) {
  const std::vector<std::uint64_t>& lines = report.lines;
  std::string text = "record,line,epsilon_lower,epsilon_upper\n";
  const auto row = [&](std::size_t record, const Bracket& epsilon) {
    text += fmt::format("{},{},{},{}\n", record, lines[record - 1], format_exact(epsilon.lower()),
                        format_exact(epsilon.upper()));
  };
  const pipeline::NoisySgd& run = report.plan.privacy;
  const bool is_alike = run.order == pipeline::RecordSequence::kPoisson;
  if (!report.people)
    for (std::size_t record = 1; record <= static_cast<std::size_t>(run.n - run.public_tail); ++record)
      row(record, Bracket(is_alike ? report.epsilon.lower() : 0.0, report.epsilon.upper()));
  else
    for (const ForRecords& some : report.people->answers[0].values)
      for (std::size_t record = some.first; record <= some.last; ++record) row(record, some.value);
  return text;
}

struct Named {
  const char* name;
  std::string text;
  FileOptions options = {};
};

// Everything but the report, which lists it. Only the model and the certificate are for others.
std::vector<Named> contents_of(const TrainReport& report, const std::string& certificate) {
  std::vector<Named> contents{
      {kModel, json_of(report.model) + "\n", {.need_none = report.asked.is_forced ? "" : kNoSecondModel}},
      {"certificate.json", certificate}};
  // Nobody is guaranteed anything by a run with a seed.
  const bool is_void = report.asked.insecure_seed.has_value();
  if (!is_void && !report.lines.empty()) contents.push_back({"people.csv", people_csv(report), {.is_private = true}});
  if (!is_void && report.people) contents.push_back({"people.svg", people_svg(*report.people), {.is_private = true}});
  return contents;
}

// False when there can be no such folder.
bool make_private_folders(const fs::path& path) {
  std::error_code ignored;
  if (path.empty() || fs::is_directory(path, ignored)) return true;
  // "run/" is called "run" too.
  if (!path.has_filename()) return make_private_folders(path.parent_path());
  if (!make_private_folders(path.parent_path())) return false;
  if (mkdir(path.c_str(), S_IRWXU) != 0) return errno == EEXIST && fs::is_directory(path, ignored);
  return chmod(path.c_str(), S_IRWXU) == 0;
}

}  // namespace

OutputFolder::~OutputFolder() {
  std::error_code ignored;
  if (is_made_) fs::remove(path_, ignored);
  if (lock_ >= 0) close(lock_);
}

void OutputFolder::open(const TrainRequest& asked) {
  path_ = asked.folder;
  std::error_code error;
  const auto refuse = [&](const Sentence& constraint) {
    throw InvalidArgument(Option{"output"}, fmt::format("'{}'", printable_path(asked.folder)), constraint);
  };
  is_made_ = !fs::exists(path_, error);
  if (!make_private_folders(path_)) {
    is_made_ = false;
    refuse("a folder that can be made");
  }
  lock_ = ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  // Where there are no locks, the model still gets its name only if there is none.
  if (lock_ >= 0 && flock(lock_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    refuse("a folder that no other run is about to write to");
  for (const char* name : kOutputs)
    for (const std::string* input : {&asked.data, &asked.test_file})
      if (!input->empty() && fs::equivalent(*input, path_ / name, error))
        refuse(fmt::format("another folder: {} would be overwritten", printable_path(*input)));
  if (!asked.is_forced && fs::exists(path_ / kModel, error)) refuse(kNoSecondModel);
  AtomicFile(Option{"output"}, (path_ / kModel).string());
}

void require_room_for_certificate(const TrainRequest& asked) {
  std::error_code error;
  for (const std::string* input : {&asked.data, &asked.test_file, &asked.checkpoint})
    if (!input->empty() && fs::equivalent(*input, asked.certificate, error))
      throw InvalidArgument(Option{"certificate"}, fmt::format("'{}'", printable_path(asked.certificate)),
                            "another file than the data");
  // A run that goes on may have been stopped when this file was there already, and the model was not.
  const bool goes_on = !asked.checkpoint.empty() && fs::exists(asked.checkpoint, error);
  if (!asked.is_forced && !goes_on) require_no_file(Option{"certificate"}, asked.certificate, kNoSecondFile);
  AtomicFile(Option{"certificate"}, asked.certificate);
}

void write_files(TrainReport& report) {
  const TrainRequest& asked = report.asked;
  const std::string certificate = certificate::text_of(certificate_of(report));
  std::vector<Named> contents;
  if (!asked.folder.empty()) {
    contents = contents_of(report, certificate);
    const fs::path folder(asked.folder);
    for (const Named& one : contents) report.files.push_back((folder / one.name).string());
    report.files.push_back((folder / "report.txt").string());
    contents.push_back({"report.txt", text_train(report), {.is_private = true}});
  }
  std::vector<AtomicFile> files;
  files.reserve(contents.size() + 1);
  const auto write = [&](Option option, const std::string& path, const std::string& text, FileOptions options) {
    files.emplace_back(option, path, std::move(options)).write(text);
    files.back().finish();
  };
  for (const Named& one : contents) write(Option{"output"}, fs::path(asked.folder) / one.name, one.text, one.options);
  if (!asked.certificate.empty()) {
    const bool may_replace = asked.is_forced || !asked.checkpoint.empty();
    write(Option{"certificate"}, asked.certificate, certificate, {.need_none = may_replace ? "" : kNoSecondFile});
  }
  // The model last: whoever finds it finds the rest.
  for (auto file = files.rbegin(); file != files.rend(); ++file) file->commit();
}

}  // namespace doeblin::commands
