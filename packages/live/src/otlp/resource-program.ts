import { fingerprint } from '../fingerprint.ts'
import { plainText } from '../plain-text.ts'
import { liveLimits } from '../limits.ts'
import type { LiveProgram } from '../push.ts'
import type { Attributes } from './shapes.ts'

/**
 * The program that a resource is: https://opentelemetry.io/docs/specs/semconv/resource/. Its session is told by what is said to be
 * its own alone, and where nothing is, by all that is said: `process.pid` and `host.name` are mostly among it.
 */
export function programOf(resource: Attributes): { session: string; program: LiveProgram } {
  const text = (key: string) => {
    const value = resource.get(key)
    return value === undefined ? '' : plainText(String(value), liveLimits.nameMax)
  }
  const pid = Number(text('process.pid') || Number.NaN)
  const startedAt = Date.parse(text('process.creation.time'))
  const runtime = `${text('process.runtime.name')} ${text('process.runtime.version')}`.trim()
  const own = ['service.namespace', 'service.name', 'service.instance.id'].map((key) => resource.get(key))
  const identity = own[2] === undefined ? [...resource].toSorted(([a], [b]) => (a < b ? -1 : 1)) : own
  return {
    session: `otlp-${fingerprint(JSON.stringify(identity))}`,
    program: {
      name: text('service.name') || 'unknown_service',
      source: 'otlp',
      ...present({
        language: text('telemetry.sdk.language'),
        runtime: plainText(runtime, liveLimits.nameMax),
        version: text('service.version'),
        host: text('host.name'),
      }),
      ...(Number.isInteger(pid) && pid >= 0 ? { pid } : {}),
      ...(Number.isNaN(startedAt) ? {} : { started_at: startedAt }),
    },
  }
}

function present(words: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(words).filter(([, word]) => word !== ''))
}
