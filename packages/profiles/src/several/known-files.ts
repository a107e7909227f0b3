import { sameFiles } from './same-files.ts'

/** The files of several profiles, each once, by number. */
export class KnownFiles {
  /** Of each, where it was last. */
  private readonly paths: string[] = []
  /** Wherever files were: profiles of several machines take turns. */
  private readonly byPath = new Map<string, number>()
  private readonly lastProfiles: number[] = []
  private profileCount = 0
  private countBefore = 0
  private readonly areOfOneProgram: boolean

  /** @param areOfOneProgram as `sameFiles` */
  constructor(areOfOneProgram: boolean) {
    this.areOfOneProgram = areOfOneProgram
  }

  /** The number of each of a profile's files. */
  add(paths: readonly string[]): number[] {
    this.profileCount++
    this.countBefore = this.paths.length
    const before = [...this.paths]
    for (const path of paths) {
      const file = this.byPath.get(path)
      if (file !== undefined) before[file] = path
    }
    const found = sameFiles(before, paths, this.areOfOneProgram)
    return paths.map((path, index) => {
      const file = found[index] === -1 ? this.paths.length : found[index]!
      this.paths[file] = path
      this.byPath.set(path, file)
      this.lastProfiles[file] = this.profileCount
      return file
    })
  }

  /** Whether only the last profile has it. */
  isNew(file: number): boolean {
    return file >= this.countBefore
  }

  /** Whether the last profile does not have it. */
  isGone(file: number): boolean {
    return this.lastProfiles[file] !== this.profileCount
  }
}
