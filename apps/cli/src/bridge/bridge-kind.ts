import type { Option } from '../arguments/command-line.ts'
import type { CommandContext } from '../commands/command.ts'
import type { PushTarget } from './push-target.ts'

/** Something that measures on its own, and that a bridge reads and pushes to a live app: one word after `flamegate bridge`. */
export interface BridgeKind {
  details: string
  examples: readonly string[]
  /** Besides those that all bridges have. */
  options: readonly Option[]
  /** @returns the exit code, where it is not 0 */
  run: (context: CommandContext & { target: PushTarget }) => Promise<number | void>
}
