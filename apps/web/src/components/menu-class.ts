/** Rows of a menu. */
export const menuItemClass =
  'group flex cursor-default items-center gap-3 rounded-sm px-2.5 py-1.5 outline-none data-focused:bg-hover'
