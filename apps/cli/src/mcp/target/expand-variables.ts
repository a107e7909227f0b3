import { UsageError } from '../../usage-error.ts'

interface Known {
  env: Readonly<Record<string, string | undefined>>
  cwd: string
}

/**
 * Puts in what clients let their files leave open: `${NAME}` and `${NAME:-otherwise}` (Claude Code), `${env:NAME}` and
 * `${workspaceFolder}` (VS Code, Cursor).
 * @throws UsageError for what only the client itself knows
 */
export function expandVariables(text: string, known: Known): string {
  return text.replaceAll(/\$\{([^}]*)\}/g, (whole, inside: string) => valueOf(whole, inside, known))
}

function valueOf(whole: string, inside: string, { env, cwd }: Known): string {
  if (inside === 'workspaceFolder') return cwd
  const match = /^(?:env:)?([A-Za-z_]\w*)(?::-(.*))?$/.exec(inside)
  const value = match?.[1] === undefined ? undefined : (env[match[1]] ?? match[2])
  if (value !== undefined) return value
  throw new UsageError(
    match === null
      ? `${whole} is known to the client only. Give the server with its command after --, or its URL.`
      : `${whole} is not set in the environment.`,
  )
}
