import { basename } from 'node:path'
import type { CaptureRequest } from './capture-request.ts'

const longestName = 200

/** What a profile is called when nobody said: `cpu of localhost:6060`, `heap of node app.js`. */
export function captureName({ type, target }: Pick<CaptureRequest, 'type' | 'target'>): string {
  return `${type} of ${subject(target)}`.slice(0, longestName)
}

function subject(target: CaptureRequest['target']): string {
  if ('url' in target) return new URL(target.url).host
  if ('pid' in target) return `process ${target.pid}`
  const [program, ...args] = target.command
  // Of all the rest nobody knows what is secret.
  const script = args.find((word) => !word.startsWith('-'))
  return [program, ...(script === undefined ? [] : [script])].map((word) => basename(word)).join(' ')
}
