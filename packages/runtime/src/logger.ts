import { pino } from 'pino'
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
const secretFields = [
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
]

/** The process's logger. Each app makes one in `main.ts` and hands it down. */
export function createLogger(options: LoggerOptions): Logger {
  const format = options.format ?? (process.stdout.isTTY ? 'text' : 'json')
  const out: DestinationStream = options.destination ?? process.stdout
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: secretFields.flatMap(pathsOf), censor: '[redacted]' },
    },
    format === 'json' ? out : { write: (line: string) => out.write(`${readableLine(line)}\n`) },
  )
}

function pathsOf(field: string): string[] {
  const key = `["${field}"]`
  return [key, `*${key}`, `*.*${key}`]
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
