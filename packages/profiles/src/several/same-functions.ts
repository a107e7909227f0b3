import type { FunctionTable, OriginRule } from '../profile.ts'

/**
 * Functions of several profiles, each once. Functions are the same when their name and file name are: folders may differ,
 * because branches are checked out in different places, and so may start lines, because code above them changes. Of what
 * differs, the last profile's is kept.
 */
export class SameFunctions {
  private readonly indexes = new Map<string, number>()
  private readonly names: string[] = []
  private readonly files: string[] = []
  private readonly startLines: number[] = []
  private originRules: readonly OriginRule[] | undefined

  /** Where each function of a profile is among all. */
  add({ names, files, startLines, originRules }: FunctionTable): Int32Array {
    this.originRules = originRules
    return Int32Array.from(names, (name, index) => {
      const file = files[index] ?? ''
      const key = `${name}\0${fileName(file)}`
      const known = this.indexes.get(key)
      const place = known ?? this.names.push(name) - 1
      if (known === undefined) this.indexes.set(key, place)
      this.files[place] = file
      this.startLines[place] = startLines[index] ?? 0
      return place
    })
  }

  finish(): FunctionTable {
    return {
      names: this.names,
      files: this.files,
      startLines: Int32Array.from(this.startLines),
      originRules: this.originRules,
    }
  }
}

function fileName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
}
