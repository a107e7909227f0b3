import { z } from 'zod'

/** Inputs of one format to read, by their numbers: from `from` up to and without `to`. */
export const readerOrder = z.object({
  seed: z.number(),
  format: z.string(),
  from: z.number(),
  to: z.number(),
  /** A folder for the tally and for findings. */
  folder: z.string(),
})
export type ReaderOrder = z.infer<typeof readerOrder>

/** An input that was neither read nor refused, or not in time or memory. */
export const finding = z.object({
  format: z.string(),
  number: z.number(),
  problem: z.string(),
  /** See `Input`. */
  how: z.string(),
  /** The smallest form of it that was found to have the same problem, base64. */
  smallest: z.string(),
})
export type Finding = z.infer<typeof finding>

/** What a reader says at its end: why it refused inputs, each once. */
export const readerReport = z.object({ refusals: z.array(z.string()) })

/** Per input, in milliseconds of processor time. */
export const inputMsMax = 2000

/** The kind of a problem, without its numbers. */
export function kindOf({ format, problem }: Finding): string {
  return `${format}: ${problem.replaceAll(/\d+/g, '…')}`
}
