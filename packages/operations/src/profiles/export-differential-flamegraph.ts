import { formatChangePercent, formatQuantity, operations, Problem } from '@flamegate/contract'
import { percentOf } from '@flamegate/profiles'
import { implement, type CallContext } from '../implement.ts'
import { getProfile } from '../targets.ts'
import { openComparison } from './open-comparison.ts'
import { storeExport, withoutExtension } from './store-export.ts'

/** No more are drawn than can be seen. */
const mostNodes = 50_000

export const exportDifferentialFlamegraph = implement(operations.exportDifferentialFlamegraph)(async (
  input,
  context,
) => {
  const { comparison, basis } = await openComparison(context, input, { limit: 0, graphNodes: mostNodes })
  const [base, head] = await Promise.all([sideOf(context, basis.base), sideOf(context, basis.head)])
  const { format, width_px: widthPx } = input
  const { unit, benchmark, normalize } = basis
  const outcome = await context.deps.profileWriter.write({
    graph: comparison.graph!,
    format,
    title: `${head.name} against ${base.name}`,
    facts: [
      ...(benchmark === null ? [] : [benchmark]),
      changeOf(basis),
      ...(normalize === 'none' ? [] : [`normalized by ${normalize}`]),
    ],
    unit,
    widthPx,
  })
  if ('refused' in outcome)
    throw new Problem(
      'too_large',
      `As ${format} this is too large: ${outcome.reason}. Compare fewer profiles, or ask for another format.`,
    )
  return storeExport(context, head.workspaceId, outcome.file, `${head.fileName} difference`)
})

/** What a side is called, in the picture and as a file, and whose it is. */
async function sideOf(
  context: CallContext,
  { profile_ids }: { profile_ids: readonly string[] },
): Promise<{ name: string; fileName: string; workspaceId: string }> {
  const { name, workspaceId } = await getProfile(context, profile_ids[0]!)
  const others = profile_ids.length - 1
  const more = others === 0 ? '' : ` and ${others} more`
  return { name: `${name}${more}`, fileName: `${withoutExtension(name)}${more}`, workspaceId }
}

function changeOf(basis: {
  sample_type: string
  unit: string
  base_value: number
  head_value: number
}): string {
  const { sample_type, unit, base_value: before, head_value: now } = basis
  const change = before === 0 ? '' : ` (${formatChangePercent(percentOf(now - before, before))})`
  return `${sample_type} before ${formatQuantity(before, unit)}, now ${formatQuantity(now, unit)}${change}`
}
