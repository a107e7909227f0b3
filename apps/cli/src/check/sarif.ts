import type { CheckedRun, JudgedBenchmark } from './checked-run.ts'

const rules = [
  { id: 'regressed', text: 'A benchmark became worse.' },
  { id: 'noisy', text: 'A benchmark is too noisy to tell whether it became worse.' },
  { id: 'missing', text: 'A benchmark was not measured any more.' },
  { id: 'incomparable', text: 'A benchmark cannot be compared with its baseline.' },
] as const

/**
 * What fails a check as SARIF 2.1.0, for code scanning.
 * @see https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
 */
export function renderSarif({ answer }: CheckedRun): string {
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Flamegate',
            informationUri: new URL('/', answer.url).href,
            rules: rules.map(({ id, text }) => ({ id, shortDescription: { text } })),
          },
        },
        automationDetails: { id: `flamegate/${answer.head.id}` },
        results: answer.failures.map(result),
        properties: { url: answer.url, base: answer.base?.id ?? null, head: answer.head.id },
      },
    ],
  }
  return `${JSON.stringify(log, null, 2)}\n`
}

function result(benchmark: JudgedBenchmark) {
  const file = fileOf(benchmark.uri)
  return {
    ruleId: benchmark.verdict,
    ruleIndex: rules.findIndex(({ id }) => id === benchmark.verdict),
    level: 'error',
    message: { text: `${benchmark.name}: ${benchmark.reason}` },
    locations: [
      {
        ...(file === undefined
          ? {}
          : { physicalLocation: { artifactLocation: { uri: encodeURI(file) }, region: { startLine: 1 } } }),
        logicalLocations: [{ name: benchmark.name, fullyQualifiedName: benchmark.uri, kind: 'function' }],
      },
    ],
    // So that the same benchmark is the same alert in the next run.
    partialFingerprints: { 'benchmarkId/v1': benchmark.benchmark_id, 'metric/v1': benchmark.metric },
    properties: {
      baseValue: benchmark.base_value,
      headValue: benchmark.head_value,
      unit: benchmark.unit,
      changePercent: benchmark.change_percent,
    },
  }
}

/** The file in `path/to/file.ext::suite::name`; undefined where a tool names no file. */
function fileOf(uri: string): string | undefined {
  const [first = '', ...rest] = uri.split('::')
  return rest.length > 0 && /^[^:]*[^/:]\.\w+$/.test(first) ? first : undefined
}
