"""Joins and sorts, measured by asv."""


class TimeJoin:
    params = ([10, 1000], ["up", "down"])
    param_names = ["size", "order"]

    def setup(self, size, order):
        if size == 10 and order == "down":
            raise NotImplementedError("skipped on purpose")
        words = [str(number) for number in range(size)]
        self.words = words if order == "up" else words[::-1]

    def time_join(self, size, order):
        " ".join(self.words)


class TimeSort:
    params = [10, 1000]
    param_names = ["size"]

    def time_sort(self, size):
        sorted(range(size, 0, -1))


def time_keys():
    {"a": 1, "b": 2}.keys()


def mem_list():
    return list(range(1000))


def peakmem_list():
    list(range(100_000))


def track_size():
    return 42.5


track_size.unit = "chunks"


def time_broken():
    raise ValueError("broken on purpose")
