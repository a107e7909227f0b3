import { formatBytes } from '@flamegate/contract'
import type { Terminal } from '../terminal.ts'

/** A line on stderr that is written over and over; silent where nobody watches. */
export interface Progress {
  sent(sentBytes: number, sizeBytes: number): void
  say(text: string): void
  /** Clears the line. */
  end(): void
}

export function progressOn(terminal: Terminal, fileName: string): Progress {
  if (!terminal.isInteractive) return { sent: () => {}, say: () => {}, end: () => {} }
  let shown = ''
  const show = (text: string) => {
    if (text === shown) return
    shown = text
    terminal.writeError(`\r\u001B[K${text}`)
  }
  return {
    sent: (sentBytes, sizeBytes) =>
      show(
        `${fileName}: ${Math.floor((sentBytes / sizeBytes) * 100)} % of ${formatBytes(sizeBytes)} uploaded`,
      ),
    say: (text) => show(`${fileName}: ${text}`),
    end: () => {
      if (shown !== '') terminal.writeError('\r\u001B[K')
    },
  }
}
