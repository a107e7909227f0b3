import { jmeterParts } from './jmeter-text.ts'
import { meaningOf, type Nameless } from './functions.ts'
import { flagOf, itemsOf, type JmxElement, numberOf, propertiesOf, textOf } from './jmx-element.ts'
import { projectFile } from './texts.ts'
import { noteOf, type Work } from './work.ts'

const variablesMax = 2000

/** Makes the variables that a config element gives; false when it is none that gives variables. */
export function readVariables(work: Work, element: JmxElement): boolean {
  const read = readers[element.type]
  if (read === undefined) return false
  read(work, element)
  return true
}

/** Names and values of User Defined Variables, of the test plan or of an element of their own. */
export function argumentsOf(element: JmxElement): { name: string; value: string }[] {
  const holder =
    element.type === 'TestPlan'
      ? propertiesOf(element.properties.get('TestPlan.user_defined_variables') ?? none)
      : element.properties
  return itemsOf({ properties: holder, place: element.place }, 'Arguments.arguments', variablesMax)
    .map(propertiesOf)
    .map((argument) => ({
      name: textOf(argument, 'Argument.name').trim(),
      value: textOf(argument, 'Argument.value'),
    }))
    .filter(({ name }) => name !== '')
}

const none = { tag: '', attributes: new Map<string, string>(), children: [], text: '' }

/** User Defined Variables get their values once, before the test. */
export function readArguments(work: Work, element: JmxElement): void {
  for (const { name, value } of argumentsOf(element)) define(work, element, name, value, 'once')
  work.fates.mapped(element)
}

function define(
  work: Work,
  element: JmxElement,
  name: string,
  value: string,
  renewed: 'once' | 'each_iteration',
): void {
  const note = noteOf(work, element)
  const [only, ...others] = jmeterParts(value)
  const meaning =
    only?.kind === 'function' && others.length === 0
      ? meaningOf(only.name, only.parameters, (text) => work.texts.resolve(text), renewed)
      : undefined
  if (meaning === undefined)
    work.texts.define(name, { type: 'constant', value: work.texts.template(value, note) })
  else {
    work.texts.define(name, meaning.document)
    if (meaning.note !== undefined) note(meaning.note)
  }
}

const readers: Readonly<Record<string, (work: Work, element: JmxElement) => void>> = {
  Arguments: readArguments,
  CSVDataSet: readCsv,
  CounterConfig: readCounter,
  RandomVariableConfig: readRandom,
  UserParameters: readUserParameters,
}

const encodings: Readonly<Record<string, 'utf-8' | 'utf-16le' | 'latin1'>> = {
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  'us-ascii': 'utf-8',
  'utf-16le': 'utf-16le',
  'utf-16': 'utf-16le',
  'iso-8859-1': 'latin1',
  'iso-8859-15': 'latin1',
  latin1: 'latin1',
  'windows-1252': 'latin1',
}

function readCsv(work: Work, element: JmxElement): void {
  const note = noteOf(work, element)
  const { properties } = element
  const plain = (name: string) => work.texts.plain(textOf(properties, name), note)
  const path = projectFile(plain('filename'), note)
  const columns = plain('variableNames')
    .split(',', 500)
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const encoding = plain('fileEncoding').trim().toLowerCase()
  const known = encoding === '' || encoding.startsWith('$') ? 'utf-8' : encodings[encoding]
  if (known === undefined) note(`${encoding.slice(0, 40)} is read as UTF-8: save the file in it.`)
  if (encoding.endsWith('8859-15'))
    note(
      'It is read as windows-1252, in which € Š š Ž ž Œ œ Ÿ are other bytes: save the file in UTF-8 if it has these.',
    )
  const delimiter = delimiterOf(plain('delimiter'), note)
  const sharing = textOf(properties, 'shareMode')
  if (!['', 'shareMode.all', 'shareMode.thread'].includes(sharing))
    note('Its lines are shared by all virtual users.')
  const isRecycled = flagOf(properties, 'recycle') !== false
  if (!isRecycled && flagOf(properties, 'stopThread') !== true)
    note('After the last line the virtual user ends: there is no <EOF>.')
  if (element.around !== undefined && !/ThreadGroup$|^TestPlan$/.test(element.around.type))
    note('The next line is taken in each iteration of the virtual user, not of what is around it.')
  // Without names of columns the first line has them.
  const skips = columns.length > 0 && flagOf(properties, 'ignoreFirstLine') === true
  const own = columns.map((name) => work.texts.nameOf(name))
  const document: Nameless = {
    type: 'csv',
    path,
    columns: own,
    delimiter,
    quote: flagOf(properties, 'quotedData') === true ? '"' : null,
    encoding: known ?? 'utf-8',
    skip_lines: skips ? 1 : 0,
    sharing: sharing === 'shareMode.thread' ? 'per_user' : 'shared',
    at_end: isRecycled ? 'recycle' : 'stop',
    description: element.comment.slice(0, 2000),
  }
  work.texts.add(element.name.trim() === '' ? path : element.name.trim(), document)
  work.fates.mapped(element)
}

function delimiterOf(text: string, note: (text: string) => void): string {
  if (text === '') return ','
  if (text === '\\t') return '\t'
  if (text.length > 1) note(`Of the delimiter ${text.slice(0, 20)} the first character counts.`)
  return text.slice(0, 1)
}

function readCounter(work: Work, element: JmxElement): void {
  const note = noteOf(work, element)
  const { properties } = element
  const name = textOf(properties, 'CounterConfig.name').trim()
  if (name === '') {
    work.fates.dropped(element, 'It names no variable.')
    return
  }
  const whole = (property: string) => {
    const value = numberOf(work.texts.plain(textOf(properties, property), note))
    return value === undefined || !Number.isSafeInteger(value) ? undefined : value
  }
  const end = whole('CounterConfig.end')
  const format = textOf(properties, 'CounterConfig.format')
  if (!/^0*$/.test(format)) note(`Of the format ${format.slice(0, 40)} the zeros count.`)
  if (flagOf(properties, 'CounterConfig.reset_on_tg_iteration') === true)
    note('It goes on counting in each iteration.')
  work.texts.define(name, {
    type: 'counter',
    start: whole('CounterConfig.start') ?? 0,
    end: end ?? null,
    step: whole('CounterConfig.incr') ?? 1,
    digits: Math.min(format.replaceAll(/[^0]/g, '').length, 40),
    sharing: flagOf(properties, 'CounterConfig.per_user') === true ? 'per_user' : 'shared',
    renewed: 'each_iteration',
  })
  work.fates.mapped(element)
}

function readRandom(work: Work, element: JmxElement): void {
  const note = noteOf(work, element)
  const text = (name: string) => work.texts.plain(textOf(element.properties, name), note)
  const [name, min, max] = [
    text('variableName').trim(),
    numberOf(text('minimumValue')),
    numberOf(text('maximumValue')),
  ]
  if (name === '' || min === undefined || max === undefined) {
    work.fates.dropped(element, 'It needs a name, a minimum and a maximum.')
    return
  }
  if (text('outputFormat') !== '') note('The number is not formatted.')
  work.texts.define(name, { type: 'random_number', min, max, renewed: 'each_iteration' })
  work.fates.mapped(element)
}

/** Each user has values of its own, or the first of them when there are more users. */
function readUserParameters(work: Work, element: JmxElement): void {
  const note = noteOf(work, element)
  const names = itemsOf(element, 'UserParameters.names', variablesMax).map(({ text }) => text.trim())
  const users = itemsOf(element, 'UserParameters.thread_values', 10_000)
  if (names.length * users.length > 1_000_000) {
    work.fates.dropped(element, 'It has too many values: put them into a CSV file.')
    return
  }
  for (const [index, name] of names.entries()) {
    if (name === '') continue
    const values = users.map(({ children }) => children[index]?.text ?? '')
    if (values.length <= 1) {
      define(work, element, name, values[0] ?? '', 'each_iteration')
      continue
    }
    note('Values that users have of their own are a list here: each virtual user takes the next one.')
    work.texts.define(name, {
      type: 'list',
      values: values.map((value) => work.texts.template(value, note)),
      renewed: 'once',
    })
  }
  const isOfAll = element.around !== undefined && /ThreadGroup$|^TestPlan$/.test(element.around.type)
  if (!isOfAll || flagOf(element.properties, 'UserParameters.per_iteration') !== true)
    note('Its values are there from the start, once in each iteration.')
  work.fates.mapped(element)
}
