import { defineConfig } from '@playwright/test'
import { chromiumLaunch } from './tools/chromium.ts'
import { keepTemporaryFilesInMemory } from './tools/temporary-folder.ts'

keepTemporaryFilesInMemory()

export default defineConfig({
  testDir: '.',
  testMatch: ['src/**/*.e2e.ts', 'e2e/**/*.e2e.ts'],
  // Test by test, so that both workers end together; each has one server and one browser for all its tests.
  fullyParallel: true,
  workers: 2,
  // Long enough for a machine that others keep busy: how fast a page is, `npm run bench` says.
  timeout: 240_000,
  expect: { timeout: 45_000 },
  forbidOnly: true,
  // A loaded machine may be slower than any wait; what passes only the second time is named by `npm test`.
  retries: process.env['CI'] ? 1 : 0,
  reporter: process.env['CI'] ? [['list'], ['json', { outputFile: 'test-results/e2e.json' }]] : [['list']],
  use: {
    // A click that can't happen ends the test before the time of the whole test does, and says what it waited for.
    actionTimeout: 60_000,
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    timezoneId: 'UTC',
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    launchOptions: chromiumLaunch,
  },
})
