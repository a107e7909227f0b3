import { idsIn, type Loot } from './loot.ts'
import type { Reply } from './tenant.ts'

/** What came back that is the other's and was not sent. */
export function leaksIn(reply: Reply, sent: unknown, loot: Loot): string[] {
  const text = JSON.stringify(sent)
  const isTold = (word: string) => !text.includes(word) && !loot.planted.has(word)
  const ids = idsIn(reply.raw).filter((id) => loot.ids.has(id))
  const words = [loot.canary, ...loot.secrets].filter((word) => reply.raw.includes(word))
  return [...new Set([...ids, ...words].filter(isTold))]
}

/**
 * An answer without what differs from call to call and what was sent: `sent` is both what is the other's and what is nobody's, because
 * a word that was sent may be in the answer for another reason, too.
 */
export function seenAs(reply: Reply, sent: readonly unknown[]): string {
  const texts = [...new Set(textsIn(sent))].toSorted((a, b) => b.length - a.length)
  const body = texts.reduce(
    (raw, text) => (text.length < 3 ? raw : raw.replaceAll(JSON.stringify(text).slice(1, -1), '<sent>')),
    reply.raw,
  )
  const known = body
    .replaceAll(/[^\s"\\]{8,}(?=…)/g, (start) =>
      texts.some((text) => text.startsWith(start)) ? '<sent>' : start,
    )
    // Names of one's own that are like what was sent.
    .replaceAll(/ Near to it: [^"]*?\.(?=[" ])/g, '')
    // Words of the catalogue, which may be like what was sent.
    .replaceAll(/ Did you mean [^"]*?\?(?=[" ])/g, '')
    .replaceAll(/\b[a-z]{2,3}_[0-9a-z]{26}\b/g, '<id>')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    // What is one's own may have begun to fail meanwhile.
    .replaceAll(/(?<="failing_since":)(?:null|"<time>")/g, '<whether>')
    // Things of one's own that have no name yet get the next one that is free.
    .replaceAll(/(?<=(?:"name":"|\*\*)[^"*]*) \(\d+\)(?="|\*\*)/g, '')
    // What was sent is stored compressed, and other letters compress otherwise.
    .replaceAll(/(?<="size_bytes":)\d+/g, '<size>')
    // A cursor holds a hash of what was asked; an action with a name of its own is the next one of its result.
    .replaceAll(/(?<="next_cursor":")[\w.-]+/g, '<cursor>')
    .replaceAll(/(?<="places":\[)\d+/g, '<place>')
    .replaceAll(/[\w%.-]*<sent>[\w%.-]*/g, '<sent>')
  return `${reply.status} ${reply.code ?? ''} ${known}`
}

/** The part of two answers where they begin to differ. */
export function firstDifference(one: string, other: string): [one: string, other: string] {
  let at = 0
  while (at < one.length && one[at] === other[at]) at += 1
  const from = Math.max(0, at - 200)
  return [one.slice(from, from + 500), other.slice(from, from + 500)]
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value, encodeURIComponent(value)]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}
