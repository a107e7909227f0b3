import type { FlameColumns } from './flame-tree.ts'

/** The call trees of two profiles as one, as `generate_differential_flamegraph` answers it. */
export interface BothSides {
  functions: FlameColumns['functions']
  nodes: {
    parent: readonly number[]
    function: readonly number[]
    base_self: readonly number[]
    base_total: readonly number[]
    head_self: readonly number[]
    head_total: readonly number[]
  }
  base_value: number
  head_value: number
}

/** Columns to draw, with both sides together as widths. */
export function columnsOfBoth({ nodes, functions, base_value, head_value }: BothSides): FlameColumns {
  return {
    total_value: Math.abs(base_value) + Math.abs(head_value),
    functions,
    nodes: {
      parent: nodes.parent,
      function: nodes.function,
      self: both(nodes.base_self, nodes.head_self),
      total: both(nodes.base_total, nodes.head_total),
    },
    sides: {
      baseSelf: nodes.base_self,
      baseTotal: nodes.base_total,
      headSelf: nodes.head_self,
      headTotal: nodes.head_total,
    },
  }
}

function both(base: readonly number[], head: readonly number[]): number[] {
  return base.map((value, node) => Math.abs(value) + Math.abs(head[node] ?? 0))
}
