import { operations, Problem, type InputOf } from '@flamegate/contract'
import { outline, parseDocument, valueAt, walkActions, type VirtualUser } from '@flamegate/loadtest'
import { implement, type CallContext } from '../implement.ts'
import { virtualUserOnWire } from './on-wire.ts'
import { getVirtualUser as reachVirtualUser } from './reaching.ts'

type Input = InputOf<typeof operations.getVirtualUser>

/** What is shown at once, so that it fits a tool result twice, as text and as structure. */
const shownCharactersMax = 16_000

export const getVirtualUser = implement(operations.getVirtualUser)(async (input, context) => {
  const object = await reachVirtualUser(context, input.virtual_user_id)
  const document = parseDocument('virtual_user', object.document)
  const pointer = pointerOf(document, input)
  const shown =
    input.view === 'outline'
      ? shownLines(document, pointer, input.offset, await serverNames(context, object.projectId))
      : shownDocument(document, pointer, input)
  return { virtual_user: virtualUserOnWire(object), pointer, ...shown }
})

/** Of the part that is asked for. */
function pointerOf(document: VirtualUser, { action_id: id, path }: Input): string {
  if (id === undefined) return path ?? ''
  if (path !== undefined)
    throw new Problem('invalid_input', 'Give action_id or path, not both.', {
      errors: [{ field: 'path', message: 'Leave it out.' }],
    })
  for (const { action, pointer } of walkActions(document)) if (action.id === id) return pointer
  throw new Problem('action_not_found', `This virtual user has no action ${id}.`)
}

async function serverNames(
  { caller, deps }: CallContext,
  projectId: string,
): Promise<ReadonlyMap<string, string>> {
  const servers = await deps.stores.designs.listDocuments(caller, projectId, 'http_server')
  return new Map(servers.map(({ id, name }) => [id, name]))
}

function shownLines(
  document: VirtualUser,
  within: string,
  offset: number,
  names: ReadonlyMap<string, string>,
) {
  const all = outline(document, names).filter(
    ({ pointer }) => pointer === within || pointer.startsWith(`${within}/`),
  )
  if (all.length === 0 && within !== '') throw nothingAt(within)
  const depth = all[0]?.depth ?? 1
  const lines: string[] = []
  let characters = 0
  for (const line of all.slice(offset)) {
    const text = `${'  '.repeat(line.depth - depth)}${line.pointer} ${line.id} ${line.text}`
    characters += text.length
    if (characters > shownCharactersMax) break
    lines.push(text)
  }
  const next = offset + lines.length
  const truncated = next < all.length
  return {
    outline: lines,
    document: null,
    truncated,
    narrow: truncated
      ? `These are lines ${offset + 1} to ${next} of ${all.length}. Ask again with offset ${next}, or with action_id for what is in one action.`
      : null,
  }
}

function shownDocument(document: VirtualUser, pointer: string, { fields }: Input) {
  const part = valueAt(document, pointer)
  if (part === undefined) throw nothingAt(pointer)
  const whole = asObject(part)
  const chosen =
    fields === undefined
      ? whole
      : Object.fromEntries(Object.entries(whole).filter(([name]) => fields.includes(name)))
  const { length } = JSON.stringify(chosen)
  if (length <= shownCharactersMax) return { outline: [], document: chosen, truncated: false, narrow: null }
  return {
    outline: [],
    document: null,
    truncated: true,
    narrow: `This JSON has ${length} characters; ${shownCharactersMax} are shown at once. Ask for one action by action_id, for a path further inside, or for some fields of it: ${Object.keys(whole).slice(0, 30).join(', ')}. The outline has the ids and paths. Over REST, GET /v1/virtual-users/{virtual_user_id}/document has it all.`,
  }
}

/** Lists and single values have no names: they are told as `value`. */
function asObject(part: unknown): Record<string, unknown> {
  return typeof part === 'object' && part !== null && !Array.isArray(part)
    ? Object.fromEntries(Object.entries(part))
    : { value: part }
}

function nothingAt(pointer: string): Problem {
  return new Problem('invalid_input', `There is nothing at ${pointer}.`, {
    errors: [{ field: 'path', message: 'Take JSON pointers from the outline, such as /actions/0.' }],
  })
}
