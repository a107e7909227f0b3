import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright'
import { settle } from './browser.ts'

const source = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** In the dark nothing but colours is another: whoever was looked at in the light is looked at by these alone. */
export const rulesOfColours = ['color-contrast', 'link-in-text-block']

/** Looks for what keeps people from using a page, once nothing moves on it: the contrast of what fades in is nobody's. */
export function axeOn(page: Page): Axe {
  return new Axe(page)
}

/**
 * In the page itself, which is sent it at the first look, and tells nothing of what is well. Axe's own helper sends it twice for
 * each look and is told everything: that takes longer than the look.
 */
class Axe {
  readonly #page: Page
  #within = 'document'
  #runOnly: string[] | undefined

  constructor(page: Page) {
    this.#page = page
  }

  /** Looks at nothing but what that selector finds. */
  include(selector: string): this {
    this.#within = JSON.stringify(selector)
    return this
  }

  /** Looks for nothing but what those rules say. */
  withRules(rules: string[]): this {
    this.#runOnly = rules
    return this
  }

  async analyze(): Promise<Pick<AxeResults, 'violations'>> {
    await settle(this.#page)
    if (!(await this.#page.evaluate("'axe' in window"))) await this.#page.evaluate(await source)
    const options: RunOptions = { resultTypes: ['violations'], runOnly: this.#runOnly }
    return this.#page.evaluate(
      `axe.run(${this.#within}, ${JSON.stringify(options)}).then(({ violations }) => ({ violations }))`,
    )
  }
}
