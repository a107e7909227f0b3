import { pino, stdSerializers } from 'pino'
import type { DestinationStream, Logger } from 'pino'
import { z } from 'zod'

export type { Logger } from 'pino'

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

export interface LoggerOptions {
  level: LogLevel
  /** One JSON object per line, or one readable line. Left out: text on a terminal, JSON elsewhere. */
  format?: 'json' | 'text'
  /** Where the lines go; standard output unless told otherwise. */
  destination?: { write(line: string): void }
}

/** Fields whose values prove who somebody is. They are cut out wherever they stand in a line, up to two levels deep. */
const secretFields = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'password',
  'token',
  'accessToken',
  'access_token',
  'refreshToken',
  'refresh_token',
  'idToken',
  'id_token',
  'apiToken',
  'api_token',
  'assertion',
  'clientSecret',
  'client_secret',
  'code_verifier',
  'secret',
  'signature',
])

/** The process's logger. Each app makes one in `main.ts` and hands it down. */
export function createLogger(options: LoggerOptions): Logger {
  const format = options.format ?? (process.stdout.isTTY ? 'text' : 'json')
  const out: DestinationStream = options.destination ?? standardOutput()
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      // By hand, because pino's own redaction with wildcards takes longer than all the rest of a request.
      formatters: { level: (label) => ({ level: label }), log: (fields) => withoutSecrets(fields, 2) },
      serializers: {
        err: (error: unknown) =>
          error instanceof Error ? withoutSecrets(withoutRow(stdSerializers.err(error)), 1) : error,
      },
    },
    format === 'json' ? out : { write: (line: string) => out.write(`${readableLine(line)}\n`) },
  )
}

/**
 * When nobody reads standard output any more (a closed terminal, the end of a pipe), what is logged is lost and the work
 * goes on. An error that nobody listens for would be logged, which is the next error, for ever.
 */
function standardOutput(): DestinationStream {
  if (!process.stdout.listeners('error').includes(ignore)) process.stdout.on('error', ignore)
  return process.stdout
}

function ignore(): void {}

type Fields = Record<string, unknown>

/** The same fields, copied only where something has to be cut out; `levels` more are looked into. */
function withoutSecrets(fields: Fields, levels: number): Fields {
  const cut = Object.entries(fields).flatMap(([name, value]) => {
    const shown = secretFields.has(name) ? '[redacted]' : insideOf(value, levels)
    return shown === value ? [] : [[name, shown]]
  })
  return cut.length === 0 ? fields : { ...fields, ...Object.fromEntries(cut) }
}

/** The database says in `detail` which row broke a rule, with all that is in it. */
function withoutRow(error: Fields): Fields {
  return 'detail' in error ? { ...error, detail: '[redacted]' } : error
}

function insideOf(value: unknown, levels: number): unknown {
  return levels > 0 && isFields(value) ? withoutSecrets(value, levels - 1) : value
}

/** Errors are for their serializer. */
function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !(value instanceof Error)
}

/** What pino writes into every line; `err` is the standard error serializer's form. */
const lineSchema = z.looseObject({
  time: z.string(),
  level: z.string(),
  msg: z.string().optional(),
  err: z.object({ message: z.string().optional(), stack: z.string().optional() }).optional().catch(undefined),
})

/** `14:03:07 info  listening  port=4170`, and an error's stack below it. */
export function readableLine(line: string): string {
  const { time, level, msg, err, ...fields } = lineSchema.parse(JSON.parse(line))
  const rest = Object.entries(fields).map(([key, value]) => `${key}=${readableValue(value)}`)
  const words = [time.slice(11, 19), level.padEnd(5), msg ?? '', ...rest].filter((word) => word !== '')
  const stack = err?.stack ?? err?.message
  return stack === undefined ? words.join(' ') : `${words.join(' ')}\n${stack.replaceAll(/^/gm, '  ')}`
}

function readableValue(value: unknown): string {
  if (typeof value === 'string' && /^[^\s"=]+$/.test(value)) return value
  return JSON.stringify(value)
}
