import type { AskedQuestion, ProfileAnalysis } from '@flamegate/operations/ports'
import {
  Analyst,
  type QuestionAnswer,
  type QuestionName,
  type StoredPart,
} from '@flamegate/profiles/analysis'
import { AskedAnalyst } from './asked-analyst.ts'

/** Of nodes and rows. Below it, a question takes a few milliseconds, and to hand it to a thread takes as much again. */
const smallSize = 20_000
const keptBytesHere = 64 * 1024 * 1024
const threadCount = 2

/**
 * Questions about large profiles are answered by threads, those about small ones here. A profile is always asked about in the
 * same thread, which has it decoded.
 */
export function openProfileAnalysis(
  options: { threadFile?: URL; timeoutMs?: number; smallSize?: number } = {},
): ProfileAnalysis {
  const { threadFile = new URL('analysis-thread.ts', import.meta.url), timeoutMs } = options
  const here = new Analyst(keptBytesHere)
  const threads = Array.from({ length: threadCount }, () => new AskedAnalyst({ threadFile, timeoutMs }))
  return {
    ask: async <Name extends QuestionName>(asked: AskedQuestion<Name>) => {
      if (asked.size < (options.smallSize ?? smallSize)) return answerHere(here, asked)
      const [first] = asked.subjects
      const thread = threads[(first?.id.charCodeAt(first.id.length - 1) ?? 0) % threadCount]!
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the answer to that very question
      return (await thread.ask(asked)) as QuestionAnswer<Name>
    },
  }
}

/** Between two reads others may have been asked, and have taken the place of what was there. */
async function answerHere<Name extends QuestionName>(
  analyst: Analyst,
  { name, subjects, params, read }: AskedQuestion<Name>,
): Promise<QuestionAnswer<Name>> {
  const question = { name, subjects, params }
  const given: StoredPart[] = []
  const isGiven = ({ id, part }: { id: string; part: string }) =>
    given.some((each) => each.id === id && each.part === part)
  for (;;) {
    const next = analyst.missing(question).find((part) => !isGiven(part))
    if (next === undefined) return analyst.answer(question, given)
    // oxlint-disable-next-line no-await-in-loop -- what is missing may be less after it
    given.push({ ...next, bytes: await read(next) })
  }
}
