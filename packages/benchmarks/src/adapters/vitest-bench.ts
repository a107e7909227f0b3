import { adapter } from '../adapter.ts'
import type { BenchmarkResult } from '../benchmark-result.ts'
import type { JsonValue } from '../json-value.ts'
import { quote } from '../quote.ts'
import { jsonReader } from '../reader.ts'
import type { Reading } from '../reader.ts'
import { tinybenchResult } from '../tinybench-result.ts'
import type { WarningList } from '../warning-list.ts'

export const vitestBench = adapter({
  name: 'vitest_bench',
  title: 'Vitest bench',
  readers: [jsonReader(isVitestBench, readVitestBench)],
})

function isVitestBench(json: JsonValue): boolean {
  const files = json.get('files')
  if (files.isList) return files.items().every((file) => file.get('groups').isList)
  const results = json.get('testResults')
  return (
    results.isObject ||
    (results.isList && results.items().every((file) => file.get('assertionResults').isList))
  )
}

/**
 * Reads the benchmark output of Vitest, times in milliseconds, in its three shapes:
 * - 5 and later, `--reporter=json`: { testResults: [{ name, assertionResults: [{ ancestorTitles, title,
 *   benchmarks: [{ tasks: [{ name, latency, throughput }] }] }] }] };
 * - 1.5 to 4, `--outputJson`: { files: [{ filepath, groups: [{ fullName, benchmarks: [task] }] }] };
 * - before, `--reporter=json`: { testResults: { suite: [task] } }.
 * @see https://vitest.dev/guide/benchmarking and tinybench's `Statistics`
 */
function readVitestBench(json: JsonValue, warnings: WarningList): Reading {
  const testResults = json.get('testResults')
  const results = json.get('files').isList
    ? readGroupedFiles(json.get('files'), warnings)
    : testResults.isList
      ? readTestResults(testResults, warnings)
      : readSuites(testResults, warnings)
  return { environment: {}, results }
}

function readTestResults(testResults: JsonValue, warnings: WarningList): BenchmarkResult[] {
  const files = testResults.items()
  const shortPaths = shortestDistinctPaths(files.map((file) => file.get('name').text()))
  return files.flatMap((file, index) => {
    const path = shortPaths[index] ?? ''
    const tests = file.get('assertionResults').items()
    if (tests.length === 0 && file.get('status').value === 'failed') {
      warnings.add(file.path, `${quote(path)} failed before its first benchmark.`)
    }
    return tests.flatMap((test) => readTest(test, path, warnings))
  })
}

function readTest(test: JsonValue, path: string, warnings: WarningList): BenchmarkResult[] {
  const titles = [...test.get('ancestorTitles').items(), test.get('title')].map((title) => title.text())
  const benchmarks = test.get('benchmarks')
  if (test.get('status').value === 'failed')
    warnings.add(test.path, `the test ${quote(titles.join(' > '))} failed.`)
  if (benchmarks.isMissing || benchmarks.items().length === 0) {
    warnings.add(test.path, `the test ${quote(titles.join(' > '))} has no benchmark.`)
    return []
  }
  const tasks = benchmarks.items().flatMap((benchmark) => benchmark.get('tasks').items())
  return tasks.flatMap((task) => {
    const name = task.get('name').text()
    if (task.get('fromStore').value === true) {
      warnings.add(
        task.path,
        `${quote(name)} is a stored baseline that was not measured in this run, ignored.`,
      )
      return []
    }
    return readTask(task, task.get('latency'), [path, ...titles], warnings)
  })
}

function readGroupedFiles(files: JsonValue, warnings: WarningList): BenchmarkResult[] {
  const groups = files.items().flatMap((file) => file.get('groups').items())
  return groups.flatMap((group) => {
    // Starts with the file's path relative to the project: "bench/a.bench.ts > suite > inner suite".
    const parents = group.get('fullName').text().split(' > ')
    return group
      .get('benchmarks')
      .items()
      .flatMap((task) => readTask(task, task, parents, warnings))
  })
}

/** The oldest shape tells no file, and of nested suites the innermost name only; "" is the top of a file. */
function readSuites(suites: JsonValue, warnings: WarningList): BenchmarkResult[] {
  return suites.keys().flatMap((suite) =>
    suites
      .get(suite)
      .items()
      .flatMap((task) => readTask(task, task, suite === '' ? [] : [suite], warnings)),
  )
}

/** A benchmark that threw has no statistics. */
function readTask(
  task: JsonValue,
  latency: JsonValue,
  parents: string[],
  warnings: WarningList,
): BenchmarkResult[] {
  const name = task.get('name').text()
  if (['mean', 'median', 'p50'].every((key) => latency.get(key).isMissing)) {
    warnings.add(task.path, `${quote(name)} did not finish.`)
    return []
  }
  return [tinybenchResult({ uri: [...parents, name].join('::'), name }, task, latency)]
}

/**
 * Vitest 5 writes absolute paths, which differ from machine to machine. A path keeps its file name, and as many of its
 * folders as it takes to tell it from the others of the same name.
 */
function shortestDistinctPaths(paths: string[]): string[] {
  const reversed = paths.map((path) => path.split(/[/\\]/).toReversed())
  // In the order of their ends, a path stands beside the one that it shares most with.
  const ordered = [...new Set(reversed.map(readBackwards))].toSorted()
  const lengths = new Map(
    ordered.map((path, index) => {
      const neighbours = [ordered[index - 1] ?? '', ordered[index + 1] ?? '']
      return [path, 1 + Math.max(...neighbours.map((other) => sharedParts(path, other)))]
    }),
  )
  return reversed.map((parts) =>
    parts
      .slice(0, lengths.get(readBackwards(parts)))
      .toReversed()
      .join('/'),
  )
}

/** `a.ts/bench/`, each part with its end. */
function readBackwards(reversed: string[]): string {
  return `${reversed.join('/')}/`
}

/** How many whole parts both begin with. */
function sharedParts(path: string, other: string): number {
  let parts = 0
  for (let at = 0; at < path.length && path[at] === other[at]; at += 1) if (path[at] === '/') parts += 1
  return parts
}
