import { allows, catalogue, operations, scopeNames, type Operation, type Scope } from '@flamegate/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  callAndConfirm,
  callRest,
  callTool,
  patiently,
  pointingNowhere,
  type Call,
  type Credential,
} from './calls.ts'
import { inputs } from './inputs.ts'
import { tokenMinter } from './minted-tokens.ts'
import { agentToken, apiToken, invite, platform, signUp, type Person } from './person.ts'
import { createWorld, type World } from './world.ts'

/**
 * Who may call what: every operation of the catalogue, over REST and over MCP, with every kind of credential that
 * must not be enough. A new operation joins by its line in inputs.ts.
 */

let world: World
let mint: (claims: { audience: string; scope: string; expired?: boolean; userId?: string }) => Promise<string>
const tokens = new Map<string, string>()

beforeAll(async () => {
  world = await createWorld()
  const [minted, stranger] = [await tokenMinter(), await signUp('Minter')]
  mint = ({ expired = false, userId = stranger.userId, ...claims }) =>
    minted({ ...claims, userId, livesSeconds: expired ? -700 : 300 })
  for (const scope of scopeNames) {
    if (scope === 'agent') tokens.set(scope, await agentToken(world.owner))
    else if (scope !== 'run') tokens.set(scope, await apiToken(world.owner, [scope]))
  }
})

test('every operation has an input to try it with, and nothing else has', () => {
  expect(Object.keys(inputs).toSorted()).toEqual(catalogue.map((operation) => operation.id).toSorted())
})

const surfaces: {
  name: string
  call: Call
  audience: () => string
  otherAudience: () => string
  includes: (operation: Operation) => boolean
}[] = [
  {
    name: 'REST',
    call: patiently(callRest),
    audience: () => `${platform().url}/v1`,
    otherAudience: () => platform().mcpUrl,
    includes: () => true,
  },
  {
    name: 'MCP',
    call: patiently(callAndConfirm),
    audience: () => platform().mcpUrl,
    otherAudience: () => `${platform().url}/v1`,
    includes: (operation) => operation.mcp,
  },
]

describe.each(surfaces)('$name', ({ name, call, audience, otherAudience, includes }) => {
  // Not for every operation: whoever shows a hundred wrong tokens has to wait.
  test('refuses a token that is none', async () => {
    for (const token of ['nonsense', 'fg_nonsense', 'a.b.c']) {
      const outcome = await call(operations.listRepositories, {}, { token })
      expect(outcome.status).toBe(401)
      expect(outcome.headers.get('www-authenticate')).toMatch(/^Bearer .*resource_metadata="http/)
    }
  })

  describe.each(catalogue.filter(includes).map((operation) => [operation.id, operation] as const))(
    '%s',
    (id, operation) => {
      const input = () => inputs[id]?.(world) ?? {}

      test('refuses a call without a token, with one that expired, or with one for another audience', async () => {
        const scope = scopeNames.join(' ')
        const bad: Credential[] = [
          undefined,
          { token: await mint({ audience: audience(), scope, expired: true }) },
          { token: await mint({ audience: otherAudience(), scope }) },
          { token: await mint({ audience: 'https://elsewhere.example/mcp', scope }) },
        ]
        for (const credential of bad) {
          const outcome = await call(operation, input(), credential)
          expect(outcome.status).toBe(401)
          expect(outcome.headers.get('www-authenticate')).toMatch(/^Bearer .*resource_metadata="http/)
        }
      })

      test('refuses a token without the scope', async () => {
        for (const scope of insufficient(operation)) {
          const minted = await mint({ audience: audience(), scope, userId: world.owner.userId })
          const outcomes = [await call(operation, input(), { token: minted })]
          const token = tokens.get(scope)
          if (token !== undefined) outcomes.push(await call(operation, input(), { token }))
          for (const outcome of outcomes) {
            expect(outcome.code).toBe('insufficient_scope')
            expect(outcome.answer).toBeUndefined()
          }
        }
      })

      if (operation.role !== 'viewer' && operation.id !== 'revoke_connected_app') {
        test('refuses a viewer of the workspace', async () => {
          const outcome = await call(
            operation,
            input(),
            await everything(world.viewer, name, audience(), operation),
          )
          // Of other people's API tokens a viewer does not even know.
          expect(outcome.code).toBe(id === 'revoke_api_token' ? 'token_not_found' : 'insufficient_role')
        })
      }

      test('shows an outsider exactly what it shows of things that do not exist', async () => {
        const credential = await everything(world.outsider, name, audience(), operation)
        const foreign = await call(operation, input(), credential)
        if (foreign.answer !== undefined) {
          // It is about the caller alone: nothing of the other workspace may be in it.
          expect(JSON.stringify(foreign.answer)).not.toMatch(
            new RegExp([world.owner.workspaceId, world.projectId, world.owner.email].join('|')),
          )
          return
        }
        const missing = await call(operation, pointingNowhere(operation, input()), credential)
        expect(foreign.code).toMatch(/_not_found$/)
        expect([foreign.code, withoutIds(foreign.text)]).toEqual([missing.code, withoutIds(missing.text)])
      })

      test('names the field that is wrong', async () => {
        const credential = await everything(world.owner, name, audience(), operation)
        const outcome = await call(operation, { ...input(), surprise: true }, credential)
        expect(outcome.code).toBe('invalid_input')
        if (name === 'MCP') expect(outcome.text).toContain('surprise')
      })
    },
  )
})

describe('REST and MCP give the same answer', () => {
  const reads = catalogue.filter(
    (operation) => operation.mcp && operation.effect === 'read' && operation.scopes[0] === 'read',
  )
  test.each(reads.map((operation) => [operation.id, operation] as const))('%s', async (id, operation) => {
    const token = tokens.get('read') ?? ''
    const input = inputs[id]?.(world) ?? {}
    const [rest, mcp] = [
      await patiently(callRest)(operation, input, { token }),
      await patiently(callTool)(operation, input, { token }),
    ]
    if (rest.answer === undefined) {
      expect(mcp.code).toBe(rest.code)
      return
    }
    // Over MCP a report is the text, and nothing besides.
    const { [operation.reportField ?? '']: report = '', ...structure } = rest.answer
    expect(stable(mcp.answer)).toEqual(stable(structure))
    expect(mcp.text).toContain(report)
    expect(mcp.text.length).toBeLessThan(60_000)
    expect(mcp.text).toContain(String(rest.answer['url']))
  })
})

test('a person who is logged in gets no secrets that agents get', async () => {
  const { code } = await callRest(
    catalogueOperation('get_shard_plan'),
    { shard_id: world.shardId },
    { cookie: world.owner.cookie },
  )
  expect(code).toBe('insufficient_scope')
})

test('a member who is removed is outside with the next call', async () => {
  const member = await invite(world.owner, 'member', 'Leaver')
  const operation = catalogue.find((each) => each.id === 'list_projects')
  if (operation === undefined) throw new Error('no list_projects')
  const input = { workspace_id: world.owner.workspaceId }
  expect((await callRest(operation, input, { cookie: member.cookie })).status).toBe(200)
  await world.owner.client.call(catalogueOperation('set_workspace_member'), {
    ...input,
    email: member.email,
    role: 'none',
  })
  expect((await callRest(operation, input, { cookie: member.cookie })).code).toBe('workspace_not_found')
})

function catalogueOperation(id: string): Operation {
  const operation = catalogue.find((each) => each.id === id)
  if (operation === undefined) throw new Error(`no ${id}`)
  return operation
}

/** Scopes of which each alone is not enough. */
function insufficient(operation: Operation): Scope[] {
  return scopeNames.filter((scope) => !allows([scope], operation.scopes))
}

/** All scopes of a person on that surface: what is refused then is refused for who they are. */
async function everything(
  person: Person,
  surface: string,
  audience: string,
  { scopes }: Operation,
): Promise<Credential> {
  // What agents of load may, no session may.
  if (surface === 'REST' && !scopes.includes('agent')) return { cookie: person.cookie }
  return { token: await mint({ audience, scope: scopeNames.join(' '), userId: person.userId }) }
}

function withoutIds(text: string): string {
  return text.replaceAll(/\b(?:usr|ws|prj|run|ben|prf|fil|tsk|tok|app)_\w+/g, '<id>')
}

/** An answer without what differs from call to call: signatures, times of use and expiry, the credential itself. */
function stable(answer: Record<string, unknown> | undefined): unknown {
  return JSON.parse(
    JSON.stringify(answer)
      // A delivery to nobody may be given up between two calls.
      .replaceAll(/"failing_since":(?:"[^"]*"|null)/g, '"since":0')
      .replaceAll(/"(?:expires_at|last_used_at)":(?:"[^"]*"|null)/g, '"t":0')
      .replaceAll(/"(?:remaining|resets_in_seconds|age_seconds)":[\d.]+/g, '"left":0')
      .replaceAll(/https?:[^"]*\/v1\/objects[^"']*/g, 'link'),
  )
}
