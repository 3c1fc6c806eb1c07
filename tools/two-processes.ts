import { runCommand } from './run-command.ts'

/** `npm run test:two-processes`: every test of the API over two servers on one PostgreSQL, in turn. */
const environment = { EVERY_API_TEST: '1' }
const reporters = ['--reporter=default', '--reporter=./tools/stalled-tests.ts']
const args = ['run', '--project', 'two-processes', ...reporters, ...process.argv.slice(2)]
const { code } = await runCommand('vitest', args, { environment, group: true })
process.exitCode = code
