import { operations } from '@flamegate/contract'
import { correlationFrameworks, parseDocument } from '@flamegate/loadtest'
import { implement } from '../implement.ts'
import { getProject } from '../targets.ts'
import { ruleOnWire } from './on-wire.ts'
import { pageOfDocuments } from './page-of-documents.ts'

export const listCorrelationRules = implement(operations.listCorrelationRules)(async (input, context) => {
  const project = await getProject(context, input.project_id)
  const { rows, nextCursor } = await pageOfDocuments(context, 'correlation_rule', project.id, input)
  return {
    project_id: project.id,
    rules: rows.map((object) => ruleOnWire(object, parseDocument('correlation_rule', object.document))),
    frameworks: correlationFrameworks.map(({ id, title, rules }) => ({
      id,
      title,
      rule_names: rules.map(({ name }) => name),
    })),
    next_cursor: nextCursor,
  }
})
