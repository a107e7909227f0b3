import { failureClass, isFailureClass } from './failure-class.ts'
import type { ResultSample, ResultSink } from './result-sink.ts'

/** What a JTL tells of a sample, as it is written: in the columns of a CSV, or the attributes of XML. '' where it is not told. */
export interface JmeterFields {
  timeStamp: string
  elapsed: string
  label: string
  threadName: string
  responseCode: string
  responseMessage: string
  success: string
  failureMessage: string
  errorCount: string
  sampleCount: string
  bytes: string
  sentBytes: string
  allThreads: string
  latency: string
  connect: string
  url: string
  hostname: string
  /** Of those files alone that we wrote: why a request failed, as we name it. */
  errorClass: string
  /** Of those alone, too: the elapsed time in microseconds. */
  responseTimeUs: string
}

/** How transaction controllers begin the message of their own samples. */
const transactionWords = 'Number of samples in transaction'

/** Whether it is the sum of others, and no request. */
export function isTransaction({ responseMessage }: Pick<JmeterFields, 'responseMessage'>): boolean {
  return responseMessage.startsWith(transactionWords)
}

/** Puts a sample into the sink, or says why it is none. */
export function putJmeterSample(
  fields: JmeterFields,
  { type, path }: Pick<ResultSample, 'type' | 'path'>,
  place: string,
  sink: ResultSink,
): void {
  const startMs = wholeNumber(fields.timeStamp)
  if (startMs === undefined)
    return sink.skip(
      place,
      `its time is ${shown(fields.timeStamp)}, and must be in milliseconds since 1970 (jmeter.save.saveservice.timestamp_format=ms)`,
    )
  const wholeMs = wholeNumber(fields.elapsed)
  if (wholeMs === undefined)
    return sink.skip(place, `its elapsed time is ${shown(fields.elapsed)}, and must be whole milliseconds`)
  if (!/^(?:true|false)?$/i.test(fields.success))
    return sink.skip(place, `its success is ${shown(fields.success)}, and must be true or false`)
  if ((wholeNumber(fields.sampleCount) ?? 1) > 1)
    return sink.skip(
      place,
      `it is the sum of ${fields.sampleCount} samples, whose own times are lost (mode=Statistical)`,
    )
  const users = wholeNumber(fields.allThreads)
  if (users !== undefined) sink.users(fields.hostname, startMs + wholeMs, users)
  const latencyMs = Math.min(wholeNumber(fields.latency) ?? 0, wholeMs)
  const connectMs = Math.min(wholeNumber(fields.connect) ?? 0, wholeMs)
  sink.sample({
    type,
    path,
    name: fields.label === '' ? '(no label)' : fields.label,
    endMs: startMs + wholeMs,
    elapsedMs: exactMs(fields, wholeMs),
    dnsMs: 0,
    connectMs,
    tlsMs: 0,
    // Latency counts from before the connection was made; 0: it was not measured.
    waitMs: Math.max(0, latencyMs - connectMs),
    downloadMs: latencyMs === 0 ? 0 : wholeMs - latencyMs,
    sentBytes: wholeNumber(fields.sentBytes) ?? 0,
    receivedBytes: wholeNumber(fields.bytes) ?? 0,
    status: statusOf(fields.responseCode),
    failure: failureOf(fields),
    url: toldUrl(fields.url),
    user: fields.threadName,
  })
}

/** The elapsed time, in microseconds where these are told and say the same. */
function exactMs({ responseTimeUs }: JmeterFields, wholeMs: number): number {
  const told = (wholeNumber(responseTimeUs) ?? NaN) / 1000
  return Math.abs(told - wholeMs) <= 1 ? told : wholeMs
}

function failureOf(fields: JmeterFields): ResultSample['failure'] {
  const { success, failureMessage, errorCount, responseCode, responseMessage, url, errorClass } = fields
  const hasFailed =
    success.toLowerCase() === 'false' || failureMessage !== '' || (wholeNumber(errorCount) ?? 0) > 0
  if (!hasFailed) return null
  const words = [responseCode, responseMessage, failureMessage].filter((text) => text !== '').join(' ')
  return {
    class: isFailureClass(errorClass) ? errorClass : failureClass(statusOf(responseCode), words),
    message: words === '' ? 'It failed, and JMeter told no more.' : words,
    method: 'GET',
    url: toldUrl(url),
  }
}

/** JMeter writes null where a sample has none. */
function toldUrl(url: string): string {
  return url === 'null' ? '' : url
}

function statusOf(responseCode: string): number {
  return /^[1-5]\d\d$/.test(responseCode) ? Number(responseCode) : 0
}

function wholeNumber(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

function shown(text: string): string {
  return text === '' ? 'not there' : JSON.stringify(text.slice(0, 40))
}
