#define CATCH_CONFIG_MAIN
#define CATCH_CONFIG_ENABLE_BENCHMARKING
#include <catch2/catch.hpp>
#include <algorithm>
#include <string>
#include <vector>

TEST_CASE("Strings") {
  BENCHMARK("copy 64") { return std::string(64, 'x'); };
  SECTION("long") {
    BENCHMARK("copy 4096") { return std::string(4096, 'x'); };
  }
}

TEST_CASE("Sorting, 1000 numbers") {
  BENCHMARK_ADVANCED("sort 1000")(Catch::Benchmark::Chronometer meter) {
    std::vector<int> numbers(1000);
    std::generate(numbers.begin(), numbers.end(), [seed = 1u]() mutable { return int(seed = seed * 1664525u + 1013904223u); });
    meter.measure([&numbers] { auto copy = numbers; std::sort(copy.begin(), copy.end()); return copy[0]; });
  };
}

TEST_CASE("Failing") {
  BENCHMARK("throws") { throw std::runtime_error("no input"); return 1; };
}
