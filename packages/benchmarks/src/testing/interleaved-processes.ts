import { normalNumber, randomNumbers } from './random.ts'

/** What makes processes differ on a shared machine, on the scale of logarithms. */
export interface ProcessNoise {
  /** Standard deviation of one process, such as 0.02. */
  spread: number
  /** Standard deviation of a step of what moves slowly: clock rate, temperature, neighbours. */
  drift?: number
  /** Share of processes that something else slows by 15 to 45 %. */
  disturbed?: number
  /** How much slower the slow one of two modes is, of which every process has one by chance. */
  modes?: number
}

/**
 * Tries of base and head measured in turns, in the order base, head, head, base …: the values of their processes.
 * @param factor how much slower head is
 */
export function* interleavedProcesses(
  noise: ProcessNoise,
  { processes, tries, factor, seed }: { processes: number; tries: number; factor: number; seed: number },
): Generator<{ base: number[]; head: number[] }> {
  const random = randomNumbers(seed)
  const { spread, drift = 0, disturbed = 0, modes = 0 } = noise
  for (let index = 0; index < tries; index += 1) {
    const [base, head]: [number[], number[]] = [[], []]
    let level = Math.log(1000)
    for (let number = 0; number < processes; number += 1) {
      for (const side of number % 2 === 0 ? [base, head] : [head, base]) {
        level += drift * normalNumber(random)
        const slowed = random() < disturbed ? Math.log(1.15 + 0.3 * random()) : 0
        const mode = random() < 0.5 ? 0 : modes
        const change = side === head ? Math.log(factor) : 0
        side.push(Math.exp(level + change + spread * normalNumber(random) + slowed + mode))
      }
    }
    yield { base, head }
  }
}
