import { operations } from '@flamegate/contract'
import { parseDocument } from '@flamegate/loadtest'
import { implement } from '../implement.ts'
import { itemValues, titleOf } from './item-values.ts'
import { getReport, itemOf } from './reaching.ts'

export const getReportItemValues = implement(operations.getReportItemValues)(async (input, context) => {
  const object = await getReport(context, input.bench_report_id)
  const report = parseDocument('bench_report', object.document)
  const item = itemOf(report, input.item_id)
  const { from_second: from = item.from_second, to_second: to = item.to_second } = input
  const values = await itemValues(
    { ...item, from_second: from, to_second: to },
    { reading: context, projectId: object.projectId, report, pointsMax: input.points_max },
  )
  return {
    bench_report_id: object.id,
    project_id: object.projectId,
    item_id: item.id,
    title: titleOf(item),
    values,
  }
})
