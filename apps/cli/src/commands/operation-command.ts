import type { Operation } from '@flamegate/contract'
import { jsonOption } from '../arguments/command-line.ts'
import { fieldOption, givenFields, parseInput } from '../arguments/field-values.ts'
import { operationFields } from '../arguments/operation-field.ts'
import type { CommandBody, CommandContext } from './command.ts'

type Input = Record<string, unknown>

/** A command that is one operation under a shorter name. */
export interface OperationCommandSpec {
  operation: Operation
  /** Arguments without dashes, with the fields they fill; the option of the same field wins. */
  positionals?: readonly { name: string; fieldFor: (value: string) => string }[]
  /** Adds the fields that follow from where the command runs to those that were given. */
  complete?: (given: Input, context: CommandContext) => Promise<Input>
}

/** Makes the command: options from the operation's fields, answer as markdown or JSON. */
export function operationCommand(spec: OperationCommandSpec): CommandBody {
  const { operation, positionals = [] } = spec
  return {
    details: operation.description,
    positionals: positionals.map((positional) => positional.name),
    options: [...operationFields(operation).map(fieldOption), jsonOption].map((option) => ({
      ...option,
      // Where the command completes a field, or takes it as an argument, its option is not required.
      description: option.description.replace(/^Required\. /, ''),
    })),
    async run(context) {
      const { line } = context
      const given: Input = {}
      for (const [index, positional] of positionals.entries()) {
        const value = line.positionals[index]
        if (value !== undefined) given[positional.fieldFor(value)] = value
      }
      Object.assign(given, givenFields(operation, line))
      const input = spec.complete === undefined ? given : await spec.complete(given, context)
      await callAndPrint(operation, input, { context, asJson: line.flag('json') === true })
    },
  }
}

/** Calls an operation and prints its answer: markdown with the link to its page, or JSON. */
export async function callAndPrint(
  operation: Operation,
  input: Input,
  { context, asJson }: { context: CommandContext; asJson: boolean },
): Promise<void> {
  const answer = await context.client().call(operation, parseInput(operation, input))
  context.terminal.writeOut(
    asJson ? JSON.stringify(answer, null, 2) : `${operation.markdown(answer)}\n\n${answer.url}`,
  )
}
