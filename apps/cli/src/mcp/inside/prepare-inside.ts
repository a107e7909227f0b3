import type { McpTarget } from '../target/mcp-target.ts'
import type { InsideOptions, Preparation, WantedInside } from './inside.ts'
import { prepareGo } from './go.ts'
import { prepareOther } from './other.ts'
import { preparePython } from './python.ts'
import { prepareRust } from './rust.ts'

type Prepare = (target: McpTarget, wanted: WantedInside, options: InsideOptions) => Preparation | undefined

/** Each answers for the targets that it knows; the last for all. */
const runtimes: readonly Prepare[] = [prepareGo, prepareRust, preparePython, prepareOther]

/** Prepares a target for being looked into, before it is started. */
export function prepareInside(
  target: McpTarget,
  wanted: WantedInside,
  options: InsideOptions,
): Preparation | undefined {
  for (const prepare of runtimes) {
    const prepared = prepare(target, wanted, options)
    if (prepared !== undefined) return prepared
  }
  return undefined
}
