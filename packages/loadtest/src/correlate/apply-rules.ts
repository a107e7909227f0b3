import type { CorrelationRule } from '../model/correlation-rule.ts'
import type { VirtualUser } from '../model/virtual-user.ts'
import type { AppliedCorrelation, ApplyOptions, Correlated } from './apply-suggestions.ts'
import { DocumentEditor } from './document-editor.ts'
import { decoded, type Encoding } from './encodings.ts'
import { findUses, type ValueUse } from './find-uses.ts'
import { ownedExchanges, type RecordedExchanges } from './recorded-exchanges.ts'
import { ruleFault } from './rule-fault.ts'
import { find, type Finder } from './run-extractor.ts'

/** What a rule found in a recorded answer. */
interface RuleMatch {
  rule: CorrelationRule
  actionId: string
  order: number
  /** As it stands in the answer. */
  value: string
}

/**
 * Has the values that rules find in the recorded answers taken from there, and sent wherever the recording sent them afterwards.
 * A value that several rules find is taken by the first of them. Where nothing is sent of what a rule finds, nothing is changed.
 *
 * Patterns of rules can take long on a hostile answer: call this where it can be ended from outside.
 * @throws RangeError for a rule that `ruleFault` finds fault with
 */
export async function applyRules(
  document: VirtualUser,
  rules: readonly CorrelationRule[],
  recording: RecordedExchanges,
  { newId, taken }: ApplyOptions,
): Promise<Correlated> {
  for (const rule of rules) {
    const fault = ruleFault(rule)
    if (fault !== undefined) throw new RangeError(`Rule “${rule.name}”: ${fault}`)
  }
  const matches = await findMatches(document, rules, recording)
  const editor = new DocumentEditor(document, newId, taken)
  const holders = new Map<string, Holder>()
  const applied: AppliedCorrelation[] = []
  for (const { rule, actionId, order, value } of matches) {
    const { uses, decode } = usesOf(editor, rule, value, order)
    const last = uses.at(-1)
    if (last === undefined) continue
    const holder = holders.get(rule.variable)
    // Of values that follow one another, the later may have the same variable, once the earlier is not sent any more.
    const isFree = holder !== undefined && holder.lastOrder <= order
    const variable = isFree ? holder.variable : editor.reserve(rule.variable)
    holders.set(rule.variable, { variable, lastOrder: last.slot.order })
    const replacements = editor.correlate(actionId, finderOf(rule), decode, variable, uses)
    applied.push({ by: rule.name, actionId, variable, value, replacements })
  }
  return { ...editor.finish(), applied }
}

interface Holder {
  variable: string
  /** Of the last action that sends its value. */
  lastOrder: number
}

/** What a rule looks for, as an extractor looks for it. */
function finderOf({ source }: CorrelationRule): Finder {
  if (source.type === 'regex') return { ...source, flags: source.part === 'headers' ? 'i' : '' }
  return source.type === 'boundaries' ? { ...source, part: 'body' } : source
}

/** Every value that each rule finds, once, where it came first; in the order of the actions. */
async function findMatches(
  document: VirtualUser,
  rules: readonly CorrelationRule[],
  recording: RecordedExchanges,
): Promise<RuleMatch[]> {
  const enabled = rules.filter((rule) => rule.enabled)
  const matches = new Map<string, RuleMatch>()
  for await (const { exchange, action, order, isSeen } of ownedExchanges(document, recording)) {
    if (!isSeen) continue
    for (const [place, rule] of enabled.entries()) {
      const value = find(finderOf(rule), exchange)
      const key = `${place} ${value}`
      if (value !== undefined && value.length >= rule.length_min && !matches.has(key))
        matches.set(key, { rule, actionId: action.id, order, value })
    }
  }
  return [...matches.values()].toSorted((a, b) => a.order - b.order)
}

/** Where a value is sent as it was found; or, where it is not, as it is when its escapes are read. */
function usesOf(
  editor: DocumentEditor,
  { targets, target_name: name }: CorrelationRule,
  value: string,
  after: number,
): { uses: ValueUse[]; decode: Encoding | null } {
  const uses = findUses(editor.slots, value, { targets, name, after })
  if (uses.length > 0) return { uses, decode: null }
  const plain = decoded(value)
  if (plain === undefined) return { uses, decode: null }
  return { uses: findUses(editor.slots, plain.text, { targets, name, after }), decode: plain.encoding }
}
