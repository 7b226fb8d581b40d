// SPDX-License-Identifier: Apache-2.0
// Prints the page of the certificate that it is given.
#include <cstdio>

#include <doeblin/certificate/certificate_file.hpp>
#include <doeblin/report/document.hpp>

int main(int, char** arguments) {
  using namespace doeblin;
  std::fputs(report::certificate_page(certificate::read_certificate_file(arguments[1]), {}).c_str(), stdout);
}
