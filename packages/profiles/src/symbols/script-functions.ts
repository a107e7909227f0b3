import { toLine, type FunctionInterner } from '../function-interner.ts'
import type { SourceMaps } from './source-maps.ts'

/** A frame as an engine of JavaScript tells it; line and column of where its function starts are 1-based, 0 when not known. */
export interface ScriptFrame {
  name: string
  file: string
  line: number
  column: number
}

/** Interns functions of scripts as they were written, where source maps came with the profile, and else as they are. */
export class ScriptFunctions {
  private readonly functions: FunctionInterner
  private readonly sourceMaps: SourceMaps | undefined

  constructor(functions: FunctionInterner, sourceMaps: SourceMaps | undefined) {
    this.functions = functions
    this.sourceMaps = sourceMaps
  }

  /** Whether `lineIn` asks for frames. */
  get hasSourceMaps(): boolean {
    return this.sourceMaps !== undefined
  }

  intern({ name, file, line, column }: ScriptFrame): number {
    const original = this.sourceMaps?.functionAt(file, line, column, name)
    return original === undefined
      ? this.functions.intern(name, file, line)
      : this.functions.intern(original.name ?? name, original.file, original.line)
  }

  /**
   * The line in the file of a frame's function, for a 1-based place in its script; 0 when it cannot be told. Without source
   * maps the frame is not asked for.
   */
  lineIn(frame: ScriptFrame | undefined, line: number, column?: number): number {
    const { sourceMaps } = this
    if (sourceMaps === undefined || frame === undefined) return toLine(line)
    const original = sourceMaps.functionAt(frame.file, frame.line, frame.column, frame.name)
    return original === undefined
      ? toLine(line)
      : toLine(sourceMaps.lineOf(frame.file, original.file, line, column))
  }
}
