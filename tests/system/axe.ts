import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright'

/**
 * Looks for what keeps people from using a page. In the page itself: axe's other mode can look into frames of other
 * sites, of which we have none, and opens another page for each result.
 */
export function axeOn(page: Page): AxeBuilder {
  return new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
}
