import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { createQueryClient } from './api.ts'
import { Toasts } from './components/toasts.tsx'
import { createAppRouter } from './router.tsx'

const queries = createQueryClient(() => void goToLogIn())
const router = createAppRouter(queries)

/** The session ended while a page was open: log in, then come back to it. */
async function goToLogIn(): Promise<void> {
  if (router.state.location.pathname === '/log-in') return
  await router.navigate({ to: '/log-in', search: { return_to: router.state.location.href } })
}

const element = document.getElementById('root')
if (element === null) throw new TypeError('index.html has no #root')
createRoot(element).render(
  <StrictMode>
    <I18nProvider locale="en-GB">
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
        <Toasts />
      </QueryClientProvider>
    </I18nProvider>
  </StrictMode>,
)
