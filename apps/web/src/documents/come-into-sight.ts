/** A `ref` for what appears above the part of a page that somebody looks at: brings it there, once. */
export function comeIntoSight(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}
