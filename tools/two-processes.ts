import { runCommand } from './run-command.ts'

/** `npm run test:two-processes`: every test of the API over two servers on one PostgreSQL, in turn. */
const environment = { EVERY_API_TEST: '1' }
const { code } = await runCommand('vitest', ['run', '--project', 'two-processes', ...process.argv.slice(2)], {
  environment,
})
process.exitCode = code
