import type { FlameDrawing } from './drawn-tree.ts'
import { pictureOf, pictureWidthPx, type PaintPng } from './flame-picture.ts'
import { drawFlameGraph } from './svg.ts'

export interface PictureOptions {
  /** Of a PNG; within `pictureWidthPx`, its default when absent. */
  widthPx?: number | undefined
  /** Only a PNG is painted; without this it is a TypeError. */
  paint?: PaintPng | undefined
}

export type PictureFormat = 'svg' | 'png'

interface PictureKind {
  contentType: string
  /** Of the file's name, with its dot. */
  extension: string
  draw: (drawing: FlameDrawing, options: PictureOptions) => { bytes: Uint8Array; notes: string[] }
}

/** The formats that flame graphs are drawn in. */
export const pictureFormats: Readonly<Record<PictureFormat, PictureKind>> = {
  svg: { contentType: 'image/svg+xml', extension: '.svg', draw: (drawing) => drawFlameGraph(drawing) },
  png: {
    contentType: 'image/png',
    extension: '.png',
    draw: (drawing, { widthPx = pictureWidthPx.default, paint }) => {
      if (paint === undefined) throw new TypeError('A PNG needs something that paints it.')
      const { picture, notes } = pictureOf(drawing, widthPx)
      return { bytes: paint(picture), notes }
    },
  },
}
