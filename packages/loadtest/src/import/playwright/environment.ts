import { soundsSecret } from '../../text/secret-names.ts'
import type { VariableDrafts } from '../variable-drafts.ts'
import type { ReportBuilder } from '../report.ts'
import type { FoundUser } from '../browser/finish-import.ts'
import type { Text } from './values.ts'

/** Variables of the environment that a script reads. */
export class Environment {
  readonly #variables: VariableDrafts
  /** Name of the variable in the model, by that in the environment. */
  readonly #names = new Map<string, string>()
  /** Template of the value that the script takes where there is none, by the name in the model. */
  readonly #fallbacks = new Map<string, string>()

  constructor(variables: VariableDrafts) {
    this.#variables = variables
  }

  /** A variable's value; `plain` is what the script takes where there is none. */
  read(name: string): Text {
    const known = this.#names.get(name) ?? this.#variables.reserve(name)
    this.#names.set(name, known)
    const template = `\${${known}}`
    return { kind: 'text', template, plain: this.#fallbacks.get(known) ?? template }
  }

  /** The value of a variable, or what is taken where there is none; undefined for other texts. */
  withFallback({ template }: Text, fallback: Text): Text | undefined {
    const name = this.nameOf(template)
    if (name === undefined) return undefined
    this.#fallbacks.set(name, fallback.plain)
    return { kind: 'text', template, plain: fallback.plain }
  }

  /** Name of the variable that a text begins with: of `${BASE_URL}/login`. */
  nameOf(template: string): string | undefined {
    const name = /^\$\{([\w.-]+)\}/.exec(template)?.[1]
    return name !== undefined && [...this.#names.values()].includes(name) ? name : undefined
  }

  /** Makes the variables that are used: secrets, which get their value later, and constants. */
  makeVariables(users: readonly FoundUser[], { report }: ReportBuilder): void {
    const documents = users.map(({ actions }) => JSON.stringify(actions))
    for (const [original, name] of this.#names) {
      if (!documents.some((document) => document.includes(`\${${name}}`))) continue
      const description = `Environment variable ${original} of the script.`.slice(0, 2000)
      if (soundsSecret(original)) {
        this.#variables.add({ type: 'secret', name, description })
        report.notes.push(`Give the secret variable "${name}" its value.`)
        continue
      }
      const value = this.#fallbacks.get(name)
      this.#variables.add({ type: 'constant', name, description, value: value ?? '' })
      if (value === undefined) report.notes.push(`Give the variable "${name}" its value.`)
    }
  }
}
