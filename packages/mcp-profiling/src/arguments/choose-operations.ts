import { generateArguments } from './generate-arguments.ts'

/** What matters of an entry of `tools/list`. */
export interface ListedTool {
  name: string
  inputSchema: unknown
  annotations?: { readOnlyHint?: boolean; destructiveHint?: boolean }
}

export interface ChosenOperation {
  name: string
  arguments: Record<string, unknown>
  /** Whether the user gave the arguments, or they were made of the schema. */
  areArgumentsGiven: boolean
}

export interface OperationChoice {
  chosen: ChosenOperation[]
  /** In words, such as `it may change something (no readOnlyHint)`. */
  leftOut: { name: string; reason: string }[]
}

export interface ChoiceOptions {
  /** Tools that the user names; empty to take those that say that they only read. */
  named: readonly string[]
  /** Arguments of the user's by tool, which go before generated ones. */
  givenArguments?: Readonly<Record<string, Record<string, unknown>>>
  /** 1 when left out. */
  seed?: number
}

/**
 * Which tools are called, and with what: those that the user names, whatever they do; else those that say that they only
 * read. A tool that says nothing may change something (the default of the protocol), and is left alone.
 */
export function chooseOperations(
  tools: readonly ListedTool[],
  { named, givenArguments = {}, seed = 1 }: ChoiceOptions,
): OperationChoice {
  const choice: OperationChoice = { chosen: [], leftOut: [] }
  for (const name of new Set(named))
    if (!tools.some((tool) => tool.name === name))
      choice.leftOut.push({ name, reason: 'the server has no such tool' })
  for (const tool of tools) {
    const { name } = tool
    const refusal = named.length === 0 ? whyNotCalled(tool) : undefined
    if (named.length > 0 && !named.includes(name)) continue
    if (refusal !== undefined) {
      choice.leftOut.push({ name, reason: refusal })
      continue
    }
    const given = Object.hasOwn(givenArguments, name) ? givenArguments[name] : undefined
    const made = given
      ? { outcome: 'generated' as const, arguments: given }
      : generateArguments(tool.inputSchema, seed)
    if (made.outcome === 'generated')
      choice.chosen.push({ name, arguments: made.arguments, areArgumentsGiven: given !== undefined })
    else choice.leftOut.push({ name, reason: `no arguments could be made for it: ${made.reason}` })
  }
  return choice
}

function whyNotCalled({ annotations }: ListedTool): string | undefined {
  if (annotations?.destructiveHint === true && annotations.readOnlyHint === true)
    return 'it says both that it only reads and that it destroys'
  if (annotations?.readOnlyHint === true) return undefined
  return annotations?.destructiveHint === true
    ? 'it says that it destroys (destructiveHint); name it to have it called'
    : 'it may change something (no readOnlyHint); name it to have it called'
}
