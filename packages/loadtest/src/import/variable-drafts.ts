import type { z } from 'zod'
import { variable, type Variable } from '../model/variable.ts'
import { soundsSecret } from '../text/secret-names.ts'
import type { Identified, ImportContext } from './importer.ts'

const nameCharactersMax = 80

/** The variables that an import makes, each with a name of its own. */
export class VariableDrafts {
  readonly #drafts: Identified<Variable>[] = []
  readonly #taken = new Set<string>()
  readonly #context: ImportContext

  constructor(context: ImportContext) {
    this.#context = context
  }

  /** A name that is not taken yet, as near to the wanted one as names of variables can be; it is taken from now on. */
  reserve(wanted: string): string {
    const plain = wanted
      .replaceAll(/[^\w.-]+/g, '_')
      // ${x.length} is how many values x has.
      .replace(/\.length$/, '_length')
      .replace(/^(?![A-Za-z_])/, '_')
      .slice(0, nameCharactersMax)
    let free = plain
    for (let count = 2; this.#taken.has(free); count++)
      free = `${plain.slice(0, nameCharactersMax - 8)}_${count}`
    this.#taken.add(free)
    return free
  }

  /** Adds a variable, whose name was reserved; false when it is larger than variables can be. */
  add(document: z.input<typeof variable>): boolean {
    const parsed = variable.safeParse(document)
    if (!parsed.success) return false
    this.#drafts.push({ id: this.#context.newId('variable'), document: parsed.data })
    return true
  }

  /** Adds a variable whose value the source does not say: a secret where its name there sounds like one. */
  addWithoutValue(name: string, source: string, description: string): 'secret' | 'variable' {
    const isSecret = soundsSecret(source)
    this.add(
      isSecret ? { type: 'secret', name, description } : { type: 'constant', name, value: '', description },
    )
    return isSecret ? 'secret' : 'variable'
  }

  all(): Identified<Variable>[] {
    return this.#drafts
  }
}
