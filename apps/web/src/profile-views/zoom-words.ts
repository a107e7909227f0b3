import type { Zoom } from '../flame-graph/flame-canvas.tsx'
import { at, type FlameTree, nodeOfWire } from '../flame-graph/flame-tree.ts'
import { outermostIn, sightOf, within } from '../flame-graph/viewport.ts'

/** What is zoomed to, as the address keeps it: the node's number, and where less of it is seen, which part of the whole. */
export interface ZoomWords {
  zoom: string | undefined
  part: string | undefined
}

export function zoomWords(tree: FlameTree, { node, left, span }: Zoom): ZoomWords {
  const zoom = node === 0 ? undefined : String(at(tree.wireOf, node))
  const all = sightOf(tree, node)
  if (left === all.left && span === all.span) return { zoom, part: undefined }
  const whole = at(tree.total, 0)
  // As many digits as it takes to come back to within a thousandth of what is seen.
  const digits = Math.min(20, Math.ceil(Math.log10(whole / span)) + 4)
  return { zoom, part: [left, left + span].map((value) => (value / whole).toFixed(digits)).join('-') }
}

/** What an address asks for; all where it asks for nothing that there is. */
export function readZoom(tree: FlameTree, { zoom, part }: Partial<ZoomWords>): Zoom {
  const node = zoom === undefined ? 0 : nodeOfWire(tree, Number(zoom))
  const [from, to] = (part ?? '').split('-').map(Number)
  if (from === undefined || to === undefined || !(from >= 0 && to > from && to <= 1)) {
    return { node, ...sightOf(tree, node) }
  }
  const whole = at(tree.total, 0)
  const sight = within(tree, { left: from * whole, span: (to - from) * whole })
  return { node: outermostIn(tree, node, sight), ...sight }
}
