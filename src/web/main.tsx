import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { applyBrand } from './browser/brand.ts'
import { leaveKeysToInputMethod } from './browser/input-method.ts'
import { startLocale } from './browser/locale.ts'
import { queryClient } from './api/query-client.ts'
import { router } from './routes/routes.tsx'
import { startTooltips } from './ui/start-tooltips.ts'
import './styles.css'

// The scroll lock of dialogs adds a <style>, which the Content-Security-Policy allows only with this nonce.
const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content
if (nonce) setNonce(nonce)

leaveKeysToInputMethod()
startTooltips()

const container = document.querySelector('#app')
if (!container) throw new Error('The page has no #app')
applyBrand()
await startLocale()
createRoot(container).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)
