import type { ReadRequestRow } from './read-request-log.ts'

/** What the numbers of a row stand for, in the run that it is of. */
export interface RequestRun {
  /** Milliseconds since 1970. */
  startedAtMs: number
  /** By their places; names are from the outermost container to the action itself. */
  actions: readonly { path: readonly string[]; profile: string }[]
}

/** The same with the names in place of the numbers, whatever the file. Durations in microseconds. */
export interface NamedRequest {
  /** When it should have begun, milliseconds since 1970. */
  startMs: number
  label: string
  profile: string
  /** As JMeter names threads: `buyers 1.2-30`, the slot of the agent, its thread, and the user. */
  threadName: string
  /** The agent, and its thread after the first. */
  host: string
}

export function nameRequest(
  row: ReadRequestRow,
  agent: { slot: number; name: string },
  { startedAtMs, actions }: RequestRun,
): NamedRequest {
  const action = actions[row.action]
  const profile = action?.profile ?? ''
  return {
    startMs: startedAtMs + Math.round((row.endUs - row.responseUs) / 1000),
    label: action?.path.join(' / ') ?? `action ${row.action}`,
    profile,
    threadName: `${profile} ${agent.slot + 1}.${row.thread + 1}${row.user < 0 ? '' : `-${row.user + 1}`}`,
    host: row.thread === 0 ? agent.name : `${agent.name}#${row.thread + 1}`,
  }
}

/**
 * The columns that JMeter writes when it is told nothing, and the machine, in
 * [its order](https://jmeter.apache.org/usermanual/listeners.html#csvlogformat). What follows is in quotes, which is how JMeter
 * tells variables of one's own from columns that it does not know.
 */
export const jtlHeading =
  'timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,failureMessage,bytes,sentBytes,grpThreads,allThreads,URL,Latency,Hostname,IdleTime,Connect,"serviceTimeUs","responseTimeUs","profile","user","iteration","errorClass"\n'

/** A row of a JTL, with its line end. */
export function jtlLine(row: ReadRequestRow, named: NamedRequest): string {
  const { responseUs, downloadUs, errorClass, failure } = row
  const elapsedMs = toMs(responseUs)
  const latencyMs = downloadUs < 0 ? 0 : Math.max(0, elapsedMs - toMs(downloadUs))
  const hasFailed = errorClass !== ''
  const isUnanswered = hasFailed && row.status === 0
  return `${[
    named.startMs,
    elapsedMs,
    cell(named.label),
    isUnanswered ? `Non HTTP response code: ${errorClass}` : row.status === 0 ? '' : row.status,
    isUnanswered ? cell(`Non HTTP response message: ${failure}`) : '',
    cell(named.threadName),
    '',
    !hasFailed,
    hasFailed ? cell(failure) : '',
    row.receivedBytes,
    row.sentBytes,
    row.profileUsers,
    row.allUsers,
    row.url === '' ? 'null' : cell(row.url),
    latencyMs,
    cell(named.host),
    0,
    toMs(row.connectUs),
    row.serviceUs < 0 ? '' : row.serviceUs,
    responseUs,
    cell(named.profile),
    row.user < 0 ? '' : row.user,
    row.iteration < 0 ? '' : row.iteration,
    errorClass,
  ].join(',')}\n`
}

function toMs(microseconds: number): number {
  return Math.round(microseconds / 1000)
}

const needsQuotes = /[",\r\n]/

/** As in [RFC 4180](https://www.rfc-editor.org/rfc/rfc4180). */
function cell(text: string): string {
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
