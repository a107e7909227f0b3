export type PrintFormat = 'pdf' | 'html'

/** A page of our own web that is to become a file. */
export interface PrintRequest {
  /** Path with query and fragment; the page says by `data-ready` on its root element when all is drawn. */
  path: string
  format: PrintFormat
  /** Name at the top of each page of a PDF. */
  name: string
  signal: AbortSignal
  /** Told each time that the values of one more item came. */
  onItem: () => void
}

/** Prints the real page in a real browser, which reaches nothing but our own site. */
export interface ReportPrinter {
  /** @throws NotPrinted, and the signal's reason once it was aborted */
  print(request: PrintRequest): Promise<Uint8Array>
}

/** The page could not be printed. The message says why, for whoever wanted it. */
export class NotPrinted extends Error {
  override name = 'NotPrinted'
}
