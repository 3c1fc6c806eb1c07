import { defineConfig } from '@lingui/cli'
import { formatter } from '@lingui/format-po'

export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'pt-BR'],
  fallbackLocales: { default: 'en' },
  format: formatter({ lineNumbers: false }),
  orderBy: 'message',
  catalogs: [
    {
      path: '<rootDir>/src/web/locales/{locale}',
      include: ['src/web', 'src/features/*/web/**/*.{ts,tsx}', 'src/features/*/*.rules.ts'],
      exclude: ['**/*.test.*', '**/*.e2e.ts', '**/locales/**'],
    },
  ],
})
