import type { Program } from '../program/compile.ts'
import type { CompiledServer } from '../program/compiler.ts'
import type { Step } from '../program/step.ts'
import type { RequestParts } from '../steps/http-request.ts'
import type { Assertion, Extractor } from '@flamegate/loadtest'
import type { ConnectionCount } from './load-connection.ts'
import type { Origin, Origins } from './origin.ts'
import type { Recorder } from './recorder.ts'
import type { LoggedRequests } from './request-log.ts'
import type { Samples } from './samples.ts'
import type { TimerWheel } from './timer-wheel.ts'
import { QuickChecks } from './quick-checks.ts'
import { KnownHead } from './response-parser.ts'
import { RequestWriter } from './wire.ts'

/** All that the users of one profile share. */
export interface LoadProgram {
  steps: readonly Step[]
  /** By the index of the step; undefined for what is done as a check does it. */
  plain: readonly (PlainRequest | undefined)[]
  wheel: TimerWheel
  recorder: Recorder
  /** Undefined where no requests are logged. */
  logged: LoggedRequests | undefined
  origins: Origins
  count: ConnectionCount
  samples: Samples
  keepsCookies: boolean
  keepsCache: boolean
  /** Scripts see the last answer. */
  keepsAnswers: boolean
  /** Something that was due was begun so much later, in milliseconds. */
  noteLag: (ms: number) => void
  countIteration: (hasFailed: boolean) => void
}

/** A request over HTTP/1.1 that needs nothing but a connection of its own. */
export interface PlainRequest {
  parts: RequestParts
  server: CompiledServer
  writer: RequestWriter
  /** `http://host`, where no variables are in it; empty otherwise. */
  base: string
  /** Null where the address has variables in it. */
  origin: Origin | null
  timeoutMs: number
  hasChecks: boolean
  /** The same, where most answers can be held against them as they are; undefined where more has to be done. */
  quickChecks: QuickChecks | undefined
  /** Of its answers, where it led to no redirect. */
  knownHead: KnownHead
  /** One of the checks looks into it. */
  needsBody: boolean
}

/** Finds those that can be sent plainly: none through a proxy. */
export function plainRequests(program: Program, origins: Origins): (PlainRequest | undefined)[] {
  if (program.makeProxy !== null) return []
  return program.allSteps.map(({ does }) => {
    if (does.kind !== 'act' || does.request === null) return undefined
    const { request: parts } = does
    const { server, action } = parts
    const writer = RequestWriter.of(parts, program.userAgent)
    if (server === undefined || writer === undefined) return undefined
    const { base } = writer
    return {
      parts,
      server,
      writer,
      base: base?.origin ?? '',
      origin: base === null ? null : origins.of(base, server.transport),
      timeoutMs: action.timeout_ms ?? server.timeoutMs,
      knownHead: new KnownHead(),
      hasChecks: parts.checks.extractors.length + parts.checks.assertions.length > 0,
      quickChecks: QuickChecks.of(parts),
      needsBody:
        action.extractors.some((extractor) => extractor.enabled && looksIntoBody(extractor)) ||
        action.assertions.some((assertion) => assertion.enabled && isAboutBody(assertion)),
    }
  })
}

function looksIntoBody(extractor: Extractor): boolean {
  if (extractor.type === 'header' || extractor.type === 'cookie') return false
  return !('part' in extractor) || extractor.part === 'body'
}

function isAboutBody({ type }: Assertion): boolean {
  return type !== 'status' && type !== 'header' && type !== 'duration'
}
