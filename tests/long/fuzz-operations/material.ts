import { catalogue, scopeNames } from '@flamegate/contract'
import { callRest } from '../../system/calls.ts'
import { inputs } from '../../system/inputs.ts'
import { tokenMinter } from '../../system/minted-tokens.ts'
import { logIn, platform, signUp, type Person } from '../../system/person.ts'
import { createWorld, type World } from '../../system/world.ts'
import { isForAdministrator, type Material } from './make-request.ts'

/** Access tokens live a few minutes only. */
const renewedEveryMs = 120_000

export interface LastingMaterial extends Material {
  /** To be waited for before each request: makes new tokens when it is time. */
  renew(): Promise<void>
}

/** One of everything, fresh: what there was before may have been deleted by the requests. */
export async function makeMaterial(only: readonly string[] | undefined): Promise<LastingMaterial> {
  const world = await createWorld()
  const spare = await signUp('Spare')
  const { demo } = platform()
  const administrator = await logIn(demo.email, demo.password)
  const mint = await tokenMinter()
  const scope = scopeNames.join(' ')
  const { userId } = world.owner
  const tokens = { rest: '', mcp: '', administrator: '' }
  let mintedAt = 0
  const renew = async () => {
    if (Date.now() - mintedAt < renewedEveryMs) return
    mintedAt = Date.now()
    tokens.rest = await mint({ userId, scope, audience: `${platform().url}/v1` })
    tokens.mcp = await mint({ userId, scope, audience: platform().mcpUrl })
    tokens.administrator = await mint({
      userId: administrator.userId,
      scope,
      audience: `${platform().url}/v1`,
    })
  }
  await renew()
  const ofSpare = { ...world, owner: spare }
  const inputsHere = new Map(
    catalogue.map((operation) => {
      const used = isForAdministrator(operation) ? ofSpare : world
      return [operation.id, inputs[operation.id]?.(used) ?? {}]
    }),
  )
  const cursors = new Map<string, string>()
  for (const operation of catalogue) {
    if (!('cursor' in operation.input.shape) || operation.effect !== 'read') continue
    const input = { ...inputsHere.get(operation.id), limit: 1 }
    const token = isForAdministrator(operation) ? tokens.administrator : tokens.rest
    const { answer } = await callRest(operation, input, { token })
    const cursor = answer?.['next_cursor']
    if (typeof cursor === 'string') cursors.set(operation.id, cursor)
  }
  return {
    ids: idsIn(world),
    spareIds: idsIn(spare),
    inputs: inputsHere,
    cursors,
    tokens,
    renew,
    only,
  }
}

function idsIn(known: World | Person): Map<string, string[]> {
  const ids = new Map<string, string[]>()
  for (const [id, prefix] of JSON.stringify(known)
    .matchAll(/\b(?<id>(?<prefix>[a-z]{2,3})_[0-9a-z]{26})\b/g)
    .map(({ groups = {} }) => [groups['id'] ?? '', groups['prefix'] ?? ''] as const)) {
    const others = ids.get(prefix) ?? []
    if (!others.includes(id)) ids.set(prefix, [...others, id])
  }
  return ids
}
