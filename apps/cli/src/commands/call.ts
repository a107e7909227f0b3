import { catalogue, findOperation, toolsetNames } from '@flamegate/contract'
import { fieldOption, givenFields, parseJson } from '../arguments/field-values.ts'
import { operationFields } from '../arguments/operation-field.ts'
import { UsageError } from '../usage-error.ts'
import type { Command, CommandBody } from './command.ts'
import { callAndPrint } from './operation-command.ts'

/** `flamegate call <operation>`: its options are the fields of that operation. @throws UsageError for an unknown name */
export function callCommand(operationId: string | undefined): Command | CommandBody {
  if (operationId === undefined || operationId.startsWith('-')) return listing
  const operation = findOperation(operationId.replaceAll('-', '_'))
  if (operation === undefined) {
    throw new UsageError(`There is no operation ${operationId}. flamegate call --help lists them.`)
  }
  return {
    name: `call ${operation.id}`,
    summary: operation.title,
    details: operation.description,
    positionals: [],
    options: [
      ...operationFields(operation).map(fieldOption),
      { name: 'json', value: '<json>', description: 'The input as one JSON object; options win over it.' },
      { name: 'markdown', description: 'Print the answer as markdown.' },
    ],
    async run(context) {
      const { line } = context
      const document = parseJson('json', line.text('json')) ?? {}
      if (typeof document !== 'object' || Array.isArray(document)) {
        throw new UsageError('--json must be a JSON object.')
      }
      await callAndPrint(
        operation,
        { ...document, ...givenFields(operation, line) },
        { context, asJson: line.flag('markdown') !== true },
      )
    },
  }
}

/** What `flamegate call` is without an operation. */
const listing: CommandBody = {
  details: 'flamegate call <operation> --help shows the fields of one.',
  choices: {
    title: 'Operations, by toolset',
    rows: toolsetNames.map((toolset) => [
      toolset,
      `${catalogue.flatMap((each) => (each.toolset === toolset ? [each.id] : [])).join(', ')}.`,
    ]),
  },
  positionals: ['operation'],
  options: [],
  run() {
    return Promise.reject(new UsageError('Name the operation to call. flamegate call --help lists them.'))
  },
}
