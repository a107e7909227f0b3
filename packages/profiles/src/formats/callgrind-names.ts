/** Files number their names from 1 on; a larger number is none that was given one after the other. */
const largestInRow = 2 ** 20

/** What the numbers stand for that a file has given to names. */
export class NumberedNames {
  /** By number, the name and 1; 0 for none. */
  private names = new Int32Array(1024)
  private readonly others = new Map<number, number>()

  /** Lets a number stand for a name from now on. */
  name(id: number, name: number): void {
    if (id >= largestInRow) {
      this.others.set(id, name)
      return
    }
    if (id >= this.names.length) {
      const names = new Int32Array(2 ** Math.ceil(Math.log2(id + 1)))
      names.set(this.names)
      this.names = names
    }
    this.names[id] = name + 1
  }

  /** Undefined when the number stands for nothing yet. */
  find(id: number): number | undefined {
    if (id >= this.names.length) return this.others.get(id)
    const name = this.names[id]!
    return name === 0 ? undefined : name - 1
  }
}
