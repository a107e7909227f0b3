import type { Browser } from 'playwright'

/**
 * Records a HAR of the sample shop with a real browser: ann logs in, looks at the catalog, orders, hears of her order by the
 * WebSocket, and attaches a file to it. Bodies are in the HAR, at `path`.
 */
export async function recordShopHar(browser: Browser, url: string, path: string): Promise<void> {
  const context = await browser.newContext({ recordHar: { path, content: 'embed' } })
  try {
    // Chromium tells the body of an upload only of requests that are held up.
    await context.route('**/*', (route) => route.continue())
    const page = await context.newPage()
    await page.goto(`${url}/`)
    await page.getByRole('link', { name: 'Log in' }).click()
    await page.getByLabel('User').fill('ann')
    await page.getByLabel('Password').fill('ann-password')
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('button', { name: 'Order Fish' }).click()
    await page.locator('#live').getByText('PAID').waitFor()
    await page.getByRole('link', { name: /^Order ord_/ }).click()
    await page.getByLabel('File').setInputFiles({
      name: 'receipt.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('Paid in full\n'),
    })
    await page.getByRole('button', { name: 'Attach' }).click()
    await page.getByText('receipt.txt: 13 bytes').waitFor()
  } finally {
    // The file is written when the context ends.
    await context.close()
  }
}
