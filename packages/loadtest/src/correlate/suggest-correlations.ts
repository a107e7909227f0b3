import { variablesSetBy } from '../outline/action-variables.ts'
import type { VirtualUser } from '../model/virtual-user.ts'
import type { Exchange } from '../recording/exchange.ts'
import type { Encoding } from './encodings.ts'
import { findPlaces, type FoundPlace, placeQuality, type PlaceKind } from './found-places.ts'
import { findUses, type ValueUse } from './find-uses.ts'
import { hash } from './hash.ts'
import { ownedExchanges, type RecordedExchanges } from './recorded-exchanges.ts'
import { find, type Finder, setCookies } from './run-extractor.ts'
import { type Score, scoreOf } from './score.ts'
import { type SentValue, sentValues } from './sent-values.ts'
import { textSlots, type InjectionTarget } from './text-slots.ts'
import { freeVariableName, variableNameOf } from './variable-names.ts'

/** What a validation saw of an action: whether it failed, and what was answered at last. */
export interface ReplayedAction {
  outcome: 'passed' | 'failed' | 'skipped'
  /** Null where there was none. */
  exchange: Exchange | null
}

/** A validation of the same virtual user; asked for the actions that matter only. */
export interface Replay {
  action: (actionId: string) => Promise<ReplayedAction | undefined> | ReplayedAction | undefined
}

/** A value that the server gave and that is sent later, with what would send the one that it gives now. */
export interface CorrelationSuggestion {
  /** The same for the same value at the same place of the recording. */
  id: string
  /** From 0 to 1. */
  confidence: number
  /** What speaks for it and against it. */
  reasons: string[]
  variable: string
  /** As recorded. */
  value: string
  source: {
    /** Place in the recording. */
    exchange: number
    actionId: string
    actionName: string
    kind: PlaceKind
    name: string
    /** The text around the value. */
    snippet: string
  }
  /** Finds exactly the value in the recorded answer. */
  finder: Finder
  /** How what is found has to be read; null: as it is. */
  decode: Encoding | null
  uses: SuggestedUse[]
  /** What the finder takes of each replay's answer; null where it finds nothing, or the action did not run. */
  replayed: (string | null)[]
}

export interface SuggestedUse {
  actionId: string
  actionName: string
  target: InjectionTarget
  name: string | null
  /** JSON pointer of the text. */
  pointer: string
  encoding: Encoding | null
  snippet: string
}

/** A cookie that the server set and that the client sends back by itself: nothing is to be done. */
export interface KeptCookie {
  name: string
  /** Place of the first answer that set it. */
  exchange: number
  /** How many recorded requests sent it. */
  uses: number
}

export interface Suggestions {
  /** The surest first. */
  suggestions: CorrelationSuggestion[]
  cookies: KeptCookie[]
}

/** Below this, a value is not suggested. */
const confidenceMin = 0.4

/**
 * Finds the values that came in an answer of the recording and are sent later. Values that were sent before they came were made
 * by the client or typed by a person, and are none; nor is what stayed the same in the recording and all replays. Names of
 * variables that are taken outside of the document can be told.
 */
export async function suggestCorrelations(
  document: VirtualUser,
  recording: RecordedExchanges,
  replays: readonly Replay[] = [],
  taken: Iterable<string> = [],
): Promise<Suggestions> {
  const slots = textSlots(document)
  const { candidates, cookies } = await findCandidates(document, recording, sentValues(slots))
  const names = new Set([...variablesSetBy(document), ...taken])
  const suggestions: CorrelationSuggestion[] = []
  for (const candidate of candidates.toSorted((a, b) => a.order - b.order)) {
    const { sent, place, order } = candidate
    const uses = findUses(slots, sent.value, { after: order, ownNames: [place.name.toLowerCase()] })
    if (uses.length === 0) continue
    const replayed = await replayedValues(candidate, replays)
    const failed = await haveFailed(uses, replays)
    const score = scoreOf({ ...candidate, uses, replayed, failed })
    if (score.confidence < confidenceMin) continue
    const telling = uses.find((use) => use.name !== null && use.slot.target !== 'header') ?? uses[0]
    const variable = freeVariableName(variableNameOf(place.name, telling?.name ?? null), names)
    names.add(variable)
    suggestions.push(suggestionOf(candidate, uses, replayed, score, variable))
  }
  return { suggestions: suggestions.toSorted((a, b) => b.confidence - a.confidence), cookies }
}

/** A value with the best place at which it came before it was sent. */
export interface Candidate {
  sent: SentValue
  place: FoundPlace
  index: number
  order: number
  actionId: string
  actionName: string
  /** Of the request that was answered with it. */
  method: string
  startedAt: string
}

async function findCandidates(
  document: VirtualUser,
  recording: RecordedExchanges,
  values: ReadonlyMap<string, SentValue>,
): Promise<{ candidates: Candidate[]; cookies: KeptCookie[] }> {
  const wanted = Map.groupBy(values.values(), ({ anchor }) => anchor)
  const best = new Map<SentValue, Candidate>()
  const cookies = new Map<string, KeptCookie>()
  for await (const { index, exchange, action, order, isSeen, isRedirected } of ownedExchanges(
    document,
    recording,
  )) {
    countCookies(cookies, exchange, index)
    // Of a redirect that is followed, extractors see nothing but where it led.
    if (!isSeen) continue
    for (const [sent, place] of findPlaces(exchange, wanted, { withUrl: isRedirected })) {
      const known = best.get(sent)
      // Once it was sent, an answer that has it may be an echo.
      if (order >= sent.firstOrder) continue
      // Of equally good places the last before it is sent: that is the page which the person saw.
      if (known !== undefined && placeQuality[known.place.kind] > placeQuality[place.kind]) continue
      best.set(sent, {
        sent,
        place,
        index,
        order,
        actionId: action.id,
        actionName: action.name,
        method: exchange.request.method,
        startedAt: exchange.startedAt,
      })
    }
  }
  return { candidates: withoutParts([...best.values()]), cookies: [...cookies.values()] }
}

/** Of values at one place of an answer the longest: a part of it is sent where it is sent. */
function withoutParts(candidates: Candidate[]): Candidate[] {
  const byPlace = Map.groupBy(candidates, ({ index, place }) => `${index} ${JSON.stringify(place.finder)}`)
  return [...byPlace.values()].flatMap((same) =>
    same.toSorted((a, b) => b.sent.value.length - a.sent.value.length).slice(0, 1),
  )
}

function countCookies(cookies: Map<string, KeptCookie>, exchange: Exchange, index: number): void {
  for (const { name, value } of exchange.request.headers) {
    if (name.toLowerCase() !== 'cookie') continue
    for (const pair of value.split(';')) {
      const known = cookies.get(pair.slice(0, pair.indexOf('=')).trim())
      if (known !== undefined) known.uses++
    }
  }
  for (const { name } of setCookies(exchange))
    if (!cookies.has(name)) cookies.set(name, { name, exchange: index, uses: 0 })
}

async function replayedValues(
  { actionId, place }: Candidate,
  replays: readonly Replay[],
): Promise<(string | null)[]> {
  const values: (string | null)[] = []
  for (const replay of replays) {
    const replayed = await replay.action(actionId)
    values.push((replayed?.exchange ? find(place.finder, replayed.exchange) : undefined) ?? null)
  }
  return values
}

/** Whether one of the actions that send a value failed in a replay. */
async function haveFailed(uses: readonly ValueUse[], replays: readonly Replay[]): Promise<boolean> {
  const ids = new Set(uses.map(({ slot }) => slot.action.id))
  for (const replay of replays)
    for (const id of ids) if ((await replay.action(id))?.outcome === 'failed') return true
  return false
}

function suggestionOf(
  { sent, place, index, actionId, actionName }: Candidate,
  uses: readonly ValueUse[],
  replayed: (string | null)[],
  { confidence, reasons }: Score,
  variable: string,
): CorrelationSuggestion {
  const { kind, name, snippet, finder, decode } = place
  return {
    id: `cor_${hash(`${index} ${JSON.stringify(finder)} ${sent.value}`)}`,
    confidence,
    reasons,
    variable,
    value: sent.value,
    source: { exchange: index, actionId, actionName, kind, name, snippet },
    finder,
    decode,
    uses: uses.map(({ slot, start, end, encoding, name: useName }) => ({
      actionId: slot.action.id,
      actionName: slot.action.name,
      target: slot.target,
      name: useName,
      pointer: slot.pointer,
      encoding,
      snippet: snippetOf(slot.text, start, end),
    })),
    replayed,
  }
}

function snippetOf(text: string, start: number, end: number): string {
  const from = Math.max(0, start - 40)
  const snippet = text.slice(from, Math.min(end + 20, from + 200))
  return `${from > 0 ? '…' : ''}${snippet}${from + snippet.length < text.length ? '…' : ''}`
}
