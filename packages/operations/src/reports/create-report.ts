import { operations, Problem, type InputOf } from '@flamegate/contract'
import {
  comparisonItems,
  parseDocument,
  standardItems,
  trendItems,
  type ReportItem,
} from '@flamegate/loadtest'
import { implement, type CallContext } from '../implement.ts'
import { getProject } from '../targets.ts'
import { freeName } from '../design/free-name.ts'
import { addReport } from './add-report.ts'
import { reportOnWire } from './on-wire.ts'
import { parseReport } from './parse-report.ts'
import { getTemplate } from './reaching.ts'

type Input = InputOf<typeof operations.createReport>

export const createReport = implement(operations.createReport)(async (input, context) => {
  const { caller, deps } = context
  const project = await getProject(context, input.project_id)
  const { bench_result_ids: ids, trend, description } = input
  if (ids.length === 0 && trend === undefined) {
    const message = 'Say what it is of: bench_result_ids, or trend.'
    throw new Problem('invalid_input', message, { errors: [{ field: 'bench_result_ids', message }] })
  }
  const value = {
    name: input.name ?? (await nameFor(context, project.id, input)),
    bench_result_ids: ids,
    trend: trend ?? null,
    ...(await contentFor(context, project.id, input)),
    ...(description === undefined ? {} : { description }),
  }
  const document = await parseReport(context, project.id, value, { fieldOf })
  const place = { workspaceId: project.workspaceId, projectId: project.id }
  const object = await addReport({ caller, deps }, place, document, 'Created')
  context.concerns(project.workspaceId, object.id)
  return { bench_report: reportOnWire(object) }
})

async function contentFor(
  context: CallContext,
  projectId: string,
  { template_id: templateId, trend, bench_result_ids: ids }: Input,
): Promise<{ items: ReportItem[] }> {
  if (templateId !== undefined) {
    const template = await getTemplate(context, templateId)
    if (template.projectId !== projectId)
      throw new Problem('report_template_not_found', 'This template is of another project.')
    const {
      schema_version: _version,
      name: _name,
      ...content
    } = parseDocument('report_template', template.document)
    return content
  }
  const items = ids.length > 1 ? comparisonItems(ids.length) : ids.length === 1 ? standardItems() : []
  return { items: trend === undefined ? items : [...trendItems(), ...items] }
}

/** Words for what it is of, that no report of the project has as its name. */
async function nameFor(
  { caller, deps }: CallContext,
  projectId: string,
  { bench_result_ids: ids, trend }: Input,
): Promise<string> {
  const runs = await Promise.all(ids.map((id) => deps.stores.benchRuns.find(caller, id)))
  const names = runs.flatMap((run) => (run?.projectId === projectId ? [run.name] : []))
  const name = trend === undefined ? (names.length > 1 ? 'Comparison' : 'Report') : 'Trend'
  const text = names[0] === undefined ? name : `${name} of ${[...new Set(names)].join(' and ')}`
  return freeName(text.slice(0, 80), await deps.stores.designs.listNames(caller, projectId, 'bench_report'))
}

/** The field of the input that a place in the document comes from: items are those of the template, or fit. */
function fieldOf(pointer: string): string {
  return pointer.startsWith('/items') ? 'template_id' : pointer.slice(1).replaceAll('/', '.')
}
