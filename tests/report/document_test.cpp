// SPDX-License-Identifier: Apache-2.0
#include "doeblin/report/document.hpp"

#include <gtest/gtest.h>

#include "report/report_examples.hpp"
#include "support/text.hpp"

namespace doeblin::report {
namespace {

using doeblin::test::has;

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

void expect_self_contained(const std::string& page) {
  for (const char* outside : {"http:", "https:", "//", "<script", "url(", "@import", "src=", "javascript", " on"})
    if (std::string(outside) == " on")
      EXPECT_FALSE(has(page, " onload=") || has(page, " onclick=") || has(page, " onerror="));
    else
      EXPECT_FALSE(has(page, outside)) << outside;
  EXPECT_TRUE(has(page, "default-src 'none'"));
}

TEST(Document, HasEveryPartInOrder) {
  const std::string page =
      certificate_page(test::certificate_of_people(), {.file_name = "c.json", .comparison = test::comparison()});
  std::size_t last = 0;
  for (const char* id :
       {"guarantee", "assumptions", "profile", "people", "analyses", "derivation", "origin", "verify", "limits"}) {
    const std::size_t at = page.find("<section id=\"" + std::string(id) + "\"");
    ASSERT_NE(at, std::string::npos) << id;
    EXPECT_GT(at, last) << id;
    last = at;
  }
  EXPECT_TRUE(has(page, "doeblin verify c.json"));
  EXPECT_TRUE(has(page, std::string(64, 'a')));
  EXPECT_TRUE(has(page, "logistic"));
  EXPECT_TRUE(has(page, "doeblin 0.1.0"));
  EXPECT_TRUE(has(page, "Does not apply: need one epoch"));
  EXPECT_EQ(count_of(page, "<h1"), 1u);
  expect_self_contained(page);
}

TEST(Document, NumbersAreRoundedOutward) {
  certificate::Certificate one = test::certificate();
  one.claims = {{true, 1e-5, Bracket(1.23456789, 2.34567891)}};
  const std::string page = certificate_page(one, {});
  EXPECT_TRUE(has(page, "≤ 2.3457"));
  EXPECT_TRUE(has(page, "between 1.23456 and 2.34568"));
}

TEST(Document, PartsThatAreMissingAreLeftOut) {
  certificate::Certificate one;
  one.software_version = "0.1.0";
  const std::string page = certificate_page(one, {});
  for (const char* id : {"assumptions", "profile", "people", "analyses", "derivation"})
    EXPECT_FALSE(has(page, "id=\"" + std::string(id) + "\"")) << id;
  EXPECT_TRUE(has(page, "id=\"guarantee\""));
  expect_self_contained(page);
}

TEST(Document, AVoidCertificateGuaranteesNothing) {
  certificate::Certificate one = test::certificate_of_people();
  one.void_because = "the noise was drawn from a seed";
  const std::string page = certificate_page(one, {});
  EXPECT_TRUE(has(page, "<strong>VOID</strong> There is no guarantee: the noise was drawn from a seed."));
  EXPECT_LT(page.find("VOID"), page.find("<section"));
  EXPECT_FALSE(has(page, "class=\"cards\""));
  EXPECT_FALSE(has(page, "Every claim"));
  EXPECT_EQ(count_of(page, "Void, not a guarantee."), 2u);
  EXPECT_FALSE(has(certificate_page(test::certificate(), {}), "VOID"));
}

TEST(Document, NothingOfACertificateBecomesMarkup) {
  const std::string evil = "<script>alert(1)</script>\"'&\x01\xFF<img src=x onerror=y>";
  certificate::Certificate one = test::certificate_of_people();
  one.software_version = evil;
  one.void_because = evil;
  one.derivation[0] = {evil, evil, evil, {asserted(evil), checked(evil)}};
  one.inputs = {{evil, evil}};
  one.details = {{evil, evil}};
  one.program.parts[0].call.name = evil;
  Comparison comparison = test::comparison();
  comparison.expression = evil;
  comparison.software_version = evil;
  for (ComparedAnalysis& analysis : comparison.analyses) {
    analysis.name = evil;
    analysis.description = evil;
    if (!analysis.answer) analysis.reason = evil;
  }
  for (const std::string& page :
       {certificate_page(one, {.file_name = evil, .comparison = comparison}),
        certificate_page(one, {.file_name = evil, .no_comparison = evil}), comparison_page(comparison)}) {
    EXPECT_FALSE(has(page, "<script"));
    EXPECT_FALSE(has(page, "<img"));
    EXPECT_FALSE(has(page, "\x01"));
    EXPECT_FALSE(has(page, "\xFF"));
    EXPECT_TRUE(has(page, "&lt;script&gt;"));
  }
}

TEST(Document, FileNamesAreOneWordOfTheShell) {
  const auto command = [](const std::string& name) {
    return certificate_page(test::certificate(), {.file_name = name});
  };
  EXPECT_TRUE(has(command("a b.json"), "doeblin verify &#39;a b.json&#39;"));
  EXPECT_TRUE(has(command("-x.json"), "doeblin verify &#39;./-x.json&#39;"));
  EXPECT_TRUE(has(command("a'b"), "doeblin verify &#39;a&#39;\\&#39;&#39;b&#39;"));
}

TEST(Document, ComparisonsMarkTheBest) {
  const std::string page = comparison_page(test::comparison());
  EXPECT_TRUE(
      has(page, "Of 3 analyses, “best” gives the smallest bound: epsilon is between 1 and 1.1, at delta = 1e-5"));
  EXPECT_EQ(count_of(page, "<tr class=\"best\">"), 1u);
  EXPECT_EQ(count_of(page, ">published<"), 2u);
  EXPECT_TRUE(has(page, "Wider than promised."));
  expect_self_contained(page);
}

TEST(Document, IdsAreUnique) {
  const std::string page = certificate_page(test::certificate_of_people(), {.comparison = test::comparison()});
  for (std::size_t at = page.find(" id=\""); at != std::string::npos; at = page.find(" id=\"", at + 1)) {
    const std::string id = page.substr(at, page.find('"', at + 5) - at + 1);
    EXPECT_EQ(count_of(page, id), 1u) << id;
  }
}

TEST(Document, ExtremeNumbersHaveAPageToo) {
  certificate::Certificate one = test::certificate_of_people();
  const double huge = std::numeric_limits<double>::max();
  const double tiny = std::numeric_limits<double>::denorm_min();
  one.claims = {
      {true, tiny, Bracket(0.0, rounding::kInfinity)}, {false, huge, Bracket(0.0, tiny)}, {false, 0.0, Bracket(1.0)}};
  one.curve = {{0.0, Bracket(1.0)}, {tiny, Bracket(tiny)}, {huge, Bracket(0.0)}, {rounding::kInfinity, Bracket(0.0)}};
  one.people->worst = {1000, Bracket(0.0, rounding::kInfinity)};
  one.people->best = {1, Bracket(0.0)};
  one.people->median = rounding::kInfinity;
  one.people->points.clear();
  const std::string page = certificate_page(one, {});
  // In a word, not in a prefix of one.
  for (const char* bad : {"nan", "=\"inf", "=\"-inf", ",inf", ",-inf", "Minf"}) EXPECT_FALSE(has(page, bad)) << bad;
  one.people->count = 1;
  one.people->worst = one.people->best = {1, Bracket(0.0, 1.0)};
  EXPECT_FALSE(has(certificate_page(one, {}), "nan"));
}

}  // namespace
}  // namespace doeblin::report
