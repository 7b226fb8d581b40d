// SPDX-License-Identifier: Apache-2.0
// A module that the program loads when it was started by mpirun, so that nobody else pays for MPI.
// The C interface of MPI only: the C++ one of Open MPI is gone.
#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

#include <climits>
#include <vector>

#include "doeblin/core/error.hpp"
#include "doeblin/training/communicator.hpp"

namespace doeblin::training {
namespace {

int as_int(std::size_t count) {
  require(count <= INT_MAX, "numbers in one exchange", static_cast<double>(count), "less than 2^31");
  return static_cast<int>(count);
}

class MpiCommunicator : public Communicator {
 public:
  MpiCommunicator() {
    MPI_Init(nullptr, nullptr);
    int value = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &value);
    rank_ = static_cast<std::size_t>(value);
    MPI_Comm_size(MPI_COMM_WORLD, &value);
    size_ = static_cast<std::size_t>(value);
    counts_.resize(size_);
    offsets_.resize(size_);
  }

  [[nodiscard]] std::size_t rank() const override { return rank_; }
  [[nodiscard]] std::size_t size() const override { return size_; }

  // A rank that is lost ends the job: MPI's standard error handler stops all others.
  void gather(std::span<const double> mine, std::span<const std::size_t> lengths, std::span<double> all) override {
    std::size_t offset = 0;
    for (std::size_t rank = 0; rank < size_; ++rank) {
      counts_[rank] = as_int(lengths[rank]);
      offsets_[rank] = as_int(offset);
      offset += lengths[rank];
    }
    MPI_Allgatherv(mine.data(), as_int(mine.size()), MPI_DOUBLE, all.data(), counts_.data(), offsets_.data(),
                   MPI_DOUBLE, MPI_COMM_WORLD);
  }

  void broadcast(std::span<std::byte> bytes) override {
    MPI_Bcast(bytes.data(), as_int(bytes.size()), MPI_BYTE, 0, MPI_COMM_WORLD);
  }

  [[nodiscard]] bool any(bool mine) override {
    int value = mine ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return value != 0;
  }

  void finish() override { MPI_Finalize(); }

 private:
  std::size_t rank_ = 0;
  std::size_t size_ = 1;
  std::vector<int> counts_;
  std::vector<int> offsets_;
};

}  // namespace
}  // namespace doeblin::training

extern "C" doeblin::training::Communicator* doeblin_mpi_communicator();

extern "C" doeblin::training::Communicator* doeblin_mpi_communicator() {
  static doeblin::training::MpiCommunicator communicator;
  return &communicator;
}
