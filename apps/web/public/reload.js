// While one version replaces another, a page of one may ask a gateway of the other for its scripts and styles, which that does not
// have: the page is loaded anew until it has all of them, for half a minute, and then not for ten.
const key = 'flamegate.lacking'

function loadAnew() {
  try {
    const now = Date.now()
    const sinceMs = now - Number(sessionStorage.getItem(key))
    if (sinceMs > 600_000) sessionStorage.setItem(key, String(now))
    else if (sinceMs > 30_000) return
    setTimeout(() => location.reload(), 1_000)
  } catch {
    // Storage is forbidden: nobody could tell when to give up.
  }
}

addEventListener(
  'error',
  ({ target }) => {
    const { src, href } = target
    if (typeof (src ?? href) === 'string' && (src ?? href).startsWith(`${location.origin}/assets/`))
      loadAnew()
  },
  // Errors of elements do not bubble.
  { capture: true },
)
// Of what a page asks for later: https://vite.dev/guide/build#load-error-handling
addEventListener('vite:preloadError', loadAnew)
