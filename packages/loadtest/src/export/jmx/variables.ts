import type { Variable } from '../../model/variable.ts'
import { collection, item, property, type TestElement, testElement, type XmlElement } from './jmx-writer.ts'
import { plain, toJmeter, type Work } from './work.ts'

const text = (name: string, value: string) => property('string', name, value)
const flag = (name: string, value: boolean) => property('bool', name, value)
type Note = (text: string) => void

/** Functions of JMeter for variables that have a new value wherever they stand. */
export function inlineFunctions(variables: readonly Variable[]): ReadonlyMap<string, string> {
  return new Map(
    variables.flatMap((variable): [string, string][] => {
      const isEachUse = 'renewed' in variable && variable.renewed === 'each_use'
      const call = isEachUse ? functionFor(variable) : undefined
      return call === undefined ? [] : [[variable.name, call]]
    }),
  )
}

function functionFor(variable: Variable): string | undefined {
  switch (variable.type) {
    case 'random_number':
      return `\${__Random(${Math.round(variable.min)},${Math.round(variable.max)})}`
    case 'random_text':
      return `\${__RandomString(${variable.length},${parameter(variable.characters)})}`
    case 'uuid':
      return '${__UUID()}'
    case 'date_time':
      return timeFunction(variable)
    case 'counter':
      return `\${__counter(${variable.sharing === 'per_user' ? 'TRUE' : 'FALSE'})}`
    default:
      return undefined
  }
}

const formats: Readonly<Record<string, string>> = {
  unix_ms: '',
  unix: '/1000',
  iso: "yyyy-MM-dd'T'HH:mm:ss.SSSX",
}

function timeFunction({ format, offset_ms: offsetMs }: Extract<Variable, { type: 'date_time' }>): string {
  const pattern = parameter(formats[format] ?? format)
  if (offsetMs === 0) return `\${__time(${pattern})}`
  const seconds = Math.round(Math.abs(offsetMs) / 1000)
  return `\${__timeShift(${pattern},,${offsetMs < 0 ? '-' : ''}PT${seconds}S,,)}`
}

/** In a parameter commas and parentheses would end it. */
function parameter(value: string): string {
  return value
    .replaceAll('\\', '\\\\')
    .replaceAll(',', '\\,')
    .replaceAll(/[(){}$]/g, (character) => `\${__char(${character.charCodeAt(0)})}`)
}

/** The config elements that give the variables, in the order in which JMeter shows them. */
export function toConfigs(work: Work, variables: readonly Variable[], note: Note): TestElement[] {
  const constants: [string, string][] = []
  const eachIteration: [string, string][] = []
  const elements = variables.flatMap((variable): TestElement[] => {
    tell(variable, note)
    switch (variable.type) {
      case 'constant':
        constants.push([variable.name, toJmeter(work, variable.value)])
        return []
      case 'secret':
        constants.push([variable.name, `\${__P(${variable.name},)}`])
        return []
      case 'list':
        constants.push([variable.name, toJmeter(work, variable.values[0] ?? '')])
        return []
      case 'csv':
        return [toCsv(variable)]
      case 'counter':
        return variable.renewed === 'each_use' ? [] : [toCounter(variable)]
      default:
        return random(variable, constants, eachIteration)
    }
  })
  return [
    ...(constants.length === 0 ? [] : [userDefined(constants)]),
    ...elements,
    ...(eachIteration.length === 0 ? [] : [userParameters(eachIteration)]),
  ]
}

function random(
  variable: Extract<Variable, { type: 'random_number' | 'random_text' | 'uuid' | 'date_time' }>,
  constants: [string, string][],
  eachIteration: [string, string][],
): TestElement[] {
  if (variable.renewed === 'each_use') return []
  if (variable.renewed === 'once') {
    constants.push([variable.name, functionFor(variable)!])
    return []
  }
  if (variable.type !== 'random_number') {
    eachIteration.push([variable.name, functionFor(variable)!])
    return []
  }
  return [
    testElement('RandomVariableConfig', 'TestBeanGUI', variable.name, [
      text('maximumValue', String(Math.round(variable.max))),
      text('minimumValue', String(Math.round(variable.min))),
      text('outputFormat', ''),
      flag('perThread', true),
      text('randomSeed', ''),
      text('variableName', variable.name),
    ]),
  ]
}

function tell(variable: Variable, note: Note): void {
  const { name, type } = variable
  if (type === 'secret') note(`Give the secret ${name} to JMeter with -J${name}=….`)
  if (type === 'list') note(`Of the list ${name} the first value is kept.`)
  if (type === 'csv') note(`Put ${variable.path} beside the plan.`)
  if (type === 'csv' && variable.order !== 'sequential')
    note(`The lines of ${name} are read one after the other.`)
  if (type === 'csv' && variable.skip_lines > 1) note(`Of ${name} JMeter can leave out one line at most.`)
  if (type === 'csv' && variable.renewed === 'once')
    note(`The next line of ${name} is taken in each iteration.`)
  if (type === 'random_number' && variable.decimals > 0) note(`The number ${name} is a whole one.`)
  if (type === 'date_time' && variable.time_zone !== 'UTC')
    note(`The time ${name} is in the zone of the machine.`)
  if (type === 'counter' && variable.renewed === 'each_use' && (variable.start !== 1 || variable.step !== 1))
    note(`The counter ${name} goes from 1 on, by 1.`)
  if ('renewed' in variable && variable.renewed === 'once' && type !== 'csv')
    note(`The variable ${name} has one value for all users.`)
}

function toCsv(variable: Extract<Variable, { type: 'csv' }>): TestElement {
  const isRecycled = variable.at_end === 'recycle'
  const encodings = { 'utf-8': 'UTF-8', 'utf-16le': 'UTF-16LE', latin1: 'windows-1252' }
  const element = testElement('CSVDataSet', 'TestBeanGUI', variable.name, [
    text('delimiter', variable.delimiter === '\t' ? String.raw`\t` : variable.delimiter),
    text('fileEncoding', encodings[variable.encoding]),
    text('filename', plain(variable.path)),
    flag('ignoreFirstLine', variable.skip_lines > 0),
    flag('quotedData', variable.quote !== null),
    flag('recycle', isRecycled),
    text('shareMode', variable.sharing === 'shared' ? 'shareMode.all' : 'shareMode.thread'),
    flag('stopThread', !isRecycled),
    text('variableNames', variable.columns.join(',')),
  ])
  return { ...element, comment: variable.description }
}

function toCounter(variable: Extract<Variable, { type: 'counter' }>): TestElement {
  return testElement('CounterConfig', 'CounterConfigGui', variable.name, [
    text('CounterConfig.start', String(variable.start)),
    text('CounterConfig.end', variable.end === null ? '' : String(variable.end)),
    text('CounterConfig.incr', String(variable.step)),
    text('CounterConfig.name', variable.name),
    text('CounterConfig.format', '0'.repeat(variable.digits)),
    flag('CounterConfig.per_user', variable.sharing === 'per_user'),
  ])
}

export function argumentsCollection(pairs: readonly [name: string, value: string][]): XmlElement {
  return collection(
    'Arguments.arguments',
    pairs.map(([name, value]) =>
      item(name, 'Argument', [
        text('Argument.name', name),
        text('Argument.value', value),
        text('Argument.metadata', '='),
      ]),
    ),
  )
}

function userDefined(pairs: readonly [name: string, value: string][]): TestElement {
  return testElement('Arguments', 'ArgumentsPanel', 'User Defined Variables', [argumentsCollection(pairs)])
}

function strings(values: readonly string[]): XmlElement[] {
  return values.map((value, index) => text(String(index), value))
}

/** Evaluated once in each iteration. */
function userParameters(pairs: readonly [name: string, value: string][]): TestElement {
  return testElement('UserParameters', 'UserParametersGui', 'Once in each iteration', [
    collection('UserParameters.names', strings(pairs.map(([name]) => name))),
    collection('UserParameters.thread_values', [collection('0', strings(pairs.map(([, value]) => value)))]),
    flag('UserParameters.per_iteration', true),
  ])
}
