import { spawnSync } from 'node:child_process'
import pg from 'pg'
import { expect, test } from 'vitest'
import { databaseIsUnavailable } from './unavailable.ts'

/** Uses up all file handles of its process, and prints the code of the connection that fails. */
const withoutHandles = `
  const { connect, createServer } = require('node:net')
  const { openSync } = require('node:fs')
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address()
    try { for (;;) openSync('/dev/null', 'r') } catch {}
    connect(port, '127.0.0.1').on('error', ({ code }) => process.exit(console.log(code)))
  })`

test.runIf(process.platform === 'linux')(
  'a process without a file handle for another connection is rejected like one whose database is down',
  () => {
    const shell = `ulimit -n 64; exec "$0" -e "$1"`
    const { stdout } = spawnSync('sh', ['-c', shell, process.execPath, withoutHandles], { encoding: 'utf8' })
    expect(stdout).toBe('EMFILE\n')
    expect(databaseIsUnavailable(Object.assign(new Error('connect EMFILE'), { code: stdout.trim() }))).toBe(true)
  },
)

const ofPostgres = (code: string) => Object.assign(new pg.DatabaseError('', 0, 'error'), { code })

test.each(['53300', '53100', '57P01', '58030'])("PostgreSQL's %s may pass", (code) =>
  expect(databaseIsUnavailable(ofPostgres(code))).toBe(true),
)

test.each(['28P01', '3D000', '42P01', '23505'])("PostgreSQL's %s doesn't pass by itself", (code) =>
  expect(databaseIsUnavailable(ofPostgres(code))).toBe(false),
)
