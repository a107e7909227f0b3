import type { ProfileDetail } from '../profile-detail.ts'
import type { Profile } from '../profile.ts'
import { exportCollapsed } from './collapsed.ts'
import { exportD3 } from './d3-flame-graph.ts'
import { drawingOfProfile } from './drawn-tree.ts'
import { exportJson } from './json.ts'
import { exportMarkdown } from './markdown.ts'
import { pictureFormats, type PictureOptions } from './picture-formats.ts'
import { exportPprof } from './pprof.ts'
import { exportSpeedscope } from './speedscope.ts'

/** The file formats that `exportProfile` writes. */
export const exportFormats = [
  'pprof',
  'speedscope',
  'collapsed',
  'd3',
  'json',
  'markdown',
  'svg',
  'png',
] as const
export type ExportFormat = (typeof exportFormats)[number]

export interface ExportedFile {
  bytes: Uint8Array
  contentType: string
  /** Of the file's name, with its dot. */
  extension: string
  /** What the format could not carry of this profile, in sentences. */
  notes: string[]
}

interface ExportOptions extends PictureOptions {
  /** What the file says that it shows. */
  name: string
  /** The default sample type when absent. */
  sampleTypeIndex?: number
}

interface FileFormat extends Pick<ExportedFile, 'contentType' | 'extension'> {
  write: (
    profile: Profile,
    detail: ProfileDetail | undefined,
    options: ExportOptions,
  ) => Uint8Array | { bytes: Uint8Array; notes: string[] }
}

const fileFormats: Readonly<Record<ExportFormat, FileFormat>> = {
  pprof: { contentType: 'application/gzip', extension: '.pb.gz', write: exportPprof },
  speedscope: { contentType: 'application/json', extension: '.speedscope.json', write: exportSpeedscope },
  collapsed: {
    contentType: 'text/plain; charset=utf-8',
    extension: '.collapsed.txt',
    write: (profile, _detail, { sampleTypeIndex }) => exportCollapsed(profile, sampleTypeIndex),
  },
  d3: {
    contentType: 'application/json',
    extension: '.d3.json',
    write: (profile, _detail, { sampleTypeIndex }) => exportD3(profile, sampleTypeIndex),
  },
  json: { contentType: 'application/json', extension: '.flamegate.json', write: exportJson },
  markdown: {
    contentType: 'text/markdown; charset=utf-8',
    extension: '.md',
    write: (profile, _detail, options) => exportMarkdown(profile, options),
  },
  svg: {
    ...pictureFormats.svg,
    write: (profile, _detail, options) =>
      pictureFormats.svg.draw(drawingOfProfile(profile, options), options),
  },
  png: {
    ...pictureFormats.png,
    write: (profile, _detail, options) =>
      pictureFormats.png.draw(drawingOfProfile(profile, options), options),
  },
}

/**
 * Writes a profile in a format of other tools. pprof and json hold all sample types, the others one.
 *
 * @throws ExportTooLarge, and RangeError when there is no such sample type
 */
export function exportProfile(
  profile: Profile,
  detail: ProfileDetail | undefined,
  format: ExportFormat,
  options: ExportOptions,
): ExportedFile {
  const { contentType, extension, write } = fileFormats[format]
  const written = write(profile, detail, options)
  const { bytes, notes } = written instanceof Uint8Array ? { bytes: written, notes: [] } : written
  return { bytes, contentType, extension, notes }
}
