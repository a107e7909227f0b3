import { failureClass } from './failure-class.ts'
import type { ResultReader, ResultSample } from './result-sink.ts'
import { forEachLine } from './text-lines.ts'

/** Whether a first line is that of a simulation.log as text. */
export function isGatlingLine(line: string): boolean {
  return line.startsWith('RUN\t') || /^(?:USER|REQUEST|GROUP)\t.*\t\d{13}\t/.test(line)
}

/**
 * Reads Gatling's `simulation.log` as text, which versions 3.0 to 3.11 write: fields between tabs, of which older ones have the
 * number of the user before the groups
 * ([writer](https://github.com/gatling/gatling/blob/v3.10.5/gatling-core/src/main/scala/io/gatling/core/stats/writer/LogFileDataWriter.scala)).
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
  const status = Number(/\bstatus\b.*\bfound (\d{3})\b/.exec(message)?.[1] ?? 0)
  return {
    ...nothing,
    type: 'http_request',
    path: namesOf(groups),
    name,
    ...times,
    status,
    failure:
      fields[at] === 'OK'
        ? null
        : {
            class: classOf(status, message),
            message: message === '' ? 'It failed, and Gatling told no more.' : message,
            method: 'GET',
            url: '',
          },
  }
}

/** GROUP, groups, start, end, cumulated time of its requests, OK or KO. Its time is with its pauses. */
function groupOf(fields: readonly string[]): ResultSample | undefined {
  const at = statusAt(fields)
  const path = namesOf(fields[at - 4] ?? '')
  const name = path.pop()
  const times = timesOf(fields[at - 3], fields[at - 2])
  if (times === undefined || name === undefined) return undefined
  const failure = {
    class: 'other' as const,
    message: 'A request of the group failed.',
    method: 'GET',
    url: '',
  }
  return {
    ...nothing,
    type: 'container',
    path,
    name,
    ...times,
    failure: fields[at] === 'OK' ? null : failure,
  }
}

const nothing = {
  dnsMs: 0,
  connectMs: 0,
  tlsMs: 0,
  waitMs: 0,
  downloadMs: 0,
  sentBytes: 0,
  receivedBytes: 0,
  status: 0,
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
  return { endMs, elapsedMs: endMs - startMs }
}

function timeOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{13}$/.test(text) ? Number(text) : undefined
}

/** `checkout,pay` */
function namesOf(groups: string): string[] {
  return groups.split(',').filter((name) => name !== '')
}

/** Checks tell what they found; without an answer there is none. */
function classOf(status: number, message: string) {
  if (status > 0) return failureClass(status, message)
  return /found|\bfind\b|check/i.test(message) ? 'assertion' : failureClass(0, message)
}
