import { dirname, join } from 'node:path'
import starlight from '@astrojs/starlight'
import { satteri } from '@astrojs/markdown-satteri'
import { defineConfig } from 'astro/config'
import { emptyHeaders } from './empty-headers.ts'
import { pageLinks } from './page-links.ts'
import { themedPictures } from './pictures.ts'
import { sidebar } from './sidebar.ts'

const root = dirname(import.meta.dirname)
// Set by `tools/build-docs.ts`.
const outDir = process.env['DOCS_OUT'] ?? ''
const collected = process.env['DOCS_PAGES'] ?? ''
const files = process.env['DOCS_FILES'] ?? ''

/** The documentation that every server offers at `/docs`, built from `docs/` (docs/decisions/029). */
export default defineConfig({
  root: import.meta.dirname,
  srcDir: '.',
  publicDir: join(root, 'src/web/public'),
  outDir,
  cacheDir: join(root, '.cache/docs'),
  base: '/docs',
  trailingSlash: 'always',
  // The policy of the server allows no inline styles or scripts but those that `tools/build-docs.ts` lists.
  build: { inlineStylesheets: 'never' },
  vite: { build: { assetsInlineLimit: 0 } },
  markdown: {
    processor: satteri({
      features: { smartPunctuation: false, headingAttributes: true },
      mdastPlugins: [pageLinks({ collected, files }), themedPictures({ files })],
      hastPlugins: [emptyHeaders],
    }),
  },
  integrations: [
    starlight({
      title: 'Signet',
      sidebar,
      customCss: ['./styles.css', './api.css'],
      components: { MarkdownContent: './markdown-content.astro' },
      lastUpdated: false,
      pagination: true,
      credits: false,
      tableOfContents: { minHeadingLevel: 2, maxHeadingLevel: 3 },
      expressiveCode: {
        defaultProps: { frame: 'none', wrap: true },
        styleOverrides: { borderRadius: '6px' },
        shiki: { langAlias: { caddy: 'nginx', service: 'ini' } },
      },
    }),
  ],
})
