import { catalogue, fieldsOf, inputSchemaOf, type JsonSchema, type Operation } from '@flamegate/contract'
import { inputs } from '../inputs.ts'
import { ask, type Tenant } from './tenant.ts'

/** What somebody else could have got hold of, or guessed, of a workspace; none of it may come back to them. */
export interface Loot {
  /** A word that is in every text that its people could write. */
  canary: string
  ids: Set<string>
  /** Cursors, tokens, confirmations, addresses, names. */
  handles: Set<string>
  /** Of these some that nobody else can have by chance. */
  secrets: Set<string>
  /** Of all these what was written into things of one's own meanwhile, and may come back from there. */
  planted: Set<string>
  /** Of these what a call took: from then on it may be a name of one's own, too. */
  stored: Set<string>
}

const idPattern = /\b[a-z]{2,3}_[0-9a-hjkmnp-tv-z]{26}\b/g

export function idsIn(text: string): string[] {
  return text.match(idPattern) ?? []
}

/** Writes the canary into every free text of every operation that takes one. Gives in how many of them it was taken. */
export async function sowCanaries(tenant: Tenant, canary: string): Promise<number> {
  let taken = 0
  for (const operation of catalogue) {
    if (operation.effect === 'read' || operation.effect === 'destroy' || leavesUs.has(operation.id)) continue
    const base = () => inputs[operation.id]?.(tenant.world) ?? {}
    const fields = freeTexts(operation, base())
    if (fields.length === 0) continue
    const texts = Object.fromEntries(
      fields.map((field) => [field, `${canary} ${operation.id} ${field}`.slice(0, 40)]),
    )
    // One field that may not be written so must not keep it from the others.
    const tries = [texts, ...Object.entries(texts).map(([field, text]) => ({ [field]: text }))]
    for (const each of tries) {
      const { code } = await ask(tenant, 'REST', operation, { ...base(), ...each })
      if (code !== undefined) continue
      taken += Object.keys(each).length
      if (each === texts) break
    }
  }
  return taken
}

/** These take text to somewhere else, or take away what is needed. */
const leavesUs = new Set(['set_workspace_member', 'disconnect_load_generator', 'stop_all_bench_results'])

function freeTexts(operation: Operation, base: Record<string, unknown>): string[] {
  return fieldsOf(inputSchemaOf(operation))
    .filter(([name, field]) => isFreeText(field) && !isReference(base[name]) && name !== 'content')
    .map(([name]) => name)
}

function isFreeText({ type, enum: words, pattern, format, description = '' }: JsonSchema): boolean {
  return (
    type === 'string' &&
    words === undefined &&
    pattern === undefined &&
    format === undefined &&
    !/_…\)/.test(description)
  )
}

function isReference(value: unknown): boolean {
  return typeof value === 'string' && /^[a-z]{2,3}_|:\/\//.test(value)
}

/** Calls everything that its owner can call without taking away, and keeps what came. */
export async function harvest(tenant: Tenant, canary: string): Promise<Loot> {
  const loot: Loot = {
    canary,
    ids: new Set(),
    handles: new Set(),
    secrets: new Set(),
    planted: new Set(),
    stored: new Set(),
  }
  const { owner, viewer } = tenant.world
  for (const email of [owner.email, viewer.email]) loot.secrets.add(email)
  for (const id of idsIn(JSON.stringify(tenant.world))) loot.ids.add(id)
  for (const operation of catalogue) {
    if (leavesUs.has(operation.id)) continue
    const input = inputs[operation.id]?.(tenant.world) ?? {}
    const paged = 'limit' in operation.input.shape ? { ...input, limit: 1 } : undefined
    // Over MCP what takes away only asks, and gives a token to confirm with.
    const surface = operation.effect === 'destroy' ? 'MCP' : 'REST'
    if (surface === 'MCP' && !operation.mcp) continue
    for (const each of paged === undefined ? [input] : [input, paged])
      gather(loot, (await ask(tenant, surface, operation, each)).body)
  }
  // Other people's, whom its owner meets in lists of the whole installation.
  loot.ids.delete(tenant.world.outsider.userId)
  return loot
}

function gather(loot: Loot, value: unknown, name = ''): void {
  if (typeof value === 'string') {
    for (const id of idsIn(value)) loot.ids.add(id)
    // Planted, it would be met everywhere.
    if (value.includes(loot.canary)) return
    if (isTheirsAlone(value)) loot.handles.add(value)
    if (/token|secret|password/.test(name) && value.length > 20) loot.secrets.add(value)
    return
  }
  if (typeof value !== 'object' || value === null) return
  for (const [key, each] of Object.entries(value)) gather(loot, each, Array.isArray(value) ? name : key)
}

/** Names that others give to things, too, tell nobody anything. */
function isTheirsAlone(value: string): boolean {
  return (
    value.length < 2_000 && !/\s/.test(value) && (idsIn(value).length > 0 || /[\w-]{24}|@|\d{10}/.test(value))
  )
}
