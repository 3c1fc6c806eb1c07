import { defineConfig } from '@lingui/cli'
import { extractor as sourceExtractor } from '@lingui/cli/api'
import { formatter } from '@lingui/format-po'
import { languages } from './src/contract/language.ts'
import { codeTextsExtractor } from './tools/code-texts-extractor.ts'

export default defineConfig({
  sourceLocale: 'en',
  locales: languages.map(({ code }) => code),
  fallbackLocales: { default: 'en' },
  format: formatter({ lineNumbers: false }),
  orderBy: 'message',
  // The first that matches a file reads it.
  extractors: [codeTextsExtractor, sourceExtractor],
  catalogs: [
    {
      path: '<rootDir>/src/web/locales/{locale}',
      include: ['src/web', 'src/features/*/web/**/*.{ts,tsx}', 'src/features/*/*.rules.ts', 'src/contract/codes.ts'],
      exclude: ['**/*.test.*', '**/*.e2e.ts', '**/locales/**'],
    },
  ],
})
