import { operations } from '@flamegate/contract'
import { pageOf } from '../cursor.ts'
import { implement } from '../implement.ts'
import { getProject } from '../targets.ts'
import { templateOnWire } from './on-wire.ts'

export const listReportTemplates = implement(operations.listReportTemplates)(async (input, context) => {
  const project = await getProject(context, input.project_id)
  const filter = { kind: 'report_template' } as const
  const { rows, nextCursor } = await pageOf('report_templates', input, { project: project.id }, (page) =>
    context.deps.stores.designs.list(context.caller, project.id, page, filter),
  )
  return { project_id: project.id, templates: rows.map(templateOnWire), next_cursor: nextCursor }
})
