import type { CaptureRequest } from './capture-request.ts'

/** The command of a request that is known to have one. */
export function commandOf({ kind, target }: CaptureRequest): readonly [program: string, ...args: string[]] {
  if ('command' in target) return target.command
  throw new TypeError(`${kind} runs a command`)
}
