import { openProcess, type InspectedProcess } from './open-process.ts'

/** Inspectors of which a command tells on stderr: each process of Node.js in it opens one. */
export class Announcements {
  readonly #urls: string[] = []
  #rest = ''

  /** All until now, in the order in which they were opened. */
  get urls(): readonly string[] {
    return this.#urls
  }

  hear(text: string): void {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) {
      const url = /^Debugger listening on (ws:\/\/\S+)/.exec(line)?.[1]
      if (url !== undefined) this.#urls.push(url)
    }
  }
}

/**
 * The process that speaks MCP, of those that a command started: the one that reads its standard input. Where none does, as
 * one that reads it in a way of its own, the last that began.
 * @throws Error when there is none
 */
export async function inspectorOfCommand({ urls }: Announcements): Promise<InspectedProcess> {
  const opened = await Promise.allSettled(urls.map((url) => openProcess(url)))
  const there = opened.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  const wanted = there.findLast(({ readsInput }) => readsInput) ?? there.at(-1)
  await Promise.all(there.filter((each) => each !== wanted).map((each) => each.close()))
  if (wanted !== undefined) return wanted
  throw new Error(
    'The command told of no inspector on stderr, as Node.js does. Other programs, and those in containers, cannot be looked into by it.',
  )
}
