"""Makes pstats/*.pstats and cprofile_text/*.txt, and prints what pstats itself says about the dumps, as the tests have it.

    for version in 2.7 3.8 3.11 3.13; do python$version make-pstats.py; done
"""
from __future__ import print_function
import copy
import cProfile
import json
import os
import pstats
import sys


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def even(n):
    return n == 0 or odd(n - 1)


def odd(n):
    return n != 0 and even(n - 1)


def tree(depth):
    return [tree(depth - 1), tree(depth - 1)] if depth else {'leaf': 1}


def encode():
    return json.dumps([{str(n): [n, None]} for n in range(5000)])


def main():
    fib(22)
    for _ in range(500):
        even(30)
    json.loads(encode())
    copy.deepcopy(tree(12))


samples = os.path.dirname(os.path.abspath(__file__))
name = 'python-%d.%d' % sys.version_info[:2]
profile = cProfile.Profile()
profile.runcall(main)
profile.create_stats()


# Only what comes after the folder of this file, or of Python.
def shorten(key):
    return (key[0].replace(samples, '/src').replace(sys.prefix, '/usr'), key[1], key[2])


class Shortened(object):
    """What `pstats.Stats` wants of a profile."""
    stats = {}

    def create_stats(self):
        pass


shortened = Shortened()
shortened.stats = {
    shorten(key): (cc, nc, tt, ct, {shorten(caller): value for caller, value in callers.items()})
    for key, (cc, nc, tt, ct, callers) in profile.stats.items()
}
path = os.path.join(samples, 'pstats', name + '.pstats')
stats = pstats.Stats(shortened)
stats.dump_stats(path)
if sys.version_info[:2] == (3, 13):
    stats.sort_stats('cumtime')
    with open(os.path.join(samples, 'cprofile_text', 'table.txt'), 'w') as stats.stream:
        stats.print_stats(20)
    with open(os.path.join(samples, 'cprofile_text', 'with-callers.txt'), 'w') as stats.stream:
        stats.print_stats()
        stats.print_callers()
print(name, stats.total_calls, 'calls,', stats.prim_calls, 'primitive')
for (file, line, function), (cc, nc, tt, ct, callers) in sorted(stats.stats.items(), key=lambda row: -row[1][3])[:16]:
    print('  %s %d %d/%d %d %d' % (function, line, nc, cc, round(tt * 1e9), round(ct * 1e9)))
