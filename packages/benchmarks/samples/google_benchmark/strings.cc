// Measured by make.sh: plain loops, counters, rates, a failing benchmark and a complexity fit.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <vector>

static void BM_StringCopy(benchmark::State& state) {
  std::string source(state.range(0), 'x');
  for (auto _ : state) {
    std::string copy(source);
    benchmark::DoNotOptimize(copy.data());
  }
  state.SetBytesProcessed(int64_t(state.iterations()) * state.range(0));
}
BENCHMARK(BM_StringCopy)->Arg(64)->Arg(4096);

static void BM_Sort(benchmark::State& state) {
  std::mt19937 random(42);
  std::vector<int> numbers(state.range(0));
  for (auto& number : numbers) number = static_cast<int>(random());
  for (auto _ : state) {
    auto copy = numbers;
    std::sort(copy.begin(), copy.end());
    benchmark::DoNotOptimize(copy.data());
  }
  state.SetItemsProcessed(int64_t(state.iterations()) * state.range(0));
  state.counters["numbers"] = static_cast<double>(state.range(0));
  state.SetComplexityN(state.range(0));
}
BENCHMARK(BM_Sort)->RangeMultiplier(4)->Range(64, 1024)->Unit(benchmark::kMicrosecond)->Complexity();

static void BM_Unreadable(benchmark::State& state) {
  state.SkipWithError("the input file is missing");
  for (auto _ : state) {
  }
}
BENCHMARK(BM_Unreadable);

BENCHMARK_MAIN();
