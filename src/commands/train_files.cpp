// SPDX-License-Identifier: Apache-2.0
#include "commands/train_files.hpp"

#include <fmt/format.h>

#include "commands/train_certificate.hpp"
#include "commands/train_report.hpp"
#include "doeblin/certificate/certificate_file.hpp"
#include "doeblin/core/atomic_file.hpp"
#include "doeblin/core/error.hpp"
#include "doeblin/core/format.hpp"
#include "doeblin/core/text.hpp"

namespace doeblin::commands {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOutputs[] = {"model.json", "certificate.json", "people.csv", "people.svg", "report.txt"};

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

}  // namespace

OutputFolder::~OutputFolder() {
  std::error_code ignored;
  if (is_made_) fs::remove(path_, ignored);
}

void OutputFolder::open(const TrainQuestion& question) {
  path_ = question.folder;
  std::error_code error;
  const bool was_there = fs::exists(path_, error);
  fs::create_directories(path_, error);
  if (error || !fs::is_directory(path_))
    throw InvalidArgument("--output", fmt::format("'{}'", printable(question.folder)), "a folder that can be made");
  is_made_ = !was_there;
  AtomicFile("--output", (path_ / kOutputs[0]).string());
  for (const char* name : kOutputs)
    for (const std::string* input : {&question.data, &question.test_file})
      if (!input->empty() && fs::equivalent(*input, path_ / name, error))
        throw InvalidArgument("--output", fmt::format("'{}'", printable(question.folder)),
                              fmt::format("another folder: {} would be overwritten", printable(*input)));
  if (!question.checkpoint.empty()) AtomicFile("--checkpoint", question.checkpoint);
  if (question.certificate.empty()) return;
  AtomicFile("--certificate", question.certificate);
  for (const std::string* input : {&question.data, &question.test_file, &question.checkpoint})
    if (!input->empty() && fs::equivalent(*input, question.certificate, error))
      throw InvalidArgument("--certificate", fmt::format("'{}'", printable(question.certificate)),
                            "another file than the data");
}

void write_files(TrainReport& report) {
  const fs::path folder(report.question.folder);
  struct Named {
    const char* name;
    std::string text;
  };
  std::vector<Named> contents{{"model.json", json_of(report.model) + "\n"}};
  const std::string certificate = certificate::text_of(certificate_of(report));
  contents.push_back({"certificate.json", certificate});
  // Nobody is guaranteed anything by a run with a seed.
  const bool is_void = report.question.insecure_seed.has_value();
  if (!is_void && !report.lines.empty()) contents.push_back({"people.csv", people_csv(report)});
  if (!is_void && report.people) contents.push_back({"people.svg", people_svg(*report.people)});
  for (const Named& one : contents) report.files.push_back((folder / one.name).string());
  report.files.push_back((folder / "report.txt").string());
  contents.push_back({"report.txt", text_train(report)});
  std::vector<AtomicFile> files;
  files.reserve(contents.size() + 1);
  for (const Named& one : contents) {
    files.emplace_back("--output", (folder / one.name).string());
    files.back().write(one.text);
    files.back().finish();
  }
  if (!report.question.certificate.empty()) {
    files.emplace_back("--certificate", report.question.certificate);
    files.back().write(certificate);
    files.back().finish();
  }
  // The model last: whoever finds it finds the rest.
  for (auto file = files.rbegin(); file != files.rend(); ++file) file->commit();
}

}  // namespace doeblin::commands
