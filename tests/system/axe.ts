import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright'
import { settle } from './browser.ts'

/**
 * Looks for what keeps people from using a page, once nothing moves on it: the contrast of what fades in is nobody's. In
 * the page itself: axe's other mode can look into frames of other sites, of which we have none, and opens another page
 * for each result.
 */
export function axeOn(page: Page): AxeBuilder {
  return new SettledAxe(page).setLegacyMode().options({ resultTypes: ['violations'] })
}

class SettledAxe extends AxeBuilder {
  readonly #page: Page

  constructor(page: Page) {
    super({ page })
    this.#page = page
  }

  override async analyze() {
    await settle(this.#page)
    return super.analyze()
  }
}
