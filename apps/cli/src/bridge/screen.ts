import type { PushQueueState } from '@flamegate/live'
import type { Terminal } from '../terminal.ts'

/** Between two lines on how it goes, where nobody looks at a line that is drawn anew. */
const linesEveryMs = 10_000

/** What a bridge shows: events as lines, and how it goes as one line that is drawn anew, or as a line now and then. */
export class Screen {
  readonly #terminal: Terminal
  readonly #isQuiet: boolean
  #isDrawn = false
  #lastAt = 0
  #isWaiting = false

  constructor(terminal: Terminal, isQuiet: boolean) {
    this.#terminal = terminal
    this.#isQuiet = isQuiet
  }

  tell(text: string): void {
    if (this.#isQuiet) return
    this.clear()
    this.#terminal.writeOut(`${new Date().toISOString()} ${text}`)
  }

  /** What people have to know, however quiet it is to be. */
  complain(text: string): void {
    this.clear()
    this.#terminal.writeError(`${text}\n`)
  }

  /** @param top what the program does, in a few words */
  show(top: string, state: PushQueueState): void {
    if (this.#isQuiet) return
    const line = [pushedOf(state), top].filter((part) => part !== '').join(' · ')
    if (this.#terminal.isInteractive) {
      this.#terminal.writeError(`\r\u001b[2K${line.slice(0, 160)}`)
      this.#isDrawn = true
      return
    }
    // That it has to wait, and no more, is said at once.
    const isWaiting = state.trouble !== undefined
    if (isWaiting === this.#isWaiting && Date.now() - this.#lastAt < linesEveryMs) return
    this.#isWaiting = isWaiting
    this.#lastAt = Date.now()
    this.tell(line)
  }

  clear(): void {
    if (this.#isDrawn) this.#terminal.writeError('\r\u001b[2K')
    this.#isDrawn = false
  }
}

/** What was pushed, and what waits. */
export function pushedOf(state: PushQueueState): string {
  const { pushesSent, entriesSent, entriesLost, pushesRefused, trouble } = state
  return [
    `${pushesSent} ${pushesSent === 1 ? 'push' : 'pushes'}, ${entriesSent} log entries`,
    ...(pushesRefused > 0 ? [`${pushesRefused} refused`] : []),
    ...(entriesLost > 0 ? [`${entriesLost} lost`] : []),
    ...(trouble === undefined ? [] : [`waiting: ${trouble.reason.replaceAll(/\s+/g, ' ')}`]),
  ].join(', ')
}
