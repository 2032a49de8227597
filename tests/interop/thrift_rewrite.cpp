// Copies standard input to standard output with Apache Thrift's C++ library and code from its compiler.
#include <thrift/protocol/TCompactProtocol.h>
#include <thrift/transport/TBufferTransports.h>

#include <iostream>
#include <iterator>
#include <memory>
#include <string>

#include "export_schema_types.h"

int main() {
  using apache::thrift::protocol::TCompactProtocol;
  using apache::thrift::transport::TMemoryBuffer;
  const std::string bytes(std::istreambuf_iterator<char>(std::cin), {});
  const auto in = std::make_shared<TMemoryBuffer>();
  in->resetBuffer(reinterpret_cast<std::uint8_t*>(const_cast<char*>(bytes.data())),
                  static_cast<std::uint32_t>(bytes.size()));
  TCompactProtocol reader(in);
  ExportedProgram program;
  const std::uint32_t read = program.read(&reader);
  if (read != bytes.size()) {
    std::cerr << "thrift_rewrite: read " << read << " of " << bytes.size() << " bytes\n";
    return 3;
  }
  const auto out = std::make_shared<TMemoryBuffer>();
  TCompactProtocol writer(out);
  program.write(&writer);
  std::cout << out->getBufferAsString();
  return 0;
}
