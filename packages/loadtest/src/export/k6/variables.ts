import type { Variable } from '../../model/variable.ts'
import { expression, quote } from './work.ts'

type Note = (text: string) => void

/** Where the parts of a variable stand in the script. */
export interface VariableLines {
  /** Before everything. */
  init: string[]
  /** New values at each use: entries of an object of functions. */
  fresh: string[]
  /** When an iteration begins. */
  begin: string[]
  /** When the first iteration begins. */
  once: string[]
}

export function variableLines(variables: readonly Variable[], note: Note): VariableLines {
  const lines: VariableLines = { init: [], fresh: [], begin: [], once: [] }
  for (const [index, variable] of variables.entries()) add(lines, variable, index, note)
  return lines
}

function add(lines: VariableLines, variable: Variable, index: number, note: Note): void {
  const name = quote(variable.name)
  switch (variable.type) {
    case 'constant':
      lines.fresh.push(`${name}: () => ${expression(variable.value)},`)
      return
    case 'secret':
      note(`Give the secret ${variable.name} to k6 with -e ${variable.name}=….`)
      lines.fresh.push(`${name}: () => __ENV[${name}] || '',`)
      return
    case 'csv':
      addCsv(lines, variable, index, note)
      return
    default: {
      const value = valueOf(variable, note)
      if (variable.renewed === 'each_use') lines.fresh.push(`${name}: () => ${value},`)
      else lines[variable.renewed === 'once' ? 'once' : 'begin'].push(`vars[${name}] = ${value}`)
    }
  }
}

/** Iterations are counted in all, or of this virtual user. */
function numberOf(sharing: 'shared' | 'per_user'): string {
  return sharing === 'shared' ? 'exec.scenario.iterationInTest' : 'exec.vu.iterationInInstance'
}

function addCsv(
  lines: VariableLines,
  variable: Extract<Variable, { type: 'csv' }>,
  index: number,
  note: Note,
): void {
  const rows = `rows${index + 1}`
  const { delimiter, skip_lines: skipped, columns, order } = variable
  const quoted = variable.quote === null ? 'null' : quote(variable.quote)
  note(`Put ${variable.path} beside the script.`)
  if (variable.encoding !== 'utf-8') note(`Save ${variable.path} in UTF-8.`)
  lines.init.push(
    `const ${rows} = new SharedArray(${quote(variable.name)}, () =>`,
    `  readCsv(open(${quote(`./${variable.path}`)}), ${quote(delimiter)}, ${quoted}, ${skipped}, ${JSON.stringify(columns)}),`,
    ')',
  )
  const number =
    order === 'random'
      ? `Math.floor(Math.random() * ${rows}.length)`
      : numberOf(order === 'unique' ? 'shared' : variable.sharing)
  const isRecycled = variable.at_end === 'recycle' && order !== 'unique'
  lines[variable.renewed === 'once' ? 'once' : 'begin'].push(
    `takeRow(${rows}, ${number}, ${isRecycled || order === 'random'})`,
  )
}

type Valued = Exclude<Variable, { type: 'constant' | 'secret' | 'csv' }>

/** An expression for the next value. */
function valueOf(variable: Valued, note: Note): string {
  if ((variable.type === 'counter' || variable.type === 'list') && variable.renewed === 'each_use')
    note(`${variable.name} goes on by one in each iteration, not at each use.`)
  switch (variable.type) {
    case 'counter': {
      const { start, end, step, digits, sharing } = variable
      return `counted(${numberOf(sharing)}, ${start}, ${end}, ${step}, ${digits})`
    }
    case 'random_number': {
      const { min, max, decimals } = variable
      return decimals === 0
        ? `String(${min} + Math.floor(Math.random() * ${max - min + 1}))`
        : `(${min} + Math.random() * ${max - min}).toFixed(${decimals})`
    }
    case 'random_text':
      return `randomText(${variable.length}, ${quote(variable.characters)})`
    case 'uuid':
      return 'crypto.randomUUID()'
    case 'date_time':
      if (variable.time_zone !== 'UTC') note(`The time ${variable.name} is in UTC.`)
      if (
        /[^yMdHmsSX\W\d_]/.test(variable.format.replaceAll(/'[^']*'/g, '')) &&
        !/^(?:iso|unix|unix_ms)$/.test(variable.format)
      )
        note(`Of the format of ${variable.name} only y, M, d, H, m, s, S and X are known.`)
      return `formatted(${variable.offset_ms}, ${quote(variable.format)})`
    default: {
      const values = `[${variable.values.map(expression).join(', ')}]`
      return variable.order === 'random'
        ? `${values}[Math.floor(Math.random() * ${variable.values.length})]`
        : `${values}[${numberOf(variable.sharing)} % ${variable.values.length}]`
    }
  }
}
