import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { SqliteConnection } from './sqlite-connection.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'signet-sqlite-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const full = 2
const off = 0

test('a connection waits for the disk at each commit, unless it is opened without that', () => {
  const synchronousOf = (durable: boolean) => {
    const connection = new SqliteConnection(join(dataDir, 'plain.db'), { durable })
    const [row] = connection.run('pragma synchronous', []).rows
    const [mode] = connection.run('pragma journal_mode', []).rows
    connection.close()
    return { ...row, ...mode }
  }
  expect(synchronousOf(true)).toEqual({ synchronous: full, journal_mode: 'wal' })
  expect(synchronousOf(false)).toEqual({ synchronous: off, journal_mode: 'wal' })
})
