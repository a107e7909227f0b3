import type { Exchange } from '../recording/exchange.ts'
import type { FoundPlace } from './found-places.ts'
import type { ValueUse } from './find-uses.ts'
import { isTimeNear, randomnessOf } from './randomness.ts'
import type { SentValue } from './sent-values.ts'

export interface Score {
  /** From 0 to 1. */
  confidence: number
  /** In words, what weighed most first. */
  reasons: string[]
}

export interface Evidence {
  sent: SentValue
  place: FoundPlace
  uses: readonly ValueUse[]
  method: Exchange['request']['method']
  startedAt: string
  replayed: readonly (string | null)[]
  failed: boolean
}

const tokenNames =
  /csrf|xsrf|token|nonce|state|session|sid\b|sess|verification|validation|ticket|auth|jwt|secret|signature|hash|saml|relay|challenge|build_?id|flow/i
const idNames = /(?:id|uuid|guid|key|ref|number|no|cursor)s?$/i
/** Parameters by which pages go around caches, and versions of files. */
const bustingNames =
  /^(?:_|v|ver|version|t|ts|time|timestamp|rnd|rand|random|cb|cachebuster|nocache|dc|_dc)$/i
const staticFile = /\.(?:js|mjs|css|png|jpe?g|gif|svg|ico|webp|avif|woff2?|ttf|map|wasm)(?:\?|$)/i

/**
 * How sure it is that a value has to be taken from the answer: how random it is, what it is called, where it came and how it is
 * sent. Replays say more than all that: what changed is dynamic, what never did is not.
 */
export function scoreOf({ sent, place, uses, method, startedAt, replayed, failed }: Evidence): Score {
  const reasons: [weight: number, words: string][] = []
  const { value } = sent
  const useNames = uses.flatMap(({ name }) => (name === null ? [] : [name]))
  const names = [place.name, ...useNames]
  const randomness = randomnessOf(value)
  reasons.push([
    randomness * 0.5,
    randomness > 0.5 ? 'It is as random as tokens are.' : 'It is short or reads like words.',
  ])

  const token = names.find((name) => tokenNames.test(name))
  const id = names.find((name) => idNames.test(name))
  if (token !== undefined) reasons.push([0.3, `${token} is a name of tokens.`])
  else if (id !== undefined) reasons.push([0.2, `${id} is a name of ids.`])
  if (useNames.some((name) => sameName(name, place.name)))
    reasons.push([0.2, `It is sent by the name that it came with, ${place.name}.`])
  if (uses.some(({ slot }) => slot.target === 'header' && slot.name?.toLowerCase() === 'authorization'))
    reasons.push([0.3, 'It is sent as authorization.'])
  reasons.push(...placeReasons(place, method))

  if (uses.every(({ slot }) => staticFile.test(slot.text) && slot.target === 'path'))
    reasons.push([-0.5, 'It is sent in addresses of files only, as versions of files are.'])
  else if (
    uses.every(({ slot, name }) => slot.target === 'query' && name !== null && bustingNames.test(name))
  )
    reasons.push([-0.5, 'It is sent to get around caches.'])
  if (isTimeNear(value, startedAt)) reasons.push([-0.3, 'It is a time.'])

  const seen = replayed.filter((each) => each !== null)
  const recorded = place.decode === null ? value : null
  const isOther = recorded !== null && seen.some((each) => each !== recorded)
  if (isOther || new Set(seen).size > 1) reasons.push([0.6, 'A replay got another value.'])
  else if (seen.length > 0 && recorded !== null) reasons.push([-2, 'Replays got the same value.'])
  if (failed) reasons.push([0.1, 'A replay failed where it is sent.'])

  const sum = reasons.reduce((all, [weight]) => all + weight, 0)
  return {
    confidence: Math.round(Math.max(0, Math.min(1, sum)) * 100) / 100,
    reasons: reasons
      .filter(([weight]) => Math.abs(weight) >= 0.05)
      .toSorted(([a], [b]) => Math.abs(b) - Math.abs(a))
      .map(([, words]) => words),
  }
}

function placeReasons({ kind, name }: FoundPlace, method: string): [number, string][] {
  if (kind === 'hidden_input') return [[0.15, 'It came in a form.']]
  if (kind === 'location') return [[0.15, 'It came with a redirect.']]
  if (kind === 'cookie') return [[0.15, 'It came as a cookie, and is sent elsewhere too.']]
  if (kind === 'json' && method !== 'GET' && idNames.test(name))
    return [[0.35, 'The request before made it.']]
  if (kind === 'meta' || kind === 'header') return [[0.1, `It came in a ${kind}.`]]
  return []
}

function sameName(a: string, b: string): boolean {
  return plainName(a) !== '' && plainName(a) === plainName(b)
}

const plainName = (name: string) => name.toLowerCase().replaceAll(/[^a-z\d]/g, '')
