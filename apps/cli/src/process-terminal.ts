import { setTimeout as pause } from 'node:timers/promises'
import type { Terminal } from './terminal.ts'

/** This process as commands see it. */
export function processTerminal(): Terminal {
  process.stdout.on('error', unlessNobodyReads)
  process.stderr.on('error', unlessNobodyReads)
  return {
    env: process.env,
    cwd: process.cwd(),
    stdin: process.stdin,
    isStdinTyped: process.stdin.isTTY,
    isInteractive: process.stderr.isTTY,
    writeOut: (text) => void process.stdout.write(`${text}\n`),
    passOn: (bytes) => void process.stdout.write(bytes),
    writeError: (text) => void process.stderr.write(text),
    // It may be gone meanwhile.
    ...(process.send === undefined
      ? {}
      : {
          tellParent: (progress) => void process.send?.({ progress }, undefined, undefined, () => undefined),
        }),
    pause: (ms) => pause(ms),
  }
}

/** Whoever reads may have enough, as `head` has: the rest is lost, and the command ends as it would have. */
function unlessNobodyReads(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}
