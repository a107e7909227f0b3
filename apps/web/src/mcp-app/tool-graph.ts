import { operations } from '@flamegate/contract'
import { columnsOfBoth } from '../flame-graph/columns-of-both.ts'
import type { FlameColumns } from '../flame-graph/flame-tree.ts'
import { callTreeColumns } from './call-tree-columns.ts'
import { readDifferentialTree } from './differential-tree.ts'
import type { ToolResult } from './host-state.ts'

/** What a tool's result has to draw. */
export interface ToolGraph {
  columns: FlameColumns
  unit: string
  sampleType: string
  /** Whether more can be had by asking for it. */
  isOutline: boolean
}

const whole = operations.generateFlamegraph.output
const summary = operations.queryFlamegraph.output.omit({ report: true })
const comparison = operations.compareProfiles.output.omit({ report: true })

/** Undefined when there is nothing to draw in it. */
export function graphOf(result: ToolResult): ToolGraph | undefined {
  const { structuredContent: answer } = result
  const graph = whole.safeParse(answer)
  if (graph.success) {
    const { unit, sample_type: sampleType, truncated } = graph.data
    return { columns: graph.data, unit, sampleType, isOutline: truncated }
  }
  const tree = summary.safeParse(answer)
  if (tree.success && tree.data.call_tree.length > 0) {
    const { unit, sample_type: sampleType } = tree.data
    return { columns: callTreeColumns(tree.data), unit, sampleType, isOutline: true }
  }
  const sides = readDifferentialTree(textOf(result))
  if (sides === undefined) return undefined
  const basis = comparison.safeParse(answer)
  const { unit = '', sample_type: sampleType = '' } = basis.data ?? {}
  return { columns: columnsOfBoth(sides), unit, sampleType, isOutline: false }
}

/** Whose profile it is; also where the answer was too large for anything but its text, which ends with a link. */
export function profileIdOf(result: ToolResult): string | undefined {
  const id = member(result.structuredContent, 'profile_id')
  return typeof id === 'string' ? id : /\/profiles\/(prf_[A-Za-z0-9]+)/.exec(textOf(result))?.[1]
}

/** The page in the web UI that shows the answer. */
export function pageOf(result: ToolResult): string | undefined {
  const url = member(result.structuredContent, 'url')
  return typeof url === 'string' ? url : /https?:\/\/\S+?(?=_?\s*$)/.exec(textOf(result))?.[0]
}

export function textOf({ content }: ToolResult): string {
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
