import { lingui } from '@lingui/vite-plugin'
import babel from '@rolldown/plugin-babel'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { linguiInlineSource } from './tools/lingui-inline-source.ts'
import { precompress } from './tools/precompress.ts'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

// One long-cached chunk that every page needs; it changes only with these packages.
// What only signed-in pages call of them stays with those pages.
const vendor =
  /node_modules[\\/](?:react|react-dom|scheduler|@tanstack[\\/][^\\/]+)[\\/](?!.*(?:useBlocker|mutationObserver|useMutation|queryObserver|useBaseQuery|useQuery)\.)/
// What every page uses of our own: one request instead of thirty, and it compresses better together. What only
// signed-in pages use stays out: the login is the page that people wait for.
const later =
  'use-account|use-assigned-app|use-plan-feature|use-media|use-debounced|links|save-text|resumable-batches|batch-failure|notify-undo|search-params|shortcuts|palette-actions|use-dialog|lazy-dialog|idle-loading'
const ui = 'button|checkbox|field|filament|spinner|text-field|toasts'
const packages = String.raw`@lingui|class-variance-authority|clsx|lucide-react[\\/]dist[\\/]esm[\\/][A-Za-z]+\.`
const kit = new RegExp(
  String.raw`src[\\/](?:web[\\/](?:lazy[\\/])?(?!${later})[^\\/]+\.tsx?|web[\\/]ui[\\/](?:${ui})\.tsx)$|node_modules[\\/](?:${packages})`,
)

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
    tailwindcss(),
    precompress(),
  ],
  build: {
    outDir: at('dist/web'),
    emptyOutDir: true,
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
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8080' } },
})
