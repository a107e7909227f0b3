import { readFileSync } from 'node:fs'

/** A block of commands of a runbook. */
export interface RunbookBlock {
  /** As people find it: page and line. */
  at: string
  /** The last heading of the second level before it, or nothing. */
  heading: string
  script: string
}

/** All blocks of a page that are to be typed, in order. What is to be read, such as what a file holds, is not `sh`. */
export function readRunbook(path: string, name: string): RunbookBlock[] {
  const text = readFileSync(path, 'utf8')
  return [...text.matchAll(/^```sh\n(?<script>[\s\S]*?)^```$/gm)].map((found) => {
    const before = text.slice(0, found.index)
    return {
      at: `${name}:${before.split('\n').length + 1}`,
      heading:
        before
          .match(/^## .*$/gm)
          ?.at(-1)
          ?.slice(3) ?? '',
      script: found.groups?.['script'] ?? '',
    }
  })
}
