import { formatDifference, formatQuantity } from '@flamegate/contract'
import { at, type FlameTree, nodeName } from './flame-tree.ts'

/** A frame in words, for the details bar, the tooltip and assistive technology. */
export interface NodeWords {
  name: string
  /** File and origin, as far as they are known. */
  place: string
  /** Total with its share of the whole profile. */
  total: string
  self: string
}

/** `unit` is the unit of the tree's values. */
export function nodeWords(tree: FlameTree, node: number, unit: string): NodeWords {
  const source = tree.functions[at(tree.functionOf, node)]
  const quantity = (value: number) =>
    `${formatQuantity(value, unit)} (${formatShare(value / at(tree.total, 0))})`
  const { sides } = tree
  return {
    name: nodeName(tree, node),
    place: [source?.origin, source?.file?.replace('file://', '')]
      .filter((part) => part !== undefined && part !== null)
      .join(' · '),
    total:
      sides === undefined
        ? quantity(at(tree.total, node))
        : changeWords(at(sides.baseTotal, node), at(sides.headTotal, node), unit),
    self:
      sides === undefined
        ? quantity(at(tree.self, node))
        : changeWords(at(sides.baseSelf, node), at(sides.headSelf, node), unit),
  }
}

/** `1.2 s → 1.5 s (+300 ms)`. */
function changeWords(base: number, head: number, unit: string): string {
  return `${formatQuantity(base, unit)} → ${formatQuantity(head, unit)} (${formatDifference(head - base, unit)})`
}

/** A share from 0 to 1 as `12.3 %`, with more digits for what is small. */
export function formatShare(share: number): string {
  if (!Number.isFinite(share)) return '0 %'
  const percent = share * 100
  return `${percent.toFixed(percent !== 0 && Math.abs(percent) < 1 ? 2 : 1)} %`
}
