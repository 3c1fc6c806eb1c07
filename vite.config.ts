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
  /node_modules[\\/](?:react|react-dom|scheduler|@tanstack[\\/][^\\/]+)[\\/](?!.*(?:useBlocker|mutationObserver|useMutation|[qQ]ueryObserver|useBaseQuery|use(?:Infinite)?Query|suspense|errorBoundaryUtils|QueryErrorResetBoundary|IsRestoringProvider)\.)/
// What every page uses of our own: one request instead of thirty, and it compresses better together. What only
// signed-in pages use stays out: the login is the page that people wait for.
const later =
  'account-calls|admin-area|after-paint|app-content-panel|clipboard|documentation-pages|early-data|idle-loading|leave-to-login|links|live|missing-app|missing-page|number-link|optimistic-change|owner-area|paced|palette-actions|platform-panel|record-panel|save-text|shortcuts|use-account|use-debounced|use-frame-width|use-media'
const folders = 'api|browser|lazy|navigation|routes|session'
const shell = 'insecure-notice|lazy-page|load-error-page|root'
const ui =
  'button|checkbox|clear-bottom|field|filament|password-field|spinner|text-field|start-tooltips|toasts|with-tooltip'
const others = String.raw`contract[\\/](?:language|time-zone)|features[\\/](?:accounts[\\/]web[\\/](?:form-error|registration-state)|reseller-api[\\/]web[\\/]assigned-apps)`
const icons = 'check|eye|eye-off|rotate-cw'
const packages = String.raw`@lingui|class-variance-authority|clsx|get-nonce|lucide-react[\\/]dist[\\/]esm[\\/]icons[\\/](?:${icons})\.`
const kit = new RegExp(
  String.raw`src[\\/](?:web[\\/](?:(?:${folders})[\\/](?!${later})[^\\/]+|shell[\\/](?:${shell})|ui[\\/](?:${ui}))|${others})\.tsx?$|node_modules[\\/](?:${packages})`,
)
// What most signed-in pages use: left to itself it would be fifty files, each with its line in the first script.
const manyPages = 12
const forms = /web[\\/]form[\\/]|useBlocker/
// Dialogs and menus are opened by hand, so no page waits for them or for what they are made of.
const overlays = String.raw`@radix-ui|tslib|react-remove-scroll|react-remove-scroll-bar|react-style-singleton|use-callback-ref|use-sidecar|aria-hidden`
const dialogs = new RegExp(
  String.raw`form-dialog|confirm-dialog|web[\\/]ui[\\/]dialog\.|node_modules[\\/](?:${overlays})[\\/]`,
)
// What acts on rows are made of: most are only called in dialogs, some by a button of a page.
const acts = /web[\\/]bulk[\\/]/
const apiCalls = /web[\\/]api-call[\\/]/
// Fields beyond those of the login, and the rules of names and passwords.
const fields = /web[\\/]ui[\\/](?:number-field|select-field|button-with-reason|stepped)/
const rules = /(?:accounts|users|passwords)\.rules|contract[\\/]email-address/
// The frame of the signed-in areas, and what only that of owners has.
const frame =
  /web[\\/]shell[\\/](?:account-menu|app-selector-face|bottom-bar|help-links|nav-link|overlays|range-links|server-strip|shell-frame|top-bar|activity-store)|navigation[\\/](?:links|documentation-pages)|lazy[\\/]idle-loading|ui[\\/]live-dot/
const ownerFrame =
  /web[\\/]shell[\\/](?:owner-|admin-banner|app-selector\.|nav-items)|features[\\/](?:alerts[\\/]web[\\/]alert-(?:badge|count)|first-run[\\/]web[\\/](?:checklist|first-|step-mark)|plans[\\/]web[\\/](?:plan-end|plan-usage))|icons[\\/]circle\.m?js/
// What lists have of features besides the table itself.
const lists =
  /web[\\/](?:table[\\/](?:facet-line|bulk-bar)|list[\\/](?:use-|time-range-chip|level-filter|codes-showing)|panel[\\/]panel-link|ui[\\/]actions-reason)|licenses[\\/]web[\\/]end-note|plans[\\/]web[\\/](?:plan-link|plan-limit-notice|plan-reason|use-plan-feature)/
const entry = /accounts[\\/]web[\\/](?:entry-|use-login|remembered-login)/
// Lists that the server sends whole.
const wholeLists = /web[\\/]list[\\/](?:whole-list|held-pages)/
// What the chunk of most pages leaves out: these have chunks of their own, and few pages load the last two.
const own = [
  acts,
  apiCalls,
  forms,
  dialogs,
  fields,
  rules,
  frame,
  ownerFrame,
  lists,
  entry,
  wholeLists,
  /infinite|history-file/,
]
// What pages use that save by themselves, without a form.
const edits = /useBlocker|web[\\/]form[\\/](?:field-changes|use-request-key)/

export default defineConfig({
  root: at('src/web'),
  base: '/',
  resolve: {
    alias: [
      // The code that the macros make calls two functions of Lingui; these are a quarter of its size.
      { find: /^@lingui\/(?:core|react)$/, replacement: at('src/web/browser/lingui-runtime.tsx') },
      { find: /^\.\.\/createLucideIcon\.mjs$/, replacement: at('src/web/browser/lucide-icon.ts') },
    ],
  },
  plugins: [
    babel({
      include: /[\\/]src[\\/].*\.tsx?$/,
      // English stays in the code of the page that shows it (compiled), so no catalog is loaded for it.
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
    modulePreload: {
      polyfill: false,
      // The pages' chunks are listed in start.js, which loads them; what opens by hand loads when the browser is idle.
      resolveDependencies: (_, files, { hostType }) => (hostType === 'html' ? files : []),
    },
    rolldownOptions: {
      // A slow machine is no reason for a warning at its first start.
      checks: { bundlerTimings: false },
      output: {
        codeSplitting: {
          groups: [
            { name: 'vendor', test: vendor, priority: 10 },
            { name: 'kit', test: kit, priority: 5 },
            { name: 'icons', test: /lucide-react/, priority: 4, minShareCount: 4 },
            {
              name: 'screens',
              test: (id) => own.every((other) => !other.test(id)),
              priority: 3,
              minShareCount: manyPages,
            },
            { name: 'entry', test: entry, priority: 4 },
            { name: 'owner', test: ownerFrame, priority: 1, minShareCount: 2 },
            { name: 'frame', test: frame, priority: 2, minShareCount: 3 },
            { name: 'lists', test: lists, priority: 1, minShareCount: 2 },
            { name: 'whole-lists', test: wholeLists, priority: 3 },
            { name: 'acts', test: acts, priority: 3, minShareCount: manyPages },
            { name: 'api-call', test: apiCalls, priority: 3, minShareCount: manyPages },
            { name: 'rules', test: rules, priority: 3, minShareCount: manyPages },
            { name: 'fields', test: fields, priority: 3, minShareCount: manyPages },
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
