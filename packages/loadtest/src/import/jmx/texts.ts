import { literal, textCharactersMax } from '../../model/template.ts'
import type { Variable } from '../../model/variable.ts'
import { projectPath } from '../file-paths.ts'
import { type Identified, type ImportContext, SourceError } from '../importer.ts'
import { VariableDrafts } from '../variable-drafts.ts'
import { type FunctionMeaning, meaningOf, type Nameless, type Renewed } from './functions.ts'
import { jmeterParts, type JmeterPart, parameterText } from './jmeter-text.ts'

/** What is to be said of an element whose text could not be taken over as it is. */
export type Note = (text: string) => void

const resolvedCharactersMax = 4000
const namesMax = 5000
/** Functions in functions, or variables made of others, at most. */
const nestingMax = 50

/** Texts of JMeter as templates, and the variables that they need. */
export class Texts {
  readonly #drafts: VariableDrafts
  readonly #names = new Map<string, string>()
  readonly #documents = new Map<string, Nameless>()
  readonly #byFunction = new Map<string, string>()
  readonly #lists: ReadonlySet<string>
  readonly #constants: ReadonlyMap<string, string>
  readonly #resolved = new Map<string, string | undefined>()
  #nesting = 0

  /** `lists`: variables of which there are several, `x_1`, `x_2`; `constants`: values that variables have from the start. */
  constructor(context: ImportContext, lists: ReadonlySet<string>, constants: ReadonlyMap<string, string>) {
    this.#drafts = new VariableDrafts(context)
    this.#lists = lists
    this.#constants = constants
  }

  /** Name that a variable of JMeter has here. */
  nameOf(name: string): string {
    const known = this.#names.get(name)
    if (known !== undefined) return known
    if (this.#names.size >= namesMax) throw new SourceError(`It has more than ${namesMax} variables.`)
    const own = this.#drafts.reserve(name)
    this.#names.set(name, own)
    return own
  }

  /** Gives a variable what it is; of several that have one name the last counts, as it does for JMeter. */
  define(name: string, document: Nameless): void {
    this.#documents.set(this.nameOf(name), document)
  }

  /** Adds a variable whose name nothing in the plan says; gives its name. */
  add(wanted: string, document: Nameless): string {
    if (this.#documents.size >= namesMax) throw new SourceError(`It has more than ${namesMax} variables.`)
    const name = this.#drafts.reserve(wanted)
    this.#documents.set(name, document)
    return name
  }

  template(text: string, note: Note): string {
    if (text.length > textCharactersMax) {
      note(`Of a text of ${text.length} characters the first ${textCharactersMax} are kept.`)
      return literal(text.slice(0, textCharactersMax / 2))
    }
    return this.#inside(
      () => this.#join(jmeterParts(text), note),
      () => {
        note(
          `Functions are in one another more than ${nestingMax} times: those inside are kept as they are written.`,
        )
        return literal(text)
      },
    )
  }

  /** A parameter of a function, as a template. */
  parameter(text: string, note: Note): string {
    return this.template(parameterText(text), note)
  }

  /** A text in which no variables can stand. */
  plain(text: string, note: Note): string {
    if (!text.includes('${')) return text
    const known = this.resolve(text)
    if (known === undefined) note('Variables cannot stand here: they are kept as they are written.')
    return known ?? text
  }

  /** The text with the values of its variables; undefined where one is known only when the test runs. */
  resolve(text: string): string | undefined {
    return this.#inside(
      () => {
        let all = ''
        for (const part of jmeterParts(text)) {
          const value = part.kind === 'text' ? part.text : this.#valueOf(part)
          if (value === undefined || all.length + value.length > resolvedCharactersMax) return undefined
          all += value
        }
        return all
      },
      () => undefined,
    )
  }

  variables(note: Note): Identified<Variable>[] {
    for (const [name, document] of this.#documents)
      if (!this.#drafts.add({ ...document, name }))
        note(`The variable ${name} says more than a variable can hold, and was left out.`)
    return this.#drafts.all()
  }

  /** What is found inside of a text, or something else where that is too deep inside of others. */
  #inside<Value>(read: () => Value, otherwise: () => Value): Value {
    if (this.#nesting >= nestingMax) return otherwise()
    this.#nesting++
    try {
      return read()
    } finally {
      this.#nesting--
    }
  }

  #valueOf(part: Exclude<JmeterPart, { kind: 'text' }>): string | undefined {
    if (part.kind === 'function') {
      const character = charactersOf(part)
      if (character !== undefined) return character
      const meaning = this.#meaningOf(part.name, part.parameters, 'each_use')
      return meaning?.document.type === 'constant' ? meaning.document.value : undefined
    }
    if (this.#resolved.has(part.name)) return this.#resolved.get(part.name)
    // What is made of itself has no value.
    this.#resolved.set(part.name, undefined)
    const constant = this.#constants.get(part.name)
    const value = constant === undefined ? undefined : this.resolve(constant)
    this.#resolved.set(part.name, value)
    return value
  }

  #join(parts: readonly JmeterPart[], note: Note): string {
    // In pieces: to look at the end of what is there already, for each part, would take a time that grows with its square.
    const pieces: string[] = []
    for (const part of parts) {
      const text = part.kind === 'text' ? part.text : charactersOf(part)
      if (text !== undefined) {
        const last = pieces.at(-1)
        if (last?.endsWith('$') === true && text.startsWith('{')) {
          // `${__char(36)}{x}` is a literal ${x}, in two parts.
          pieces.push(`${pieces.pop()!.slice(0, -1)}$\${${literal(text.slice(1))}`)
        } else if (text !== '') pieces.push(literal(text))
        continue
      }
      this.#guardDollars(pieces)
      if (part.kind === 'variable') pieces.push(this.#reference(part.name))
      else if (part.kind === 'function') pieces.push(this.#call(part, note))
    }
    return pieces.join('')
  }

  /** A $ before ${x} would make it a literal. */
  #guardDollars(pieces: string[]): void {
    let count = 0
    while (pieces.at(-1)?.endsWith('$') === true) {
      const piece = pieces.pop()!
      let end = piece.length
      while (piece[end - 1] === '$') end--
      count += piece.length - end
      if (end > 0) pieces.push(piece.slice(0, end))
    }
    if (count > 0) pieces.push(`\${${this.#dollar()}}`.repeat(count))
  }

  #reference(name: string): string {
    const several = /^(.+)_(\d{1,9}|matchNr)$/.exec(name)
    if (several !== null && this.#lists.has(several[1]!)) {
      const own = this.nameOf(several[1]!)
      if (several[2] === 'matchNr') return `\${${own}.length}`
      if (Number(several[2]) > 0) return `\${${own}[${Number(several[2]) - 1}]}`
    }
    return `\${${this.nameOf(name)}}`
  }

  #call({ name, parameters, source }: Extract<JmeterPart, { kind: 'function' }>, note: Note): string {
    // Values are encoded when they are sent.
    if (name === '__urlencode' || name === '__eval') return this.parameter(parameters[0] ?? '', note)
    if (name === '__V') {
      note(`${source} names a variable by the value of another, which is not possible here.`)
    }
    if (name === '__CSVRead' && !/^\s*\d{1,2}\s*$/.test(parameters[1] ?? '')) {
      note(`${source.slice(0, 200)} is left out: the next line is taken in each iteration.`)
      return ''
    }
    const known = this.#byFunction.get(source)
    if (known !== undefined) return `\${${known}}`
    const own = this.#variableOf(name, parameters, source, note)
    this.#byFunction.set(source, own)
    return `\${${own}}`
  }

  #variableOf(name: string, parameters: readonly string[], source: string, note: Note): string {
    if (name === '__CSVRead') return this.#csvColumn(parameters, note)
    const meaning = this.#meaningOf(name, parameters, 'each_use')
    if (meaning === undefined) {
      const own = this.add(name.replace(/^_+/, ''), {
        type: 'constant',
        value: '',
        description: `Stands for ${source.slice(0, 1900)}`,
      })
      note(`${source.slice(0, 200)} cannot be computed here: give the variable ${own} its value.`)
      return own
    }
    const { ownName } = meaning
    if (meaning.note !== undefined) note(meaning.note)
    if (ownName === '') return this.add(meaning.name, meaning.document)
    // Its name may stand elsewhere, where JMeter gives the last value.
    this.define(ownName, this.#meaningOf(name, parameters, 'each_iteration')?.document ?? meaning.document)
    note(`The value of ${source.slice(0, 200)} is taken once in each iteration.`)
    return this.nameOf(ownName)
  }

  #meaningOf(name: string, parameters: readonly string[], renewed: Renewed): FunctionMeaning | undefined {
    return meaningOf(name, parameters, (text) => this.resolve(text), renewed)
  }

  /** `${__CSVRead(users.csv,2)}`: the third column. Columns before it get names too. */
  #csvColumn(parameters: readonly string[], note: Note): string {
    const file = this.plain(parameterText(parameters[0] ?? ''), note).trim()
    const column = Number(parameters[1])
    const path = projectFile(file, note)
    const stem = path.replace(/^.*\//, '').replace(/\.[^.]*$/, '')
    const csv = this.nameOf(`${stem}_file`)
    const before = this.#documents.get(csv)
    const count = Math.max(column + 1, before?.type === 'csv' ? (before.columns?.length ?? 0) : 0)
    const columns = Array.from({ length: count }, (_, index) => this.nameOf(`${stem}_${index}`))
    this.#documents.set(csv, { type: 'csv', path, columns })
    note(
      `The lines of ${path} are read one after the other, one in each iteration; upload the file to the project.`,
    )
    return columns[column]!
  }

  #dollar(): string {
    const known = this.#byFunction.get('$')
    if (known !== undefined) return known
    const own = this.add('dollar', { type: 'constant', value: '$', description: 'A $ before a variable.' })
    this.#byFunction.set('$', own)
    return own
  }
}

/** `${__char(36)}` is a $. */
function charactersOf(part: JmeterPart): string | undefined {
  if (part.kind !== 'function' || part.name !== '__char') return undefined
  const codes = part.parameters.map((parameter) => Number(parameterText(parameter).trim()))
  if (codes.length === 0 || !codes.every((code) => Number.isInteger(code) && code > 0 && code <= 0x10ffff))
    return undefined
  return String.fromCodePoint(...codes)
}

/** The project file that stands for a file of the machine that JMeter ran on. Plans name files beside them, which have no folder. */
export function projectFile(path: string, note: Note): string {
  const file = projectPath(path, '')
  if (file.includes('${')) note(`The file is named by a variable: give the path itself.`)
  return file
}
