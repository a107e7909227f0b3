import { decodeUri } from '../text/decode-uri.ts'
import { literalStretches } from '../model/template-text.ts'
import { randomnessOf } from './randomness.ts'
import type { TextSlot } from './text-slots.ts'

/** A value that requests send, and that a server may have given. */
export interface SentValue {
  value: string
  /** Place among the actions of the first that sends it. */
  firstOrder: number
  /** By which part of it an answer is searched: the longest run of letters, digits, _ and -. */
  anchor: string
}

/** More are not looked for. */
const valuesMax = 50_000
const valueCharactersMax = 100_000

/** The values that requests send which a server could have given: no words that everybody uses. */
export function sentValues(slots: readonly TextSlot[]): Map<string, SentValue> {
  const values = new Map<string, SentValue>()
  for (const slot of slots) {
    for (const { text } of literalStretches(slot.text)) {
      for (const value of valuesIn(
        slot,
        text.replaceAll('$${', () => '${'),
      )) {
        if (values.has(value) || values.size >= valuesMax || !mayBeGiven(value)) continue
        values.set(value, { value, firstOrder: slot.order, anchor: anchorOf(value) })
      }
    }
  }
  return values
}

/** Numbers of any length; texts of letters alone only when they are as long as no word is, or as no word is written. */
function mayBeGiven(value: string): boolean {
  if (value.length > valueCharactersMax || anchorOf(value) === '') return false
  if (/^\d+$/.test(value)) return true
  if (value.length < 4 || /^[\d.,:\sTZ+-]+$/.test(value)) return false
  return !/^[\p{L}\s.,!?'-]+$/u.test(value) || (!/\s/.test(value) && randomnessOf(value) > 0.35)
}

function anchorOf(value: string): string {
  let longest = ''
  for (const [word] of value.matchAll(/[\w-]+/g)) if (word.length > longest.length) longest = word
  return longest
}

function* valuesIn({ target, name, text: whole }: TextSlot, text: string): Generator<string> {
  if (target === 'path') yield* pathValues(text)
  else if (name === null) yield* bodyValues(text)
  else {
    if (text === whole) yield text
    if (target === 'header') for (const word of text.split(/[\s,;="]+/)) yield word
    else if (/[\s{["&;=/]/.test(text)) yield* bodyValues(text)
  }
}

function* pathValues(text: string): Generator<string> {
  const [path = '', query = ''] = text.split('?', 2)
  for (const segment of path.split('/')) {
    const [first = '', ...parameters] = segment.split(';')
    const decoded = decodeUri(first)
    yield decoded
    const extension = /^(.+)\.[a-z]{1,5}$/.exec(decoded)?.[1]
    if (extension !== undefined) yield extension
    for (const parameter of parameters) yield decodeUri(parameter.slice(parameter.indexOf('=') + 1))
  }
  if (query !== '') yield* formValues(query)
}

function* formValues(text: string): Generator<string> {
  for (const pair of text.split('&')) {
    const equals = pair.indexOf('=')
    if (equals >= 0) yield decodeUri(pair.slice(equals + 1).replaceAll('+', ' '))
  }
}

/** Strings and numbers of JSON, fields of a form, and whatever looks like a word of its own. */
function* bodyValues(text: string): Generator<string> {
  if (/^[^\s=&{}<>"]+=/.test(text)) yield* formValues(text)
  for (const [, string, number] of text.matchAll(
    /"((?:[^"\\]|\\.)*)"(?!\s*:)|(?<![\w.-])(-?\d+)(?![\w.-])/g,
  )) {
    if (number !== undefined) yield number
    else if (string !== undefined) yield readJsonString(string)
  }
  // Of addresses in it.
  for (const [, parameter = ''] of text.matchAll(/[?&][\w.$-]+=([^&"'\s<>#\\]+)/g)) yield decodeUri(parameter)
  for (const [word] of text.matchAll(/[\w~+/=.-]{4,}/g)) yield word
}

function readJsonString(written: string): string {
  try {
    return String(JSON.parse(`"${written}"`))
  } catch {
    return written
  }
}
