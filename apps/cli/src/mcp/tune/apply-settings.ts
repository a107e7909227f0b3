import { copyFile, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { UsageError } from '../../usage-error.ts'
import { withoutByteOrderMark } from '../../without-byte-order-mark.ts'
import { configurationFile, settingsOf } from '../settings.ts'
import type { StdioTarget } from '../target/mcp-target.ts'

const configuration = z.looseObject({ mcpServers: z.record(z.string(), z.looseObject({})).optional() })

/**
 * Writes variables to a server's entry in mcp-profiler.config.json, and keeps all else that is in the file, which is copied
 * first. A server that is not in it gets an entry with its command; of its environment only what is proposed, for the rest
 * may be secret.
 * @returns what was done, for people
 * @throws UsageError when the file cannot be changed
 */
export async function applySettings(
  cwd: string,
  target: StdioTarget,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const file = path.join(cwd, configurationFile)
  const before = await readFile(file, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw new UsageError(`${configurationFile} cannot be read.`)
  })
  const content = configuration.parse(before === undefined ? {} : plainJson(before))
  const { [target.name]: known, ...others } = content.mcpServers ?? {}
  const [command, ...args] = target.command
  const entry = known ?? { command, args, ...(target.cwd === cwd ? {} : { cwd: target.cwd }) }
  const written = {
    ...content,
    mcpServers: { ...others, [target.name]: { ...entry, env: { ...Object(entry['env']), ...env } } },
  }
  const text = `${JSON.stringify(written, null, 2)}\n`
  settingsOf(text)
  if (before === undefined) {
    await writeFile(file, text)
    return `Written to ${configurationFile}, which is new.`
  }
  const copy = `${configurationFile}.before-${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')}`
  await copyFile(file, path.join(cwd, copy))
  await writeFile(file, text)
  return `Written to ${configurationFile}; as it was before it is ${copy}.`
}

/** Comments would be lost. @throws UsageError */
function plainJson(text: string): unknown {
  try {
    return JSON.parse(withoutByteOrderMark(text))
  } catch {
    throw new UsageError(
      `${configurationFile} has comments, which would be lost: write the proposed env to its server by hand.`,
    )
  }
}
