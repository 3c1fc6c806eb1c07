import { lingui } from '@lingui/vite-plugin'
import babel from '@rolldown/plugin-babel'
import { defineConfig } from 'vitest/config'
import { globSync, readFileSync } from 'node:fs'
import { codeTextsModule } from './tools/code-texts-module.ts'
import { sellerCallsModule } from './tools/seller-calls-module.ts'
import { keepTemporaryFilesInMemory } from './tools/temporary-folder.ts'

keepTemporaryFilesInMemory()

const pure = ['src/**/*.rules.test.ts', 'src/contract/**/*.test.ts', 'src/protocol/**/*.test.ts']
const codeBase = ['src/guarantees/safety.test.ts', 'sdks/**/*.test.ts', 'tools/**/*.test.ts']
const data = ['src/**/*.test.ts', 'testing/**/*.test.ts']

/** Of two processes behind a proxy: where most is in memory; `npm run test:two-processes` takes every test of the API. */
const everyApiTest = process.env['EVERY_API_TEST'] === '1'
const testsOfMemory = [
  'src/features/client-api/api/{heartbeat,init,license,logout}.test.ts',
  'src/features/client-api/program-session.test.ts',
  'src/features/accounts/lock-out.test.ts',
  'src/features/licenses/api/toggle-ban-license.test.ts',
  'src/features/live/api/follow-changes.test.ts',
  'src/features/webhooks/listeners-across-processes.test.ts',
  'src/features/status/api/read-status.test.ts',
]

/**
 * Tests of one call whose requests come one after the other: SQLite has judged the call, and on PostgreSQL the generated
 * tests of `src/guarantees` make it once with success and as a stranger. `npm run test:postgres` runs them all.
 */
const oneAtATime = globSync('src/features/*/api/*.test.ts').filter(
  (file) => !/Promise\.all|at once|second process|secondServer/.test(readFileSync(file, 'utf8')),
)

/** Tests of what no database decides: files, mails, words of answers, who must confirm a password. */
const withoutSql = [
  'src/features/*/web/**',
  'src/features/accounts/{identity-verification,account-mails,mail-language,common-passwords,maintenance}.test.ts',
  'src/features/apps/obfuscation-keys.test.ts',
  'src/features/client-api/{client-api.errors,cross-origin,recent-nonces,rejected-requests,sealed-requests}.test.ts',
  'src/features/client-api/api/request-password-reset.test.ts',
  'src/features/downloads/{file-store,virus-scan}.test.ts',
  'src/features/downloads/api/{cut-upload,upload-download}.test.ts',
  'src/features/plans/{plan-features,plan-notices}.test.ts',
  'src/features/resellers/{domain-checks,reseller-brand,reseller-email,reseller-mails}.test.ts',
  'src/features/seller-api/{seller-api,documentation}.test.ts',
  'src/features/seller-keys/{ip-list,seller-key-text,seller-keys.identity}.test.ts',
  'testing/demo/fill-platform.test.ts',
  'src/features/status/{mail-probe,storage}.test.ts',
]

/** An own list of exclusions replaces the default one. */
const packages = '**/node_modules/**'

/** Everything runs on SQLite; what may differ there, such as SQL, locks and durability, runs a second time on PostgreSQL. */
export default defineConfig(({ mode }) => ({
  // Texts of the dashboard, for the few tests that read them; the rest of the code runs as Node runs it.
  plugins: [
    babel({
      include: /[\\/]src[\\/](web|features[\\/][^\\/]+[\\/]web)[\\/].*\.tsx?$/,
      plugins: ['@lingui/babel-plugin-lingui-macro'],
    }),
    lingui(),
    codeTextsModule(),
    sellerCallsModule(),
  ],
  test: {
    testTimeout: 90_000,
    hookTimeout: 90_000,
    // However slow the machine is.
    expect: { poll: { timeout: 60_000 } },
    // One more than the cores of a small machine: tests also wait, for processes and for PostgreSQL.
    maxWorkers: 3,
    // Each file has a server and a database of its own, so what a worker has loaded is loaded once.
    isolate: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'sqlite',
          include: [...data, ...codeBase],
          env: { TEST_ENGINE: 'sqlite' },
          globalSetup: ['./testing/servers/report-worker.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: data,
          exclude: [
            packages,
            ...pure,
            ...codeBase,
            'src/guarantees/field-names.test.ts',
            'src/database/sqlite/**',
            'src/server/**',
            'src/web/**',
            ...(mode === 'every-test' ? [] : [...oneAtATime, ...withoutSql]),
          ],
          env: { TEST_ENGINE: 'postgres' },
          globalSetup: ['./testing/servers/postgres-server.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'two-processes',
          testTimeout: 300_000,
          include: everyApiTest ? ['src/guarantees/*.test.ts', 'src/features/**/*.test.ts'] : testsOfMemory,
          exclude: [
            packages,
            ...pure,
            ...codeBase,
            'src/guarantees/field-names.test.ts',
            // A database that one process can't reach is none that both have heard from.
            'src/guarantees/{postgres-faults,postgres-failover,half-done}.test.ts',
            'src/features/status/status-faults.test.ts',
            // Each process tries the mail server by itself, and the test only one of them.
            'src/features/status/mail-probe.test.ts',
            // The certificate of the server itself: here a proxy answers in front of it.
            'src/features/apps/api/ssl-sha256.test.ts',
            'src/features/*/web/**',
          ],
          env: { TEST_ENGINE: 'postgres', SIGNET_TEST_ROUND_ROBIN: '1' },
          globalSetup: ['./testing/servers/postgres-server.ts'],
        },
      },
    ],
  },
}))
