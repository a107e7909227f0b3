import { formatBytes } from '@flamegate/contract/quantity'
import type { Terminal } from '../terminal.ts'

/** A line on stderr that is written over and over, or what the program is told that started this one; silent where nobody watches. */
export interface Progress {
  sent(sentBytes: number, sizeBytes: number): void
  say(text: string): void
  /** Clears the line. */
  end(): void
}

export function progressOn(terminal: Terminal, fileName: string): Progress {
  const { isInteractive, tellParent } = terminal
  if (!isInteractive && tellParent === undefined) return { sent: () => {}, say: () => {}, end: () => {} }
  let shown = ''
  const show = (text: string) => {
    if (text === shown) return
    shown = text
    tellParent?.(text)
    if (isInteractive) terminal.writeError(`\r\u001B[K${text}`)
  }
  return {
    sent: (sentBytes, sizeBytes) =>
      show(
        `${fileName}: ${Math.floor((sentBytes / sizeBytes) * 100)} % of ${formatBytes(sizeBytes)} uploaded`,
      ),
    say: (text) => show(`${fileName}: ${text}`),
    end: () => {
      if (shown !== '' && isInteractive) terminal.writeError('\r\u001B[K')
    },
  }
}
