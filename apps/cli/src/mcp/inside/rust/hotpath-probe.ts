import { readHotpathAnswers, type HotpathAnswer } from '@flamegate/live'
import type { McpInside } from '@flamegate/mcp-profiling'
import { MetricsServer } from '../../../bridge/hotpath/metrics-server.ts'
import { nothingInside, type InsideFound, type InsideProbe } from '../inside.ts'

const rowsMax = 50
const path = '/functions_timing'

/** What one function took since the program began, with all that it called. */
interface FunctionTime {
  name: string
  place: string
  totalNs: number
}

/** How long functions of a program in Rust take during loads, as hotpath measures them in it. */
export class HotpathProbe implements InsideProbe {
  readonly #url: string
  readonly #server: MetricsServer
  #before: ReadonlyMap<string, FunctionTime> = new Map()

  constructor(url: string, authToken: string | undefined) {
    this.#url = url
    this.#server = new MetricsServer(url, authToken)
  }

  async begin(): Promise<void> {
    this.#before = await this.#times()
  }

  async end(beganAtMs: number): Promise<InsideFound> {
    const after = await this.#times()
    const tookMs = Math.max(1, performance.now() - beganAtMs)
    const hotFunctions: McpInside['hotFunctions'] = [...after]
      .map(([id, { name, place, totalNs }]) => ({
        name,
        place,
        // hotpath does not tell what a function took without those that it called.
        selfShare: 0,
        selfMs: 0,
        totalShare: (totalNs - (this.#before.get(id)?.totalNs ?? 0)) / 1e6 / tookMs,
      }))
      .filter(({ totalShare }) => totalShare > 0)
      .toSorted((a, b) => b.totalShare - a.totalShare)
      .slice(0, rowsMax)
    return {
      inside: { ...nothingInside('rust'), hotFunctions },
      files: [],
      notes: [
        `The inside is what hotpath tells at ${this.#url}: functions that it was told to measure, with what they call and with waiting, as shares of the time of the load.`,
      ],
    }
  }

  close(): Promise<void> {
    return Promise.resolve()
  }

  async #times(): Promise<ReadonlyMap<string, FunctionTime>> {
    const answers = new Map<string, HotpathAnswer>([[path, await this.#server.get(path)]])
    const { functions_timing: told } = readHotpathAnswers(answers).sections
    if (told?.status !== 'on') throw new Error(`hotpath at ${this.#url} measures no functions.`)
    return new Map(
      (told.items ?? []).map(({ id, name, place, distributions }) => [
        id,
        {
          name,
          place: place === undefined ? '' : placeOf(place),
          totalNs: distributions?.['duration']?.total ?? 0,
        },
      ]),
    )
  }
}

function placeOf({ file, line }: { file: string; line?: number | undefined }): string {
  return line === undefined ? file : `${file}:${line}`
}
