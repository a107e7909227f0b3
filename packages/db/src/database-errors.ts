import {
  Conflict,
  DatabaseInterrupted,
  DatabaseUnavailable,
  NotPermitted,
  OwnerGone,
} from '@flamegate/operations/ports'
import { DatabaseError } from 'pg'
import { Prisma } from './generated/client.ts'

/** Which field must differ when a constraint says that something is taken. */
const takenFields: Record<string, string> = {
  users_email_key: 'email',
  passkeys_pkey: 'passkey',
  linked_sign_ins_pkey: 'subject',
  linked_sign_ins_user_id_issuer_key: 'issuer',
  sso_identities_pkey: 'subject',
  sso_identities_workspace_id_user_id_issuer_key: 'issuer',
  sso_domains_domain_key: 'domain',
  scim_users_workspace_id_user_name_key_key: 'userName',
  workspaces_slug_key: 'slug',
  projects_workspace_id_slug_key: 'slug',
  projects_workspace_id_repository_key: 'repository',
  benchmarks_project_id_uri_instrument_metric_key: 'uri',
  alerts_open_key: 'alert',
  design_objects_name_key: 'name',
  notifications_workspace_id_name_key: 'name',
  mcp_targets_workspace_id_project_id_name_key: 'name',
}

// https://www.postgresql.org/docs/18/errcodes-appendix.html
const insufficientPrivilege = '42501'
const readOnlyTransaction = '25006'
const uniqueViolation = '23505'
const foreignKeyViolation = '23503'
/** A deadlock, of which another went on, or rows that changed meanwhile: all that was begun is undone. */
const undone = new Set(['40P01', '40001'])
/** The other way around, "update or delete", something is left behind that should not: a defect. */
const aboutNewRow = /^insert or update on table/
// https://www.prisma.io/docs/orm/reference/error-reference: not reachable; no connection free; no transaction begun in time
const noConnection = new Set(['P1001', 'P2024'])
const noTransaction = /^Transaction API error: Unable to start a transaction/

/**
 * What a failed statement means to a caller, if anything: NotPermitted when row-level security, a grant or a
 * read-only call refused it, Conflict when a name is taken, OwnerGone when a row would belong to nothing,
 * DatabaseUnavailable when nothing could begin or all is undone, DatabaseInterrupted when the server went away or is full. Every other
 * error is given back as it is, to be logged at the edge and shown to nobody.
 */
export function translateError(error: unknown): unknown {
  if (hasNotBegun(error)) return unavailable(error)
  const { code, constraint, message = '' } = describe(error)
  if (undone.has(code ?? '')) return undoneFor(error)
  if (isInterruption(error, code)) {
    return new DatabaseInterrupted('The database broke it off', { cause: error })
  }
  if (code === insufficientPrivilege || code === readOnlyTransaction) {
    return Object.assign(new NotPermitted(), { cause: error })
  }
  if (code === foreignKeyViolation && aboutNewRow.test(message)) {
    return Object.assign(new OwnerGone(), { cause: error })
  }
  const taken = code === uniqueViolation ? takenFields[constraint ?? ''] : undefined
  return taken === undefined ? error : Object.assign(new Conflict(taken), { cause: error })
}

/** What a failed attempt to get a connection means to a caller. */
export function unavailable(cause: unknown): DatabaseUnavailable {
  return new DatabaseUnavailable('No connection to the database', { cause })
}

function undoneFor(cause: unknown): DatabaseUnavailable {
  return new DatabaseUnavailable('The database undid it, because others changed the same', { cause })
}

// https://www.postgresql.org/docs/18/errcodes-appendix.html
/** It is starting, or takes no more connections. */
const refusesConnections = new Set(['57P03', '53300'])
/** The same, and that it is being stopped or has crashed. */
const serverAway = new Set(['57P01', '57P02', ...refusesConnections])

/** The same, and that a connection broke (class 08), a disk is full or does not work, or memory is used up. */
const brokenOff = /^(?:08...|57P0[123]|53[123]00|58030)$/
/** https://nodejs.org/api/errors.html#common-system-errors, of a connection that was open */
const brokenSockets = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT'])
// The driver has no codes for these: its connection ended, was found ended, or says nothing any more.
const brokenInWords =
  /^(?:Connection terminated|Client has encountered a connection error|Query read timeout)/
// Prisma's words for the same: https://www.prisma.io/docs/orm/reference/error-reference
const brokenInPrisma = new Set(['P1008', 'P1017'])

function isInterruption(error: unknown, code: string | undefined): boolean {
  if (code !== undefined && brokenOff.test(code)) return true
  if (error instanceof Prisma.PrismaClientKnownRequestError) return brokenInPrisma.has(error.code)
  if (!(error instanceof Error) || error instanceof DatabaseError) return false
  return brokenInWords.test(error.message) || brokenSockets.has(text(field(error, 'code')) ?? '')
}

/** https://nodejs.org/api/errors.html#common-system-errors, of a connection that did not come about */
const unreached = new Set(['ECONNREFUSED', 'ENOENT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])
/** The driver's words for one that did not come about in time. */
const notConnected =
  /^timeout exceeded when trying to connect|^Connection terminated due to connection timeout/

/**
 * What it means that a statement failed for which the pool had to find a connection: DatabaseUnavailable and DatabaseInterrupted as
 * for others; what the database says of the statement itself is given back as it is.
 */
export function ofStatement(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const code = text(field(error, 'code')) ?? ''
  if (refusesConnections.has(code) || unreached.has(code) || notConnected.test(error.message))
    return unavailable(error)
  if (undone.has(code)) return undoneFor(error)
  return isInterruption(error, error instanceof DatabaseError ? code : undefined)
    ? new DatabaseInterrupted('The database broke it off', { cause: error })
    : error
}

/** Why the database broke off what a command did, in its own words; undefined when that was not it. */
export function whyBrokenOff(error: unknown): string | undefined {
  const known = ofStatement(error)
  if (!(known instanceof DatabaseInterrupted || known instanceof DatabaseUnavailable)) return undefined
  const cause = known.cause ?? known
  return text(field(cause, 'message')) || text(field(cause, 'code'))
}

/** What a failed look at the pool means, by which nothing could be changed: the database is away, unless it refused the statement itself. */
export function ofLook(error: unknown): unknown {
  const isRefused = error instanceof DatabaseError && !serverAway.has(error.code ?? '')
  return isRefused ? error : unavailable(error)
}

function hasNotBegun(error: unknown): boolean {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return false
  return noConnection.has(error.code) || (error.code === 'P2028' && noTransaction.test(error.message))
}

function describe(error: unknown): { code?: string; constraint?: string; message?: string } {
  if (error instanceof DatabaseError) return error
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return {}
  // https://github.com/prisma/prisma/blob/main/packages/driver-adapter-utils/src/types.ts
  const cause = field(field(error.meta, 'driverAdapterError'), 'cause')
  return {
    code: text(field(cause, 'originalCode')),
    constraint: text(field(field(cause, 'constraint'), 'index')),
    message: text(field(cause, 'originalMessage')),
  }
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
