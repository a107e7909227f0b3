import { applyPatch } from 'rfc6902'
import { type Action, action } from '../model/action.ts'
import { extractor, type Extractor } from '../model/extractor.ts'
import { virtualUser, type VirtualUser } from '../model/virtual-user.ts'
import { variablesSetBy } from '../outline/action-variables.ts'
import { walkActions } from '../outline/walk-actions.ts'
import type { PatchOperation } from '../patch/apply-patch.ts'
import { convertScript, type Encoding } from './encodings.ts'
import type { ValueUse } from './find-uses.ts'
import type { Finder } from './run-extractor.ts'
import { type TextSlot, textSlots } from './text-slots.ts'
import { freeVariableName } from './variable-names.ts'

/** A place at which a variable is sent now instead of what was recorded. */
export interface Replacement {
  actionId: string
  /** JSON pointer of the text in the document as it was. */
  pointer: string
  target: TextSlot['target']
  name: string | null
  /** What stands there now. */
  variable: string
}

/** Collects what correlation changes in a document, and gives it as one patch. */
export class DocumentEditor {
  /** Their texts are those that the document will have. */
  readonly slots: TextSlot[]
  readonly #document: VirtualUser
  readonly #newId: () => string
  readonly #taken: Set<string>
  readonly #places = new Map<string, { pointer: string; order: number }>()
  readonly #changed = new Map<string, string>()
  readonly #extractors: { pointer: string; extractor: Extractor }[] = []
  readonly #scripts: { pointer: string; order: number; script: Action }[] = []

  /** Names of variables that are taken outside of the document are not given to new ones. */
  constructor(document: VirtualUser, newId: () => string, taken: Iterable<string> = []) {
    this.#document = document
    this.#newId = newId
    this.slots = textSlots(document)
    this.#taken = new Set([...variablesSetBy(document), ...taken])
    let order = 0
    for (const { action: placed, pointer } of walkActions(document)) {
      this.#places.set(placed.id, { pointer, order })
      order++
    }
  }

  /** A name for a new variable: the wanted one, with a number when it is taken. */
  reserve(wanted: string): string {
    const name = freeVariableName(wanted, this.#taken)
    this.#taken.add(name)
    return name
  }

  /**
   * Has an action take a value from its answer, and sends it at those places. What has to be encoded or decoded for that is done
   * by a script right behind the action.
   */
  correlate(
    actionId: string,
    finder: Finder,
    decode: Encoding | null,
    name: string,
    uses: readonly ValueUse[],
  ): Replacement[] {
    const variable = decode === null ? name : this.reserve(`${name}_raw`)
    const place = this.#places.get(actionId)
    if (place === undefined) throw new TypeError(`No action ${actionId}`)
    this.#extractors.push({
      pointer: `${place.pointer}/extractors/-`,
      extractor: extractor.parse({ id: this.#newId(), variable, ...finder }),
    })
    if (decode !== null) this.#convert(place, variable, name, decode, 'decode')
    const encoded = new Map<Encoding | null, string>([[null, name]])
    for (const { encoding } of uses) {
      if (encoding === null || encoded.has(encoding)) continue
      const encodedName = this.reserve(`${name}_${encoding}`)
      this.#convert(place, name, encodedName, encoding, 'encode')
      encoded.set(encoding, encodedName)
    }
    return this.#replace(uses, encoded)
  }

  /** The document with all of it done, and the patch that does it. */
  finish(): { document: VirtualUser; patch: PatchOperation[] } {
    const patch: PatchOperation[] = [
      ...[...this.#changed].map(([path, value]) => ({ op: 'replace' as const, path, value })),
      ...this.#extractors.map(({ pointer, extractor: added }) => ({
        op: 'add' as const,
        path: pointer,
        value: added,
      })),
      // From the last on, so that no place moves before its turn.
      ...this.#scripts
        .toReversed()
        .toSorted((a, b) => b.order - a.order)
        .map(({ pointer, script }) => ({ op: 'add' as const, path: behind(pointer), value: toJson(script) })),
    ]
    const document: unknown = structuredClone(this.#document)
    for (const error of applyPatch(document, patch)) if (error !== null) throw error
    return { document: virtualUser.parse(document), patch }
  }

  #convert(
    { pointer, order }: { pointer: string; order: number },
    from: string,
    to: string,
    encoding: Encoding,
    direction: 'encode' | 'decode',
  ): void {
    const script = action.parse({
      type: 'script',
      id: this.#newId(),
      name: direction === 'encode' ? `${to}: ${from} as it is sent` : `${to}: ${from} decoded`,
      source: convertScript(from, to, encoding, direction),
    })
    this.#scripts.push({ pointer, order, script })
  }

  #replace(uses: readonly ValueUse[], variables: ReadonlyMap<Encoding | null, string>): Replacement[] {
    const replacements: Replacement[] = []
    // From the end of each text, so that the places before stay where they are.
    for (const { slot, start, end, encoding, name } of uses.toReversed()) {
      const variable = variables.get(encoding)
      if (variable === undefined) continue
      slot.text = `${slot.text.slice(0, start)}\${${variable}}${slot.text.slice(end)}`
      this.#changed.set(slot.pointer, slot.text)
      const { action: user, pointer, target } = slot
      replacements.push({ actionId: user.id, pointer, target, name, variable })
    }
    return replacements.toReversed()
  }
}

function behind(pointer: string): string {
  const slash = pointer.lastIndexOf('/')
  return `${pointer.slice(0, slash)}/${Number(pointer.slice(slash + 1)) + 1}`
}

/** Without what is undefined. */
function toJson(value: Action): Extract<PatchOperation, { op: 'add' }>['value'] {
  return JSON.parse(JSON.stringify(value))
}
