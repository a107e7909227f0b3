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
    ? readGroupedFiles(json.get('files'))
    : testResults.isList
      ? readTestResults(testResults, warnings)
      : readSuites(testResults)
  return { environment: {}, results }
}

function readTestResults(testResults: JsonValue, warnings: WarningList): BenchmarkResult[] {
  const files = testResults.items()
  const shortPaths = shortestDistinctPaths(files.map((file) => file.get('name').text()))
  return files.flatMap((file, index) =>
    file
      .get('assertionResults')
      .items()
      .flatMap((test) => readTest(test, shortPaths[index] ?? '', warnings)),
  )
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
    return [readTask(task, task.get('latency'), [path, ...titles])]
  })
}

function readGroupedFiles(files: JsonValue): BenchmarkResult[] {
  const groups = files.items().flatMap((file) => file.get('groups').items())
  return groups.flatMap((group) => {
    // Starts with the file's path relative to the project: "bench/a.bench.ts > suite > inner suite".
    const parents = group.get('fullName').text().split(' > ')
    return group
      .get('benchmarks')
      .items()
      .map((task) => readTask(task, task, parents))
  })
}

/** The oldest shape tells no file, and of nested suites the innermost name only; "" is the top of a file. */
function readSuites(suites: JsonValue): BenchmarkResult[] {
  return suites.keys().flatMap((suite) =>
    suites
      .get(suite)
      .items()
      .map((task) => readTask(task, task, suite === '' ? [] : [suite])),
  )
}

function readTask(task: JsonValue, latency: JsonValue, parents: string[]): BenchmarkResult {
  const name = task.get('name').text()
  return tinybenchResult({ uri: [...parents, name].join('::'), name }, task, latency)
}

/**
 * Vitest 5 writes absolute paths, which differ from machine to machine. A path keeps its file name, and as many of its
 * folders as it takes to tell it from the others of the same name.
 */
function shortestDistinctPaths(paths: string[]): string[] {
  const parts = paths.map((path) => path.split(/[/\\]/))
  return parts.map((path) => {
    let length = 1
    while (
      length < path.length &&
      parts.filter((other) => tail(other, length) === tail(path, length)).length > 1
    ) {
      length += 1
    }
    return tail(path, length)
  })
}

function tail(path: string[], length: number): string {
  return path.slice(-length).join('/')
}
