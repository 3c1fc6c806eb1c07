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
  'use-account|use-assigned-app|use-plan-feature|use-media|use-debounced|links|save-text|resumable-batches|batch-failure|notify-undo|search-params|shortcuts|palette-actions|lazy-dialog|idle-loading'
const ui = 'button|checkbox|field|filament|spinner|text-field|toasts'
const icons = 'check|eye|eye-off|rotate-cw'
const packages = String.raw`@lingui|class-variance-authority|clsx|lucide-react[\\/]dist[\\/]esm[\\/](?:[A-Za-z]+|icons[\\/](?:${icons}))\.`
const kit = new RegExp(
  String.raw`src[\\/](?:features[\\/]accounts[\\/]web[\\/]form-error\.tsx|web[\\/](?:lazy[\\/])?(?!${later})[^\\/]+\.tsx?|web[\\/]ui[\\/](?:${ui})\.tsx)$|node_modules[\\/](?:${packages})`,
)
// What most signed-in pages use: left to itself it would be fifty files, each with its line in the first script.
const manyPages = 12
const forms = /react-hook-form|web[\\/]form[\\/]|form-dialog|confirm-dialog|useBlocker/

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
            { name: 'screens', test: (id) => !forms.test(id), priority: 3, minShareCount: manyPages },
            { name: 'forms', test: forms, priority: 2, minShareCount: manyPages },
          ],
        },
      },
    },
  },
  // Not the files in src/web/api.
  server: { proxy: { '^/api/1\\.0/': 'http://127.0.0.1:8080' } },
})
