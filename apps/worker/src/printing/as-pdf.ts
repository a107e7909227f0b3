import type { Page } from 'playwright'

/** A page as a PDF of A4 sheets, with the name at the top of each, and the date and number of the sheet at its foot. */
export function asPdf(page: Page, name: string): Promise<Buffer> {
  const printedAt = `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`
  return page.pdf({
    format: 'A4',
    printBackground: true,
    displayHeaderFooter: true,
    headerTemplate: line(escaped(name), 'Flamegate'),
    footerTemplate: line(
      printedAt,
      'Page <span class="pageNumber"></span> of <span class="totalPages"></span>',
    ),
    margin: { top: '20mm', right: '14mm', bottom: '18mm', left: '14mm' },
    tagged: true,
    outline: true,
  })
}

/** Chromium draws it with none of the page's styles. */
function line(left: string, right: string): string {
  return `<div style="display:flex;justify-content:space-between;gap:8mm;width:100%;margin:0 14mm;font:7.5pt sans-serif;color:#555">
    <span style="overflow:hidden;text-overflow:ellipsis;white-space:nowrap">${left}</span>
    <span style="white-space:nowrap">${right}</span>
  </div>`
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
