import { expect, test, vi } from 'vitest'
import { RememberedAnswers } from './remembered-answers.ts'

/** Counts how often it is asked, and answers when it is let. */
function question() {
  let asked = 0
  const waiting: PromiseWithResolvers<number>[] = []
  return {
    ask: () => {
      asked++
      const answer = Promise.withResolvers<number>()
      waiting.push(answer)
      return answer.promise
    },
    answerNext: () => waiting.shift()?.resolve(asked),
    failNext: () => waiting.shift()?.reject(new Error('hung up')),
    get asked() {
      return asked
    },
  }
}

test('those who ask while an answer is worked out share it, and later ones ask anew', async () => {
  const answers = new RememberedAnswers<number>(2)
  const { ask, answerNext } = question()
  const both = [answers.get('a', 0, ask), answers.get('a', 0, ask)]
  answerNext()
  expect(await Promise.all(both)).toEqual([1, 1])
  const third = answers.get('a', 0, ask)
  answerNext()
  expect(await third).toBe(2)
})

test('an answer is kept for as long as was said', async () => {
  vi.useFakeTimers()
  try {
    const answers = new RememberedAnswers<number>(2)
    const { ask, answerNext } = question()
    const first = answers.get('a', 1000, ask)
    answerNext()
    await first
    vi.advanceTimersByTime(999)
    expect(await answers.get('a', 1000, ask)).toBe(1)
    vi.advanceTimersByTime(1)
    const second = answers.get('a', 1000, ask)
    answerNext()
    expect(await second).toBe(2)
  } finally {
    vi.useRealTimers()
  }
})

test('when whoever asked first hangs up, the others get their answer', async () => {
  const answers = new RememberedAnswers<number>(2)
  const asking = question()
  const first = answers.get('a', 1000, asking.ask)
  const second = answers.get('a', 1000, asking.ask)
  asking.failNext()
  await expect(first).rejects.toThrow('hung up')
  await vi.waitUntil(() => asking.asked === 2)
  asking.answerNext()
  expect(await second).toBe(2)
})

test('no more are kept than there may be: the oldest goes', async () => {
  const answers = new RememberedAnswers<string>(2)
  const ask = vi.fn<(key: string) => Promise<string>>((key) => Promise.resolve(key))
  const get = (key: string) => answers.get(key, 1000, () => ask(key))
  await get('a')
  await get('b')
  await get('c')
  await get('b')
  expect(ask).toHaveBeenCalledTimes(3)
  await get('a')
  expect(ask).toHaveBeenCalledTimes(4)
})
