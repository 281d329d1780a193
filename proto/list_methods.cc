// Writes one line of C++ for each method of the public contract, read from the descriptors that
// protoc wrote: services/rpc/access.cc takes them in, so that a method without a row in the table
// of rights does not compile. Run as: list_methods DESCRIPTOR_SET OUT
#include <google/protobuf/descriptor.pb.h>

#include <fstream>
#include <iostream>
#include <set>
#include <string>

namespace {

constexpr char kPackage[] = "astragal.v1";

std::set<std::string> MethodsOf(const google::protobuf::FileDescriptorSet& files) {
  std::set<std::string> methods;
  for (const auto& file : files.file()) {
    if (file.package() != kPackage) continue;
    for (const auto& service : file.service()) {
      for (const auto& method : service.method()) {
        methods.insert(service.name() + "." + method.name());
      }
    }
  }
  return methods;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) {
    std::cerr << "usage: list_methods DESCRIPTOR_SET OUT\n";
    return 2;
  }
  google::protobuf::FileDescriptorSet files;
  std::ifstream in(arguments[1], std::ios::binary);
  if (!files.ParseFromIstream(&in)) {
    std::cerr << arguments[1] << " holds no descriptors\n";
    return 1;
  }
  const std::set<std::string> methods = MethodsOf(files);
  std::ofstream out(arguments[2]);
  out << "// Made by proto/list_methods.cc from the protos.\n";
  for (const std::string& method : methods) out << "ASTRAGAL_METHOD(\"" << method << "\")\n";
  out << "ASTRAGAL_METHODS(" << methods.size() << ")\n";
  out.close();
  return out.fail() ? 1 : 0;
}
