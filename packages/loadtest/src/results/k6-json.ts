import { asObject, asText } from '../json/json-values.ts'
import { K6Points } from './k6-points.ts'
import type { ResultReader } from './result-sink.ts'
import { forEachLine } from './text-lines.ts'

/** A point has a dozen tags; longer lines would be something else. */
const lineMax = 100_000

/** Reads [k6's points as JSON](https://grafana.com/docs/k6/latest/results-output/real-time/json/): a line for each. */
export const readK6Json: ResultReader = async (content, sink) => {
  const points = new K6Points(sink)
  await forEachLine(content, (line, number) => {
    // Most lines are points; what declares a metric is of no use.
    if (line === '' || !line.includes('"Point"')) return
    const point = parse(line)
    if (point === undefined) return sink.skip(`line ${number}`, 'it is no point of k6, or it is cut off')
    points.add(point)
  })
  points.end()
}

function parse(line: string) {
  const value = line.length > lineMax ? undefined : parsed(line)
  const { type, metric, data } = asObject(value)
  const { time, value: measured, tags, metadata } = asObject(data)
  const timeMs = Date.parse(asText(time))
  if (type !== 'Point' || Number.isNaN(timeMs) || typeof measured !== 'number' || !(measured >= 0))
    return undefined
  // Tags that differ each time are metadata.
  const byName = { ...asObject(metadata), ...asObject(tags) }
  return { metric: asText(metric), timeMs, value: measured, tag: (name: string) => asText(byName[name]) }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
