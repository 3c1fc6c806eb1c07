import { runCommand } from './run-command.ts'

/**
 * `npm run test:two-processes`: all API tests with two servers on one PostgreSQL, which receive the requests in turn.
 */
const environment = { EVERY_API_TEST: '1' }
const reporters = ['--reporter=default', '--reporter=./tools/stalled-tests.ts']
const args = ['run', '--project', 'two-processes', ...reporters, ...process.argv.slice(2)]
const { code } = await runCommand('vitest', args, { environment, group: true })
process.exitCode = code
