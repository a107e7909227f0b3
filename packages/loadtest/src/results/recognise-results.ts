import { SourceError } from '../import/importer.ts'
import { isGatlingBinaryLog, readGatlingBinaryLog } from './gatling-binary-log.ts'
import { isGatlingLine, readGatlingLog } from './gatling-log.ts'
import { readHarResults } from './har-results.ts'
import { isJtlLine, readJtlCsv } from './jtl-csv.ts'
import { readJtlXml } from './jtl-xml.ts'
import { isK6CsvLine, readK6Csv } from './k6-csv.ts'
import { readK6Json } from './k6-json.ts'
import { isLocustHistoryLine, isLocustStatsLine, readLocustHistory } from './locust-history.ts'
import type { ResultReader } from './result-sink.ts'

/** What results can be imported from. */
export const resultFormats = ['jtl', 'k6', 'gatling', 'locust', 'har'] as const
export type ResultFormat = (typeof resultFormats)[number]

export interface RecognisedResults {
  format: ResultFormat
  read: ResultReader
}

/** How much of a file is looked at, in bytes. */
export const lookedAtBytes = 65_536

/**
 * Tells by its beginning what results a file holds.
 * @throws SourceError saying what it is instead, and what to export, as far as that is known
 */
export function recogniseResults(start: Uint8Array): RecognisedResults {
  if (isGatlingBinaryLog(start)) return { format: 'gatling', read: readGatlingBinaryLog }
  const text = new TextDecoder().decode(start).trimStart()
  if (text === '') throw new SourceError('It is empty.')
  if (text.startsWith('<')) return recogniseXml(text)
  if (text.startsWith('{')) return recogniseJson(text)
  const [line = ''] = text.split(/\r?\n/, 1)
  if (isGatlingLine(line)) return { format: 'gatling', read: readGatlingLog }
  if (isK6CsvLine(line)) return { format: 'k6', read: readK6Csv }
  if (isLocustHistoryLine(line)) return { format: 'locust', read: readLocustHistory }
  if (isLocustStatsLine(line))
    throw new SourceError(
      "This is Locust's table of totals, which has no times. Import the …_stats_history.csv that it writes beside it (locust --csv, with --csv-full-history for single names).",
    )
  if (/^"?(?:Method|Count)"?,"?(?:Name|Message)"?,"?(?:Error|Traceback)"?,/.test(line))
    throw new SourceError(
      "These are Locust's failures or exceptions, without the requests. Import the …_stats_history.csv that it writes beside it.",
    )
  if (/^"?Label"?[,;\t]"?# Samples"?[,;\t]/.test(line))
    throw new SourceError(
      "This is a table of JMeter's aggregate or summary report, which has no times. Import the JTL that the test wrote (jmeter -l results.jtl).",
    )
  if (isJtlLine(line)) return { format: 'jtl', read: readJtlCsv }
  throw unknown()
}

function recogniseXml(text: string): RecognisedResults {
  if (/<(?:testResults|httpSample|sample)[\s>]/.test(text)) return { format: 'jtl', read: readJtlXml }
  throw new SourceError('This is XML, and no JTL: it has no testResults.')
}

function recogniseJson(text: string): RecognisedResults {
  const [line = ''] = text.split(/\r?\n/, 1)
  if (/"type"\s*:\s*"(?:Metric|Point)"/.test(line)) return { format: 'k6', read: readK6Json }
  if (/^\{\s*"log"\s*:/.test(text)) return { format: 'har', read: readHarResults }
  if (/"(?:root_group|metrics|state)"\s*:/.test(text) && /"(?:http_req|iteration|vus|p\(9)/.test(text))
    throw new SourceError(
      "This is k6's summary at the end of a test: averages and percentiles without times, of which no report can be made. Import what k6 run --out json=results.json writes.",
    )
  if (/"entries"\s*:/.test(text)) return { format: 'har', read: readHarResults }
  throw unknown()
}

function unknown(): SourceError {
  return new SourceError(
    'These are no results that can be imported: a JTL of JMeter (CSV or XML), JSON or CSV of k6 (--out), a simulation.log of Gatling, a …_stats_history.csv of Locust, or a HAR.',
  )
}
