// SPDX-License-Identifier: Apache-2.0
#include "audit/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <utility>

#include "doeblin/core/error.hpp"

namespace doeblin::audit {
namespace {

constexpr std::size_t kMostOutput = std::size_t{1} << 28U;
constexpr std::size_t kMostErrors = 4096;
constexpr int kPollMilliseconds = 100;

void require_done(int error, const char* what) {
  if (error != 0) throw InvalidArgument(Sentence{Option{"command"}, ": ", what, ": ", std::strerror(error)});
}

// A pipe whose ends no child inherits but by name.
class Pipe {
 public:
  Pipe() { require_done(pipe2(ends_.data(), O_CLOEXEC) == 0 ? 0 : errno, "pipe"); }
  ~Pipe() {
    close_read();
    close_write();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  [[nodiscard]] int read_end() const { return ends_[0]; }
  [[nodiscard]] int write_end() const { return ends_[1]; }
  void close_read() { close_end(0); }
  void close_write() { close_end(1); }

  /// What is there to be read, up to a few KiB; false at the end.
  bool read_into(std::string& text, std::size_t most) {
    std::array<char, 65536> buffer;
    const ssize_t count = read(read_end(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) return true;
    if (count <= 0) return false;
    // What is beyond the limit is read and forgotten, so that the program does not wait for us.
    text.append(buffer.data(), std::min(static_cast<std::size_t>(count), most - std::min(most, text.size())));
    return true;
  }

 private:
  void close_end(std::size_t k) {
    if (ends_[k] >= 0) close(std::exchange(ends_[k], -1));
  }
  std::array<int, 2> ends_{-1, -1};
};

pid_t spawned(const std::string& command, Pipe& output, Pipe& errors) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output.write_end(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, errors.write_end(), STDERR_FILENO);
  // A group of its own, so that all that it starts can be ended with it.
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  std::string shell = "sh";
  std::string option = "-c";
  std::string text = command;
  const std::array<char*, 4> arguments{shell.data(), option.data(), text.data(), nullptr};
  pid_t child = 0;
  const int error = posix_spawn(&child, "/bin/sh", &actions, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  require_done(error, "cannot start a shell");
  return child;
}

// Ends the group of a child and waits for the child.
class Child {
 public:
  explicit Child(pid_t pid) : pid_(pid) {}
  ~Child() {
    if (pid_ > 0) static_cast<void>(finished());
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Whether it has ended by itself; then it is waited for, and its status is there.
  [[nodiscard]] bool has_ended(int& status) {
    siginfo_t info{};
    // Without waiting for it yet, so that no other process can have its number when its group is ended.
    if (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0)
      return false;
    status = finished();
    return true;
  }
  int finished() {
    kill(-pid_, SIGKILL);
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = 0;
    return status;
  }

 private:
  pid_t pid_;
};

}  // namespace

ChildResult run_child(const std::string& command, const ChildLimits& limits) {
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + std::chrono::duration<double>(limits.seconds);
  Pipe output;
  Pipe errors;
  Child child(spawned(command, output, errors));
  output.close_write();
  errors.close_write();
  ChildResult result{ChildResult::End::kExited};
  bool has_output = true;
  bool has_errors = true;
  int status = 0;
  while (true) {
    if (limits.stop != nullptr && limits.stop->load()) return {ChildResult::End::kStopped};
    if (Clock::now() >= deadline) return {ChildResult::End::kTimedOut};
    std::array<pollfd, 2> ends{pollfd{has_output ? output.read_end() : -1, POLLIN, 0},
                               pollfd{has_errors ? errors.read_end() : -1, POLLIN, 0}};
    const int wait = has_output || has_errors ? kPollMilliseconds : 1;
    poll(ends.data(), ends.size(), wait);
    if (ends[0].revents != 0) has_output = output.read_into(result.output, kMostOutput + 1);
    if (ends[1].revents != 0) has_errors = errors.read_into(result.errors, kMostErrors);
    if (result.output.size() > kMostOutput) return {ChildResult::End::kTooLong};
    if (!has_output && child.has_ended(status)) break;
  }
  if (WIFSIGNALED(status)) result.end = ChildResult::End::kSignalled;
  result.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  return result;
}

}  // namespace doeblin::audit
