import { lingui } from '@lingui/vite-plugin'
import babel from '@rolldown/plugin-babel'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { codeTextsModule } from './tools/code-texts-module.ts'
import { linguiInlineSource } from './tools/lingui-inline-source.ts'
import { precompress } from './tools/precompress.ts'
import { sellerCallsModule } from './tools/seller-calls-module.ts'
import { startScript } from './tools/start-script.ts'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

// One long-cached chunk that every page needs; it changes only with these packages.
// What only signed-in pages call of them stays with those pages.
const vendor =
  /node_modules[\\/](?:react|react-dom|scheduler|@tanstack[\\/][^\\/]+)[\\/](?!.*(?:useBlocker|mutationObserver|useMutation|queryObserver|useBaseQuery|useQuery)\.)/
// What every page uses of our own: one request instead of thirty, and it compresses better together. What only
// signed-in pages use stays out: the login is the page that people wait for.
const later =
  'admin-area|clipboard|documentation-pages|idle-loading|links|live|missing-page|owner-area|paced|palette-actions|price-text|record-panel|save-text|shortcuts|use-account|use-debounced|use-frame-width|use-media'
const folders = 'api|browser|lazy|navigation|routes|session|texts'
const shell = 'insecure-notice|lazy-page|load-error-page|root'
const ui = 'button|checkbox|clear-bottom|field|filament|icon-button|password-field|spinner|text-field|toasts|tooltip'
const others = String.raw`contract[\\/](?:language|time-zone)|features[\\/](?:accounts[\\/]web[\\/](?:form-error|registration-state)|reseller-api[\\/]web[\\/]assigned-apps)|web[\\/]time[\\/]time-zone`
const icons = 'check|eye|eye-off|rotate-cw'
const packages = String.raw`@lingui|class-variance-authority|clsx|get-nonce|lucide-react[\\/]dist[\\/]esm[\\/](?:[A-Za-z]+|icons[\\/](?:${icons}))\.`
const kit = new RegExp(
  String.raw`src[\\/](?:web[\\/](?:(?:${folders})[\\/](?!${later})[^\\/]+|shell[\\/](?:${shell})|ui[\\/](?:${ui}))|${others})\.tsx?$|node_modules[\\/](?:${packages})`,
)
// What most signed-in pages use: left to itself it would be fifty files, each with its line in the first script.
const manyPages = 12
const forms = /react-hook-form|web[\\/]form[\\/]|useBlocker/
// Dialogs are opened by hand, so no page waits for them or for what they are made of.
const overlays = String.raw`@radix-ui[\\/]react-(?:dialog|dismissable-layer|focus-guards|focus-scope|portal)|react-remove-scroll|react-remove-scroll-bar|react-style-singleton|use-callback-ref|use-sidecar|aria-hidden`
const dialogs = new RegExp(
  String.raw`form-dialog|confirm-dialog|web[\\/]ui[\\/]dialog\.|node_modules[\\/](?:${overlays})[\\/]`,
)
// What pages use that save by themselves, without react-hook-form.
const edits = /useBlocker|web[\\/]form[\\/](?:field-changes|use-request-key)/

export default defineConfig({
  root: at('src/web'),
  base: '/',
  plugins: [
    babel({
      include: /[\\/]src[\\/].*\.tsx?$/,
      // English stays in the code of the page that shows it (compiled), so no catalogue is loaded for it.
      plugins: [['@lingui/babel-plugin-lingui-macro', { stripMessageField: false }], linguiInlineSource],
    }),
    react(),
    lingui({ cwd: at('.') }),
    codeTextsModule(),
    sellerCallsModule(),
    tailwindcss(),
    startScript(),
    precompress(),
  ],
  build: {
    outDir: at('dist/web'),
    emptyOutDir: true,
    // The licenses of all bundled packages, as they require.
    license: { fileName: 'third-party-notices.md' },
    target: ['chrome123', 'firefox120', 'safari17.5'],
    // The policy allows fonts and images from this host only: nothing is inlined as data:.
    assetsInlineLimit: 0,
    // Every browser of the list above preloads modules by itself.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'vendor', test: vendor, priority: 10 },
            { name: 'kit', test: kit, priority: 5 },
            { name: 'icons', test: /lucide-react/, priority: 4, minShareCount: 3 },
            {
              name: 'screens',
              test: (id) => !forms.test(id) && !dialogs.test(id),
              priority: 3,
              minShareCount: manyPages,
            },
            { name: 'edits', test: edits, priority: 3, minShareCount: manyPages },
            { name: 'dialogs', test: dialogs, priority: 3, minShareCount: manyPages },
            { name: 'forms', test: forms, priority: 2, minShareCount: manyPages },
          ],
        },
      },
    },
  },
  // Not the files in src/web/api.
  server: { proxy: { '^/api/1\\.0/': 'http://127.0.0.1:8080' } },
})
