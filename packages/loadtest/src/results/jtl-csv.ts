import { SourceError } from '../import/importer.ts'
import { forEachRecord, guessDelimiter } from './csv-records.ts'
import { isTransaction, putJmeterSample, type JmeterFields } from './jmeter-sample.ts'
import type { ResultReader } from './result-sink.ts'

/** Columns of a [JTL](https://jmeter.apache.org/usermanual/listeners.html#csvlogformat), in lower case, by what they tell. */
const columns: Readonly<Record<keyof JmeterFields, string>> = {
  timeStamp: 'timestamp',
  elapsed: 'elapsed',
  label: 'label',
  threadName: 'threadname',
  responseCode: 'responsecode',
  responseMessage: 'responsemessage',
  success: 'success',
  failureMessage: 'failuremessage',
  errorCount: 'errorcount',
  sampleCount: 'samplecount',
  bytes: 'bytes',
  sentBytes: 'sentbytes',
  allThreads: 'allthreads',
  latency: 'latency',
  connect: 'connect',
  url: 'url',
  hostname: 'hostname',
  errorClass: 'errorclass',
  responseTimeUs: 'responsetimeus',
}
const names = new Set(Object.values(columns))
const needed = ['timestamp', 'elapsed', 'label']

/** What JMeter writes when it is told nothing, which has no heading where it was told so: since 5.0, and before it had the URL. */
const defaults = [
  'timestamp,elapsed,label,responsecode,responsemessage,threadname,datatype,success,failuremessage,bytes,sentbytes,grpthreads,allthreads,url,latency,idletime,connect',
  'timestamp,elapsed,label,responsecode,responsemessage,threadname,datatype,success,failuremessage,bytes,sentbytes,grpthreads,allthreads,latency,idletime,connect',
].map((line) => line.split(','))

/** Whether a first line is the heading of a JTL, or its first row where there is no heading. */
export function isJtlLine(line: string): boolean {
  const cells = cellsOf(line)
  return isHeading(cells) || isFirstRow(cells)
}

/** Reads the [results of JMeter as CSV](https://jmeter.apache.org/usermanual/listeners.html#csvlogformat). */
export const readJtlCsv: ResultReader = async (content, sink) => {
  let heading: readonly string[] | undefined
  let fieldsOf: ((cells: readonly string[]) => JmeterFields) | undefined
  let hasMessages = false
  await forEachRecord(content, delimiterOf, (cells, line) => {
    if (heading === undefined || fieldsOf === undefined) {
      heading = headingOf(cells)
      fieldsOf = fieldsBy(heading)
      hasMessages = heading.includes(columns.responseMessage)
      if (!hasMessages && heading.includes(columns.url))
        sink.note(
          'The JTL has no column responseMessage, so rows of which the URL is null were taken for transactions.',
        )
      if (isHeading(cells)) return
    }
    if (cells.length !== heading.length) {
      // Where files were joined, the heading comes again.
      if (!isHeading(cells.map(plain)))
        sink.skip(`line ${line}`, `it has ${cells.length} cells, and the heading ${heading.length}`)
      return
    }
    const fields = fieldsOf(cells)
    if (fields.timeStamp.toLowerCase() === columns.timeStamp) return
    const isContainer = hasMessages ? isTransaction(fields) : fields.url === 'null'
    putJmeterSample(
      fields,
      { type: isContainer ? 'container' : 'http_request', path: [] },
      `line ${line}`,
      sink,
    )
  })
}

function delimiterOf(line: string): string {
  const byName = guessDelimiter(line, (cell) => names.has(plain(cell)))
  if (isHeading(line.split(byName).map(plain))) return byName
  return guessDelimiter(line, () => true)
}

function cellsOf(line: string): string[] {
  return line.split(delimiterOf(line)).map(plain)
}

function plain(cell: string): string {
  return cell.replaceAll('"', '').trim().toLowerCase()
}

function isHeading(cells: readonly string[]): boolean {
  return (
    cells.some((cell) => plain(cell) === columns.timeStamp) &&
    cells.some((cell) => plain(cell) === columns.elapsed)
  )
}

function isFirstRow(cells: readonly string[]): boolean {
  return /^\d{12,13}$/.test(cells[0] ?? '') && /^\d+$/.test(cells[1] ?? '')
}

function headingOf(cells: readonly string[]): readonly string[] {
  if (isHeading(cells)) {
    const heading = cells.map(plain)
    const missing = needed.filter((name) => !heading.includes(name))
    if (missing.length > 0) throw new SourceError(`The JTL has no column ${missing.join(', ')}.`, 'line 1')
    return heading
  }
  const found = defaults.find(({ length }) => length === cells.length)
  if (found === undefined)
    throw new SourceError(
      `The JTL has no heading, and ${cells.length} cells in a row, where JMeter writes 16 or 17 unless told otherwise. Add the heading (jmeter.save.saveservice.print_field_names=true).`,
      'line 1',
    )
  return found
}

/** Takes the cells of the columns that are there. */
function fieldsBy(heading: readonly string[]): (cells: readonly string[]) => JmeterFields {
  const at = (field: keyof JmeterFields) => heading.indexOf(columns[field])
  const places = {
    timeStamp: at('timeStamp'),
    elapsed: at('elapsed'),
    label: at('label'),
    threadName: at('threadName'),
    responseCode: at('responseCode'),
    responseMessage: at('responseMessage'),
    success: at('success'),
    failureMessage: at('failureMessage'),
    errorCount: at('errorCount'),
    sampleCount: at('sampleCount'),
    bytes: at('bytes'),
    sentBytes: at('sentBytes'),
    allThreads: at('allThreads'),
    latency: at('latency'),
    connect: at('connect'),
    url: at('url'),
    hostname: at('hostname'),
    errorClass: at('errorClass'),
    responseTimeUs: at('responseTimeUs'),
  }
  // Written out: there are millions of rows.
  return (cells) => ({
    timeStamp: cells[places.timeStamp] ?? '',
    elapsed: cells[places.elapsed] ?? '',
    label: cells[places.label] ?? '',
    threadName: cells[places.threadName] ?? '',
    responseCode: cells[places.responseCode] ?? '',
    responseMessage: cells[places.responseMessage] ?? '',
    success: cells[places.success] ?? '',
    failureMessage: cells[places.failureMessage] ?? '',
    errorCount: cells[places.errorCount] ?? '',
    sampleCount: cells[places.sampleCount] ?? '',
    bytes: cells[places.bytes] ?? '',
    sentBytes: cells[places.sentBytes] ?? '',
    allThreads: cells[places.allThreads] ?? '',
    latency: cells[places.latency] ?? '',
    connect: cells[places.connect] ?? '',
    url: cells[places.url] ?? '',
    hostname: cells[places.hostname] ?? '',
    errorClass: cells[places.errorClass] ?? '',
    responseTimeUs: cells[places.responseTimeUs] ?? '',
  })
}
