/** What is not in the exposition format, with the line that it is on. */
export class ExpositionError extends Error {}

export interface ExpositionSample {
  /** As it is written: of a histogram `latency_seconds_bucket`. */
  name: string
  /** Without its ending: `latency_seconds`. Of a sample that belongs to no family, its name. */
  family: string
  /** As `# TYPE` has it; `untyped` of a sample that belongs to no family. */
  type: string
  labels: readonly (readonly [name: string, value: string])[]
  value: number
}

/**
 * Reads the Prometheus text format and OpenMetrics:
 * https://prometheus.io/docs/instrumenting/exposition_formats/
 * https://prometheus.io/docs/specs/om/open_metrics_spec/
 * Times of samples are left out, and exemplars, and samples that are no number: nothing was measured.
 * @throws ExpositionError
 */
export function readExposition(text: string): ExpositionSample[] {
  const samples: ExpositionSample[] = []
  let family = { name: '', type: 'untyped' }
  for (const [index, line] of text.split('\n').entries()) {
    const trimmed = line.trim()
    if (trimmed === '') continue
    if (trimmed === '# EOF') break
    if (trimmed.startsWith('#')) {
      family = familyOf(trimmed) ?? family
      continue
    }
    const sample = new SampleLine(trimmed, index + 1)
    const { name, labels } = sample.name()
    const value = sample.value()
    const isOf = name === family.name || name.startsWith(`${family.name}_`)
    const of = isOf ? family : { name, type: 'untyped' }
    if (Number.isFinite(value)) samples.push({ name, family: of.name, type: of.type, labels, value })
  }
  return samples
}

function familyOf(comment: string): { name: string; type: string } | undefined {
  const [, name, type] = /^#\s+TYPE\s+("(?:[^"\\]|\\.)*"|\S+)\s+(\w+)$/.exec(comment) ?? []
  if (name === undefined || type === undefined) return undefined
  return { name: name.startsWith('"') ? unescaped(name.slice(1, -1)) : name, type }
}

/** `name{label="value",…} value …`, or `{"name",label="value"} value …`. */
class SampleLine {
  readonly #text: string
  readonly #line: number
  #position = 0

  constructor(text: string, line: number) {
    this.#text = text
    this.#line = line
  }

  name(): Pick<ExpositionSample, 'name' | 'labels'> {
    let name = this.#take(/[a-zA-Z_:][\w:]*/y) ?? ''
    const labels: [string, string][] = []
    this.#take(/[ \t]*/y)
    if (this.#take(/\{/y) !== undefined) {
      while (this.#take(/[ \t]*\}/y) === undefined) {
        const label = this.#label()
        if (label.value !== undefined) labels.push([label.name, label.value])
        else if (name === '') name = label.name
        else this.#fail('a label without a value')
        if (this.#take(/[ \t]*,/y) === undefined && !/[ \t]*\}/y.test(this.#rest()))
          this.#fail('no comma after a label')
      }
    }
    if (name === '') this.#fail('no name of a metric')
    return { name, labels }
  }

  value(): number {
    const text = this.#take(/[ \t]*\S+/y)?.trim()
    if (text === undefined) this.#fail('no value')
    if (/^[+-]?inf(inity)?$/i.test(text) || /^nan$/i.test(text)) return Number.NaN
    const value = Number(text)
    if (Number.isNaN(value)) this.#fail(`${text.slice(0, 40)} is no number`)
    const rest = this.#rest().trim()
    if (rest !== '' && !/^[-+.\deE]+(\s+#.*)?$|^#/.test(rest)) this.#fail('more than a value and a time')
    return value
  }

  /** Without a value it is the name of the metric, in quotes. */
  #label(): { name: string; value?: string } {
    this.#take(/[ \t]*/y)
    const quoted = this.#quoted()
    const name = quoted ?? this.#take(/[a-zA-Z_][\w.]*/y)
    if (name === undefined) this.#fail('no name of a label')
    if (this.#take(/[ \t]*=[ \t]*/y) === undefined) {
      if (quoted === undefined) this.#fail('no = after the name of a label')
      return { name }
    }
    const value = this.#quoted()
    if (value === undefined) this.#fail('no value of a label in quotes')
    return { name, value }
  }

  #quoted(): string | undefined {
    const text = this.#take(/"(?:[^"\\]|\\.)*"/y)
    return text === undefined ? undefined : unescaped(text.slice(1, -1))
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#position
    const [found] = pattern.exec(this.#text) ?? []
    this.#position += found?.length ?? 0
    return found
  }

  #rest(): string {
    return this.#text.slice(this.#position)
  }

  #fail(what: string): never {
    throw new ExpositionError(`Line ${this.#line} is not in the Prometheus text format: ${what}.`)
  }
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/g, (whole, character: string) =>
    character === 'n' ? '\n' : character === '"' || character === '\\' ? character : whole,
  )
}
