import { gatlingGroup, gatlingRequest } from './gatling-samples.ts'
import type { ResultReader, ResultSample } from './result-sink.ts'
import { forEachLine } from './text-lines.ts'

/** Whether a first line is that of a simulation.log as text. */
export function isGatlingLine(line: string): boolean {
  return line.startsWith('RUN\t') || /^(?:USER|REQUEST|GROUP)\t.*\t\d{13}\t/.test(line)
}

/**
 * Reads Gatling's `simulation.log` as text, which versions 3.0 to 3.12 write: fields between tabs, of which older ones have the
 * number of the user before the groups
 * ([writer](https://github.com/gatling/gatling/blob/v3.12.0/gatling-core/src/main/scala/io/gatling/core/stats/writer/LogFileDataWriter.scala)).
 */
export const readGatlingLog: ResultReader = async (content, sink) => {
  let users = 0
  await forEachLine(content, (line, number) => {
    const fields = line.split('\t')
    const place = `line ${number}`
    switch (fields[0]) {
      case 'USER': {
        const step = fields.findIndex((field, index) => index > 1 && /^(?:START|END)$/.test(field))
        // The last one is when it happened.
        const atMs = timeOf(fields.at(-1))
        if (step < 0 || atMs === undefined) return sink.skip(place, 'it is no start or end of a user')
        users = Math.max(0, users + (fields[step] === 'START' ? 1 : -1))
        return sink.users('', atMs, users)
      }
      case 'REQUEST':
      case 'GROUP': {
        const sample = fields[0] === 'GROUP' ? groupOf(fields) : requestOf(fields)
        return sample === undefined
          ? sink.skip(
              place,
              `it is no ${fields[0] === 'GROUP' ? 'group' : 'request'} with its times and OK or KO`,
            )
          : sink.sample(sample)
      }
    }
  })
}

/** REQUEST, groups, name, start, end, OK or KO, message. */
function requestOf(fields: readonly string[]): ResultSample | undefined {
  const at = statusAt(fields)
  const [name, groups] = [fields[at - 3], fields[at - 4]]
  const times = timesOf(fields[at - 2], fields[at - 1])
  if (times === undefined || name === undefined || groups === undefined) return undefined
  const message = fields
    .slice(at + 1)
    .join(' ')
    .trim()
  return gatlingRequest({ path: namesOf(groups), name, ...times, isOk: fields[at] === 'OK' }, message)
}

/** GROUP, groups, start, end, cumulated time of its requests, OK or KO. */
function groupOf(fields: readonly string[]): ResultSample | undefined {
  const at = statusAt(fields)
  const path = namesOf(fields[at - 4] ?? '')
  const name = path.pop()
  const times = timesOf(fields[at - 3], fields[at - 2])
  if (times === undefined || name === undefined) return undefined
  return gatlingGroup({ path, name, ...times, isOk: fields[at] === 'OK' })
}

/** Where the outcome is: behind two whole numbers, so that no name is taken for it. */
function statusAt(fields: readonly string[]): number {
  return fields.findIndex(
    (field, index) =>
      (field === 'OK' || field === 'KO') &&
      /^\d{1,13}$/.test(fields[index - 1] ?? '') &&
      /^\d{13}$/.test(fields[index - 2] ?? ''),
  )
}

function timesOf(start: string | undefined, end: string | undefined) {
  const [startMs, endMs] = [timeOf(start), timeOf(end)]
  if (startMs === undefined || endMs === undefined || endMs < startMs) return undefined
  return { startMs, endMs }
}

function timeOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{13}$/.test(text) ? Number(text) : undefined
}

/** `checkout,pay` */
function namesOf(groups: string): string[] {
  return groups.split(',').filter((name) => name !== '')
}
