import { findRunOrigin } from '../origin/run-origin.ts'
import type { CommandContext } from './command.ts'

/** The input with the repository that CI or git name, where none was given. */
export async function withRepository(
  input: Record<string, unknown>,
  { terminal }: CommandContext,
): Promise<Record<string, unknown>> {
  if ('repository' in input) return input
  const { repository } = await findRunOrigin({ env: terminal.env, cwd: terminal.cwd })
  return repository === undefined ? input : { ...input, repository }
}
