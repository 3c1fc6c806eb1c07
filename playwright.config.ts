import { defineConfig } from '@playwright/test'
import { existsSync } from 'node:fs'

/** Debian's Chromium where there is one; otherwise the one `tools/browser.ts` installed. */
const systemChromium = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)

export default defineConfig({
  testDir: '.',
  testMatch: ['src/**/*.e2e.ts', 'e2e/**/*.e2e.ts'],
  fullyParallel: false,
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: true,
  // A loaded machine may be slower than any wait; what passes only the second time is named by `npm test`.
  retries: process.env['CI'] ? 1 : 0,
  reporter: process.env['CI'] ? [['list'], ['json', { outputFile: 'test-results/e2e.json' }]] : [['list']],
  use: {
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    timezoneId: 'UTC',
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(systemChromium && { executablePath: systemChromium }),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})
