import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { findLastBackup, recordBackup } from './backups.ts'
import { listChecks, recordCheck } from './platform-checks.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test('the last backup is recorded, in whatever order backups end, and older ones are deleted', async () => {
  const day = 86_400
  expect(await findLastBackup(app.db.read, 1100 * day)).toBeUndefined()
  for (const takenAt of [1000 * day, 999 * day, 1100 * day])
    await app.db.write((tx) => recordBackup(tx, { takenAt, bytes: 5 }))
  expect(await findLastBackup(app.db.read, 1100 * day)).toEqual({ takenAt: 1100 * day, bytes: 5 })
  expect(await app.db.read.selectFrom('backups').select('finished_at').execute()).toHaveLength(1)
})

test('a backup of a clock that was ahead does not hide that later ones are missing', async () => {
  const now = 2000 * 86_400
  await app.db.write((tx) => recordBackup(tx, { takenAt: now, bytes: 1 }))
  await app.db.write((tx) => recordBackup(tx, { takenAt: now + 31 * 86_400, bytes: 2 }))
  expect(await findLastBackup(app.db.read, now + 3600)).toEqual({ takenAt: now, bytes: 1 })
  const next = { takenAt: now + 86_400, bytes: 3 }
  await app.db.write((tx) => recordBackup(tx, next))
  expect(await findLastBackup(app.db.read, now + 365 * 86_400)).toEqual(next)
})

test('of two concurrent checks, the later one is recorded', async () => {
  const record = (checkedAt: number, problems: number) =>
    app.db.write((tx) => recordCheck(tx, { name: 'planted', checkedAt, problems }))
  await record(200, 1)
  await record(100, 0)
  expect(await listChecks(app.db.read)).toContainEqual({ name: 'planted', checkedAt: 200, problems: 1 })
  await record(300, 0)
  expect(await listChecks(app.db.read)).toContainEqual({ name: 'planted', checkedAt: 300, problems: 0 })
})

test('a check after a clock that was ahead is recorded', async () => {
  const record = (checkedAt: number, problems: number) =>
    app.db.write((tx) => recordCheck(tx, { name: 'of a wrong clock', checkedAt, problems }))
  await record(31 * 86_400, 0)
  await record(1000, 2)
  expect(await listChecks(app.db.read)).toContainEqual({ name: 'of a wrong clock', checkedAt: 1000, problems: 2 })
})
