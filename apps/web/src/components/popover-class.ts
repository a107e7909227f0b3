/** How menus and lists float above the page. */
export const popoverClass =
  'animate-overlay max-h-[min(24rem,80vh)] max-w-[calc(100vw-1rem)] overflow-auto rounded-lg border border-line bg-surface p-1 shadow-floating'
