import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { MasterKey } from '#server/secrets/master-key.ts'
import { RecordedHeads } from './recorded-heads.ts'

const folder = mkdtempSync(join(tmpdir(), 'signet-heads-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('processes that record at the same moment, even with one process ID, leave a whole record and nothing beside it', async () => {
  const places = { masterKeyFile: join(folder, 'master.key'), dataDir: folder }
  const heads = new RecordedHeads(places, new MasterKey(Buffer.alloc(32, 7)))
  // Of different lengths: of two records in one file, the longer one would leave its end.
  const known = Array.from({ length: 40 }, (_, n) => ({ seq: 10 ** (n % 12) + n, hash: String(n).repeat(n) }))
  await Promise.all(known.map((head) => heads.record('database', head)))
  expect(known).toContainEqual(await heads.find('database'))
  expect(readdirSync(folder)).toEqual(['master.key.audit-heads'])
})
