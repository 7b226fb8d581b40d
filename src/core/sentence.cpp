// SPDX-License-Identifier: Apache-2.0
#include "doeblin/core/sentence.hpp"

namespace doeblin {

Sentence::Sentence(std::initializer_list<Sentence> parts) {
  for (const Sentence& part : parts) {
    for (const Place& place : part.options_) options_.push_back({text_.size() + place.begin, place.size});
    text_ += part.text_;
  }
}

std::string Sentence::spelled(const std::function<std::string(std::string_view)>& spelling) const {
  const std::string_view text = text_;
  std::string result;
  std::size_t done = 0;
  for (const Place& place : options_) {
    result += text.substr(done, place.begin - done);
    result += spelling(text.substr(place.begin, place.size));
    done = place.begin + place.size;
  }
  return result += text.substr(done);
}

Sentence Sentence::one_line() const {
  Sentence result = *this;
  for (char& c : result.text_)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  return result;
}

}  // namespace doeblin
