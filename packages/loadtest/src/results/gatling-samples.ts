import { failureClass } from './failure-class.ts'
import { untold, type ResultSample } from './result-sink.ts'

/** What Gatling tells of a request or a group, whichever way its log is written. */
export interface GatlingEvent {
  /** Names of the groups that it is in, from the outermost. */
  path: string[]
  name: string
  /** Since 1970, in milliseconds. */
  startMs: number
  endMs: number
  isOk: boolean
}

/** @param message what Gatling tells of a failure; may be empty */
export function gatlingRequest({ path, name, isOk, ...times }: GatlingEvent, message: string): ResultSample {
  const status = Number(/\bstatus\b.*\bfound (\d{3})\b/.exec(message)?.[1] ?? 0)
  return {
    ...untold,
    type: 'http_request',
    path,
    name,
    ...timesOf(times),
    status,
    failure: isOk
      ? null
      : {
          class: classOf(status, message),
          message: message === '' ? 'It failed, and Gatling told no more.' : message,
          method: 'GET',
          url: '',
        },
  }
}

/** Its time is with its pauses. */
export function gatlingGroup({ path, name, isOk, ...times }: GatlingEvent): ResultSample {
  return {
    ...untold,
    type: 'container',
    path,
    name,
    ...timesOf(times),
    failure: isOk
      ? null
      : { class: 'other', message: 'A request of the group failed.', method: 'GET', url: '' },
  }
}

function timesOf({ startMs, endMs }: Pick<GatlingEvent, 'startMs' | 'endMs'>) {
  return { endMs, elapsedMs: endMs - startMs }
}

/** Checks tell what they found; without an answer there is none. */
function classOf(status: number, message: string) {
  if (status > 0) return failureClass(status, message)
  return /found|\bfind\b|check/i.test(message) ? 'assertion' : failureClass(0, message)
}
