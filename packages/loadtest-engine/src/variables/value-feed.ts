import type { Variable } from '@flamegate/loadtest'
import type { Compiler } from '../program/compiler.ts'
import type { Value } from '../program/compiled-template.ts'
import { compileDateFormat } from './date-format.ts'
import type { Cursor, Feed, FeedContext } from './feed.ts'

export type MadeVariable = Extract<
  Variable,
  { type: 'counter' | 'random_number' | 'random_text' | 'uuid' | 'date_time' | 'list' }
>

/**
 * Makes the values of a variable, one after the other.
 * @throws RangeError for a date format or a time zone that is not known
 */
export function valueFeed(variable: MadeVariable, compiler: Compiler): (cursor: Cursor) => Feed {
  const make = makerOf(variable, compiler)
  return (cursor) => ({
    renewed: variable.renewed,
    next: (context) => new Map([[variable.name, make(context, cursor)]]),
  })
}

function makerOf(
  variable: MadeVariable,
  compiler: Compiler,
): (context: FeedContext, cursor: Cursor) => Value {
  switch (variable.type) {
    case 'counter':
      return (_context, cursor) => counted(variable, cursor.next())
    case 'random_number': {
      const scale = 10 ** variable.decimals
      const steps = Math.max(0, Math.round((variable.max - variable.min) * scale)) + 1
      return ({ random }) => (variable.min + random.below(steps) / scale).toFixed(variable.decimals)
    }
    case 'random_text': {
      const characters = Array.from(variable.characters)
      return ({ random }) =>
        Array.from({ length: variable.length }, () => characters[random.below(characters.length)]).join('')
    }
    case 'uuid':
      return ({ random }) => random.uuid()
    case 'date_time': {
      const format = compileDateFormat(variable.format, variable.time_zone)
      return ({ now }) => format(now() + variable.offset_ms)
    }
    default: {
      const values = variable.values.map((value) => compiler.template(value))
      return ({ random, expand }, cursor) => {
        const index =
          variable.order === 'random' ? random.below(values.length) : cursor.next() % values.length
        return expand(values[index] ?? '')
      }
    }
  }
}

/** After `end` comes `start` again; a step that goes down ends below. */
function counted(
  { start, end, step, digits }: Extract<Variable, { type: 'counter' }>,
  position: number,
): string {
  const span = end === null || step === 0 ? Infinity : Math.floor((end - start) / step) + 1
  const value = start + step * (span > 0 ? position % span : 0)
  const text = String(Math.abs(value)).padStart(digits, '0')
  return value < 0 ? `-${text}` : text
}
