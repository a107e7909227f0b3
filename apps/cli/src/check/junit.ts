import { formatChangePercent } from '@flamegate/contract/quantity'
import { judgedKey, type CheckedRun, type JudgedBenchmark } from './checked-run.ts'

/** What neither passes nor fails: it could not be judged. */
const unjudged = new Set(['noisy', 'missing', 'incomparable'])

/**
 * A check as JUnit's XML, one test case per benchmark, as CI systems read it.
 * @see https://github.com/testmoapp/junitxml
 */
export function renderJunit({ answer, benchmarks }: CheckedRun): string {
  const failing = new Set(answer.failures.map(judgedKey))
  const skipped = benchmarks.filter((each) => !failing.has(judgedKey(each)) && unjudged.has(each.verdict))
  const counts = { tests: benchmarks.length, failures: failing.size, errors: 0, skipped: skipped.length }
  const suite = { name: `Flamegate ${answer.head.branch} ${answer.head.commit_hash.slice(0, 12)}`, ...counts }
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: 'Flamegate', ...counts })}>`,
    `  <testsuite${attributes({ ...suite, timestamp: answer.head.created_at.replace(/\.\d+Z$/, '') })}>`,
    '    <properties>',
    `      <property${attributes({ name: 'url', value: answer.url })}/>`,
    '    </properties>',
    ...benchmarks.map((each) => testCase(each, failing.has(judgedKey(each)))),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function testCase(benchmark: JudgedBenchmark, isFailing: boolean): string {
  const { name, uri, verdict, reason, unit, head_value: value } = benchmark
  const seconds: Record<string, string> =
    unit === 'ns' && value !== null ? { time: (value / 1e9).toFixed(9) } : {}
  // The name is the last part of most uris, and the rest says where it is.
  const place = uri.endsWith(`::${name}`) ? uri.slice(0, -name.length - 2) : uri
  const start = `    <testcase${attributes({ classname: place, name, ...seconds })}`
  if (isFailing) {
    return `${start}>\n      <failure${attributes({ message: summary(benchmark), type: verdict })}>${escaped(reason)}</failure>\n    </testcase>`
  }
  if (unjudged.has(verdict)) {
    return `${start}>\n      <skipped${attributes({ message: `${verdict}: ${reason}` })}/>\n    </testcase>`
  }
  return `${start}/>`
}

function summary({ verdict, change_percent: change }: JudgedBenchmark): string {
  return change === null ? verdict : `${verdict} by ${formatChangePercent(change)}`
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
    .join('')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
}

/** For text and attributes alike; what XML 1.0 has no way to write is left out. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[&<>"\n\r\t]/g, (character) => entities[character] ?? '')
    .replaceAll(/[^\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '')
}
