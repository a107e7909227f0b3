import { literal } from '../model/template.ts'
import { literalStretches } from '../model/template-text.ts'
import { type Encoding, formsOf, sentEncodings } from './encodings.ts'
import type { InjectionTarget, TextSlot } from './text-slots.ts'

/** A place at which a request sends a value. */
export interface ValueUse {
  slot: TextSlot
  /** In the text of the slot. */
  start: number
  end: number
  encoding: Encoding | null
  /** Of the parameter, header, field, or member of JSON; before it in a path. */
  name: string | null
}

export interface UseLimits {
  targets?: readonly InjectionTarget[]
  /** Only as the value of a parameter, header or field of this name. */
  name?: string | null
  /** Only behind this action: nothing is sent before it came. */
  after: number
  /** For short values: only where they are the whole of a path segment or of a value, with one of these names or one like an id. */
  ownNames?: readonly string[]
}

/** Shorter values are found everywhere by chance. */
const shortMax = 5

/** All places at which requests send a value, in any of its forms, and never inside of a longer word. */
export function findUses(slots: readonly TextSlot[], value: string, limits: UseLimits): ValueUse[] {
  const forms = formsOf(literal(value), sentEncodings)
  const uses: ValueUse[] = []
  for (const slot of slots) {
    if (slot.order <= limits.after || limits.targets?.includes(slot.target) === false) continue
    if (!forms.some(({ text }) => slot.text.includes(text))) continue
    for (const { text, start } of literalStretches(slot.text))
      uses.push(...usesIn(slot, text, start, forms).filter((use) => isWithin(use, value, limits)))
  }
  return uses
}

type Form = ReturnType<typeof formsOf>[number]

function usesIn(slot: TextSlot, stretch: string, offset: number, forms: readonly Form[]): ValueUse[] {
  const uses: ValueUse[] = []
  for (const { text, encoding } of forms) {
    // Encoded short values are not to be told from chance.
    if (encoding === 'base64' && text.length < 12) continue
    for (let start = stretch.indexOf(text); start >= 0; start = stretch.indexOf(text, start + text.length)) {
      const end = start + text.length
      if (!isWholeWord(stretch, start, end)) continue
      if (uses.some((use) => start + offset < use.end && use.start < end + offset)) continue
      uses.push({
        slot,
        start: start + offset,
        end: end + offset,
        encoding,
        name: nameBefore(slot, start + offset),
      })
    }
  }
  return uses.toSorted((a, b) => a.start - b.start)
}

const wordCharacter = /[\w-]/
/** An escape right before a word is no part of it: `%2Fabc`, `\nabc`. */
const escapeBefore = /(?:%[0-9a-f]{2}|\\u[0-9a-f]{4}|\\[bfnrt])$/i

/** Whether no letter or digit outside goes on with what is inside. */
export function isWholeWord(text: string, start: number, end: number): boolean {
  const before = text.charAt(start - 1)
  const isCutBefore =
    wordCharacter.test(before) &&
    wordCharacter.test(text.charAt(start)) &&
    !escapeBefore.test(text.slice(Math.max(0, start - 6), start))
  return !isCutBefore && !(wordCharacter.test(text.charAt(end - 1)) && wordCharacter.test(text.charAt(end)))
}

/** What the value at that place of a slot is called. */
function nameBefore({ name, target, text }: TextSlot, start: number): string | null {
  const before = text.slice(Math.max(0, start - 200), start)
  if (target === 'path') return /([^/?&=;]+)(?:\/|=)$/.exec(before)?.[1] ?? null
  const member =
    /"([^"\\]{1,80})"\s*:\s*"?$/.exec(before) ?? /(?:^|[&?;,\s])([^=&?;,\s]{1,80})=$/.exec(before)
  const tag = /<([\w:-]{1,80})>$/.exec(before)
  return member?.[1] ?? tag?.[1] ?? name
}

const namesOfIds = /(?:id|uuid|guid|key|ref|no|number|token)s?$/i

function isWithin(use: ValueUse, value: string, { name, ownNames }: UseLimits): boolean {
  if (name !== undefined && name !== null && use.name?.toLowerCase() !== name.toLowerCase()) return false
  if (value.length > shortMax || ownNames === undefined) return true
  const { text, target } = use.slot
  const around = text.charAt(use.start - 1) + text.charAt(use.end)
  if (target === 'path') return /^\/[/?]?$/.test(around)
  const isWhole = use.start === 0 && use.end === text.length
  const isMember = /^(?:""|[:\s=][,}\s&]?)$/.test(around)
  return (
    (isWhole || isMember) &&
    use.name !== null &&
    (namesOfIds.test(use.name) || ownNames.includes(use.name.toLowerCase()))
  )
}
