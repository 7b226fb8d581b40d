// SPDX-License-Identifier: Apache-2.0
#include "doeblin/pipeline/neighbours.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "doeblin/core/format.hpp"
#include "doeblin/profile/group.hpp"

namespace doeblin::pipeline {
void require_everybody(const Neighbours& neighbours) {
  if (!neighbours.places.empty())
    throw InvalidArgument("person", "before this stage", "the guarantee of everybody, without person(i)");
}

Neighbours in_groups(Neighbours neighbours, double k) {
  require_everybody(neighbours);
  neighbours.people *= k;
  require_group_size(neighbours.people);
  return neighbours;
}

Neighbours together(const std::vector<Neighbours>& parts) {
  ensure(!parts.empty(), "a sum has parts");
  Neighbours all = parts[0];
  for (const Neighbours& part : parts) {
    ensure(part.people == all.people, "parts about as many people");
    all.relation = common_relation(all.relation, part.relation);
    all.sizes_differ = all.sizes_differ || part.sizes_differ || (all.size && part.size && *all.size != *part.size);
    if (!all.size) all.size = part.size;
    // Whoever is public in one part is not protected there.
    all.public_tail = std::max(all.public_tail, part.public_tail);
    all.is_of_worst_place = all.is_of_worst_place || part.is_of_worst_place;
    for (const double place : part.places)
      if (std::find(all.places.begin(), all.places.end(), place) == all.places.end()) all.places.push_back(place);
  }
  if (all.sizes_differ) all.size.reset();
  return all;
}

std::string whose_data(const Neighbours& neighbours) {
  if (!neighbours.places.empty())
    return fmt::format("the data of the person in place {}", fmt::join(neighbours.places, " and "));
  std::string people = neighbours.people == 1.0
                           ? "one person's data"
                           : fmt::format("the data of up to {} people", format_exact(neighbours.people));
  if (neighbours.public_tail == 0.0) return people;
  if (!neighbours.size) return people + ", in records that no part treats as public,";
  const double last = *neighbours.size - neighbours.public_tail;
  return fmt::format("{} among the first {} records (the last {} are public)", people, format_exact(last),
                     format_exact(neighbours.public_tail));
}

}  // namespace doeblin::pipeline
