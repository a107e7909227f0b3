import pytest


@pytest.mark.parametrize("count", [10, 1000])
def test_join(benchmark, count):
    words = [f"word{number}" for number in range(count)]
    benchmark.extra_info["words"] = count
    benchmark.extra_info["kind"] = "short"
    benchmark.pedantic(" ".join, args=(words,), rounds=12, iterations=20)


class TestSorting:
    @pytest.mark.benchmark(group="sort")
    def test_sort(self, benchmark):
        numbers = [number * 7919 % 1000 for number in range(1000)]
        benchmark.pedantic(sorted, args=(numbers,), rounds=12, iterations=5, warmup_rounds=1)
