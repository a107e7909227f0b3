import { randomInt } from 'node:crypto'
import { catalogue, fieldsOf, inputSchemaOf, type Operation } from '@flamegate/contract'
import type { Random } from '../../long/fuzzing/random.ts'
import { inputs } from '../inputs.ts'
import type { World } from '../world.ts'
import { idsIn, type Loot } from './loot.ts'
import type { Surface } from './tenant.ts'

type Input = Record<string, unknown>

/** A call with something of the other's in it, and the same call with something that nobody has in its place. */
export interface Attack {
  operation: Operation
  surface: Surface
  foreign: Input
  /** Another one each time. */
  missing: () => Input
}

/** Every operation with every id of its inputs exchanged for the other's: each alone, and all together. */
export function systematicAttacks(own: World, others: World): Attack[] {
  const foreignOf = counterparts(own, others)
  return catalogue.flatMap((operation) => {
    const base = () => moreOf(operation, own)
    const places = placesOf(base(), (text) => foreignOf.has(text))
    // What takes away one's own is not to be called with it.
    const alone = operation.effect === 'destroy' ? [] : places.map((place) => [place])
    const choices = places.length > 1 || alone.length === 0 ? [...alone, places] : alone
    const absent = absentFields(operation, base(), others)
    return [
      ...choices.flatMap((chosen) =>
        pair(
          operation,
          changed(base(), chosen, (text) => foreignOf.get(text) ?? text),
          () => changed(base(), chosen, nobodys),
        ),
      ),
      ...absent.flatMap(([name, id]) =>
        pair(operation, { ...base(), [name]: id }, () => ({ ...base(), [name]: nobodys(id) })),
      ),
    ]
  })
}

/** Anything of the other's anywhere. Undefined when the operation has no place for it. */
export function randomAttack(random: Random, own: World, loot: Loot): Attack | undefined {
  const operation = random.pick(catalogue)
  const base = moreOf(operation, own)
  const places = placesOf(base, () => true)
  const absent = fieldsOf(inputSchemaOf(operation))
    .filter(([name, { type, enum: words }]) => type === 'string' && words === undefined && !(name in base))
    .map(([name]) => [name])
  const place = [...places, ...absent][random.below(places.length + absent.length)]
  const things = [...(random.below(3) > 0 ? loot.ids : loot.handles)]
  const thing = things[random.below(things.length)]
  if (place === undefined || thing === undefined) return undefined
  if (operation.effect === 'destroy' && places.length > 1) return undefined
  const [attack] = pair(
    operation,
    changed(moreOf(operation, own), [place], () => thing),
    () => changed(moreOf(operation, own), [place], () => nobodys(thing)),
    random.below(2) === 0 ? 'REST' : 'MCP',
  )
  return attack
}

function pair(operation: Operation, foreign: Input, missing: () => Input, only?: Surface): Attack[] {
  const surfaces: Surface[] = operation.mcp ? ['REST', 'MCP'] : ['REST']
  const chosen = only !== undefined && surfaces.includes(only) ? [only] : surfaces
  return chosen.map((surface) => ({ operation, surface, foreign, missing }))
}

/** Inputs that refer to things inside of documents, besides the plain ones. */
const documents: Record<string, (world: World) => Input> = {
  create_scenario: (world) => ({
    project_id: world.projectId,
    name: `Isolation ${Math.random()}`,
    document: {
      profiles: [
        {
          id: 'p1',
          name: 'p1',
          virtual_user_id: world.virtualUserId,
          load: { type: 'ramp_up', users: 1, plateau_ms: 1000 },
        },
      ],
      sla_profile_ids: [world.slaProfileId],
    },
  }),
  create_virtual_user: (world) => ({
    project_id: world.projectId,
    name: `Isolation ${Math.random()}`,
    document: {
      actions: [
        { type: 'http_request', id: 'act_1', method: 'GET', server_id: world.httpServerId, path: '/' },
        { type: 'fragment', id: 'act_2', virtual_user_id: world.virtualUserId },
      ],
    },
  }),
  patch_scenario: (world) => ({
    scenario_id: world.scenarioId,
    patch: [{ op: 'replace', path: '/profiles/0/virtual_user_id', value: world.virtualUserId }],
    dry_run: true,
  }),
  patch_virtual_user: (world) => ({
    virtual_user_id: world.virtualUserId,
    patch: [{ op: 'replace', path: '/actions/0/server_id', value: world.httpServerId }],
    dry_run: true,
  }),
}

function moreOf(operation: Operation, world: World): Input {
  return documents[operation.id]?.(world) ?? inputs[operation.id]?.(world) ?? {}
}

/** Fields for ids that the input does not have, with an id of the other's. */
function absentFields(operation: Operation, base: Input, others: World): [name: string, id: string][] {
  const known = idsIn(JSON.stringify(others))
  return fieldsOf(inputSchemaOf(operation)).flatMap(([name, { description = '', type }]) => {
    const prefix = /\((?<prefix>[a-z]+)_…\)/.exec(description)?.groups?.['prefix']
    const id = known.find((each) => each.startsWith(`${prefix}_`))
    return name in base || type !== 'string' || id === undefined
      ? []
      : [[name, id] satisfies [string, string]]
  })
}

/** Which id of the other world stands where which of one's own does. */
function counterparts(own: unknown, others: unknown, found = new Map<string, string>()): Map<string, string> {
  if (typeof own === 'string' && typeof others === 'string') {
    if (idsIn(own).includes(own) && idsIn(others).includes(others)) found.set(own, others)
  } else if (typeof own === 'object' && own !== null)
    for (const [name, value] of Object.entries(own))
      counterparts(value, Reflect.get(Object(others), name), found)
  return found
}

type Path = readonly (string | number)[]

/** Where in an input there are texts of a kind. */
function placesOf(value: unknown, isMeant: (text: string) => boolean, path: Path = []): Path[] {
  if (typeof value === 'string') return isMeant(value) ? [path] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, each]) => placesOf(each, isMeant, [...path, name]))
}

function changed(input: Input, places: readonly Path[], change: (text: string) => string): Input {
  const copy = structuredClone(input)
  for (const path of places) {
    const container = path.slice(0, -1).reduce<object>((at, name) => Object(Reflect.get(at, name)), copy)
    const name = path.at(-1) ?? ''
    Reflect.set(container, name, change(String(Reflect.get(container, name) ?? '')))
  }
  return copy
}

/**
 * The same as far as form goes, and nobody's, another each time: ids with other digits, texts with other letters. Of addresses the words
 * stay that all of their kind have: a search may know them.
 */
export function nobodys(text: string): string {
  const ids = idsIn(text)
  if (ids.length > 0)
    return ids.reduce(
      (rest, id) => rest.replaceAll(id, `${id.slice(0, id.indexOf('_'))}_${digits(26)}`),
      text,
    )
  const {
    start = '',
    secret = text,
    end = '',
  } = /^(?<start>https?:\/\/.*\/)(?<secret>[^.]*)(?<end>.*)$/.exec(text)?.groups ?? {}
  const nobodysSecret = secret.replaceAll(/[a-z]/gi, (letter) => {
    const other = alphabet.charAt(10 + randomInt(alphabet.length - 10))
    return letter === letter.toLowerCase() ? other : other.toUpperCase()
  })
  return start + nobodysSecret + end
}

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

function digits(count: number): string {
  // As if it had been made a while ago.
  const bytes = crypto.getRandomValues(new Uint8Array(count - 2))
  return `01${[...bytes].map((byte) => alphabet.charAt(byte & 31)).join('')}`
}
