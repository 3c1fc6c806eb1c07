import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newOwner } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test('says which data about addresses the server has, so that nobody counts on a switch that does nothing', async () => {
  const { visitor } = await newOwner(app)
  expect((await visitor.call('GET /ip_data')).body).toMatchObject({ country: 'absent', vpn: 'absent' })
  const { vpnFile } = app.services.config.ipData
  mkdirSync(dirname(vpnFile), { recursive: true })
  writeFileSync(vpnFile, '203.0.113.0/24')
  app.advance(11)
  expect((await visitor.call('GET /ip_data')).body).toMatchObject({ country: 'absent', vpn: 'present' })
})
