import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '../open-database.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'signet-mode-'))
const file = join(dataDir, 'signet.db')
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const modesWhenOpen = async (): Promise<string[]> => {
  const db = await openDatabase({ dataDir, sources: [] })
  const modes = ['', '-wal', '-shm'].map((ending) => (statSync(file + ending).mode & 0o777).toString(8))
  await db.close()
  return modes
}

test('a world-readable database and its log are closed to others; permissions of the group stay', async () => {
  await (await openDatabase({ dataDir, sources: [] })).close()
  chmodSync(file, 0o644)
  expect(await modesWhenOpen()).toEqual(['600', '600', '600'])
  chmodSync(file, 0o640)
  expect(await modesWhenOpen()).toEqual(['640', '640', '640'])
})
