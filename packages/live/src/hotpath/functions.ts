import { bytesOf, fieldsOf, listOf, numberOf, nsOf, textOf, type Fields } from './fields.ts'
import {
  distributionOf,
  distributions,
  entriesOf,
  idOf,
  percentilesOf,
  placeOf,
  wordOf,
  type Found,
} from './found.ts'

export function readFunctionsTiming(body: Fields): Found[] {
  return readFunctions(body, 'functions_timing', 'duration', nsOf)
}

export function readFunctionsAlloc(body: Fields): Found[] {
  return readFunctions(body, 'functions_alloc', 'allocated', bytesOf)
}

function readFunctions(
  body: Fields,
  section: 'functions_timing' | 'functions_alloc',
  what: string,
  read: (fields: Fields, name: string) => number | undefined,
): Found[] {
  return entriesOf(body).map((entry) => {
    const name = wordOf(entry, 'name') ?? '?'
    const calls = numberOf(entry, 'calls')
    const own = distributionOf({
      count: calls,
      sampled: numberOf(entry, 'sampled_calls'),
      total: read(entry, 'total'),
      average: read(entry, 'avg'),
      percentiles: percentilesOf(fieldsOf(entry, 'percentiles_raw'), read) ?? percentilesOf(entry, read),
    })
    return {
      section,
      item: {
        id: idOf(entry, name),
        name,
        place: placeOf(entry),
        distributions: distributions({ [what]: own }),
      },
      log: { path: `/${section}/${logIdOf(entry)}/logs`, moved: calls ?? 0 },
    }
  })
}

/** Functions were asked for by name before they had numbers. */
function logIdOf(entry: Fields): string {
  const id = textOf(entry, 'id')
  if (id !== undefined) return encodeURIComponent(id)
  return Buffer.from(textOf(entry, 'name') ?? '')
    .toString('base64')
    .replaceAll('/', '%2F')
}

export function readFunctionsCpu(body: Fields): Found[] {
  return listOf(fieldsOf(body, 'report'), 'data').map((entry) => {
    const name = wordOf(entry, 'name') ?? '?'
    const samples = numberOf(entry, 'samples') ?? 0
    return { section: 'functions_cpu', item: { id: idOf(entry, name), name, counters: { samples } } }
  })
}
