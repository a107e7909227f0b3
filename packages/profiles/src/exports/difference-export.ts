import type { DifferentialFlameGraph } from '../several/differential-flame-graph.ts'
import { drawingOfDifference } from './drawn-tree.ts'
import { pictureFormats, type PictureFormat, type PictureOptions } from './picture-formats.ts'
import type { ExportedFile } from './profile-export.ts'

/** Both sides of a comparison as one flame graph: what became more is red, what became less is blue. */
export function exportDifference(
  graph: DifferentialFlameGraph,
  format: PictureFormat,
  options: PictureOptions & { title: string; facts: readonly string[]; unit: string },
): ExportedFile {
  const { draw, ...kind } = pictureFormats[format]
  const { bytes, notes } = draw(drawingOfDifference(graph, options), options)
  const { omittedNodes } = graph
  const smallest = `${omittedNodes.toLocaleString('en')} of the smallest frames are left out.`
  return { ...kind, bytes, notes: omittedNodes === 0 ? notes : [smallest, ...notes] }
}
