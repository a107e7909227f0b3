import { liveLimits } from '../limits.ts'
import { plainText } from '../plain-text.ts'
import { numberOf, textOf, type Fields } from './fields.ts'
import { entriesOf, idOf, known, placeOf, wordOf, type Found } from './found.ts'

const sections = new Map([
  ['dbg', 'debug'],
  ['val', 'values'],
  ['gauge', 'gauges'],
] as const)

/** What a program tells with `dbg!`, `val!` and `gauge!`. */
export function readDebug(body: Fields): Found[] {
  return entriesOf(body).flatMap((entry) => {
    const type = [...sections.keys()].find((each) => each === entry['entry_type'])
    const section = type === undefined ? undefined : sections.get(type)
    if (type === undefined || section === undefined) return []
    const name = wordOf(entry, 'expression', 'source') ?? '?'
    const logged = numberOf(entry, 'log_count')
    const value = textOf(entry, 'last_value')
    return {
      section,
      item: {
        id: idOf(entry, name),
        name,
        place: placeOf(entry),
        counters: known({ logged }),
        ...(section === 'gauges'
          ? { levels: known({ value: numberOf(entry, 'last_value') }) }
          : { texts: textsOf({ ...(section === 'debug' ? { expression: name } : {}), last_value: value }) }),
      },
      log: {
        path: `/debug/${type}/${encodeURIComponent(textOf(entry, 'id') ?? '')}/logs`,
        moved: logged ?? 0,
      },
    }
  })
}

function textsOf(texts: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).flatMap(([name, text]) =>
      text === undefined ? [] : [[name, plainText(text, liveLimits.textMax)]],
    ),
  )
}
