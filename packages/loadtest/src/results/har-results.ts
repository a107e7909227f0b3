import { asObject, asText, type JsonObject } from '../json/json-values.ts'
import { amountOf, textOf } from '../import/har/har-values.ts'
import { readHarParts } from '../import/har/har-scanner.ts'
import { failureClass } from './failure-class.ts'
import { untold, type ResultReader, type ResultSample } from './result-sink.ts'

/** Reads the entries of a [HAR](http://www.softwareishard.com/blog/har-12-spec/) as requests of one user, in the pages they belong to. */
export const readHarResults: ResultReader = async (content, sink) => {
  const pages = new Map<string, string>()
  for await (const { key, place, value } of readHarParts(content)) {
    const part = asObject(value)
    if (key === 'creator') continue
    const startMs = Date.parse(asText(part['startedDateTime']))
    if (Number.isNaN(startMs)) {
      sink.skip(place, 'it does not tell when it began')
      continue
    }
    if (key === 'pages') {
      const title = textOf(part['title']) ?? asText(part['id'])
      pages.set(asText(part['id']), title)
      const loadedMs = amountOf(asObject(part['pageTimings'])['onLoad'])
      if (loadedMs !== null) sink.sample(pageSample(title, startMs, loadedMs))
      continue
    }
    const sample = sampleOf(part, startMs, pages)
    if (sample === undefined) {
      sink.skip(place, 'it has no time')
      continue
    }
    sink.sample(sample)
    sink.users('', startMs, 1)
    sink.users('', sample.endMs, 1)
  }
}

function pageSample(name: string, startMs: number, elapsedMs: number): ResultSample {
  return { ...untold, type: 'container', path: [], name, endMs: startMs + elapsedMs, elapsedMs }
}

function sampleOf(
  entry: JsonObject,
  startMs: number,
  pages: ReadonlyMap<string, string>,
): ResultSample | undefined {
  const elapsedMs = amountOf(entry['time'])
  if (elapsedMs === null) return undefined
  const request = asObject(entry['request'])
  const response = asObject(entry['response'])
  const timings = asObject(entry['timings'])
  const time = (name: string) => amountOf(timings[name]) ?? 0
  const method = asText(request['method']) || 'GET'
  const url = asText(request['url'])
  const status = amountOf(response['status']) ?? 0
  const words = textOf(response['_error']) ?? asText(response['statusText'])
  const page = pages.get(asText(entry['pageref']))
  return {
    type: 'http_request',
    path: page === undefined ? [] : [page],
    name: `${method} ${withoutQuery(url)}`,
    endMs: startMs + elapsedMs,
    elapsedMs,
    dnsMs: time('dns'),
    // In a HAR, TLS is a part of it.
    connectMs: Math.max(0, time('connect') - time('ssl')),
    tlsMs: time('ssl'),
    waitMs: time('send') + time('wait'),
    downloadMs: time('receive'),
    sentBytes: sizeOf(request),
    receivedBytes: amountOf(response['_transferSize']) ?? sizeOf(response),
    status: Number.isInteger(status) && status < 600 ? status : 0,
    failure:
      status === 0 || status >= 400
        ? { class: failureClass(status, words), message: `${status} ${words}`.trim(), method, url }
        : null,
  }
}

function sizeOf(message: JsonObject): number {
  return (amountOf(message['headersSize']) ?? 0) + (amountOf(message['bodySize']) ?? 0)
}

/** Query and fragment would make a name of every request. */
function withoutQuery(url: string): string {
  return /^data:/i.test(url) ? 'data:' : url.replace(/[?#].*$/s, '')
}
