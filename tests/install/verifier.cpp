// SPDX-License-Identifier: Apache-2.0
// Verifies the certificate that it is given.
#include <cstdio>
#include <string>

#include <doeblin/certificate/certificate_file.hpp>
#include <doeblin/verify/verify.hpp>

int main(int, char** arguments) {
  using namespace doeblin;
  const certificate::Certificate certificate = certificate::read_certificate_file(arguments[1]);
  std::puts(std::string(verify::name(verify::overall(verify::verify(certificate)))).c_str());
}
