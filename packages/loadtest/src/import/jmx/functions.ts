import type { z } from 'zod'
import type { variable } from '../../model/variable.ts'
import { numberOf } from './jmx-element.ts'
import { parameterText } from './jmeter-text.ts'

type Distributed<Input> = Input extends unknown ? Omit<Input, 'name'> : never
/** A variable that has no name yet. */
export type Nameless = Distributed<z.input<typeof variable>>

export interface FunctionMeaning {
  /** What the variable is called where the function does not say. */
  name: string
  document: Nameless
  /** Of the variable that the function itself names. */
  ownName: string
  /** What of it is not as it was. */
  note?: string
}

/** A text without variables; undefined where it has some whose value is not known. */
type Resolve = (text: string) => string | undefined

/**
 * The variable that gives what a function of JMeter gives (https://jmeter.apache.org/usermanual/functions.html); undefined
 * where there is none.
 */
export function meaningOf(
  name: string,
  parameters: readonly string[],
  resolve: Resolve,
  renewed: Renewed,
): FunctionMeaning | undefined {
  const values = parameters.map((parameter) => resolve(parameterText(parameter))?.trim())
  const read = readers[name]
  if (read === undefined || values.includes(undefined)) return undefined
  return read(
    values.map((value) => value ?? ''),
    renewed,
  )
}

/** When the variable takes its next value. */
export type Renewed = 'each_use' | 'each_iteration' | 'once'

const readers: Readonly<Record<string, (values: string[], renewed: Renewed) => FunctionMeaning | undefined>> =
  {
    __Random: ([from = '', to = '', own = ''], renewed) => {
      const min = numberOf(from)
      const max = numberOf(to)
      if (min === undefined || max === undefined || min > max) return undefined
      return { name: 'random', document: { type: 'random_number', min, max, renewed }, ownName: own }
    },
    __RandomString: ([count = '', characters = '', own = ''], renewed) => {
      const length = numberOf(count)
      if (length === undefined || !Number.isInteger(length)) return undefined
      // Without characters JMeter takes any of Unicode; letters and digits do as well.
      const alphabet = characters === '' ? {} : { characters: characters.slice(0, 1000) }
      return {
        name: 'random_text',
        document: {
          type: 'random_text',
          length: Math.min(Math.max(length, 1), 10_000),
          ...alphabet,
          renewed,
        },
        ownName: own,
      }
    },
    __UUID: (_, renewed) => ({ name: 'uuid', document: { type: 'uuid', renewed }, ownName: '' }),
    __time: ([pattern = '', own = ''], renewed) => {
      const format = timeFormat(pattern)
      if (format === undefined) return undefined
      return {
        name: 'time',
        document: { type: 'date_time', format, renewed },
        ownName: own,
        ...zoneOf(format),
      }
    },
    __timeShift: ([pattern = '', moment = '', shift = '', , own = ''], renewed) => {
      const format = timeFormat(pattern)
      const offsetMs = shiftMs(shift)
      if (format === undefined || moment !== '' || offsetMs === undefined) return undefined
      return {
        name: 'time',
        document: { type: 'date_time', format, offset_ms: offsetMs, renewed },
        ownName: own,
        ...zoneOf(format),
      }
    },
    __counter: ([perUser = '', own = ''], renewed) => ({
      name: 'counter',
      document: {
        type: 'counter',
        sharing: perUser.toLowerCase() === 'true' ? 'per_user' : 'shared',
        renewed,
      },
      ownName: own,
    }),
    __P: property,
    __property: ([name = '', , value = '']) => property([name, value]),
  }

function property([name = '', value = '']: string[]): FunctionMeaning {
  return {
    name: name === '' ? 'property' : name,
    document: { type: 'constant', value, description: `Property ${name} of JMeter.`.slice(0, 2000) },
    ownName: '',
  }
}

/** Patterns of SimpleDateFormat are those of Unicode TR 35; JMeter has names for some. */
function timeFormat(pattern: string): string | undefined {
  const names: Readonly<Record<string, string>> = {
    '': 'unix_ms',
    '/1000': 'unix',
    YMD: 'yyyyMMdd',
    HMS: 'HHmmss',
    YMDHMS: 'yyyyMMdd-HHmmss',
  }
  const format = names[pattern] ?? pattern
  return format.startsWith('/') || format.length > 200 ? undefined : format
}

/** What a clock shows depends on where it hangs; seconds since 1970 do not. */
function zoneOf(format: string): { note?: string } {
  if (/^unix(?:_ms)?$/.test(format)) return {}
  return {
    note: 'Its time is in UTC, where JMeter takes the zone of its machine: set time_zone of the variable.',
  }
}

/** ISO 8601: `P1DT2H`, `-PT10M`; '' is nothing. */
function shiftMs(text: string): number | undefined {
  if (text === '') return 0
  const found = /^([+-]?)P(?:(\d{1,6})D)?(?:T(?:(\d{1,7})H)?(?:(\d{1,8})M)?(?:(\d{1,9})S)?)?$/i.exec(text)
  if (found === null) return undefined
  const [, sign, days = 0, hours = 0, minutes = 0, seconds = 0] = found
  const ms = (((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
  return sign === '-' ? -ms : ms
}
