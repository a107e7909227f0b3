// Walks the chains of the audit log and says which of them somebody broke, and where. Exits with 1 when one is broken.
//
//     node apps/platform/src/verify-audit.ts [--anchors <file>]
//
// The file holds lines of the log of gateway and API: those that say `audit anchor` are compared as well.
import { parseArgs } from 'node:util'
import { verifyAudit, type Anchor, type Break } from '@flamegate/db'
import { ConfigError, readConfig } from '@flamegate/runtime'
import { z } from 'zod'
import { readIfThere } from './owner-only-file.ts'
import { platformConfig } from './platform-config.ts'
import { urlInDataDir } from './url-in-data-dir.ts'
import { wordsForOperator } from './words-for-operator.ts'

const settings = z.object({
  FLAMEGATE_DATABASE_OWNER_URL: z
    .url({ protocol: /^postgres(ql)?$/, hostname: /.*/ })
    .optional()
    .describe('Flamegate’s database as flamegate_owner; the one of FLAMEGATE_DATA_DIR when left out.')
    .meta({ secret: true, kind: 'a postgres:// URL' }),
  FLAMEGATE_DATA_DIR: platformConfig.shape.FLAMEGATE_DATA_DIR,
  DATABASE_URL: platformConfig.shape.DATABASE_URL,
})

const anchorLine = z.object({
  writerId: z.string(),
  sequence: z.number().int(),
  hash: z.string(),
  isLast: z.boolean(),
  msg: z.literal('audit anchor'),
})

try {
  const anchorsPath = anchorsPathIn(process.argv.slice(2))
  const config = readConfig(settings, process.env)
  const ownerUrl =
    config.FLAMEGATE_DATABASE_OWNER_URL ??
    (await urlInDataDir(config, 'owner', 'FLAMEGATE_DATABASE_OWNER_URL'))
  const kept = anchorsPath === undefined ? [] : anchorsIn(await readLog(anchorsPath))
  const { chains, events, unlinked, breaks } = await verifyAudit(ownerUrl, kept)
  say(`${events} events in ${chains} chains, compared with ${kept.length} anchors from elsewhere.`)
  if (unlinked > 0)
    say(`${unlinked} events are from before there were chains: only their number is verified.`)
  for (const each of breaks) say(inWords(each))
  say(breaks.length === 0 ? 'The audit log is whole.' : `${breaks.length} broken.`)
  if (breaks.length > 0) process.exitCode = 1
} catch (error) {
  const words = wordsForOperator(error)
  if (words === undefined) throw error
  process.stderr.write(`${words}\n`)
  process.exitCode = 2
}

function inWords({ writerId, sequence, eventId, what, detail }: Break): string {
  const chain = writerId === '' ? 'Before there were chains' : `Chain ${writerId}`
  return `${chain}: event ${sequence}${eventId === undefined ? '' : ` (${eventId})`} was ${what === 'missing' ? 'removed' : what}. ${detail}`
}

function anchorsPathIn(args: string[]): string | undefined {
  try {
    return parseArgs({ args, options: { anchors: { type: 'string' } } }).values.anchors
  } catch (cause) {
    throw new ConfigError('There is one option: --anchors <file>', { cause })
  }
}

async function readLog(path: string): Promise<string> {
  const log = await readIfThere(path)
  if (log === undefined) throw new ConfigError(`There is no file ${path}.`)
  return log
}

/** Anchors among the lines of a log, whatever else stands there. */
function anchorsIn(log: string): Anchor[] {
  return log.split('\n').flatMap((line) => {
    if (!line.includes('audit anchor')) return []
    const parsed = anchorLine.safeParse(jsonOrUndefined(line))
    if (!parsed.success) throw new ConfigError(`This line of the log is no anchor in JSON: ${line}`)
    return [parsed.data]
  })
}

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
