import { operations } from '@flamegate/contract'
import { parseDocument } from '@flamegate/loadtest'
import { implement } from '../implement.ts'
import { getProject } from '../targets.ts'
import { variableOnWire } from './on-wire.ts'
import { pageOfDocuments } from './page-of-documents.ts'
import { usersOfVariables } from './usage.ts'

export const listVariables = implement(operations.listVariables)(async (input, context) => {
  const project = await getProject(context, input.project_id)
  const { rows, nextCursor } = await pageOfDocuments(context, 'variable', project.id, input)
  const variables = rows.map((object) => ({ object, document: parseDocument('variable', object.document) }))
  const usage = await usersOfVariables(
    context,
    project.id,
    variables.map(({ object, document }) => ({ id: object.id, document })),
  )
  return {
    project_id: project.id,
    variables: variables.map(({ object, document }) =>
      variableOnWire(object, document, usage.get(object.id)),
    ),
    next_cursor: nextCursor,
  }
})
