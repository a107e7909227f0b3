import { gzipSync } from 'node:zlib'
import { catalogue, inputSchemaOf, type Operation } from '@flamegate/contract'
import { jsonMutations } from '../fuzzing/json-mutations.ts'
import { byteMutations } from '../fuzzing/byte-mutations.ts'
import { seedOf, Random } from '../fuzzing/random.ts'
import { strangeHeaders } from './strange-headers.ts'
import { strayRequest } from './stray-requests.ts'
import { allowedValue, anyField, boundaryValue, isRecord, type Ids } from './schema-values.ts'
import { pollutedKey, pollution, strangeKey, strangeText, strangeValue } from './strange-values.ts'
import { putKey, Verbatim, writtenJson } from './written-json.ts'

/** What is done to an otherwise good request. */
export type Kind =
  | 'as the schema says'
  | 'at a boundary'
  | 'of another type'
  | 'strange text'
  | 'other keys'
  | 'changed document'
  | 'broken body'
  | 'strange headers'
  | 'elsewhere'

/** One request, made of nothing but the seed, its number and what there is in the world. */
export interface FuzzRequest {
  number: number
  kind: Kind
  surface: 'REST' | 'tool over REST' | 'MCP'
  /** Undefined for what is no operation. */
  operation: string | undefined
  method: string
  target: string
  headers: Record<string, string | string[]>
  body: Buffer | undefined
}

/** What requests are made from. */
export interface Material {
  ids: Ids
  /** Inputs that work in the world, by operation. */
  inputs: ReadonlyMap<string, Record<string, unknown>>
  /** Of listings that have a second page, by operation: for the input in `inputs`. */
  cursors: ReadonlyMap<string, string>
  tokens: { rest: string; mcp: string; administrator: string }
  /** Of somebody whom nobody else needs, for what administrators of the installation do to people and workspaces. */
  spareIds: Ids
  only: readonly string[] | undefined
}

/** How often each is sent, of all of them together. */
const shares: Record<Kind, number> = {
  'as the schema says': 3,
  'at a boundary': 5,
  'of another type': 4,
  'strange text': 4,
  'other keys': 2,
  'changed document': 3,
  'broken body': 2,
  'strange headers': 2,
  elsewhere: 1,
}
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its keys are all kinds
const kinds = (Object.keys(shares) as Kind[]).flatMap((kind) =>
  Array.from({ length: shares[kind] }, () => kind),
)

/** Of operations that leave work to do after their answer, which costs more than all of the answer, so many are left out. */
const leftOutOfWork = 0.65

/** Good inputs that take away what others need are seldom sent as they are. */
const destroyedShare = 0.02

export function makeRequest(seed: number, number: number, material: Material): FuzzRequest {
  const random = new Random(seedOf(`${seed} ${number}`))
  const kind = random.pick(kinds)
  if (kind === 'elsewhere') {
    const stray = strayRequest(random, material.ids)
    const surface = stray.target.startsWith('/mcp') ? 'MCP' : 'REST'
    const authorization = `Bearer ${surface === 'MCP' ? material.tokens.mcp : material.tokens.rest}`
    return {
      number,
      kind,
      surface,
      operation: undefined,
      ...stray,
      headers: { authorization, ...stray.headers },
    }
  }
  const operation = anyOperation(random, material.only)
  const input = changedInput(kind, operation, random, material)
  const sent = sentOver(operation, input, random, material)
  if (kind === 'changed document') sent.body = changedBody(sent.body, random, operation)
  if (kind === 'broken body')
    for (let times = 1 + random.below(2); times > 0; times -= 1) breakBody(sent, random)
  if (kind === 'strange headers') Object.assign(sent.headers, strangeHeaders(random))
  return { number, kind, operation: operation.id, ...sent }
}

function anyOperation(random: Random, only: readonly string[] | undefined): Operation {
  if (only !== undefined) return random.pick(catalogue.filter(({ id }) => only.includes(id)))
  const operation = random.pick(catalogue)
  return operation.http.status === 202 && random.share() < leftOutOfWork ? random.pick(catalogue) : operation
}

function changedInput(
  kind: Kind,
  operation: Operation,
  random: Random,
  material: Material,
): Record<string, unknown> {
  const schema = inputSchemaOf(operation)
  const cursor = material.cursors.get(operation.id)
  if (cursor !== undefined && kind === 'strange text' && random.below(2) === 0)
    return { ...material.inputs.get(operation.id), cursor: changedCursor(cursor, random) }
  const input = goodInput(operation, random, material)
  const isHarmless = operation.effect !== 'destroy' || random.share() < destroyedShare
  if (!isHarmless) pointElsewhere(input)
  for (let times = 1 + random.mostlySmall(3); times > 0; times -= 1) {
    const place = anyField(schema, input, random, idsFor(operation, material))
    if (place === undefined) break
    const put = (value: unknown) => putKey(place.container, place.key, value)
    if (kind === 'at a boundary') put(boundaryValue(place.schema, random, idsFor(operation, material)))
    if (kind === 'of another type') put(strangeValue(random))
    if (kind === 'strange text') put(strangeText(random))
    if (kind === 'other keys') changeKeys(place.container, place.key, random)
  }
  // So that nobody waits for what does not come.
  if (typeof input['wait_seconds'] === 'number' && input['wait_seconds'] > 0 && random.below(50) > 0)
    input['wait_seconds'] = 0
  return input
}

/** One of the right listing, with a place in it that is none. */
function changedCursor(cursor: string, random: Random): string {
  const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  if (!Array.isArray(parts)) throw new TypeError('A cursor is a list')
  parts[1 + random.below(2)] =
    random.below(2) === 0 ? strangeText(random) : random.pick(['', '0', '2026', 'x', 1])
  return Buffer.from(JSON.stringify(parts)).toString('base64url')
}

/** Of the world, of the operation's examples, or of its schema. */
function goodInput(operation: Operation, random: Random, material: Material): Record<string, unknown> {
  const schema = inputSchemaOf(operation)
  const { inputs } = material
  const made = allowedValue(schema, random, idsFor(operation, material))
  const generated = isRecord(made) ? made : {}
  const ofWorld = inputs.get(operation.id) ?? {}
  const example = structuredClone(random.pick(operation.examples).input)
  switch (random.below(4)) {
    case 0:
      return generated
    case 1:
      return { ...example, ...structuredClone(ofWorld) }
    case 2:
      return { ...generated, ...structuredClone(ofWorld) }
    default:
      return structuredClone(ofWorld)
  }
}

function idsFor(operation: Operation, { ids, spareIds }: Material): Ids {
  return isForAdministrator(operation) ? spareIds : ids
}

/** What administrators may do, but for what would change the installation for everybody, such as its flags. */
export function isForAdministrator({ http, effect, input }: Operation): boolean {
  const isAboutOne = ['user_id', 'workspace_id', 'plan_id'].some((field) => field in input.shape)
  return http.path.startsWith('/v1/admin/') && (effect === 'read' || isAboutOne)
}

function pointElsewhere(input: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(input))
    if (typeof value === 'string' && /^[a-z]{2,3}_[0-9a-z]{26}$/.test(value))
      input[name] = value.replace(/_.*/, '_00000000000000000000000000')
}

const manyKeys = [1, 1, 10, 10, 100, 100, 1_000, 20_000].map((count) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index])),
)

function changeKeys(container: object, key: string | number, random: Random): void {
  switch (random.below(5)) {
    case 0:
      Reflect.deleteProperty(container, key)
      return
    case 1:
      putKey(container, strangeKey(random), strangeValue(random))
      return
    case 2:
      putKey(container, '__proto__', { [pollutedKey]: 1 })
      return
    case 3:
      putKey(container, key, pollution(random))
      return
    default:
      Object.assign(container, random.pick(manyKeys))
  }
}

type Sent = Pick<FuzzRequest, 'surface' | 'method' | 'target' | 'headers' | 'body'>

const json = { 'content-type': 'application/json' }

function sentOver(
  operation: Operation,
  input: Record<string, unknown>,
  random: Random,
  { tokens }: Material,
): Sent {
  const rest = {
    authorization: `Bearer ${isForAdministrator(operation) ? tokens.administrator : tokens.rest}`,
  }
  const way = operation.mcp ? random.below(5) : 0
  if (way < 2) return restRequest(operation, input, rest)
  if (way === 2)
    return {
      surface: 'tool over REST',
      method: 'POST',
      target: `/v1/tools/${operation.id}`,
      headers: { ...rest, ...json },
      body: bytesOf(writtenJson(input)),
    }
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: operation.id, arguments: input },
  }
  return {
    surface: 'MCP',
    method: 'POST',
    target: random.pick(['/mcp/x/all', '/mcp/x/all', '/mcp', '/mcp/compact']),
    headers: {
      authorization: `Bearer ${tokens.mcp}`,
      ...json,
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    },
    body: bytesOf(writtenJson(message)),
  }
}

/** As clients of REST spread an input, but for values that no client would send. */
function restRequest(
  { http, pathParameters }: Operation,
  input: Record<string, unknown>,
  headers: Record<string, string>,
): Sent {
  const rest = { ...input }
  for (const name of pathParameters) Reflect.deleteProperty(rest, name)
  const path = http.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => percent(plainText(input[name])))
  const isInBody = http.method !== 'GET' && http.method !== 'DELETE'
  const query = Object.entries(rest).flatMap(([name, value]) =>
    // Not `map`, which asks a list for its constructor.
    Array.from(
      Array.isArray(value) ? value : [value],
      (each: unknown) => `${percent(name)}=${percent(plainText(each))}`,
    ),
  )
  return {
    surface: 'REST',
    method: http.method,
    target: isInBody || query.length === 0 ? path : `${path}?${query.join('&')}`,
    headers: isInBody ? { ...headers, ...json } : headers,
    body: isInBody ? bytesOf(writtenJson(rest)) : undefined,
  }
}

function plainText(value: unknown): string {
  if (value instanceof Verbatim) return value.text
  return typeof value === 'string' ? value : writtenJson(value)
}

/** With lone surrogates as bytes that are no UTF-8. */
function percent(text: string): string {
  return text.isWellFormed()
    ? encodeURIComponent(text)
    : Array.from(text, (letter) => (letter.isWellFormed() ? encodeURIComponent(letter) : '%ED%A0%80')).join(
        '',
      )
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text)
}

/** Numbers, ids and parts of the JSON exchanged, as its own values and as absurd ones. */
function changedBody(body: Buffer | undefined, random: Random, { id }: Operation): Buffer | undefined {
  if (body === undefined) return undefined
  const material = { other: body, words: [id, 'actions', 'type', 'path', 'op', 'value', 'id', 'name'] }
  let changed: Uint8Array = body
  for (let times = 1 + random.mostlySmall(3); times > 0; times -= 1)
    changed = random.pick(jsonMutations)(changed, random, material) ?? changed
  return Buffer.from(changed)
}

/** Little that is much when it is unpacked. */
const bombs = [1_000, 3_000_000, 20_000_000].map((sizeBytes) => gzipSync(Buffer.alloc(sizeBytes, 0x20)))

/** No JSON any more, no UTF-8, or not what the headers say. */
function breakBody(sent: Sent, random: Random): void {
  const body = sent.body ?? Buffer.from('{}')
  switch (random.below(8)) {
    case 0:
      sent.body = Buffer.from(
        random.pick([
          '',
          'null',
          '[]',
          '1',
          '"x"',
          '{',
          '{"a":',
          '{"a":1,}',
          "{'a':1}",
          'NaN',
          '\u0000',
          '[{}]',
        ]),
      )
      return
    case 1:
      sent.body = body.subarray(0, random.below(body.length))
      return
    case 2:
      sent.body = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body])
      return
    case 3:
      sent.body = Buffer.from(body.toString(), 'utf16le')
      return
    case 4:
      sent.headers['content-type'] = random.pick([
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'application/json; charset=utf-16',
        'application/json-patch+json',
        'application/octet-stream',
        'x',
        '',
        'application/json,application/json',
      ])
      return
    case 5:
      sent.headers['content-encoding'] = random.pick([
        'gzip',
        'br',
        'deflate',
        'zstd',
        'identity',
        'x',
        'gzip, gzip',
      ])
      if (random.below(2) === 0) sent.body = gzipSync(body)
      return
    case 6:
      sent.headers['content-encoding'] = 'gzip'
      sent.body = random.pick(bombs)
      return
    default:
      sent.body = Buffer.from(
        random.pick(byteMutations)(body, random, { other: body, words: ['{', '"', ','] }) ?? body,
      )
  }
}
