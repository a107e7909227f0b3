import { adapter } from '../adapter.ts'
import { textReader } from '../reader.ts'
import { readCallgrind } from '../valgrind/read-callgrind.ts'

export const callgrind = adapter({
  name: 'callgrind',
  title: 'Valgrind callgrind',
  readers: [textReader(isCallgrind, readCallgrind)],
})

/** The first line is only asked for since 3.13; before, `events:` is what every file has. */
function isCallgrind(text: string): boolean {
  const head = text.slice(0, 4096)
  return (
    head.startsWith('# callgrind format') || (/^events: Ir\b/m.test(head) && /^(cmd|positions):/m.test(head))
  )
}
